//! What a store says of its own state.

use rusqlite::Connection;
use vademecum_core::hash::Key;
use vademecum_store::{Health, StoreError, chain};

use crate::error::Port;
use crate::{journal, open, schema};

pub(crate) fn check(
    connection: &Connection,
    key: Option<&Key>,
    deep: bool,
) -> Result<Health, StoreError> {
    let mut faults = Vec::new();
    let pragma = if deep { "integrity_check" } else { "quick_check" };
    let mut query = connection.prepare(&format!("PRAGMA {pragma}(10)")).port()?;
    let rows = query.query_map([], |row| row.get::<_, String>(0)).port()?;
    for row in rows {
        let line = row.port()?;
        if line != "ok" {
            faults.push(line);
        }
    }
    let is_new = open::is_in_memory(connection);
    match key {
        Some(key) => faults.extend(broken_chains(connection, key)?),
        None if !is_new => faults.push("the key of the journal is missing".to_owned()),
        None => {}
    }
    let schema = if is_new { None } else { schema::version(connection)?.map(schema::word) };
    Ok(Health { engine: format!("SQLite {}", rusqlite::version()), schema, faults })
}

/// One line for each scope whose chain does not hold.
fn broken_chains(connection: &Connection, key: &Key) -> Result<Vec<String>, StoreError> {
    let mut records = journal::after(connection, vademecum_core::id::Seq(0), 0)?;
    records.sort_by_key(|record| (record.scope.to_string(), record.seq));
    let scopes = records.chunk_by(|a, b| a.scope == b.scope);
    let bad = scopes.filter_map(|records| chain::first_bad(key, records));
    Ok(bad
        .map(|record| format!("journal entry {} was changed by another program", record.seq.0))
        .collect())
}
