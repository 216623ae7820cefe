//! Forks: copies of page and notes, which are the fork's own from then on.
//!
//! What a fork lacks of the notes of its source stands in table `fork` until it is copied, which is before either of
//! the two changes a note. Its row stays until the index has what was copied.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::time::Time;
use vademecum_store::{Change, StoreError};

use crate::error::Port;
use crate::index;
use crate::names::SessionRow;

/// So many copied notes go into the index in one transaction: others write between two of them.
const FEED: usize = 256;

/// Copies the page of `from` for a session that has none.
pub(crate) fn page(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    at: Time,
) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO notepad (session, rev, updated_at, text)
               SELECT ?1, 1, ?3, text FROM notepad WHERE session = ?2";
    connection.execute(sql, params![session.0, from.0, at.0]).port().map(drop)
}

/// Copies the notes of `from` for a session that has none: the newest `at_once`, and the others later; or all.
pub(crate) fn notes(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    at_once: Option<u32>,
) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM holder AS own JOIN holder AS held ON held.id = ?2
               WHERE own.id = ?1 AND own.n_notes = 0 AND held.n_notes <> 0";
    if !connection.prepare(sql).port()?.exists([session.0, from.0]).port()? {
        return Ok(());
    }
    let Some(at_once) = at_once else {
        return copy(connection, session, from, (0, i64::MAX), next(connection)?);
    };
    let sql = "SELECT id FROM note WHERE session = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";
    let below: Option<i64> =
        connection.query_row(sql, params![from.0, at_once], |row| row.get(0)).optional().port()?;
    let below = below.map_or(0, |last| last + 1);
    // The index shows the newest first by their rows: room is left before them for those that follow.
    let sql = "SELECT count(*) FROM note WHERE session = ?1 AND id < ?2";
    let room: i64 = connection.query_row(sql, [from.0, below], |row| row.get(0)).port()?;
    let first = next(connection)?;
    copy(connection, session, from, (below, i64::MAX), first + room)?;
    let sql = "INSERT INTO fork (session, source, below, first) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![session.0, from.0, below, first]).port().map(drop)
}

fn next(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT coalesce(max(row), 0) + 1 FROM note";
    connection.query_row(sql, [], |row| row.get(0)).port()
}

/// Copies the notes with these ids in the order in which they were added, from row `first` on.
fn copy(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    (least, below): (i64, i64),
    first: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO note
                   (row, session, id, created_at, updated_at, scratched_at, tags, content)
               SELECT ?5 - 1 + row_number() OVER (ORDER BY row),
                   ?1, id, created_at, updated_at, scratched_at, tags, content
               FROM note WHERE session = ?2 AND ?3 <= id AND id < ?4 ORDER BY row";
    let n = connection.execute(sql, [session.0, from.0, least, below, first]).port()?;
    let end = first + i64::try_from(n).unwrap_or(i64::MAX);
    let sql = "INSERT INTO waiting (row, session, keys)
               SELECT row, session, NULL FROM note WHERE ?1 <= row AND row < ?2";
    connection.execute(sql, [first, end]).port()?;
    let sql = "UPDATE holder SET (n_notes, n_open) = (
                   SELECT count(*), count(*) - count(scratched_at) FROM note WHERE session = ?1),
                   last_id = max(coalesce(last_id, 0),
                                 coalesce((SELECT last_id FROM holder WHERE id = ?2), 0))
               WHERE id = ?1";
    connection.execute(sql, [session.0, from.0]).port().map(drop)
}

/// Whether what forks lack must be there before such a change.
pub(crate) fn concerns(change: &Change) -> bool {
    matches!(
        change,
        Change::AddNote { .. }
            | Change::SetNote { .. }
            | Change::DropNote { .. }
            | Change::DropNotes { .. }
            | Change::Fork { .. }
    )
}

/// Whether a fork lacks notes, or the index lacks those of one.
pub(crate) fn is_open(connection: &Connection) -> Result<bool, StoreError> {
    connection.prepare_cached("SELECT 1 FROM fork").port()?.exists([]).port()
}

/// Copies all that forks lack.
pub(crate) fn complete(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT session, source, below, first FROM fork WHERE below <> 0";
    let mut query = connection.prepare(sql).port()?;
    let rows = query.query_map([], |row| {
        Ok((SessionRow(row.get(0)?), SessionRow(row.get(1)?), row.get(2)?, row.get(3)?))
    });
    for row in rows.port()?.collect::<rusqlite::Result<Vec<(_, _, i64, i64)>>>().port()? {
        let (session, source, below, first) = row;
        let sql = "SELECT 1 FROM note WHERE ?1 <= row AND row < ?1 +
                       (SELECT count(*) FROM note WHERE session = ?2 AND id < ?3)";
        let is_taken = connection.prepare(sql).port()?.exists(params![first, source.0, below]);
        let first = if is_taken.port()? { next(connection)? } else { first };
        copy(connection, session, source, (0, below), first)?;
        let sql = "UPDATE fork SET below = 0 WHERE session = ?1";
        connection.execute(sql, [session.0]).port()?;
    }
    Ok(())
}

/// Completes all forks and feeds the index with what they copied.
pub(crate) fn finish(connection: &mut Connection) -> Result<(), StoreError> {
    while is_open(connection)? {
        let behavior = rusqlite::TransactionBehavior::Immediate;
        let transaction = connection.transaction_with_behavior(behavior).port()?;
        complete(&transaction)?;
        index::take_in(&transaction, FEED)?;
        let sql = "DELETE FROM fork WHERE NOT EXISTS (SELECT 1 FROM waiting WHERE keys IS NULL)";
        transaction.execute(sql, []).port()?;
        transaction.commit().port()?;
    }
    Ok(())
}

/// Copies what forks lack of sessions in table `gone`, before these go.
pub(crate) fn outlive(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("DELETE FROM fork WHERE session IN (SELECT id FROM gone)", []).port()?;
    complete(connection)
}

/// Copies what forks lack of sources that are there; what finds the notes is made anew with all others.
pub(crate) fn mend(connection: &Connection) -> Result<(), StoreError> {
    let sql = "DELETE FROM fork WHERE session NOT IN (SELECT id FROM session)
                   OR below <> 0 AND source NOT IN (SELECT id FROM session)";
    connection.execute(sql, []).port()?;
    complete(connection)?;
    connection.execute("DELETE FROM fork", []).port().map(drop)
}
