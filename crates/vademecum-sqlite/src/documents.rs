//! What is found in a project: the notes of all its sessions, their other texts, and its entries.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Known;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::search::{self, Keys};
use vademecum_core::session::SessionKey;
use vademecum_store::{
    Document, Hits, KeySet, NoteFilter, StoreError, Words, entry_text, recap_text,
};

use crate::error::Port;
use crate::index::{self, Token};
use crate::names::{Names, ProjectRow, SessionRow};
use crate::numbers::{self, Order};
use crate::sessions::limit;
use crate::{entries, handoffs, notepads, notes};

/// The keys of a document that is no note; of one that is damaged none: whoever takes it in writes something else.
pub(crate) fn keys_of(
    connection: &Connection,
    number: i64,
    order: Order,
) -> Result<Keys, StoreError> {
    let text = |sql: &str| {
        let mut query = connection.prepare_cached(sql).port()?;
        query.query_row([numbers::session(number).0], |row| row.get(0)).optional().port()
    };
    let keys = |text: Option<String>| search::keys(&text.unwrap_or_default(), &[]);
    let found = match order {
        Order::Page => text("SELECT text FROM notepad WHERE session = ?1").map(keys),
        Order::Words => text("SELECT text FROM handoff WHERE session = ?1").map(keys),
        Order::Recap => text("SELECT body FROM recap WHERE session = ?1")
            .map(|body| keys(body.as_deref().map(recap_text))),
        Order::Entries => entries::said_by_number(connection, number).map(|said| {
            said.map(|said| search::keys(&entry_text(&said), said.tags.as_slice()))
                .unwrap_or_default()
        }),
        Order::Listed | Order::Moved => return Ok(Keys::default()),
    };
    match found {
        Err(StoreError::Corrupt { .. }) => Ok(Keys::default()),
        found => found,
    }
}

/// Which documents of a project are looked up.
pub(crate) enum Among {
    /// All that its sessions keep.
    Sessions,
    /// The notes of its sessions.
    Notes,
    /// Its entries.
    Entries,
}

impl Among {
    /// The first and the last order of documents that are looked up.
    fn orders(&self) -> (Order, Order) {
        match self {
            Self::Sessions => (Order::Listed, Order::Recap),
            Self::Notes => (Order::Listed, Order::Moved),
            Self::Entries => (Order::Entries, Order::Entries),
        }
    }
}

