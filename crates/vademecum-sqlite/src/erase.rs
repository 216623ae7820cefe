//! Erasing for good: rows, journal bodies, free pages, the log and backups.

use std::fs;

use rusqlite::{Connection, OptionalExtension, ToSql, TransactionBehavior, params};
use vademecum_core::time::Time;
use vademecum_store::{Erase, IntentId, Parts, StoreCard, StoreError};

use crate::error::Port;
use crate::files::{Files, remove};
use crate::names::{Known, Names, ProjectRow, SessionRow};
use crate::numbers::{self, Order};
use crate::open::Writer;
use crate::{deadline, forks, index};

/// The fact in table `store` that says how much of an erasure is left to do.
const UNFINISHED: &str = "unfinished_erase";

/// Free pages and backups hold what was erased, and the log does.
const PAGES: &str = "pages";

/// The log alone holds what was erased.
const LOG: &str = "log";

/// What the names of intentions begin with in table `store`.
const INTENT: &str = "forget:";

/// The number of the last intention: none is given twice, so that who comes late ends nobody else's.
const LAST_INTENT: &str = "last_forget";

/// What takes the body of an entry away.
const ERASE_BODY: &str = "UPDATE journal SET arguments = NULL, reply = NULL, undo = NULL";

pub(crate) fn erase(
    writer: &mut Writer,
    files: &Files,
    (what, fulfils): (&Erase, Option<IntentId>),
    is_brief: bool,
) -> Result<(), StoreError> {
    if *what == Erase::Nothing {
        // Who ends at once leaves the index to others.
        let end = if is_brief { forks::complete_all } else { forks::finish };
        end(&mut writer.connection)?;
    }
    let transaction =
        writer.connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
    let mut is_late = false;
    if let Some(IntentId(n)) = fulfils {
        let sql = "DELETE FROM store WHERE name = ?1";
        is_late = transaction.execute(sql, [format!("{INTENT}{n}")]).port()? == 0;
    }
    // A session that has such a name now was begun since; all else has a number of its own.
    let is_another = is_late && matches!(what, Erase::Sessions(_));
    if !is_another {
        drop_rows(&Names::new(&transaction, Known::default()), what)?;
        if *what != Erase::Nothing || fulfils.is_some() {
            mark(&transaction, Some(PAGES))?;
        }
    }
    transaction.commit().port()?;
    if is_brief && files.is_large() {
        // The rows are gone; the next command or server finishes it.
        return Ok(());
    }
    writer.must_wipe = true;
    finish(&writer.connection, files)?;
    writer.must_wipe = false;
    Ok(())
}

/// Keeps an intention until [`erase`] fulfils it.
pub(crate) fn intend(connection: &mut Connection, what: &str) -> Result<IntentId, StoreError> {
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
    let open = store_card(&transaction)?.unfinished.intents;
    let given: Option<String> = transaction
        .query_row("SELECT value FROM store WHERE name = ?1", [LAST_INTENT], |row| row.get(0))
        .optional()
        .port()?;
    let given = given.and_then(|given| given.parse().ok()).unwrap_or(0);
    let next = open.last().map_or(given, |(IntentId(n), _)| given.max(*n)) + 1;
    let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)";
    transaction.execute(sql, params![format!("{INTENT}{next}"), what]).port()?;
    transaction.execute(sql, params![LAST_INTENT, next.to_string()]).port()?;
    transaction.commit().port()?;
    Ok(IntentId(next))
}

/// What the store's own rows say: the switch, and what was begun to be forgotten, oldest first.
pub(crate) fn store_card(connection: &Connection) -> Result<StoreCard, StoreError> {
    let mut query = connection.prepare_cached("SELECT name, value FROM store").port()?;
    let rows = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?))).port()?;
    let mut card = StoreCard::default();
    for row in rows {
        let (name, value): (_, String) = row.port()?;
        let number = name.strip_prefix(INTENT).and_then(|number| number.parse().ok());
        match number {
            Some(number) => card.unfinished.intents.push((IntentId(number), value)),
            None if name == UNFINISHED => card.unfinished.has_bytes = true,
            None if name == forks::OPEN => card.unfinished.has_forks = true,
            None if name == "off_at" => card.off_at = value.parse().ok().map(Time),
            None => {}
        }
    }
    card.unfinished.intents.sort();
    Ok(card)
}

