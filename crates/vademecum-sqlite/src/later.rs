//! The hand of a later program, for tests: what this one cannot write.

use std::path::Path;

use rusqlite::{Connection, params};
use vademecum_core::id::Seq;
use vademecum_store::{StoreError, chain};

use crate::error::Port;
use crate::files::Files;
use crate::journal;

/// Puts a list of changes, as JSON, in the place of what undoes an entry, and seals the journal.
pub fn put_undo(path: &Path, seq: Seq, undo: &str) -> Result<(), StoreError> {
    let wrong = |what: &str| StoreError::Engine { what: what.to_owned() };
    let connection = Connection::open(path).port()?;
    let key = Files::of(path).read_key()?.ok_or_else(|| wrong("no key"))?;
    let body = journal::body_bytes(&connection, seq)?.ok_or_else(|| wrong("no body"))?;
    let body = String::from_utf8(body).map_err(|_| wrong("no text"))?;
    // A quotation mark inside of a text has a backslash before it.
    let at = body.find("\"undo\":").ok_or_else(|| wrong("no undo list"))?;
    let body = format!("{}\"undo\":{undo}}}", &body[..at]);
    let mut records = journal::after(&connection, Seq(0), 0)?;
    let scope = records.iter().find(|record| record.seq == seq).map(|record| record.scope.clone());
    records.retain(|record| Some(&record.scope) == scope.as_ref());
    let mut prev = chain::START;
    for record in &mut records {
        if record.seq == seq {
            record.body_hash = chain::body_hash(&key, body.as_bytes());
        }
        record.prev_hash = prev;
        prev = chain::entry_hash(&key, record);
        let sql = "UPDATE journal SET body_hash = ?2, prev_hash = ?3, hash = ?4 WHERE seq = ?1";
        let values = params![record.seq.0, record.body_hash, record.prev_hash, prev];
        connection.execute(sql, values).port()?;
    }
    let sql = "UPDATE journal_body SET body = ?2 WHERE seq = ?1";
    connection.execute(sql, params![seq.0, body.as_bytes()]).port()?;
    Ok(())
}
