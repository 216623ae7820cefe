//! Makes a saved store whole again: owners of what has none, derived tables, the chain.

use rusqlite::{Connection, params};
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, SessionId};
use vademecum_store::{Record, StoreError, chain};

use crate::error::Port;
use crate::{borrowed, index, journal, notes, rekey};

/// What was made from the notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Derived {
    /// How many notes there are.
    pub(super) n_notes: usize,
    /// How many were no notes any more, and are gone.
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
pub(super) fn derive(connection: &Connection) -> Result<Derived, StoreError> {
    connection
        .execute_batch(
            "INSERT INTO note_index (note_index) VALUES ('delete-all');
             DELETE FROM note_tag;
             DELETE FROM tag_count;
             UPDATE session SET n_notes = 0, n_open = 0;",
        )
        .port()?;
    let mut query = connection.prepare("SELECT row, session FROM note ORDER BY row").port()?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, SessionId(row.get(1)?)))).port()?;
    let mut derived = Derived::default();
    for row in rows.collect::<rusqlite::Result<Vec<(i64, SessionId)>>>().port()? {
        if one(connection, row.0, row.1)? {
            derived.n_notes += 1;
        } else {
            derived.n_dropped += 1;
        }
    }
    borrowed::mend(connection)?;
    Ok(derived)
}

/// Makes what belongs to one note; a row that is no note any more goes.
fn one(connection: &Connection, row: i64, session: SessionId) -> Result<bool, StoreError> {
    let sql = format!("SELECT {} FROM note WHERE row = ?1", notes::COLUMNS);
    let Ok(note) = connection.prepare_cached(&sql).port()?.query_row([row], notes::note) else {
        connection.execute("DELETE FROM note WHERE row = ?1", [row]).port()?;
        return Ok(false);
    };
    index::add(connection, session, row, &note)?;
    notes::derive(connection, session, &note)?;
    Ok(true)
}

/// Begins the chain anew in each scope where it does not hold; in how many.
pub(super) fn rechain(connection: &Connection, key: &Key) -> Result<usize, StoreError> {
    drop_foreign(connection)?;
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

/// Takes out entries that are none any more.
fn drop_foreign(connection: &Connection) -> Result<(), StoreError> {
    let mut query = connection.prepare("SELECT seq FROM journal").port()?;
    let seqs = query.query_map([], |row| row.get::<_, i64>(0)).port()?;
    for seq in seqs.collect::<rusqlite::Result<Vec<_>>>().port()? {
        if !journal::is_entry(connection, Seq(seq))? {
            connection.execute("DELETE FROM journal WHERE seq = ?1", [seq]).port()?;
        }
    }
    let bodies = "DELETE FROM journal_body WHERE seq NOT IN (SELECT seq FROM journal)
                  OR NOT json_valid(CAST(body AS TEXT))";
    connection.execute(bodies, []).port()?;
    Ok(())
}
