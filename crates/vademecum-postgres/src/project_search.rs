//! What the sessions of a project keep: notes by the index of each session, the longer texts, of which each has a few, by reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_postgres::Row;
use vademecum_core::hash::Key;
use vademecum_core::id::ProjectId;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{
    Document, Handoff, Hits, KeptRecap, KeySet, NoteFilter, Notepad, StoreError, hits_among,
};

use crate::names;
use crate::notes::{self, COLUMNS, conditions, hashed, seed};
use crate::search;
use crate::snapshot::{Rows, Snapshot};
use crate::statement::{Statement, Value, column, number, text};

/// Where a session's number of notes, and what it says beside them, stand behind its id and its name.
const NOTES: usize = 4;
const RECAP: usize = 5;
const WORDS: usize = 7;
const PAGE: usize = 9;

/// Where the count, and the session's place, stand behind a note's columns.
const COUNT: usize = 6;
const PLACE: usize = 7;

/// The sessions of a project, those that became known last first.
struct Sessions {
    /// With what their keys are hashed.
    salt: Key,
    keys: Vec<Arc<SessionKey>>,
    /// The places and ids of those with a few notes, which the index gives all at once.
    small: Vec<(usize, i64)>,
    /// The places of those whose newest notes are walked first.
    large: Vec<usize>,
    /// The longer texts in their order.
    texts: Vec<Document>,
}

