//! The schema and its migrations: each in one transaction, with a copy of the store before it.

use rusqlite::{Connection, TransactionBehavior};
use vademecum_store::StoreError;

use crate::error::{Port, from_io};
use crate::files::{Files, private_folder};

/// `vade` in ASCII, by which a file is known as a store.
const APPLICATION_ID: i32 = 0x7661_6465;

/// The major version that this program reads and writes.
const MAJOR: i32 = 1;

/// One step from a version to the next.
pub(crate) struct Step {
    /// The version that it makes, `major * 1000 + minor`.
    pub(crate) version: i32,
    /// What it does.
    pub(crate) sql: &'static str,
}

/// All steps, oldest first; steps are added, never edited.
pub(crate) const STEPS: &[Step] = &[Step { version: 1000, sql: include_str!("schema/v1.sql") }];

/// The version of a store; none for an empty file.
pub(crate) fn version(connection: &Connection) -> Result<Option<i32>, StoreError> {
    let version = pragma(connection, "user_version")?;
    if version / 1000 == MAJOR {
        return Ok(Some(version));
    }
    let is_ours = pragma(connection, "application_id")? == APPLICATION_ID;
    match (version, is_ours) {
        (0, false) if is_empty(connection)? => Ok(None),
        (_, true) => Err(StoreError::Newer { found: word(version), known: word(newest(STEPS)) }),
        (_, false) => Err(StoreError::Foreign),
    }
}

/// A version as major.minor.
pub(crate) fn word(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000)
}

fn newest(steps: &[Step]) -> i32 {
    steps.last().map_or(0, |step| step.version)
}

fn pragma(connection: &Connection, name: &str) -> Result<i32, StoreError> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).port()
}

fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    let n: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).port()?;
    Ok(n == 0)
}

/// Makes the newest schema in an empty database.
pub(crate) fn create(connection: &Connection) -> Result<(), StoreError> {
    for step in STEPS {
        connection.execute_batch(step.sql).port()?;
    }
    stamp(connection, newest(STEPS))
}

/// Brings a store to the newest schema; a store from a later minor version is left as it is.
pub(crate) fn migrate(
    connection: &mut Connection,
    files: &Files,
    steps: &[Step],
) -> Result<(), StoreError> {
    let found = version(connection)?;
    if found.is_none() {
        connection.execute_batch("PRAGMA journal_mode = WAL;").port()?;
    }
    for step in steps.iter().filter(|step| found.is_none_or(|found| found < step.version)) {
        if let Some(found) = found {
            back_up(connection, files, found)?;
        }
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
        transaction.execute_batch(step.sql).port()?;
        stamp(&transaction, step.version)?;
        transaction.commit().port()?;
    }
    Ok(())
}

fn stamp(connection: &Connection, version: i32) -> Result<(), StoreError> {
    let sql = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version};");
    connection.execute_batch(&sql).port()
}

/// Copies the store before a migration; an older copy of the same version gives way.
fn back_up(connection: &Connection, files: &Files, version: i32) -> Result<(), StoreError> {
    private_folder(&files.backups)
        .map_err(|error| from_io(&error, "make the folder of backups"))?;
    let copy = files.backups.join(format!("vade-{}.db", word(version)));
    match std::fs::remove_file(&copy) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(from_io(&error, "replace the older backup"));
        }
        Ok(()) | Err(_) => {}
    }
    let path = copy.to_string_lossy();
    connection.execute("VACUUM INTO ?1", [&path]).port()?;
    Ok(())
}
