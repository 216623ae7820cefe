//! Notes with their tags and counts, which one transaction keeps in step.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::time::Time;
use vademecum_store::{NoteFilter, StoreError};

use crate::error::{Port, unreadable};
use crate::index;
use crate::names::SessionRow;
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
    let sql = format!("SELECT {COLUMNS} FROM note WHERE session = ?1 AND id = ?2");
    let mut query = connection.prepare_cached(&sql).port()?;
    query.query_row(params![session.0, id.0], note).optional().port()
}

pub(crate) fn by_row(connection: &Connection, row: i64) -> Result<Note, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM note WHERE row = ?1");
    connection.prepare_cached(&sql).port()?.query_row([row], note).port()
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
    let limit = limit(n_most);
    let after = filter.after.map_or(-1, |id| id.0);
    let mut values: Vec<&dyn ToSql> = vec![&session.0, &limit];
    let behind = if filter.after.is_some() {
        values.push(&after);
        "AND ?3 < note.id"
    } else {
        ""
    };
    let Some(first) = rarest(connection, session, filter)? else {
        return untagged(connection, filter, behind, &values, n_most);
    };
    let (sql, tags) = tagged(filter, first, behind, values.len());
    values.extend(tags.iter().map(|tag| *tag as &dyn ToSql));
    let mut found = collect(connection, &sql, &values)?;
    let waiting = index::waiting(connection, session)?.into_iter();
    let waiting: Vec<Note> = waiting.filter(|note| filter.lets_through(note)).collect();
    if !waiting.is_empty() {
        found.extend(waiting);
        order(&mut found, filter, n_most);
    }
    Ok(found)
}

/// Those of any tag; what is open and what is not have an order each.
fn untagged(
    connection: &Connection,
    filter: &NoteFilter,
    behind: &str,
    values: &[&dyn ToSql],
    n_most: usize,
) -> Result<Vec<Note>, StoreError> {
    let listed = |which: &str, order: &str| {
        let sql = format!(
            "SELECT {COLUMNS} FROM note WHERE session = ?1 {which} {behind} ORDER BY {order} LIMIT ?2"
        );
        collect(connection, &sql, values)
    };
    let newest = "updated_at DESC, note.id DESC";
    match (filter.include_scratched, filter.by_id) {
        (true, true) => listed("", "note.id"),
        (false, true) => listed("AND scratched_at IS NULL", "note.id"),
        (false, false) => listed("AND scratched_at IS NULL", newest),
        (true, false) => {
            let mut found = listed("AND scratched_at IS NULL", newest)?;
            found.extend(listed("AND scratched_at IS NOT NULL", newest)?);
            order(&mut found, filter, n_most);
            Ok(found)
        }
    }
}

/// Puts what was found by several ways in the order of the filter.
fn order(notes: &mut Vec<Note>, filter: &NoteFilter, n_most: usize) {
    if filter.by_id {
        notes.sort_by_key(|note| note.id);
    } else {
        notes.sort_by_key(|note| Reverse((note.updated_at, note.id)));
    }
    if n_most != 0 {
        notes.truncate(n_most);
    }
}

/// The query that walks the rarest tag in the order of lists and looks the other tags up.
///
/// Its values after the first `n_values` are the tags.
fn tagged<'a>(
    filter: &'a NoteFilter,
    first: &'a String,
    behind: &str,
    n_values: usize,
) -> (String, Vec<&'a String>) {
    let others = filter.tags.iter().filter(|tag| *tag != first);
    let tags: Vec<&String> = std::iter::once(first).chain(others).collect();
    let open = if filter.include_scratched { "" } else { "AND walk.is_open = 1" };
    let walked = n_values + 1;
    let mut also = String::new();
    for place in (walked + 1..).take(tags.len() - 1) {
        also.push_str(
            " AND EXISTS (SELECT 1 FROM note_tag AS t WHERE t.session = ?1 AND t.tag = ?",
        );
        also.push_str(&place.to_string());
        also.push_str(" AND t.updated_at = walk.updated_at AND t.id = walk.id)");
    }
    let order = if filter.by_id { "walk.id" } else { "walk.updated_at DESC, walk.id DESC" };
    let sql = format!(
        "SELECT {COLUMNS} FROM note_tag AS walk
         CROSS JOIN note ON note.session = walk.session AND note.id = walk.id
         WHERE walk.session = ?1 AND walk.tag = ?{walked} {open} {behind} {also}
         ORDER BY {order} LIMIT ?2"
    );
    (sql, tags)
}

/// The tag of the filter that the fewest notes carry; none without tags.
fn rarest<'a>(
    connection: &Connection,
    session: SessionRow,
    filter: &'a NoteFilter,
) -> Result<Option<&'a String>, StoreError> {
    let mut query = connection
        .prepare_cached("SELECT n_notes FROM tag_count WHERE session = ?1 AND tag = ?2")
        .port()?;
    let mut rarest = None;
    for tag in &filter.tags {
        let n: Option<i64> =
            query.query_row(params![session.0, tag], |row| row.get(0)).optional().port()?;
        let n = n.unwrap_or(0);
        if rarest.is_none_or(|(least, _)| n < least) {
            rarest = Some((n, tag));
        }
    }
    Ok(rarest.map(|(_, tag)| tag))
}