/// Whether an erasure was begun whose bytes are not gone yet.
pub(crate) fn is_unfinished(connection: &Connection) -> Result<bool, StoreError> {
    Ok(what_is_left(connection)?.is_some())
}

/// Tries to finish an erasure without waiting; whether somebody still reads an older state.
pub(crate) fn is_still_held(
    connection: &mut Connection,
    files: &Files,
) -> Result<bool, StoreError> {
    connection.busy_handler(None::<fn(i32) -> bool>).port()?;
    let finished = finish(connection, files);
    connection.busy_handler(Some(deadline::busy)).port()?;
    // What stands in the way of this does not stand in the way of a write: it is tried again.
    Ok(finished.is_err())
}

fn what_is_left(connection: &Connection) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM store WHERE name = ?1";
    connection.query_row(sql, [UNFINISHED], |row| row.get(0)).optional().port()
}

fn mark(connection: &Connection, left: Option<&str>) -> Result<(), StoreError> {
    let sql = match left {
        Some(_) => "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)",
        None => "DELETE FROM store WHERE name = ?1 AND ?2 IS NULL",
    };
    connection.execute(sql, params![UNFINISHED, left]).port()?;
    Ok(())
}

/// Does what is left of an erasure whose rows are gone.
fn finish(connection: &Connection, files: &Files) -> Result<(), StoreError> {
    let Some(left) = what_is_left(connection)? else {
        return Ok(());
    };
    if left != LOG {
        // A copy made before a migration may hold what is erased; the store needs none of them.
        remove_backups(files)?;
        rewrite(connection)?;
        mark(connection, Some(LOG))?;
    }
    empty_log(connection)?;
    mark(connection, None)
}

fn drop_rows(names: &Names<'_>, what: &Erase) -> Result<(), StoreError> {
    match what {
        Erase::Nothing => Ok(()),
        Erase::Parts(parts) => drop_parts(names, parts),
        Erase::Sessions(keys) => {
            let which = "id = ?1 OR (parent = ?1 AND began = 'spawn')";
            let rows = keys.iter().map(|key| names.find_session(key));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            drop_sessions(names.connection, which, rows.into_iter().flatten().map(|row| row.0))
        }
        Erase::Project(id) => match names.find_project(*id)? {
            Some(ProjectRow(row)) => {
                drop_sessions(names.connection, "project = ?1", [row])?;
                drop_project(names.connection, row)
            }
            None => Ok(()),
        },
    }
}

fn drop_parts(names: &Names<'_>, parts: &Parts) -> Result<(), StoreError> {
    let each = |sql: &str, ids: &[&dyn ToSql]| names.connection.execute(sql, ids).port().map(drop);
    for seq in &parts.bodies {
        each(&format!("{ERASE_BODY} WHERE seq = ?1"), &[&seq.0])?;
    }
    for key in &parts.recaps {
        let Some(SessionRow(row)) = names.find_session(key)? else { continue };
        each("DELETE FROM recap WHERE session = ?1", &[&row])?;
        index::forget(names.connection, numbers::only(SessionRow(row), Order::Recap))?;
    }
    for (project, id) in &parts.entries {
        let Some(ProjectRow(row)) = names.find_project(*project)? else { continue };
        let sql = "DELETE FROM entry WHERE project = ?1 AND id = ?2 RETURNING number";
        let number = names.connection.query_row(sql, [row, id.0], |row| row.get(0));
        if let Some(number) = number.optional().port()? {
            index::forget(names.connection, number)?;
        }
    }
    Ok(())
}

/// Takes sessions away; what is left of them is the journal without bodies.
///
/// All go at once: what a fork lacks of another that goes too is not copied.
fn drop_sessions(
    connection: &Connection,
    which: &str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<(), StoreError> {
    connection
        .execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY); DELETE FROM gone;",
        )
        .port()?;
    let sql = format!("INSERT OR IGNORE INTO gone SELECT id FROM session WHERE {which}");
    let mut insert = connection.prepare(&sql).port()?;
    for id in ids {
        insert.execute([id]).port()?;
    }
    forks::outlive(connection)?;
    connection
        .execute_batch(
            "DELETE FROM document_index WHERE rowid IN
                 (SELECT known.id FROM gone CROSS JOIN document_index_docsize AS known
                  ON known.id BETWEEN gone.id << 28 AND (gone.id + 1 << 28) - 1);
             DELETE FROM waiting WHERE number >> 28 IN (SELECT id FROM gone);
             DELETE FROM note WHERE number >> 28 IN (SELECT id FROM gone);
             DELETE FROM tag_count WHERE session IN (SELECT id FROM gone);
             DELETE FROM notepad WHERE session IN (SELECT id FROM gone);
             DELETE FROM handoff WHERE session IN (SELECT id FROM gone);
             DELETE FROM recap WHERE session IN (SELECT id FROM gone);
             DELETE FROM running WHERE session IN (SELECT id FROM gone)
                 OR parent IN (SELECT id FROM gone);
             UPDATE entry SET session = NULL WHERE session IN (SELECT id FROM gone);
             UPDATE session SET parent = NULL WHERE parent IN (SELECT id FROM gone);
             UPDATE holder SET n_notes = 0, n_open = 0, last_id = NULL
                 WHERE id IN (SELECT id FROM gone);
             DELETE FROM session WHERE id IN (SELECT id FROM gone);",
        )
        .port()?;
    drop_bodies(connection)
}

