//! Makes a saved store whole again: owners of what has none, derived tables, the chain.

use rusqlite::Connection;
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_core::note::Note;
use vademecum_store::StoreError;

use super::quarantine::Quarantine;
use crate::error::{Port, is_value};
use crate::{forks, index, journal, lines, notes, rekey};

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
        "INSERT INTO project (id, uid, name, created_at)
             SELECT id, randomblob(16), 'recovered', 0 FROM
                 (SELECT project AS id FROM session UNION SELECT project FROM project_key
                  UNION SELECT project FROM plan UNION SELECT project FROM entry)
             WHERE id NOT IN (SELECT id FROM project);
         INSERT INTO plan (id, project, name, created_at)
             SELECT DISTINCT plan, project, 'recovered-' || plan, 0 FROM entry
             WHERE plan NOT IN (SELECT id FROM plan);
         INSERT INTO project (id, uid, name, created_at)
             SELECT 1 + max(coalesce((SELECT max(id) FROM holder), 0),
                            coalesce((SELECT max(id) FROM session), 0),
                            coalesce((SELECT max(holder) FROM journal), 0)),
                 randomblob(16), 'recovered', 0 WHERE NOT EXISTS (SELECT 1 FROM project)
             AND EXISTS (SELECT 1 FROM note UNION ALL SELECT 1 FROM notepad
                         UNION ALL SELECT 1 FROM handoff);
         INSERT INTO session (id, project, harness, external, agent, began, instance, host_name,
                              started_at, seen_at)
             SELECT lost.session, (SELECT max(id) FROM project), 'recovered',
                    'session-' || lost.session, '', 'start', 0, '', 0, 0
             FROM (SELECT number >> 28 AS session FROM note UNION SELECT session FROM notepad
                   UNION SELECT session FROM handoff) AS lost
             WHERE lost.session NOT IN (SELECT id FROM session);
         INSERT OR IGNORE INTO holder (id)
             SELECT id FROM project UNION SELECT id FROM session
             UNION SELECT holder FROM other_scope UNION SELECT holder FROM journal;",
    )
    .port()
}

/// The numbers of what is found beside notes.
const OTHERS: [&str; 4] = [
    "SELECT number FROM entry",
    "SELECT (session << 28) | (2 << 25) FROM notepad",
    "SELECT (session << 28) | (3 << 25) FROM handoff",
    "SELECT (session << 28) | (4 << 25) FROM recap",
];

/// Makes order, counts and the search index from the notes and what else is found.
pub(super) fn derive(
    connection: &Connection,
    quarantine: &mut Quarantine,
) -> Result<Derived, StoreError> {
    forks::mend(connection)?;
    connection
        .execute_batch(
            "DELETE FROM stood WHERE entry NOT IN (SELECT number FROM entry);
             INSERT INTO document_index (document_index) VALUES ('delete-all');
             DELETE FROM waiting;
             DELETE FROM tag_count;
             UPDATE session SET search = (SELECT search FROM project WHERE id = session.project);
             UPDATE holder SET n_notes = 0, n_open = 0, top_at = 0, top_id = 0;
             UPDATE holder SET last_place = max(last_place, had.place)
             FROM (SELECT number >> 28 AS id, max(number & 33554431) AS place
                   FROM (SELECT number FROM note UNION ALL SELECT number FROM entry)
                   GROUP BY number >> 28) AS had
             WHERE had.id = holder.id;
             UPDATE holder SET last_id = max(coalesce(last_id, 0), last.id)
             FROM (SELECT project, max(id) AS id FROM entry GROUP BY project) AS last
             WHERE holder.id = last.project;",
        )
        .port()?;
    let sql = "SELECT number FROM note ORDER BY number >> 28, updated_at, id";
    let mut derived = Derived::default();
    for number in numbers(connection, sql)? {
        if one(connection, quarantine, number)? {
            derived.n_notes += 1;
        } else {
            derived.n_dropped += 1;
        }
    }
    for sql in OTHERS {
        for number in numbers(connection, sql)? {
            index::renew(connection, number)?;
        }
    }
    Ok(derived)
}

/// Gives a note its place and what belongs to it; a row that is no note any more goes into quarantine.
fn one(connection: &Connection, quarantine: &mut Quarantine, old: i64) -> Result<bool, StoreError> {
    let Some(note) = note(connection, old)? else {
        put_away(connection, quarantine, "note", old)?;
        return Ok(false);
    };
    let counts = (1, i64::from(!note.is_scratched()));
    let number = notes::place(connection, crate::numbers::session(old), &note, counts)?;
    let sql = "UPDATE note SET number = ?2 WHERE number = ?1";
    connection.prepare_cached(sql).port()?.execute([old, number]).port()?;
    index::add(connection, number, &note)?;
    Ok(true)
}

/// The note in a row; none if its values are no note. What keeps it from being read is an error.
fn note(connection: &Connection, number: i64) -> Result<Option<Note>, StoreError> {
    let sql = format!("SELECT {} FROM note WHERE number = ?1", notes::COLUMNS);
    match connection.prepare_cached(&sql).port()?.query_row([number], notes::note) {
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
    keep_row(connection, quarantine, table, row)?;
    let sql = format!("DELETE FROM {table} WHERE rowid = ?1");
    connection.prepare_cached(&sql).port()?.execute([row]).port()?;
    Ok(())
}

/// Puts the row with this number into quarantine.
fn keep_row(
    connection: &Connection,
    quarantine: &mut Quarantine,
    table: &str,
    row: i64,
) -> Result<(), StoreError> {
    let sql = format!("SELECT * FROM {table} WHERE rowid = ?1");
    let mut query = connection.prepare_cached(&sql).port()?;
    let mut rows = query.query([row]).port()?;
    match rows.next().port()? {
        Some(row) => quarantine.row(table, row),
        None => Ok(()),
    }
}

/// Begins the chain anew in each scope where it does not hold; in how many.
pub(super) fn rechain(connection: &Connection, key: &Key) -> Result<usize, StoreError> {
    let lost = rekey::last_lost(connection)?;
    journal::keep_last(connection)?;
    let mut n_scopes = 0;
    for mut line in lines::all(connection)? {
        if line.fault(key, lost).is_some() {
            line.seal(connection, key)?;
            n_scopes += 1;
        }
    }
    Ok(n_scopes)
}

/// Takes out entries that are none any more, and bodies that cannot be read.
pub(super) fn drop_foreign(
    connection: &Connection,
    quarantine: &mut Quarantine,
) -> Result<(), StoreError> {
    journal::keep_last(connection)?;
    for seq in numbers(connection, "SELECT seq FROM journal")? {
        if !journal::is_entry(connection, Seq(seq))? {
            put_away(connection, quarantine, "journal", seq)?;
        }
    }
    let erase = "UPDATE journal SET arguments = NULL, reply = NULL, undo = NULL WHERE seq = ?1";
    for Seq(seq) in journal::unreadable_bodies(connection)? {
        keep_row(connection, quarantine, "journal", seq)?;
        connection.execute(erase, [seq]).port()?;
    }
    Ok(())
}

fn numbers(connection: &Connection, sql: &str) -> Result<Vec<i64>, StoreError> {
    let mut query = connection.prepare(sql).port()?;
    query.query_map([], |row| row.get(0)).port()?.collect::<rusqlite::Result<_>>().port()
}
