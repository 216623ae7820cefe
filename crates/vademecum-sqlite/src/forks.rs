//! Forks: copies of page and notes, which are the fork's own from then on.
//!
//! What a fork lacks of the notes of its source stands in table `fork` until it is copied, which is before either of
//! the two changes a note. Its row stays until the index has what was copied.

use std::cmp::Reverse;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::note::Note;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{Change, Document, Hits, KeySet, NoteFilter, StoreError, hits_among};

use crate::error::Port;
use crate::names::{Names, SessionRow};
use crate::numbers::{self, Order};
use crate::{index, notes};

/// The fact of the store that there are rows in table `fork`: each process looks at the facts, and at no other table.
pub(crate) const OPEN: &str = "forks";

/// So many copied notes go into the index in one transaction: a hook waits no longer for its turn than that takes.
const FEED: u32 = 48;

/// Copies the page of `from` for a session that has none.
pub(crate) fn page(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    at: Time,
) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO notepad (session, rev, updated_at, text)
               SELECT ?1, 1, ?3, text FROM notepad WHERE session = ?2";
    match connection.execute(sql, params![session.0, from.0, at.0]).port()? {
        0 => Ok(()),
        _ => index::renew(connection, numbers::only(session, Order::Page)),
    }
}

/// Copies the notes of `from`: for a session that has none the newest `at_once`, and the others later; or all.
pub(crate) fn notes(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    at_once: Option<u32>,
) -> Result<(), StoreError> {
    // Copies have the places of their sources, behind those that the fork gave itself.
    let sql = "SELECT own.n_notes, own.last_place, own.last_place + held.last_place
               FROM holder AS own JOIN holder AS held ON held.id = ?2
               WHERE own.id = ?1 AND held.n_notes <> 0";
    let both = connection.query_row(sql, [session.0, from.0], |row| {
        Ok::<(i64, i64, i64), _>((row.get(0)?, row.get(1)?, row.get(2)?))
    });
    let Some((n_own, shift, last)) = both.optional().port()? else { return Ok(()) };
    if n_own != 0 {
        return beside(connection, (session, from), (shift, last));
    }
    let sql = "SELECT id + 1 FROM note WHERE number >> 28 = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";
    let below = at_once.map(|n| connection.query_row(sql, [from.0, n.into()], |row| row.get(0)));
    let below: Option<i64> = below.transpose().optional().port()?.flatten();
    copy(connection, session, from, (below.unwrap_or(i64::MIN), i64::MAX), shift)?;
    let sql = "UPDATE holder SET last_id = max(coalesce(holder.last_id, 0), held.last_id),
                   last_place = ?3 + held.last_place, top_at = held.top_at, top_id = held.top_id
               FROM holder AS held WHERE held.id = ?2 AND holder.id = ?1";
    connection.execute(sql, [session.0, from.0, shift]).port()?;
    remember(connection, [session.0, from.0, below.unwrap_or(0), shift])
}

/// Notes what a fork lacks, and that the index lacks what it has.
fn remember(connection: &Connection, row: [i64; 4]) -> Result<(), StoreError> {
    // One that was undone may have left its row, which lacks nothing, to the index.
    let sql = "INSERT OR REPLACE INTO fork (session, source, below, shift) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, row).port()?;
    let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, '1')";
    connection.execute(sql, [OPEN]).port().map(drop)
}