/// For each set the documents of a project that have its keys.
pub(crate) fn hits(
    names: &Names<'_>,
    (project, among): (ProjectRow, &Among),
    (sets, filter): (&[KeySet<'_>], &NoteFilter),
) -> Result<Vec<Hits>, StoreError> {
    let lookup = Lookup::of(names, project, among)?;
    sets.iter().map(|set| lookup.hits(set, filter)).collect()
}

/// What the documents of a project are looked up with.
struct Lookup<'a> {
    names: &'a Names<'a>,
    project: ProjectRow,
    among: &'a Among,
    /// Words are hashed with one seed, but where projects were joined.
    seeds: Vec<i64>,
    waiting: Vec<(i64, Vec<u8>)>,
}

impl<'a> Lookup<'a> {
    fn of(names: &'a Names<'a>, project: ProjectRow, among: &'a Among) -> Result<Self, StoreError> {
        let (searches, which) = match among {
            Among::Sessions | Among::Notes => (
                "SELECT DISTINCT search FROM session WHERE project = ?1",
                "WHERE number >> 28 IN (SELECT id FROM session WHERE project = ?1)",
            ),
            Among::Entries => {
                ("SELECT search FROM project WHERE id = ?1", "WHERE number >> 28 = ?1")
            }
        };
        let mut query = names.connection.prepare_cached(searches).port()?;
        let seeds = query.query_map([project.0], |row| row.get(0));
        let seeds = seeds.port()?.collect::<rusqlite::Result<_>>().port()?;
        let waiting = index::all_waiting(names.connection, which, [project.0])?;
        Ok(Self { names, project, among, seeds, waiting })
    }

    fn hits(&self, set: &KeySet<'_>, filter: &NoteFilter) -> Result<Hits, StoreError> {
        if set.keys.is_empty() || self.seeds.is_empty() {
            return Ok(Hits::default());
        }
        let numbers = self.numbers(set)?;
        if set.is_rare && numbers.len() == set.most {
            return Ok(Hits { documents: Vec::new(), n: set.most });
        }
        let mut projects = BTreeMap::new();
        let mut documents = Vec::new();
        for number in numbers {
            let document = self.document(number, &mut projects)?;
            documents.extend(document.filter(|it| it.passes(filter)));
        }
        Ok(Hits { n: documents.len(), documents })
    }

    /// The numbers of the first documents that have all keys of a set.
    fn numbers(&self, set: &KeySet<'_>) -> Result<Vec<i64>, StoreError> {
        let tokens = |seed: &i64| -> Vec<Token> {
            set.keys.iter().map(|key| index::word(*seed, key)).collect()
        };
        let each: Vec<Vec<Token>> = self.seeds.iter().map(tokens).collect();
        let waits = |keys: &[u8]| each.iter().any(|tokens| index::has_all(keys, tokens));
        let (first_order, last_order) = self.among.orders();
        let orders = first_order..=last_order;
        let is_among = |number: i64| Order::of(number).is_some_and(|it| orders.contains(&it));
        let waiting = self.waiting.iter().filter(|(it, keys)| is_among(*it) && waits(keys));
        let mut found: Vec<i64> = waiting.map(|(number, _)| *number).collect();
        let asked: Vec<String> =
            each.iter().map(|tokens| format!("({})", index::all(tokens))).collect();
        let (first, last) = match self.among {
            Among::Sessions | Among::Notes => (i64::MIN, i64::MAX),
            Among::Entries => numbers::entries(self.project),
        };
        // A project that was joined into this one may have entries of its own, of the same key.
        let sql = "SELECT rowid FROM document_index WHERE document_index MATCH ?1
                       AND rowid BETWEEN ?2 AND ?3 AND (rowid >> 25 & 7) BETWEEN ?4 AND ?5
                   ORDER BY rowid DESC LIMIT ?6";
        let mut query = self.names.connection.prepare_cached(sql).port()?;
        let values = params![
            asked.join(" OR "),
            first,
            last,
            first_order as i64,
            last_order as i64,
            limit(set.most)
        ];
        let rows = query.query_map(values, |row| row.get(0)).port()?;
        found.extend(rows.collect::<rusqlite::Result<Vec<i64>>>().port()?);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.truncate(set.most);
        Ok(found)
    }

    /// The document with a number; none that is not of this project, whatever its keys are taken for.
    fn document(
        &self,
        number: i64,
        projects: &mut BTreeMap<SessionRow, Option<(i64, Arc<SessionKey>)>>,
    ) -> Result<Option<Document>, StoreError> {
        let (connection, session) = (self.names.connection, numbers::session(number));
        if Order::of(number) == Some(Order::Entries) {
            return entries::by_number(self.names, number)
                .map(|entry| Some(Document::Entry(Box::new(entry))));
        }
        let known = match projects.entry(session) {
            Known::Occupied(known) => known.into_mut(),
            Known::Vacant(unknown) => unknown.insert(self.session(session)?),
        };
        let Some((project, key)) = known else { return Ok(None) };
        if *project != self.project.0 {
            return Ok(None);
        }
        let key = Arc::clone(key);
        Ok(match Order::of(number) {
            Some(Order::Listed | Order::Moved) => {
                Some(Document::Note(key, notes::by_number(connection, number)?))
            }
            Some(Order::Page) => {
                notepads::of(connection, session, usize::MAX)?.map(|page| Document::Page(key, page))
            }
            Some(Order::Words) => handoffs::of(self.names, Words::Of(&key))?
                .pop()
                .map(|(_, words)| Document::Words(key, words)),
            Some(Order::Recap) => {
                handoffs::recap(connection, session)?.map(|recap| Document::Recap(key, recap))
            }
            Some(Order::Entries) | None => None,
        })
    }

    /// The project of a session, and its name.
    fn session(&self, row: SessionRow) -> Result<Option<(i64, Arc<SessionKey>)>, StoreError> {
        let sql = "SELECT project FROM session WHERE id = ?1";
        let mut query = self.names.connection.prepare_cached(sql).port()?;
        let project: Option<i64> = query.query_row([row.0], |row| row.get(0)).optional().port()?;
        let key = self.names.shared_key(row)?;
        Ok(project.zip(key))
    }
}