/// What each set finds among all that the sessions keep, or among their notes alone: two round trips, however many they are.
pub(crate) fn hits(
    view: &Snapshot<'_>,
    (project, is_of_notes): (ProjectId, bool),
    sets: &[KeySet<'_>],
    filter: &NoteFilter,
) -> Result<Vec<Hits>, StoreError> {
    let sessions = sessions(view, project, is_of_notes)?;
    let asked = sets.iter().filter(|set| !set.keys.is_empty());
    let asked: Vec<Statement> = asked.flat_map(|set| sessions.asked(set, filter)).collect();
    let mut rows = view.ask_all(&asked)?.into_iter();
    let of_texts = hits_among(&sessions.texts, sets, filter);
    let places: BTreeMap<&SessionKey, usize> =
        sessions.keys.iter().enumerate().map(|(at, key)| (&**key, at)).collect();
    let hits = |(set, texts): (&KeySet<'_>, Hits)| match set.keys.as_slice() {
        [] => Ok(Hits::default()),
        _ => sessions.found((set, &places), texts, &mut rows),
    };
    sets.iter().zip(of_texts).map(hits).collect()
}

fn sessions(
    view: &Snapshot<'_>,
    project: ProjectId,
    is_of_notes: bool,
) -> Result<Sessions, StoreError> {
    let (columns, tables) = if is_of_notes {
        ("", "")
    } else {
        (
            ", recap.at, recap.body, handoff.updated_at, handoff.text,
               notepad.rev, notepad.updated_at, notepad.text",
            "LEFT JOIN recap ON recap.session = session.id
             LEFT JOIN handoff ON handoff.session = session.id
             LEFT JOIN notepad ON notepad.session = session.id",
        )
    };
    let sql = format!(
        "SELECT session.id, session.harness, session.external, session.agent, session.n_notes{columns}
         FROM session JOIN project ON project.id = session.project {tables}
         WHERE project.uid = $1 ORDER BY session.id DESC"
    );
    let rows = view.ask(Statement::new(sql, vec![project.0.into()]))?;
    let mut all = Sessions::of(view.salt()?);
    for (at, row) in rows.iter().enumerate() {
        let key = Arc::new(names::key(row, 1)?);
        match column::<i64>(row, NOTES)? {
            0 => {}
            n if n <= search::WALKED => all.small.push((at, column(row, 0)?)),
            _ => all.large.push(at),
        }
        // To read the keys of all texts takes long, and asks for nothing.
        if !is_of_notes && !view.is_rehearsal() {
            add_texts(&mut all.texts, row, &key)?;
        }
        all.keys.push(key);
    }
    Ok(all)
}

/// Adds what a session says beside its notes, in the order of the corpus.
fn add_texts(
    texts: &mut Vec<Document>,
    row: &Row,
    key: &Arc<SessionKey>,
) -> Result<(), StoreError> {
    if let Some(at) = column::<Option<i64>>(row, RECAP)? {
        let recap = KeptRecap { body: text(row, RECAP + 1)?, at: Time(at) };
        texts.push(Document::Recap(Arc::clone(key), recap));
    }
    if let Some(at) = column::<Option<i64>>(row, WORDS)? {
        let words = Handoff { text: text(row, WORDS + 1)?, updated_at: Time(at) };
        texts.push(Document::Words(Arc::clone(key), words));
    }
    if column::<Option<i64>>(row, PAGE)?.is_some() {
        let (rev, updated_at) = (number(row, PAGE)?, Time(column(row, PAGE + 1)?));
        let page = Notepad { rev, text: text(row, PAGE + 2)?, more: 0, updated_at };
        texts.push(Document::Page(Arc::clone(key), page));
    }
    Ok(())
}

impl Sessions {
    fn of(salt: Key) -> Self {
        Self { salt, keys: Vec::new(), small: Vec::new(), large: Vec::new(), texts: Vec::new() }
    }

    /// The statements for the notes of one set: one for all small sessions, and one for each large one.
    fn asked(&self, set: &KeySet<'_>, filter: &NoteFilter) -> Vec<Statement> {
        let large =
            self.large.iter().map(|at| search::having(&self.salt, &self.keys[*at], set, filter));
        let small = (!self.small.is_empty()).then(|| having(self, set, filter));
        small.into_iter().chain(large).collect()
    }

    /// What was found of all, in the order of the corpus: of each session the longer texts come first.
    fn found(
        &self,
        (set, places): (&KeySet<'_>, &BTreeMap<&SessionKey, usize>),
        texts: Hits,
        rows: &mut impl Iterator<Item = Rows>,
    ) -> Result<Hits, StoreError> {
        let place = |document: &Document| {
            let of = document.session().and_then(|key| places.get(key));
            of.copied().unwrap_or(usize::MAX)
        };
        let mut n = texts.n;
        let mut all: Vec<((usize, bool), Document)> =
            texts.documents.into_iter().map(|it| ((place(&it), false), it)).collect();
        let small = if self.small.is_empty() { None } else { rows.next() }.unwrap_or_default();
        let n_small: usize = small.first().map_or(Ok(0), |row| number(row, COUNT))?;
        n += n_small;
        let is_told = n_small != 0 && !(set.is_rare && n_small == set.most);
        for row in small.iter().filter(|_| is_told) {
            let at: usize = number(row, PLACE)?;
            let (at, _) = self.small[at - 1];
            let note = Document::Note(Arc::clone(&self.keys[at]), notes::note(row)?);
            all.push(((at, true), note));
        }
        for (at, rows) in self.large.iter().zip(rows) {
            let of_one = search::read(&self.keys[*at], &rows, set)?;
            n += of_one.n;
            all.extend(of_one.documents.into_iter().map(|note| ((*at, true), note)));
        }
        let n = n.min(set.most);
        if set.is_rare && n == set.most {
            return Ok(Hits { documents: Vec::new(), n });
        }
        // Those of one session and kind are in their order already.
        all.sort_by_key(|(place, _)| *place);
        let documents = all.into_iter().map(|(_, document)| document).take(set.most).collect();
        Ok(Hits { documents, n })
    }
}

/// The statement for the newest notes that have all keys of a set, with the number of them all.
///
/// Session after session is looked into, by its own hashes of the keys, until enough are found. The session's number
/// stands so that no index of it is used: those of the keys give few rows, and of one session alone.
fn having(sessions: &Sessions, set: &KeySet<'_>, filter: &NoteFilter) -> Statement {
    let hashes = sessions.small.iter().flat_map(|(at, _)| {
        let seed = seed(&sessions.salt, &sessions.keys[*at]);
        set.keys.iter().map(move |key| hashed(&seed, key))
    });
    let mut values = vec![
        Value::Ints(sessions.small.iter().map(|(_, id)| *id).collect()),
        Value::Ints(hashes.collect()),
        i64::try_from(set.keys.len()).unwrap_or(i64::MAX).into(),
        i64::try_from(set.most).unwrap_or(i64::MAX).into(),
        set.is_rare.into(),
    ];
    let filter = conditions(filter, &mut values);
    let has = |at: &str| {
        format!(
            "note_key JOIN note ON note.session = note_key.session AND note.id = note_key.id
             WHERE note_key.session + 0 = $1[{at}]
             AND keys @> $2[({at} - 1) * $3::integer + 1 : {at} * $3::integer]{filter}"
        )
    };
    let (next, this) = (has("(at + 1)"), has("nth.at"));
    let sql = format!(
        "WITH RECURSIVE walked (at, n) AS (
             SELECT 0, 0::bigint
             UNION ALL
             SELECT at + 1, n + (SELECT count(*) FROM (SELECT FROM {next} LIMIT $4) AS few)
             FROM walked WHERE at < cardinality($1) AND n < $4),
         counted AS MATERIALIZED (SELECT max(at) AS at, least(max(n), $4) AS n FROM walked),
         found AS MATERIALIZED (
             SELECT nth.at, these.* FROM counted, generate_series(1, counted.at) AS nth (at),
                 LATERAL (SELECT note.session, note.id, note.place FROM {this}
                          ORDER BY note.place DESC LIMIT $4) AS these
             WHERE NOT $5 OR counted.n < $4
             ORDER BY nth.at, these.place DESC LIMIT $4)
         SELECT {COLUMNS}, counted.n, found.at::bigint FROM counted LEFT JOIN (
             found JOIN note ON note.session = found.session AND note.id = found.id) ON true
         ORDER BY found.at, found.place DESC"
    );
    Statement::new(sql, values)
}
