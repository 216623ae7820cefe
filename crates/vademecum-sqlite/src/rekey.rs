//! A lost key: the chain goes on under a new one, and the journal says from where.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};
use vademecum_store::{Body, Scope, StoreError, Write};

use crate::error::Port;
use crate::files::Files;
use crate::journal;

/// The fact in table `store`: the last entry that was made under a key that is lost.
const REKEYED: &str = "rekeyed";

/// What the entry is called that says so.
const KIND: &str = "rekey";

/// Makes a key; where there are entries already, what they were made under is lost.
///
/// The fact is on disk before the key is: a stop in between leaves no key, and all is done again.
pub(crate) fn make(connection: &Connection, files: &Files) -> Result<Key, StoreError> {
    let newest = journal::newest(connection)?;
    if Seq(0) < newest {
        let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)";
        connection.execute(sql, params![REKEYED, newest.0.to_string()]).port()?;
    }
    files.make_key()
}

/// The last entry made under a lost key; 0 if none was lost.
pub(crate) fn last_lost(connection: &Connection) -> Result<Seq, StoreError> {
    let sql = "SELECT value FROM store WHERE name = ?1";
    let value: Option<String> =
        connection.query_row(sql, [REKEYED], |row| row.get(0)).optional().port()?;
    Ok(value.and_then(|value| value.parse().ok()).map_or(Seq(0), Seq))
}

/// Whether the journal does not say yet that the key is a new one.
pub(crate) fn is_unsaid(connection: &Connection) -> Result<bool, StoreError> {
    let lost = last_lost(connection)?;
    if lost == Seq(0) {
        return Ok(false);
    }
    Ok(journal::by_write_id(connection, Scope::Store, &write_id(lost))?.is_none())
}

/// Says it, in the transaction of the first write under the new key.
pub(crate) fn say(connection: &Connection, key: &Key, first: &Write) -> Result<(), StoreError> {
    let id = write_id(last_lost(connection)?);
    let entry = Write { scope: Scope::Store, id, kind: KIND, ..first.clone() };
    let body = Body { arguments: String::new(), reply: "null".to_owned(), undo: Vec::new() };
    journal::append(connection, key, &entry, &body)?;
    Ok(())
}

fn write_id(lost: Seq) -> WriteId {
    WriteId::new(format!("{KIND}-{}", lost.0)).expect("a word and a number are a legal id")
}
