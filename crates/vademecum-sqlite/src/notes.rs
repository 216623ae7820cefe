//! Notes with their tags and counts, which one transaction keeps in step.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::time::Time;
use vademecum_store::{NoteFilter, StoreError};

use crate::borrowed::{self, Kind};
use crate::error::{Port, unreadable};
use crate::names::SessionRow;
use crate::sessions::limit;
use crate::{index, sessions};

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
        let open = if filter.include_scratched { "" } else { "AND scratched_at IS NULL" };
        let order = if filter.by_id { "note.id" } else { "updated_at DESC, note.id DESC" };
        let sql = format!(
            "SELECT {COLUMNS} FROM note WHERE session = ?1 {open} {behind}
             ORDER BY {order} LIMIT ?2"
        );
        return collect(connection, &sql, &values);
    };
    let (sql, tags) = tagged(filter, first, behind, values.len());
    values.extend(tags.iter().map(|tag| *tag as &dyn ToSql));
    collect(connection, &sql, &values)
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
    let sql = format!(
        "SELECT tag, {count} FROM tag_count WHERE session = ?1 AND {which} AND 0 < {count}
         ORDER BY {count} DESC, tag"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query
        .query_map((session.0, tag), |row| {
            Ok(TagCount { tag: row.get(0)?, count: row.get::<_, i64>(1)?.unsigned_abs() })
        })
        .port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn add(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    borrowed::settle(connection, session, Kind::Notes)?;
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
    let row = connection.last_insert_rowid();
    index::add(connection, session, row, note)?;
    derive(connection, session, note)
}

/// Writes what follows from a new note: its tags and the counts of its session.
pub(crate) fn derive(
    connection: &Connection,
    session: SessionRow,
    note: &Note,
) -> Result<(), StoreError> {
    add_tags(connection, session, note)?;
    count(connection, session, 1, i64::from(!note.is_scratched()))?;
    keep_last(connection, session.0, note.id.0)
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
    borrowed::settle(connection, session, Kind::Notes)?;
    let Some(old) = by_id(connection, session, id)? else {
        return Ok(());
    };
    drop_tags(connection, session, &old)?;
    let row = row(connection, session, id)?;
    index::remove(connection, row)?;
    connection.execute("DELETE FROM note WHERE row = ?1", [row]).port()?;
    count(connection, session, -1, -i64::from(!old.is_scratched()))
}

pub(crate) fn drop_upto(
    connection: &Connection,
    session: SessionRow,
    upto: NoteId,
) -> Result<(), StoreError> {
    let is_all = sessions::card(connection, session)?.counts.last <= Some(upto);
    if is_all && borrowed::give_back(connection, session, Kind::Notes)? {
        let sql = "UPDATE holder SET n_notes = 0, n_open = 0 WHERE id = ?1";
        connection.execute(sql, [session.0]).port()?;
        return Ok(());
    }
    borrowed::settle(connection, session, Kind::Notes)?;
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
    borrowed::settle(connection, session, Kind::Notes)?;
    let Some(old) = by_id(connection, session, note.id)? else {
        return Ok(());
    };
    drop_tags(connection, session, &old)?;
    let row = row(connection, session, note.id)?;
    let sql = "UPDATE note SET updated_at = ?2, scratched_at = ?3, tags = ?4, content = ?5 WHERE row = ?1";
    let values = params![
        row,
        note.updated_at.0,
        note.scratched_at.map(|at| at.0),
        note.tags.as_slice().join(","),
        note.content.as_str(),
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    index::remove(connection, row)?;
    index::add(connection, session, row, note)?;
    add_tags(connection, session, note)?;
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

fn add_tags(connection: &Connection, session: SessionRow, note: &Note) -> Result<(), StoreError> {
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

fn drop_tags(connection: &Connection, session: SessionRow, note: &Note) -> Result<(), StoreError> {
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
