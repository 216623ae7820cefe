//! Notes with their tags and counts, which one transaction keeps in step.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::time::Time;
use vademecum_store::{NoteFilter, StoreError};

use crate::error::{Port, unreadable};
use crate::index;
use crate::names::SessionRow;
use crate::numbers::{self, Order};
use crate::sessions::limit;

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
pub(crate) const COLUMNS: &str =
    "+note.id, +note.content, +note.tags, +note.created_at, +note.updated_at, +note.scratched_at";

pub(crate) fn note(row: &Row<'_>) -> rusqlite::Result<Note> {
    let tags: Vec<&str> = row.get_ref(2)?.as_str()?.split(',').collect();
    Ok(Note {
        id: NoteId(row.get(0)?),
        content: Content::new(row.get::<_, String>(1)?).map_err(|error| unreadable(1, error))?,
        tags: Tags::kept(&tags).map_err(|error| unreadable(2, error))?,
        created_at: Time(row.get(3)?),
        updated_at: Time(row.get(4)?),
        scratched_at: row.get::<_, Option<i64>>(5)?.map(Time),
    })
}

pub(crate) fn by_id(
    connection: &Connection,
    session: SessionRow,
    id: NoteId,
) -> Result<Option<Note>, StoreError> {
    Ok(numbered(connection, session, id)?.map(|(_, note)| note))
}

/// A note with its number.
fn numbered(
    connection: &Connection,
    session: SessionRow,
    id: NoteId,
) -> Result<Option<(i64, Note)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, number FROM note WHERE number >> 28 = ?1 AND id = ?2");
    let mut query = connection.prepare_cached(&sql).port()?;
    let found = query.query_row([session.0, id.0], |row| Ok((row.get(6)?, note(row)?)));
    found.optional().port()
}

pub(crate) fn by_number(connection: &Connection, number: i64) -> Result<Note, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM note WHERE number = ?1");
    connection.prepare_cached(&sql).port()?.query_row([number], note).port()
}

/// The notes of a filter. A condition that is not asked is not in the statement.
pub(crate) fn by(
    connection: &Connection,
    session: SessionRow,
    filter: &NoteFilter,
    n_most: usize,
) -> Result<Vec<Note>, StoreError> {
    if let Some(id) = filter.id {
        let found = by_id(connection, session, id)?;
        return Ok(found.filter(|note| filter.lets_through(note)).into_iter().collect());
    }
    if !filter.tags.is_empty() {
        return index::listed(connection, session, filter, n_most);
    }
    if filter.by_id {
        let which = "number >> 28 = ?1";
        return listed(connection, (which, [session.0, 0]), filter, "note.id", n_most);
    }
    let (first, last) = numbers::range(session, Order::Listed);
    let which = format!("number BETWEEN ?1 AND ?2 {}", if_few(filter));
    let mut found = listed(connection, (&which, [first, last]), filter, "number DESC", n_most)?;
    if found.is_empty() && is_mostly_scratched(connection, session, filter)? {
        return index::listed(connection, session, filter, n_most);
    }
    if has_moved(connection, session)? {
        let newest = "updated_at DESC, note.id DESC";
        found.extend(listed(connection, (MOVED, [session.0, 0]), filter, newest, n_most)?);
        order(&mut found, filter, n_most);
    }
    Ok(found)
}

/// The notes that were moved out of their order; there is an index of them.
const MOVED: &str = "number >> 28 = ?1 AND number >> 25 & 7 = 1";

/// Whether a session has such notes.
fn has_moved(connection: &Connection, session: SessionRow) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM note WHERE {MOVED}");
    connection.prepare_cached(&sql).port()?.exists([session.0]).port()
}

/// Scratched notes stand between the open ones. Only so many are passed over; of more the index knows the open ones.
pub(crate) const FEW_SCRATCHED: u32 = 200;

/// The condition that there are few, which is looked at once, before any note.
fn if_few(filter: &NoteFilter) -> String {
    if filter.include_scratched {
        return String::new();
    }
    format!("AND (SELECT n_notes - n_open <= {FEW_SCRATCHED} FROM holder WHERE id = ?1 >> 28)")
}

