//! Notes by their keys: hashed for the session, found among the newest by a walk and among older ones by an index.

use std::sync::Arc;

use tokio_postgres::Row;
use vademecum_core::hash::Key;
use vademecum_core::id::ProjectId;
use vademecum_core::session::SessionKey;
use vademecum_store::{
    Document, EntryFilter, Hits, KeySet, NoteFilter, StoreError, View as _, hits_among,
};

use crate::names::session_digest;
use crate::notes::{self, COLUMNS, conditions, hashed, seed};
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, number};

/// Where the count stands behind a note's columns.
const COUNT: usize = 6;

/// So many of the newest notes are walked before the index is asked, unless a key is rare among them.
///
/// The index gives all notes with a word before any is put in order: for a common one that is most of a session.
pub(crate) const WALKED: i64 = 5_000;

/// A key is rare that none of each so many of them has: 500 in all, so that at most 0.6 % of them have it (with a
/// probability of 95 %). To read the keys of all 5,000 takes six times as long.
const EACH: i64 = 10;

/// What each set finds, in one round trip.
pub(crate) fn hits(
    view: &Snapshot<'_>,
    session: &SessionKey,
    sets: &[KeySet<'_>],
    filter: &NoteFilter,
) -> Result<Vec<Hits>, StoreError> {
    let key = Arc::new(session.clone());
    if let Some(notes) = notes::of_small(view, session)? {
        let notes = notes.into_iter().map(|note| Document::Note(Arc::clone(&key), note));
        return Ok(hits_among(&notes.collect::<Vec<_>>(), sets, filter));
    }
    // Without keys nothing is found, and nothing is asked.
    let asked = sets.iter().filter(|set| !set.keys.is_empty());
    let salt = view.salt()?;
    let asked: Vec<Statement> = asked.map(|set| having(&salt, session, set, filter)).collect();
    let mut rows = view.ask_all(&asked)?.into_iter();
    let hits = |set: &KeySet<'_>| match (set.keys.as_slice(), &mut rows) {
        ([], _) => Ok(Hits::default()),
        (_, rows) => read(&key, &rows.next().unwrap_or_default(), set),
    };
    sets.iter().map(hits).collect()
}

/// The entries of a project, each read.
pub(crate) fn of_entries(
    view: &Snapshot<'_>,
    project: ProjectId,
) -> Result<Vec<Document>, StoreError> {
    let all = EntryFilter { project: Some(project), by_id: true, ..EntryFilter::default() };
    Ok(view.entries(all, 0)?.into_iter().map(|entry| Document::Entry(Box::new(entry))).collect())
}

/// What [`having`] found.
pub(crate) fn read(
    key: &Arc<SessionKey>,
    rows: &[Row],
    set: &KeySet<'_>,
) -> Result<Hits, StoreError> {
    let n = rows.first().map_or(Ok(0), |row| number(row, COUNT))?;
    let is_told = n != 0 && !(set.is_rare && n == set.most);
    let notes = if is_told { rows } else { &[] };
    let document = |row| Ok(Document::Note(Arc::clone(key), notes::note(row)?));
    Ok(Hits { documents: notes.iter().map(document).collect::<Result<_, StoreError>>()?, n })
}

/// The values that stand before those of a filter.
fn asked(salt: &Key, session: &SessionKey, set: &KeySet<'_>) -> Vec<Value> {
    let seed = seed(salt, session);
    let hashes = set.keys.iter().map(|key| hashed(&seed, key)).collect();
    vec![
        session_digest(session).into(),
        Value::Ints(hashes),
        i64::try_from(set.most).unwrap_or(i64::MAX).into(),
        WALKED.into(),
        set.is_rare.into(),
        EACH.into(),
    ]
}

/// The statement for the newest notes that have all keys of a set, each with the number of them all.
///
/// The index is asked for keys that are rare, else only where the walk did not find enough, and there is more than was
/// walked. Behind "+ 0" and "IS TRUE" no other index is taken beside it, for which all notes of the session are gone through. What
/// is not rare enough is counted, and its texts stay where they are.
pub(crate) fn having(
    salt: &Key,
    session: &SessionKey,
    set: &KeySet<'_>,
    filter: &NoteFilter,
) -> Statement {
    let mut values = asked(salt, session, set);
    let filter = conditions(filter, &mut values);
    let sql = format!(
        "WITH of AS MATERIALIZED (SELECT id FROM session WHERE digest = $1),
         sampled AS MATERIALIZED (
             SELECT keys FROM (
                 SELECT place, keys FROM note_key
                 WHERE session = (SELECT id FROM of) ORDER BY place DESC LIMIT $4) AS newest
             WHERE place % $6 = 0),
         rare AS MATERIALIZED (
             SELECT array_agg(key) AS keys FROM unnest($2) AS key
             WHERE NOT EXISTS (SELECT FROM sampled WHERE keys @> ARRAY[key])),
         walked AS MATERIALIZED (
             SELECT id, place, keys @> $2 AS fits FROM note_key
             WHERE session = (SELECT id FROM of) AND (SELECT keys FROM rare) IS NULL
             ORDER BY place DESC LIMIT $4),
         near AS MATERIALIZED (
             SELECT note.id, note.place FROM walked
             JOIN note ON note.session = (SELECT id FROM of) AND note.id = walked.id
             WHERE fits{filter} ORDER BY walked.place DESC LIMIT $3),
         keyed AS MATERIALIZED (
             SELECT id FROM note_key
             WHERE (SELECT count(*) FROM near) < $3
                 AND ((SELECT keys FROM rare) IS NOT NULL OR (SELECT count(*) FROM walked) = $4)
                 AND session + 0 = (SELECT id FROM of)
                 AND ((SELECT keys FROM rare) IS NOT NULL
                     OR place + 0 < (SELECT min(place) FROM walked))
                 AND keys @> (SELECT coalesce(keys, $2) FROM rare) AND (keys @> $2) IS TRUE),
         far AS MATERIALIZED (
             SELECT note.id, note.place FROM keyed
             JOIN note ON note.session = (SELECT id FROM of) AND note.id = keyed.id
             WHERE true{filter}),
         found AS MATERIALIZED (
             SELECT * FROM (SELECT * FROM near UNION ALL SELECT * FROM far) AS all_of_them
             ORDER BY place DESC LIMIT $3),
         counted AS (SELECT count(*) AS n FROM found)
         SELECT {COLUMNS}, n FROM counted LEFT JOIN (
             found JOIN note ON note.session = (SELECT id FROM of) AND note.id = found.id)
         ON NOT $5 OR n < $3 ORDER BY found.place DESC"
    );
    Statement::new(sql, values)
}