/// Copies the notes of `from` whose ids a session with notes of its own has not, all at once.
///
/// They are older than what stands before them in the order of lists, and so out of it.
fn beside(
    connection: &Connection,
    (session, from): (SessionRow, SessionRow),
    (shift, last): (i64, i64),
) -> Result<(), StoreError> {
    let first = numbers::number(session, Order::Moved, shift)?;
    let last_number = numbers::number(session, Order::Moved, last)?;
    let sql = "INSERT INTO note (number, id, created_at, updated_at, scratched_at, tags, content)
               SELECT ?1 + (number & 33554431), id, created_at, updated_at, scratched_at, tags, content
               FROM note WHERE number >> 28 = ?2
                   AND id NOT IN (SELECT id FROM note WHERE number >> 28 = ?3)";
    if connection.execute(sql, [first, from.0, session.0]).port()? == 0 {
        return Ok(());
    }
    let sql = "INSERT INTO waiting (number, keys)
               SELECT number, NULL FROM note WHERE ?1 < number AND number <= ?2";
    connection.execute(sql, [first, last_number]).port()?;
    let sql = "UPDATE holder SET last_id = max(holder.last_id, held.last_id), last_place = ?3
               FROM holder AS held WHERE held.id = ?2 AND holder.id = ?1";
    connection.execute(sql, [session.0, from.0, last]).port()?;
    count(connection, session)?;
    remember(connection, [session.0, from.0, 0, shift])
}

/// Counts the notes of a session anew.
fn count(connection: &Connection, session: SessionRow) -> Result<(), StoreError> {
    let sql = "UPDATE holder SET (n_notes, n_open) = (
                   SELECT count(*), count(*) - count(scratched_at) FROM note WHERE number >> 28 = ?1)
               WHERE id = ?1";
    connection.execute(sql, [session.0]).port().map(drop)
}

/// Copies the notes with these ids.
fn copy(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    (least, below): (i64, i64),
    shift: i64,
) -> Result<(), StoreError> {
    let (first, _) = numbers::notes(session);
    let (held, _) = numbers::notes(from);
    let values = [first - held + shift, from.0, least, below];
    let sql = "INSERT INTO note (number, id, created_at, updated_at, scratched_at, tags, content)
               SELECT number + ?1, id, created_at, updated_at, scratched_at, tags, content
               FROM note WHERE number >> 28 = ?2 AND ?3 <= id AND id < ?4";
    connection.execute(sql, values).port()?;
    let sql = "INSERT INTO waiting (number, keys)
               SELECT number + ?1, NULL FROM note WHERE number >> 28 = ?2 AND ?3 <= id AND id < ?4";
    connection.execute(sql, values).port()?;
    count(connection, session)
}

/// Copies what must be there before a change: what its session lacks, and what others lack of it.
pub(crate) fn settle(names: &Names<'_>, change: &Change) -> Result<(), StoreError> {
    let (session, is_source) = match change {
        Change::AddNote { session, .. }
        | Change::SetNote { session, .. }
        | Change::DropNote { session, .. }
        | Change::DropNotes { session, .. } => (session, true),
        Change::Fork { session, from, .. } => {
            settle_session(names, session, false)?;
            (from, false)
        }
        _ => return Ok(()),
    };
    settle_session(names, session, is_source)
}

fn settle_session(
    names: &Names<'_>,
    session: &SessionKey,
    is_source: bool,
) -> Result<(), StoreError> {
    if !is_open(names.connection)? {
        return Ok(());
    }
    match names.find_session(session)? {
        Some(row) => complete(names.connection, Some((row, is_source))),
        None => Ok(()),
    }
}

/// Whether a fork lacks notes, or the index lacks those of one.
fn is_open(connection: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM store WHERE name = ?1";
    connection.prepare_cached(sql).port()?.exists([OPEN]).port()
}

/// Copies all that forks lack, or all that one session lacks and, where it is a source, others of it.
fn complete(connection: &Connection, of: Option<(SessionRow, bool)>) -> Result<(), StoreError> {
    let sql = "SELECT session, source, below, shift FROM fork
               WHERE below <> 0 AND (?1 IS NULL OR session = ?1 OR (source = ?1 AND ?2))";
    let mut query = connection.prepare_cached(sql).port()?;
    let of = (of.map(|(row, _)| row.0), of.map(|(_, is_source)| is_source));
    let rows = query.query_map(of, |row| {
        Ok((SessionRow(row.get(0)?), SessionRow(row.get(1)?), row.get(2)?, row.get(3)?))
    });
    for row in rows.port()?.collect::<rusqlite::Result<Vec<(_, _, i64, i64)>>>().port()? {
        let (session, source, below, shift) = row;
        copy(connection, session, source, (i64::MIN, below), shift)?;
        let sql = "UPDATE fork SET below = 0 WHERE session = ?1";
        connection.execute(sql, [session.0]).port()?;
    }
    Ok(())
}