pub(crate) fn is_mostly_scratched(
    connection: &Connection,
    session: SessionRow,
    filter: &NoteFilter,
) -> Result<bool, StoreError> {
    if filter.include_scratched {
        return Ok(false);
    }
    let sql = "SELECT ?2 < n_notes - n_open FROM holder WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let found = query.query_row(params![session.0, FEW_SCRATCHED], |row| row.get(0));
    Ok(found.optional().port()?.unwrap_or(false))
}

/// Those that stand in one order of the table.
fn listed(
    connection: &Connection,
    (which, values): (&str, [i64; 2]),
    filter: &NoteFilter,
    order: &str,
    n_most: usize,
) -> Result<Vec<Note>, StoreError> {
    let (after, limit) = (filter.after.map_or(-1, |id| id.0), limit(n_most));
    let behind = if filter.after.is_some() { "AND ?4 < note.id" } else { "" };
    let open = if filter.include_scratched { "" } else { "AND scratched_at IS NULL" };
    let sql = format!(
        "SELECT {COLUMNS} FROM note WHERE {which} {open} {behind} ORDER BY {order} LIMIT ?3"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    query.raw_bind_parameter(1, values[0]).port()?;
    query.raw_bind_parameter(2, values[1]).port()?;
    query.raw_bind_parameter(3, limit).port()?;
    if filter.after.is_some() {
        query.raw_bind_parameter(4, after).port()?;
    }
    let rows = query.raw_query().mapped(note);
    rows.collect::<rusqlite::Result<_>>().port()
}

/// Puts what was found by several ways in the order of the filter.
pub(crate) fn order(notes: &mut Vec<Note>, filter: &NoteFilter, n_most: usize) {
    if filter.by_id {
        notes.sort_by_key(|note| note.id);
    } else {
        notes.sort_by_key(|note| Reverse((note.updated_at, note.id)));
    }
    if n_most != 0 {
        notes.truncate(n_most);
    }
}

/// How often tags are used, by the notes that a session has and those that it lacks.
pub(crate) fn tags(
    connection: &Connection,
    (session, lacking): (SessionRow, Vec<Note>),
    tag: Option<&str>,
    include_scratched: bool,
) -> Result<Vec<TagCount>, StoreError> {
    let count = if include_scratched { "n_notes" } else { "n_open" };
    let which = if tag.is_some() { "tag = ?2" } else { "?2 IS NULL" };
    let sql = format!("SELECT tag, {count} FROM tag_count WHERE session = ?1 AND {which}");
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map((session.0, tag), |row| Ok((row.get(0)?, row.get(1)?))).port()?;
    let mut counts = rows.collect::<rusqlite::Result<BTreeMap<String, i64>>>().port()?;
    let waiting = index::waiting(connection, session)?;
    for note in waiting.into_iter().chain(lacking) {
        let is_counted = include_scratched || !note.is_scratched();
        let asked = note.tags.as_slice().iter().filter(|it| tag.is_none_or(|tag| tag == *it));
        for tag in asked.filter(|_| is_counted) {
            *counts.entry(tag.clone()).or_default() += 1;
        }
    }
    let counts = counts.into_iter().filter(|(_, count)| 0 < *count);
    let counts = counts.map(|(tag, count)| TagCount { tag, count: count.unsigned_abs() });
    let mut counts: Vec<TagCount> = counts.collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.tag.cmp(&b.tag)));
    Ok(counts)
}

pub(crate) fn add(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let number = place(connection, session, note, (1, i64::from(!note.is_scratched())))?;
    let sql = "INSERT INTO note (number, id, created_at, updated_at, scratched_at, tags, content)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![
        number,
        note.id.0,
        note.created_at.0,
        note.updated_at.0,
        note.scratched_at.map(|at| at.0),
        note.tags.as_slice().join(","),
        note.content.as_str(),
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    index::add(connection, number, note)
}

