//! The hand of a later program, for tests: what this one cannot write.

use std::path::Path;

use rusqlite::{Connection, params};
use serde_json::value::RawValue;
use vademecum_core::id::Seq;
use vademecum_store::{Change, StoreError};

use crate::error::Port;
use crate::files::Files;
use crate::journal;
use crate::lines::{self, Line};
use crate::names::{Known, Names};
use crate::undo;

/// Puts a list of changes, as JSON, in the place of what undoes an entry, and seals the journal.
pub fn put_undo(path: &Path, seq: Seq, undo: &str) -> Result<(), StoreError> {
    let wrong = |what: &str| StoreError::Engine { what: what.to_owned() };
    let connection = Connection::open(path).port()?;
    let key = Files::of(path).read_key()?.ok_or_else(|| wrong("no key"))?;
    let mut body = journal::kept(&connection, seq)?.ok_or_else(|| wrong("no body"))?;
    let no_json = |error: serde_json::Error| wrong(&error.to_string());
    let names = Names::new(&connection, Known::default());
    let listed: Vec<Box<RawValue>> = serde_json::from_str(undo).map_err(no_json)?;
    let kept = |raw: Box<RawValue>| match serde_json::from_str::<Change>(raw.get()) {
        Ok(known) => undo::kept(&names, &known),
        Err(_) => Ok(raw),
    };
    body.undo = undo::list(&listed.into_iter().map(kept).collect::<Result<Vec<_>, _>>()?)?;
    let sql = "UPDATE journal SET undo = ?2 WHERE seq = ?1";
    connection.execute(sql, params![seq.0, body.undo]).port()?;
    let is_its = |line: &Line| line.entries.iter().any(|entry| entry.record.seq == seq);
    let line = lines::all(&connection)?.into_iter().find(is_its);
    line.ok_or_else(|| wrong("no entry"))?.seal(&connection, &key)
}
