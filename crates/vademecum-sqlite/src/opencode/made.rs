//! Databases as opencode lays them, made for tests: with them a caller proves what it makes of a real one.

use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use vademecum_store::StoreError;

use crate::error::Port;

/// The tables of opencode 1.18, without the columns that no reader of transcripts looks at.
const SCHEMA: &str = "
    PRAGMA journal_mode = wal;
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
        slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL,
        revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
    CREATE TABLE message (id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE part (id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
        session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
        data TEXT NOT NULL);";

/// A database that its own program keeps to itself.
#[derive(Debug)]
pub struct Held(#[expect(dead_code, reason = "the lock lives as long as it")] Connection);

/// Lays a database with these sessions, each as opencode exports it.
///
/// What an export leaves out of its times is 0; ids of parts rise in the order given.
pub fn lay(path: &Path, exports: &[Value]) -> Result<(), StoreError> {
    let connection = Connection::open(path).port()?;
    connection.execute_batch(SCHEMA).port()?;
    for export in exports {
        session(&connection, export).port()?;
    }
    Ok(())
}

/// Locks the database against everybody else until the lock is dropped.
pub fn hold(path: &Path) -> Result<Held, StoreError> {
    let connection = Connection::open(path).port()?;
    connection.execute_batch("PRAGMA journal_mode = delete; BEGIN EXCLUSIVE").port()?;
    Ok(Held(connection))
}

fn session(connection: &Connection, export: &Value) -> rusqlite::Result<()> {
    let info = &export["info"];
    let (id, time) = (info["id"].as_str(), &info["time"]);
    let revert = info.get("revert").filter(|revert| !revert.is_null()).map(Value::to_string);
    connection.execute(
        "INSERT INTO session VALUES (?1, 'global', ?2, 'slug', ?3, '', ?4, ?5, ?6, ?7)",
        (
            id,
            info["parentID"].as_str(),
            info["directory"].as_str(),
            info["version"].as_str(),
            revert,
            time["created"].as_i64().unwrap_or(0),
            time["updated"].as_i64().unwrap_or(0),
        ),
    )?;
    for message in export["messages"].as_array().into_iter().flatten() {
        let (message_id, created) = (&message["info"]["id"], &message["info"]["time"]["created"]);
        let (message_id, created) = (message_id.as_str(), created.as_i64().unwrap_or(0));
        let data = without(&message["info"], &["id", "sessionID"]);
        let insert = "INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)";
        connection.execute(insert, (message_id, id, created, data))?;
        for (idx, part) in message["parts"].as_array().into_iter().flatten().enumerate() {
            let part_id = format!("{}_{idx:04}", message_id.unwrap_or_default());
            let data = without(part, &["id", "messageID", "sessionID"]);
            let insert = "INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?4, ?5)";
            connection.execute(insert, (part_id, message_id, id, created, data))?;
        }
    }
    Ok(())
}

/// The JSON of a row, which has no field for what stands in a column.
fn without(value: &Value, names: &[&str]) -> String {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, _| !names.contains(&name.as_str()));
    }
    value.to_string()
}