fn collect(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<Note>, StoreError> {
    let mut query = connection.prepare_cached(sql).port()?;
    let rows = query.query_map(values, note).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn tags(
    connection: &Connection,
    session: SessionRow,
    tag: Option<&str>,
    include_scratched: bool,
) -> Result<Vec<TagCount>, StoreError> {
    let count = if include_scratched { "n_notes" } else { "n_open" };
    let which = if tag.is_some() { "tag = ?2" } else { "?2 IS NULL" };
    let sql = format!("SELECT tag, {count} FROM tag_count WHERE session = ?1 AND {which}");
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map((session.0, tag), |row| Ok((row.get(0)?, row.get(1)?))).port()?;
    let mut counts = rows.collect::<rusqlite::Result<BTreeMap<String, i64>>>().port()?;
    for note in index::waiting(connection, session)? {
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
    let sql = "INSERT INTO note (session, id, created_at, updated_at, scratched_at, tags, content)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![
        session.0,
        note.id.0,
        note.created_at.0,
        note.updated_at.0,
        note.scratched_at.map(|at| at.0),
        note.tags.as_slice().join(","),
        note.content.as_str(),
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    derive(connection, session, connection.last_insert_rowid(), note)
}

/// Writes what follows from a new note: what finds it, and the counts of its session.
pub(crate) fn derive(
    connection: &Connection,
    session: SessionRow,
    row: i64,
    note: &Note,
) -> Result<(), StoreError> {
    index::add(connection, session, row, note)?;
    let sql = "UPDATE holder SET n_notes = n_notes + 1, n_open = n_open + ?2,
                   last_id = max(coalesce(last_id, 0), ?3) WHERE id = ?1";
    let values = params![session.0, !note.is_scratched(), note.id.0];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    Ok(())
}

/// Notes the last id that a session gave to a note, or a project to an entry: none is given twice.
pub(crate) fn keep_last(connection: &Connection, holder: i64, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE holder SET last_id = max(coalesce(last_id, 0), ?2) WHERE id = ?1";
    connection.prepare_cached(sql).port()?.execute([holder, id]).port()?;
    Ok(())
}

pub(crate) fn drop_note(
    connection: &Connection,
    session: SessionRow,
    id: NoteId,
) -> Result<(), StoreError> {
    let Some(old) = by_id(connection, session, id)? else {
        return Ok(());
    };
    let row = row(connection, session, id)?;
    index::remove(connection, session, row, &old)?;
    connection.execute("DELETE FROM note WHERE row = ?1", [row]).port()?;
    count(connection, session, -1, -i64::from(!old.is_scratched()))
}

pub(crate) fn drop_upto(
    connection: &Connection,
    session: SessionRow,
    upto: NoteId,
) -> Result<(), StoreError> {
    let mut query =
        connection.prepare("SELECT id FROM note WHERE session = ?1 AND id <= ?2").port()?;
    let ids = query.query_map(params![session.0, upto.0], |row| row.get(0).map(NoteId)).port()?;
    for id in ids.collect::<rusqlite::Result<Vec<_>>>().port()? {
        drop_note(connection, session, id)?;
    }
    Ok(())
}

pub(crate) fn set(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let Some(old) = by_id(connection, session, note.id)? else {
        return Ok(());
    };
    let row = row(connection, session, note.id)?;
    index::remove(connection, session, row, &old)?;
    let sql = "UPDATE note SET updated_at = ?2, scratched_at = ?3, tags = ?4, content = ?5 WHERE row = ?1";
    let values = params![
        row,
        note.updated_at.0,
        note.scratched_at.map(|at| at.0),
        note.tags.as_slice().join(","),
        note.content.as_str(),
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    index::add(connection, session, row, note)?;
    count(connection, session, 0, i64::from(old.is_scratched()) - i64::from(note.is_scratched()))
}

fn row(connection: &Connection, session: SessionRow, id: NoteId) -> Result<i64, StoreError> {
    let sql = "SELECT row FROM note WHERE session = ?1 AND id = ?2";
    let mut query = connection.prepare_cached(sql).port()?;
    query.query_row(params![session.0, id.0], |row| row.get(0)).port()
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

pub(crate) fn add_tags(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = connection.prepare_cached(sql).port()?;
    let sql = "INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (?1, ?2, 1, ?3)
               ON CONFLICT DO UPDATE SET n_notes = n_notes + 1, n_open = n_open + excluded.n_open";
    let mut count = connection.prepare_cached(sql).port()?;
    let open = i64::from(!note.is_scratched());
    for tag in note.tags.as_slice() {
        insert.execute(params![session.0, tag, note.updated_at.0, note.id.0, open]).port()?;
        count.execute(params![session.0, tag, open]).port()?;
    }
    Ok(())
}

pub(crate) fn drop_tags(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM note_tag WHERE session = ?1 AND tag = ?2 AND updated_at = ?3 AND id = ?4";
    let mut delete = connection.prepare_cached(sql).port()?;
    let sql = "UPDATE tag_count SET n_notes = n_notes - 1, n_open = n_open - ?3
               WHERE session = ?1 AND tag = ?2";
    let mut count = connection.prepare_cached(sql).port()?;
    let sql = "DELETE FROM tag_count WHERE session = ?1 AND tag = ?2 AND n_notes = 0";
    let mut empty = connection.prepare_cached(sql).port()?;
    let open = i64::from(!note.is_scratched());
    for tag in note.tags.as_slice() {
        delete.execute(params![session.0, tag, note.updated_at.0, note.id.0]).port()?;
        count.execute(params![session.0, tag, open]).port()?;
        empty.execute(params![session.0, tag]).port()?;
    }
    Ok(())
}
