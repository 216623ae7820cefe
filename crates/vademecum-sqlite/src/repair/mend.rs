//! Makes a saved store whole again: owners of what has none, derived tables, the chain.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_core::note::Note;
use vademecum_store::{Record, StoreError, chain};

use super::quarantine::Quarantine;
use crate::error::{Port, is_value};
use crate::names::SessionRow;
use crate::{borrowed, index, journal, notes, rekey};

/// What was made from the notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Derived {
    /// How many notes there are.
    pub(super) n_notes: usize,
    /// How many were no notes any more, and are in quarantine.
    pub(super) n_dropped: usize,
}

/// Gives sessions and projects that were lost back to what belonged to them.
pub(super) fn adopt(new: &Connection) -> Result<(), StoreError> {
    new.execute_batch(
        "INSERT INTO project (id, name, created_at)
             SELECT DISTINCT project, 'recovered', 0 FROM session
             WHERE project NOT IN (SELECT id FROM project)
             UNION SELECT DISTINCT project, 'recovered', 0 FROM project_key
             WHERE project NOT IN (SELECT id FROM project)
             UNION SELECT DISTINCT project, 'recovered', 0 FROM plan
             WHERE project NOT IN (SELECT id FROM project)
             UNION SELECT DISTINCT project, 'recovered', 0 FROM entry
             WHERE project NOT IN (SELECT id FROM project);
         INSERT INTO plan (id, project, name, created_at)
             SELECT DISTINCT plan, project, 'recovered-' || plan, 0 FROM entry
             WHERE plan NOT IN (SELECT id FROM plan);
         INSERT INTO project (name, created_at)
             SELECT 'recovered', 0 WHERE NOT EXISTS (SELECT 1 FROM project)
             AND EXISTS (SELECT 1 FROM note UNION ALL SELECT 1 FROM notepad
                         UNION ALL SELECT 1 FROM handoff UNION ALL SELECT 1 FROM borrowed);
         INSERT INTO session (id, project, harness, external, agent, began, instance, machine,
                              started_at, seen_at)
             SELECT lost.session, (SELECT max(id) FROM project), 'recovered',
                    'session-' || lost.session, '', 'start', 0, '', 0, 0
             FROM (SELECT session FROM note UNION SELECT session FROM notepad
                   UNION SELECT session FROM handoff UNION SELECT session FROM borrowed) AS lost
             WHERE lost.session NOT IN (SELECT id FROM session);",
    )
    .port()
}

/// Makes tags, counts and the search index from the notes.
pub(super) fn derive(
    connection: &Connection,
    quarantine: &mut Quarantine,
) -> Result<Derived, StoreError> {
    connection
        .execute_batch(
            "INSERT INTO note_index (note_index) VALUES ('delete-all');
             DELETE FROM note_tag;
             DELETE FROM tag_count;
             UPDATE session SET n_notes = 0, n_open = 0;",
        )
        .port()?;
    let mut query = connection.prepare("SELECT row, session FROM note ORDER BY row").port()?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, SessionRow(row.get(1)?)))).port()?;
    let mut derived = Derived::default();
    for row in rows.collect::<rusqlite::Result<Vec<(i64, SessionRow)>>>().port()? {
        if one(connection, quarantine, row.0, row.1)? {
            derived.n_notes += 1;
        } else {
            derived.n_dropped += 1;
        }
    }
    borrowed::mend(connection)?;
    Ok(derived)
}

/// Makes what belongs to one note; a row that is no note any more goes into quarantine.
fn one(
    connection: &Connection,
    quarantine: &mut Quarantine,
    row: i64,
    session: SessionRow,
) -> Result<bool, StoreError> {
    let Some(note) = note(connection, row)? else {
        put_away(connection, quarantine, "note", row)?;
        return Ok(false);
    };
    index::add(connection, session, row, &note)?;
    notes::derive(connection, session, &note)?;
    Ok(true)
}

/// The note in a row; none if its values are no note. What keeps it from being read is an error.
fn note(connection: &Connection, row: i64) -> Result<Option<Note>, StoreError> {
    let sql = format!("SELECT {} FROM note WHERE row = ?1", notes::COLUMNS);
    match connection.prepare_cached(&sql).port()?.query_row([row], notes::note) {
        Ok(note) => Ok(Some(note)),
        Err(error) if is_value(&error) => Ok(None),
        Err(error) => Err(error).port(),
    }
}

/// Takes the row with this number out of its table, once it is in quarantine.
fn put_away(
    connection: &Connection,
    quarantine: &mut Quarantine,
    table: &str,
    row: i64,
) -> Result<(), StoreError> {
    let sql = format!("SELECT * FROM {table} WHERE rowid = ?1");
    let mut query = connection.prepare_cached(&sql).port()?;
    let mut rows = query.query([row]).port()?;
    if let Some(row) = rows.next().port()? {
        quarantine.row(table, row)?;
    }
    drop(rows);
    let sql = format!("DELETE FROM {table} WHERE rowid = ?1");
    connection.prepare_cached(&sql).port()?.execute([row]).port()?;
    Ok(())
}

/// Begins the chain anew in each scope where it does not hold; in how many.
pub(super) fn rechain(connection: &Connection, key: &Key) -> Result<usize, StoreError> {
    let lost = rekey::last_lost(connection)?;
    let mut records = journal::after(connection, Seq(0), 0)?;
    records.sort_by_key(|record| (record.scope.to_string(), record.seq));
    let mut n_scopes = 0;
    for scope in records.chunk_by_mut(|a, b| a.scope == b.scope) {
        if chain::first_bad_after(key, lost, scope.iter()).is_some() {
            rechain_scope(connection, key, scope)?;
            n_scopes += 1;
        }
    }
    Ok(n_scopes)
}

fn rechain_scope(
    connection: &Connection,
    key: &Key,
    records: &mut [Record],
) -> Result<(), StoreError> {
    let sql = "UPDATE journal SET body_hash = ?2, prev_hash = ?3, hash = ?4 WHERE seq = ?1";
    let mut update = connection.prepare_cached(sql).port()?;
    let mut prev = chain::START;
    for record in records {
        if let Some(body) = journal::body_bytes(connection, record.seq)? {
            record.body_hash = chain::body_hash(key, &body);
        }
        record.prev_hash = prev;
        record.hash = chain::entry_hash(key, record);
        prev = record.hash;
        update
            .execute(params![record.seq.0, record.body_hash, record.prev_hash, record.hash])
            .port()?;
    }
    Ok(())
}

/// Takes out entries and bodies that are none any more.
pub(super) fn drop_foreign(
    connection: &Connection,
    quarantine: &mut Quarantine,
) -> Result<(), StoreError> {
    for seq in numbers(connection, "SELECT seq FROM journal")? {
        if !journal::is_entry(connection, Seq(seq))? {
            put_away(connection, quarantine, "journal", seq)?;
        }
    }
    let lone = "SELECT seq FROM journal_body WHERE seq NOT IN (SELECT seq FROM journal)";
    let unreadable = journal::unreadable_bodies(connection)?.into_iter().map(|seq| seq.0);
    let gone: BTreeSet<i64> = numbers(connection, lone)?.into_iter().chain(unreadable).collect();
    for seq in gone {
        put_away(connection, quarantine, "journal_body", seq)?;
    }
    Ok(())
}

fn numbers(connection: &Connection, sql: &str) -> Result<Vec<i64>, StoreError> {
    let mut query = connection.prepare(sql).port()?;
    query.query_map([], |row| row.get(0)).port()?.collect::<rusqlite::Result<_>>().port()
}