/// Erases the bodies of those in table `gone`.
///
/// A line is walked from its head; where one is torn, all entries are looked at.
fn drop_bodies(connection: &Connection) -> Result<(), StoreError> {
    connection
        .execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gone_entry (seq INTEGER PRIMARY KEY);
             DELETE FROM gone_entry;
             WITH RECURSIVE line (seq) AS (
                 SELECT head FROM holder WHERE id IN (SELECT id FROM gone)
                 UNION SELECT before FROM line JOIN journal USING (seq))
             INSERT INTO gone_entry SELECT seq FROM line WHERE seq <> 0;",
        )
        .port()?;
    let torn = "SELECT 1 FROM gone_entry WHERE seq NOT IN (SELECT seq FROM journal)";
    if connection.prepare(torn).port()?.exists([]).port()? {
        let all = "INSERT OR IGNORE INTO gone_entry
                   SELECT seq FROM journal WHERE holder IN (SELECT id FROM gone)";
        connection.execute(all, []).port()?;
    }
    let sql = format!("{ERASE_BODY} WHERE seq IN (SELECT seq FROM gone_entry)");
    connection.execute(&sql, []).port().map(drop)
}

fn drop_project(connection: &Connection, id: i64) -> Result<(), StoreError> {
    // The bodies of scope `store` hold the names and folders of projects.
    let gone = "INSERT OR IGNORE INTO gone
                SELECT ?1 UNION SELECT holder FROM other_scope WHERE text = 'store'";
    connection.execute(gone, [id]).port()?;
    drop_bodies(connection)?;
    for rows in [
        "UPDATE session SET active_plan = NULL
             WHERE active_plan IN (SELECT id FROM plan WHERE project = ?1)",
        "DELETE FROM document_index WHERE rowid IN (SELECT number FROM entry WHERE project = ?1)",
        "DELETE FROM waiting WHERE number >> 28 = ?1",
        "DELETE FROM entry WHERE project = ?1",
        "DELETE FROM plan WHERE project = ?1",
        "DELETE FROM project_key WHERE project = ?1",
        "DELETE FROM project WHERE id = ?1",
    ] {
        connection.execute(rows, [id]).port()?;
    }
    Ok(())
}

/// Removes the copies of this store; what somebody else keeps in that folder stays.
fn remove_backups(files: &Files) -> Result<(), StoreError> {
    for copy in files.copies()? {
        remove(&copy)?;
    }
    // A folder that is not empty holds what is not ours.
    drop(fs::remove_dir(&files.backups));
    Ok(())
}

/// Writes the database anew without its free pages.
fn rewrite(connection: &Connection) -> Result<(), StoreError> {
    connection
        .execute_batch("INSERT INTO document_index (document_index) VALUES ('optimize'); VACUUM;")
        .port()
}

/// Empties the log, which waits for those who read an older state.
fn empty_log(connection: &Connection) -> Result<(), StoreError> {
    let is_busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).port()?;
    if is_busy != 0 {
        return Err(StoreError::Unfinished { waited: deadline::waited() });
    }
    Ok(())
}

/// Gives free space back; an erasure that is not finished is finished by it.
pub(crate) fn shrink(connection: &Connection, files: &Files) -> Result<(u64, u64), StoreError> {
    let size = || files.database.metadata().map_or(0, |meta| meta.len());
    finish(connection, files)?;
    empty_log(connection)?;
    let before = size();
    rewrite(connection)?;
    empty_log(connection)?;
    Ok((before, size()))
}