/// Whether a fork lacks notes.
pub(crate) fn lacks(connection: &Connection) -> Result<bool, StoreError> {
    connection.prepare_cached("SELECT 1 FROM fork WHERE below <> 0").port()?.exists([]).port()
}

/// The notes that a session lacks.
pub(crate) fn lacking(
    connection: &Connection,
    session: SessionRow,
) -> Result<Vec<Note>, StoreError> {
    let sql = format!(
        "SELECT {} FROM fork JOIN note ON number >> 28 = fork.source AND note.id < fork.below
         WHERE fork.session = ?1 AND below <> 0",
        notes::COLUMNS
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map([session.0], notes::note).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// Adds what has the keys of a set among the notes that a fork lacks, which are older than all it has.
pub(crate) fn add_hits(
    hits: &mut [Hits],
    (sets, filter): (&[KeySet<'_>], &NoteFilter),
    (session, mut lacking): (&SessionKey, Vec<Note>),
) {
    lacking.sort_by_key(|note| Reverse(note.id));
    let key = Arc::new(session.clone());
    let note = |note| Document::Note(Arc::clone(&key), note);
    let lacking: Vec<Document> = lacking.into_iter().map(note).collect();
    let all = hits_among(&lacking, sets, filter);
    for ((hits, set), more) in hits.iter_mut().zip(sets).zip(all) {
        hits.n = (hits.n + more.n).min(set.most);
        hits.documents.extend(more.documents);
        hits.documents.truncate(if set.is_rare && hits.n == set.most { 0 } else { set.most });
    }
}

/// Copies all that forks lack, in a transaction of its own.
pub(crate) fn complete_all(connection: &mut Connection) -> Result<(), StoreError> {
    let behavior = rusqlite::TransactionBehavior::Immediate;
    let transaction = connection.transaction_with_behavior(behavior).port()?;
    complete(&transaction, None)?;
    transaction.commit().port()
}

/// Completes all forks and feeds the index with what they copied.
pub(crate) fn finish(connection: &mut Connection) -> Result<(), StoreError> {
    while is_open(connection)? {
        let behavior = rusqlite::TransactionBehavior::Immediate;
        let transaction = connection.transaction_with_behavior(behavior).port()?;
        complete(&transaction, None)?;
        index::take_in(&transaction, FEED)?;
        index::merge(&transaction, FEED)?;
        let sql = "DELETE FROM fork WHERE NOT EXISTS
                       (SELECT 1 FROM waiting WHERE keys IS NULL AND (number >> 25 & 7) <= 1)";
        transaction.execute(sql, []).port()?;
        let sql = "DELETE FROM store WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM fork)";
        transaction.execute(sql, [OPEN]).port()?;
        transaction.commit().port()?;
    }
    Ok(())
}

/// Copies what forks lack of sessions in table `gone`, before these go.
pub(crate) fn outlive(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("DELETE FROM fork WHERE session IN (SELECT id FROM gone)", []).port()?;
    complete(connection, None)
}

/// Copies what forks lack of sources that are there; what finds the notes is made anew with all others.
pub(crate) fn mend(connection: &Connection) -> Result<(), StoreError> {
    let sql = "DELETE FROM fork WHERE session NOT IN (SELECT id FROM session)
                   OR below <> 0 AND source NOT IN (SELECT id FROM session)";
    connection.execute(sql, []).port()?;
    complete(connection, None)?;
    connection.execute("DELETE FROM fork", []).port().map(drop)
}
