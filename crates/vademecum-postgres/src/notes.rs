//! Notes of a session, and what is counted of them so that lists and contexts need not count.

use tokio_postgres::Row;
use vademecum_core::hash::{self, Key};
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::search;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{NoteFilter, StoreError};

use crate::error::{corrupt, doubled};
use crate::names::session_digest;
use crate::sessions;
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, column, given, limit, number, text, utf8};

/// What a note is read from.
pub(crate) const COLUMNS: &str =
    "note.id, note.created_at, note.updated_at, note.scratched_at, note.tags, note.content";

pub(crate) fn note(row: &Row) -> Result<Note, StoreError> {
    let tags: Vec<Vec<u8>> = column(row, 4)?;
    let tags = tags.into_iter().map(utf8).collect::<Result<Vec<_>, _>>()?;
    Ok(Note {
        id: NoteId(column(row, 0)?),
        content: Content::new(text(row, 5)?).map_err(|error| corrupt(&error))?,
        tags: Tags::kept(&tags).map_err(|error| corrupt(&error))?,
        created_at: Time(column(row, 1)?),
        updated_at: Time(column(row, 2)?),
        scratched_at: column::<Option<i64>>(row, 3)?.map(Time),
    })
}

/// What an index knows a key of a session by: each session has hashes of its own, which tell nothing without the salt.
pub(crate) fn hashed(seed: &Key, key: &str) -> i64 {
    let hash = hash::keyed(seed, &[key.as_bytes()]);
    i64::from_le_bytes(*hash.first_chunk().expect("a hash has 32 bytes"))
}

/// What the keys of a session are hashed with: made of its person's salt and its name, so that no number need be asked for.
pub(crate) fn seed(salt: &Key, session: &SessionKey) -> Key {
    Key(hash::keyed(salt, &[&session_digest(session)]))
}