/// Counts a note and gives it the next place of its session: in the order of lists, if it is the newest of all there.
pub(crate) fn place(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
    (notes, open): (i64, i64),
) -> Result<i64, StoreError> {
    let sql = "UPDATE holder SET n_notes = n_notes + ?4, n_open = n_open + ?5,
                   last_id = max(coalesce(last_id, 0), ?3), last_place = last_place + 1,
                   top_at = iif((top_at, top_id) < (?2, ?3), ?2, top_at),
                   top_id = iif((top_at, top_id) < (?2, ?3), ?3, top_id)
               WHERE id = ?1 RETURNING last_place, (top_at, top_id) = (?2, ?3)";
    let values = params![session.0, note.updated_at.0, note.id.0, notes, open];
    let mut placed = connection.prepare_cached(sql).port()?;
    let (place, is_newest) =
        placed.query_row(values, |row| Ok((row.get(0)?, row.get::<_, bool>(1)?))).port()?;
    numbers::number(session, if is_newest { Order::Listed } else { Order::Moved }, place)
}

pub(crate) fn drop_note(
    connection: &Connection,
    session: SessionRow,
    id: NoteId,
) -> Result<(), StoreError> {
    let Some((number, old)) = numbered(connection, session, id)? else {
        return Ok(());
    };
    index::remove(connection, number, &old)?;
    connection.execute("DELETE FROM note WHERE number = ?1", [number]).port()?;
    count(connection, session, -1, -i64::from(!old.is_scratched()))
}

pub(crate) fn drop_upto(
    connection: &Connection,
    session: SessionRow,
    upto: NoteId,
) -> Result<(), StoreError> {
    let sql = "SELECT id FROM note WHERE number >> 28 = ?1 AND id <= ?2";
    let mut query = connection.prepare(sql).port()?;
    let ids = query.query_map([session.0, upto.0], |row| row.get(0).map(NoteId)).port()?;
    for id in ids.collect::<rusqlite::Result<Vec<_>>>().port()? {
        drop_note(connection, session, id)?;
    }
    Ok(())
}

/// Puts a note in the place of an older state of it; only one that was changed since has another place in lists.
pub(crate) fn set(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let Some((old_number, old)) = numbered(connection, session, note.id)? else {
        return Ok(());
    };
    index::remove(connection, old_number, &old)?;
    let open = i64::from(old.is_scratched()) - i64::from(note.is_scratched());
    let number = if old.updated_at == note.updated_at {
        count(connection, session, 0, open)?;
        old_number
    } else {
        place(connection, session, note, (0, open))?
    };
    let sql =
        "UPDATE note SET number = ?2, updated_at = ?3, scratched_at = ?4, tags = ?5, content = ?6
               WHERE number = ?1";
    let values = params![
        old_number,
        number,
        note.updated_at.0,
        note.scratched_at.map(|at| at.0),
        note.tags.as_slice().join(","),
        note.content.as_str(),
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    index::add(connection, number, note)
}

fn count(
    connection: &Connection,
    session: SessionRow,
    notes: i64,
    open: i64,
) -> Result<(), StoreError> {
    let sql = "UPDATE holder SET n_notes = n_notes + ?2, n_open = n_open + ?3 WHERE id = ?1";
    connection.prepare_cached(sql).port()?.execute(params![session.0, notes, open]).port()?;
    Ok(())
}

/// Counts the tags of a note that the index took in.
pub(crate) fn add_tags(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (?1, ?2, 1, ?3)
               ON CONFLICT DO UPDATE SET n_notes = n_notes + 1, n_open = n_open + excluded.n_open";
    let mut count = connection.prepare_cached(sql).port()?;
    for tag in note.tags.as_slice() {
        count.execute(params![session.0, tag, !note.is_scratched()]).port()?;
    }
    Ok(())
}

/// Takes the tags of a note out of the counts.
pub(crate) fn drop_tags(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let sql = "UPDATE tag_count SET n_notes = n_notes - 1, n_open = n_open - ?3
               WHERE session = ?1 AND tag = ?2";
    let mut count = connection.prepare_cached(sql).port()?;
    let sql = "DELETE FROM tag_count WHERE session = ?1 AND tag = ?2 AND n_notes = 0";
    let mut empty = connection.prepare_cached(sql).port()?;
    for tag in note.tags.as_slice() {
        count.execute(params![session.0, tag, !note.is_scratched()]).port()?;
        empty.execute(params![session.0, tag]).port()?;
    }
    Ok(())
}
