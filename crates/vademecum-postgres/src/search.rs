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
use crate::notes::{self, hashed, seed};
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, number};

/// Where the count stands behind a note's columns.
const COUNT: usize = 6;

/// So many of the newest notes of a session are walked, as `notes_with` of the schema does, before the index is asked.
pub(crate) const WALKED: i64 = 5_000;

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

/// The statement for the newest notes that have all keys of a set, each with the number of them all.
pub(crate) fn having(
    salt: &Key,
    session: &SessionKey,
    set: &KeySet<'_>,
    filter: &NoteFilter,
) -> Statement {
    let seed = seed(salt, session);
    let tags = filter.tags.iter().map(|tag| tag.as_bytes().to_vec());
    let values = vec![
        session_digest(session).into(),
        Value::Ints(set.keys.iter().map(|key| hashed(&seed, key)).collect()),
        i64::try_from(set.most).unwrap_or(i64::MAX).into(),
        set.is_rare.into(),
        Value::List(tags.collect()),
        filter.include_scratched.into(),
        filter.id.map(|id| id.0).into(),
        filter.after.map(|id| id.0).into(),
    ];
    Statement::new("SELECT * FROM notes_with($1, $2, $3, $4, $5, $6, $7, $8)", values)
}