fn keys(salt: &Key, session: &SessionKey, note: &Note) -> Vec<i64> {
    let keys = search::keys(note.content.as_str(), note.tags.as_slice());
    let all = keys.words.iter().chain(&keys.grams);
    let seed = seed(salt, session);
    let mut hashes: Vec<i64> = all.map(|key| hashed(&seed, key)).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The conditions of a filter, whose values go behind those that are there.
pub(crate) fn conditions(filter: &NoteFilter, values: &mut Vec<Value>) -> String {
    let mut sql = String::new();
    if !filter.tags.is_empty() {
        let tags = filter.tags.iter().map(|tag| tag.as_bytes().to_vec());
        given(&mut sql, " AND note.tags @> ?", values, Value::List(tags.collect()));
    }
    if !filter.include_scratched {
        sql.push_str(" AND note.scratched_at IS NULL");
    }
    if let Some(id) = filter.id {
        given(&mut sql, " AND note.id = ?", values, id.0);
    }
    if let Some(after) = filter.after {
        given(&mut sql, " AND ? < note.id", values, after.0);
    }
    sql
}

/// A session of at most so many notes is read whole, once: what is listed, linked and found of it is chosen here.
///
/// So many a list reads in any case, to tell who names whom.
const SMALL: u64 = 100;

/// All notes of a session that is known to have few, the last added first; none where many may be there.
pub(crate) fn of_small(
    view: &Snapshot<'_>,
    session: &SessionKey,
) -> Result<Option<Vec<Note>>, StoreError> {
    // To ask how many there are would take the round trip that this saves.
    if !view.has_answer(&sessions::of_key(session))
        || SMALL < sessions::card(view, session)?.counts.notes
    {
        return Ok(None);
    }
    view.ask(whole(session))?.iter().map(note).collect::<Result<_, _>>().map(Some)
}

/// The statement for all notes of a session, the last added first.
fn whole(session: &SessionKey) -> Statement {
    let sql = format!(
        "SELECT {COLUMNS} FROM note
         WHERE session = (SELECT id FROM session WHERE digest = $1) ORDER BY place DESC"
    );
    Statement::new(sql, vec![session_digest(session).into()])
}

/// The notes of a filter, in its order.
pub(crate) fn by(
    view: &Snapshot<'_>,
    session: &SessionKey,
    filter: &NoteFilter,
    limit: usize,
) -> Result<Vec<Note>, StoreError> {
    // Who looks for one does not want all, unless all were read.
    if (filter.id.is_none() || view.has_answer(&whole(session)))
        && let Some(notes) = of_small(view, session)?
    {
        return Ok(filter.pick(&notes, limit));
    }
    view.ask(listed(session, filter, limit))?.iter().map(note).collect()
}

/// The statement that finds the notes of a filter, in its order.
fn listed(session: &SessionKey, filter: &NoteFilter, n_most: usize) -> Statement {
    if let NoteFilter { tags, include_scratched, id: None, after: None, by_id: false } = filter
        && tags.is_empty()
    {
        let digest = session_digest(session).into();
        let values = vec![digest, (*include_scratched).into(), limit(n_most)];
        return Statement::new("SELECT * FROM newest_notes($1, $2, $3)", values);
    }
    let mut values = vec![session_digest(session).into()];
    let conditions = conditions(filter, &mut values);
    values.push(limit(n_most));
    let order = if filter.by_id { "note.id" } else { "note.updated_at DESC, note.id DESC" };
    let sql = format!(
        "SELECT {COLUMNS} FROM note
         WHERE note.session = (SELECT id FROM session WHERE digest = $1){conditions}
         ORDER BY {order} LIMIT ${}",
        values.len()
    );
    Statement::new(sql, values)
}

pub(crate) fn tag_counts(
    view: &Snapshot<'_>,
    session: &SessionKey,
    tag: Option<&str>,
    include_scratched: bool,
) -> Result<Vec<TagCount>, StoreError> {
    let count = if include_scratched { "n_notes" } else { "n_open" };
    let mut values = vec![session_digest(session).into()];
    let mut which = "";
    if let Some(tag) = tag {
        values.push(tag.into());
        which = " AND tag_count.digest = sha256($2)";
    }
    let sql = format!(
        "SELECT tag, {count} FROM tag_count
         WHERE session = (SELECT id FROM session WHERE digest = $1) AND 0 < {count}{which}
         ORDER BY {count} DESC, tag"
    );
    let rows = view.ask(Statement::new(sql, values))?;
    rows.iter().map(|row| Ok(TagCount { tag: text(row, 0)?, count: number(row, 1)? })).collect()
}

/// Adds the notes with ids from `first` to `last` to what is counted, or with `-1` takes them out.
fn tally(view: &Snapshot<'_>, session: i64, [first, last]: [i64; 2], sign: i64) {
    let sql = "WITH these AS (
                   SELECT tags, scratched_at IS NULL AS is_open FROM note
                   WHERE session = $1 AND id BETWEEN $2 AND $3),
               tagged AS (
                   INSERT INTO tag_count (session, digest, tag, n_notes, n_open)
                   SELECT $1, sha256(tag), tag, $4 * count(*), $4 * count(*) FILTER (WHERE is_open)
                   FROM these, unnest(tags) AS tag GROUP BY tag
                   ON CONFLICT (session, digest) DO UPDATE
                   SET n_notes = tag_count.n_notes + excluded.n_notes,
                       n_open = tag_count.n_open + excluded.n_open)
               UPDATE session SET n_notes = n_notes + $4 * counted.n, n_open = n_open + $4 * counted.o
               FROM (SELECT count(*) AS n, count(*) FILTER (WHERE is_open) AS o FROM these) AS counted
               WHERE session.id = $1";
    let values = vec![session.into(), first.into(), last.into(), sign.into()];
    view.tell(Statement::new(sql, values));
    if sign < 0 {
        let sql = "DELETE FROM tag_count WHERE session = $1 AND n_notes = 0";
        view.tell(Statement::new(sql, vec![session.into()]));
    }
}

/// Adds a note whose id nobody has.
pub(crate) fn add(
    view: &Snapshot<'_>,
    (key, session): (&SessionKey, i64),
    note: &Note,
) -> Result<(), StoreError> {
    // Of many that are added at once the first alone is asked for.
    let known = view.known.borrow().last_notes.get(&session).copied();
    let last = match known {
        Some(last) => last,
        None => sessions::card(view, key)?.counts.last.unwrap_or(NoteId(i64::MIN)),
    };
    if note.id <= last && view.is_taken(session, note.id)? {
        return Err(doubled(&note.id));
    }
    view.known.borrow_mut().last_notes.insert(session, last.max(note.id));
    let sql = "SELECT add_note($1, $2, $3, $4, $5, $6, $7, $8)";
    view.tell(Statement::new(sql, values(&view.salt()?, (key, session), note)));
    Ok(())
}

