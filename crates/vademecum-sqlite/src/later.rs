//! The hand of a later program, for tests: what this one cannot write.

use std::path::Path;

use rusqlite::{Connection, params};
use serde_json::value::RawValue;
use vademecum_core::id::Seq;
use vademecum_store::{Change, StoreError, chain};

use crate::error::Port;
use crate::files::Files;
use crate::journal;
use crate::names::{Known, Names};
use crate::undo::{self, Kept};

/// Puts a list of changes, as JSON, in the place of what undoes an entry, and seals the journal.
pub fn put_undo(path: &Path, seq: Seq, undo: &str) -> Result<(), StoreError> {
    let wrong = |what: &str| StoreError::Engine { what: what.to_owned() };
    let connection = Connection::open(path).port()?;
    let key = Files::of(path).read_key()?.ok_or_else(|| wrong("no key"))?;
    let body = journal::body_bytes(&connection, seq)?.ok_or_else(|| wrong("no body"))?;
    let no_json = |error: serde_json::Error| wrong(&error.to_string());
    let mut body: Kept = serde_json::from_slice(&body).map_err(no_json)?;
    let names = Names::new(&connection, Known::default());
    let listed: Vec<Box<RawValue>> = serde_json::from_str(undo).map_err(no_json)?;
    let kept = |raw: Box<RawValue>| match serde_json::from_str::<Change>(raw.get()) {
        Ok(known) => undo::kept(&names, &known),
        Err(_) => Ok(raw),
    };
    body.undo = listed.into_iter().map(kept).collect::<Result<_, _>>()?;
    let body = body.bytes()?;
    let mut records = journal::after(&connection, Seq(0), 0)?;
    let scope = records.iter().find(|record| record.seq == seq).map(|record| record.scope.clone());
    records.retain(|record| Some(&record.scope) == scope.as_ref());
    let mut prev = chain::START;
    for record in &mut records {
        if record.seq == seq {
            record.body_hash = chain::body_hash(&key, &body);
        }
        record.prev_hash = prev;
        prev = chain::entry_hash(&key, record);
        let sql = "UPDATE journal SET body_hash = ?2, prev_hash = ?3, hash = ?4 WHERE seq = ?1";
        let values = params![record.seq.0, record.body_hash, record.prev_hash, prev];
        connection.execute(sql, values).port()?;
    }
    let sql = "UPDATE journal_body SET body = ?2 WHERE seq = ?1";
    connection.execute(sql, params![seq.0, body]).port()?;
    Ok(())
}
