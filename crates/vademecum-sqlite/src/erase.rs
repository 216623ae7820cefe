//! Erasing for good: rows, journal bodies, free pages, the log and backups.

use std::fs;

use rusqlite::{Connection, TransactionBehavior};
use vademecum_store::{Erase, StoreError};

use crate::error::{Port, from_io};
use crate::files::Files;

pub(crate) fn erase(
    connection: &mut Connection,
    files: &Files,
    what: &Erase,
) -> Result<(), StoreError> {
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
    match what {
        Erase::Bodies { seqs } => {
            let mut delete =
                transaction.prepare("DELETE FROM journal_body WHERE seq = ?1").port()?;
            for seq in seqs {
                delete.execute([seq.0]).port()?;
            }
        }
        Erase::Sessions(ids) => {
            for id in ids {
                let which = "id = ?1 OR (parent = ?1 AND began = 'spawn')";
                drop_sessions(&transaction, which, id.0)?;
            }
        }
        Erase::Project(id) => {
            drop_sessions(&transaction, "project = ?1", id.0)?;
            drop_project(&transaction, id.0)?;
        }
    }
    transaction.commit().port()?;
    // A copy made before a migration may hold what is erased; the store itself needs none of them.
    remove_backups(files)?;
    wipe(connection)
}

/// Takes sessions away; what is left of them is the journal without bodies.
fn drop_sessions(connection: &Connection, which: &str, id: i64) -> Result<(), StoreError> {
    connection
        .execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY); DELETE FROM gone;",
        )
        .port()?;
    let sql = format!("INSERT INTO gone SELECT id FROM session WHERE {which}");
    connection.execute(&sql, [id]).port()?;
    connection
        .execute_batch(
            "DELETE FROM note_index WHERE rowid IN
                 (SELECT row FROM note WHERE session IN (SELECT id FROM gone));
             DELETE FROM note WHERE session IN (SELECT id FROM gone);
             DELETE FROM note_tag WHERE session IN (SELECT id FROM gone);
             DELETE FROM tag_count WHERE session IN (SELECT id FROM gone);
             DELETE FROM notepad WHERE session IN (SELECT id FROM gone);
             DELETE FROM journal_body WHERE seq IN
                 (SELECT seq FROM journal WHERE scope IN (SELECT 'session:' || id FROM gone));
             UPDATE session SET parent = NULL WHERE parent IN (SELECT id FROM gone);
             DELETE FROM session WHERE id IN (SELECT id FROM gone);",
        )
        .port()
}

fn drop_project(connection: &Connection, id: i64) -> Result<(), StoreError> {
    let bodies = "DELETE FROM journal_body WHERE seq IN
                      (SELECT seq FROM journal WHERE scope = 'project:' || ?1)";
    connection.execute(bodies, [id]).port()?;
    // The bodies of scope `store` hold the names and folders of projects.
    let bodies =
        "DELETE FROM journal_body WHERE seq IN (SELECT seq FROM journal WHERE scope = 'store')";
    connection.execute(bodies, []).port()?;
    connection.execute("DELETE FROM project_key WHERE project = ?1", [id]).port()?;
    connection.execute("DELETE FROM project WHERE id = ?1", [id]).port()?;
    Ok(())
}

fn remove_backups(files: &Files) -> Result<(), StoreError> {
    match fs::remove_dir_all(&files.backups) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(from_io(&error, "remove the backups"))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes the database anew without its free pages, and empties the log.
fn wipe(connection: &Connection) -> Result<(), StoreError> {
    connection
        .execute_batch("INSERT INTO note_index (note_index) VALUES ('optimize'); VACUUM;")
        .port()?;
    let is_busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).port()?;
    if is_busy != 0 {
        return Err(StoreError::Busy { waited: crate::deadline::waited() });
    }
    Ok(())
}

pub(crate) fn shrink(connection: &Connection, files: &Files) -> Result<(u64, u64), StoreError> {
    let size = || files.database.metadata().map_or(0, |meta| meta.len());
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).port()?;
    let before = size();
    wipe(connection)?;
    Ok((before, size()))
}