/// Puts a note in the place of the one with its id, which keeps when it was added.
pub(crate) fn set(
    view: &Snapshot<'_>,
    (key, session): (&SessionKey, i64),
    note: &Note,
) -> Result<(), StoreError> {
    tally(view, session, [note.id.0; 2], -1);
    let sql = "WITH keyed AS (UPDATE note_key SET keys = $8 WHERE session = $1 AND id = $2)
               UPDATE note SET updated_at = $4, scratched_at = $5, tags = $6, content = $7
               WHERE session = $1 AND id = $2 AND $3::bigint IS NOT NULL";
    view.tell(Statement::new(sql, values(&view.salt()?, (key, session), note)));
    tally(view, session, [note.id.0; 2], 1);
    Ok(())
}

fn values(salt: &Key, (key, session): (&SessionKey, i64), note: &Note) -> Vec<Value> {
    let tags = note.tags.as_slice().iter().map(|tag| tag.as_bytes().to_vec());
    vec![
        session.into(),
        note.id.0.into(),
        note.created_at.0.into(),
        note.updated_at.0.into(),
        note.scratched_at.map(|at| at.0).into(),
        Value::List(tags.collect()),
        note.content.as_str().into(),
        Value::Ints(keys(salt, key, note)),
    ]
}

/// Deletes the notes with ids in this range.
pub(crate) fn drop_those(view: &Snapshot<'_>, session: i64, range: [i64; 2]) {
    tally(view, session, range, -1);
    let [first, last] = range;
    for table in ["note", "note_key"] {
        let sql = format!("DELETE FROM {table} WHERE session = $1 AND id BETWEEN $2 AND $3");
        view.tell(Statement::new(sql, vec![session.into(), first.into(), last.into()]));
    }
}

/// Gives a session copies of those notes of another one whose ids it has not, in the order in which they were added there.
///
/// Keys are hashed for the session, so they are made anew here.
pub(crate) fn fork(
    view: &Snapshot<'_>,
    (key, session): (&SessionKey, i64),
    from: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, place + (SELECT last_place FROM session WHERE id = $2)
         FROM note WHERE session = $1
             AND id NOT IN (SELECT id FROM note WHERE session = $2) ORDER BY place"
    );
    let rows = view.ask(Statement::new(sql, vec![from.into(), session.into()]))?;
    if rows.is_empty() {
        return Ok(());
    }
    view.known.borrow_mut().last_notes.remove(&session);
    tally(view, session, [i64::MIN, i64::MAX], -1);
    let salt = view.salt()?;
    for row in rows.iter() {
        let sql = "WITH keyed AS (
                       INSERT INTO note_key (session, id, keys, place) VALUES ($1, $2, $8, $9))
                   INSERT INTO note (session, id, created_at, updated_at, scratched_at, tags,
                       content, place) VALUES ($1, $2, $3, $4, $5, $6, $7, $9)";
        let mut values = values(&salt, (key, session), &note(row)?);
        values.push(column::<i64>(row, 6)?.into());
        view.tell(Statement::new(sql, values));
    }
    tally(view, session, [i64::MIN, i64::MAX], 1);
    let sql = "UPDATE session SET last_id = greatest(session.last_id, source.last_id),
                   last_place = session.last_place + source.last_place
               FROM session AS source WHERE session.id = $1 AND source.id = $2";
    view.tell(Statement::new(sql, vec![session.into(), from.into()]));
    Ok(())
}

impl Snapshot<'_> {
    /// Whether a session has a note with this id.
    fn is_taken(&self, session: i64, id: NoteId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM note WHERE session = $1 AND id = $2";
        Ok(self.ask_one(Statement::new(sql, vec![session.into(), id.0.into()]))?.is_some())
    }
}
