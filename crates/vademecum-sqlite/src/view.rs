//! One snapshot of a SQLite store, as the port asks for it.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::Connection;
use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_store::{
    Corpus, EntryFilter, Handoff, Hits, JournalEntry, JournalFilter, KeptRecap, KeySet, NoteFilter,
    Notepad, SessionCard, SessionFilter, StoreCard, StoreError, View, Whose, Words,
};

use crate::documents::Among;
use crate::names::{Known, Names, SessionRow};
use crate::{
    documents, entries, erase, forks, handoffs, index, journal, notepads, notes, plans, projects,
    running, sessions,
};

/// A connection inside a transaction.
pub(crate) struct Snapshot<'a> {
    pub(crate) names: Names<'a>,
    /// Whether forks lack notes that they are to be read with.
    has_lacking: bool,
    /// What the last search looked up its notes with.
    lookup: RefCell<Option<Rc<index::Lookup>>>,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(connection: &'a Connection, known: Known, has_lacking: bool) -> Self {
        Self { names: Names::new(connection, known), has_lacking, lookup: RefCell::default() }
    }

    /// The notes that a session is to get and lacks still.
    ///
    /// To copy them before they are read would wait for whoever writes, and fail on a disk without room.
    fn lacking(&self, session: SessionRow) -> Result<Vec<Note>, StoreError> {
        if self.has_lacking {
            forks::lacking(self.names.connection, session)
        } else {
            Ok(Vec::new())
        }
    }

    fn lookup(
        &self,
        session: SessionRow,
        key: &SessionKey,
    ) -> Result<Rc<index::Lookup>, StoreError> {
        let mut known = self.lookup.borrow_mut();
        if let Some(known) = known.as_ref().filter(|known| known.is_of(session)) {
            return Ok(Rc::clone(known));
        }
        let new = Rc::new(index::Lookup::of(self.names.connection, session, key)?);
        Ok(Rc::clone(known.insert(new)))
    }

    fn note_hits(
        &self,
        session: &SessionKey,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        let Some(row) = self.names.find_session(session)? else {
            return Ok(vec![Hits::default(); sets.len()]);
        };
        let lookup = self.lookup(row, session)?;
        let mut hits = lookup.hits(self.names.connection, sets, filter)?;
        let lacking = self.lacking(row)?;
        if !lacking.is_empty() {
            forks::add_hits(&mut hits, (sets, filter), (session, lacking));
        }
        Ok(hits)
    }

    /// What `find` finds of a session; nothing of one that is not known.
    fn of<T: Default>(
        &self,
        key: &SessionKey,
        find: impl FnOnce(SessionRow) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.names.find_session(key)?.map_or_else(|| Ok(T::default()), find)
    }
}

impl View for Snapshot<'_> {
    fn store(&self) -> Result<StoreCard, StoreError> {
        erase::store_card(self.names.connection)
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        projects::by_keys(&self.names, keys)
    }

    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError> {
        match id {
            Some(id) => match self.names.find_project(id)? {
                Some(row) => projects::all(&self.names, Some(row)),
                None => Ok(Vec::new()),
            },
            None => projects::all(&self.names, None),
        }
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        match self.names.find_project(id)? {
            Some(row) => projects::keys(self.names.connection, row),
            None => Ok(Vec::new()),
        }
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        sessions::by_key(&self.names, key)
    }

    fn line_of(
        &self,
        key: &SessionKey,
        limit: usize,
    ) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
        sessions::line_of(&self.names, key, limit)
    }

    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError> {
        let project = filter.project.map(|id| self.names.find_project(id)).transpose()?;
        match project {
            Some(None) => Ok(Vec::new()),
            known => sessions::by(&self.names, known.flatten(), filter),
        }
    }

    fn card(&self, session: &SessionKey) -> Result<SessionCard, StoreError> {
        self.of(session, |row| {
            let mut card = sessions::card(self.names.connection, row)?;
            let lacking = self.lacking(row)?;
            card.counts.notes += lacking.len() as u64;
            card.counts.open += lacking.iter().filter(|note| !note.is_scratched()).count() as u64;
            Ok(card)
        })
    }

    fn page(&self, session: &SessionKey, most: usize) -> Result<Option<Notepad>, StoreError> {
        self.of(session, |row| notepads::of(self.names.connection, row, most))
    }

    fn notes(
        &self,
        session: &SessionKey,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.of(session, |row| {
            let mut found = notes::by(self.names.connection, row, filter, limit)?;
            let lacking = self.lacking(row)?;
            if !lacking.is_empty() {
                found.extend(lacking.into_iter().filter(|note| filter.lets_through(note)));
                notes::order(&mut found, filter, limit);
            }
            Ok(found)
        })
    }

    fn tag_counts(
        &self,
        session: &SessionKey,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        self.of(session, |row| {
            let lacking = self.lacking(row)?;
            notes::tags(self.names.connection, (row, lacking), tag, include_scratched)
        })
    }

    fn hits(
        &self,
        corpus: Corpus<'_>,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        let (project, among) = match corpus {
            Corpus::Notes(session) => return self.note_hits(session, sets, filter),
            Corpus::Sessions(project) => (project, Among::Sessions),
            Corpus::ProjectNotes(project) => (project, Among::Notes),
            Corpus::Entries(project) => (project, Among::Entries),
        };
        match self.names.find_project(project)? {
            Some(row) => documents::hits(&self.names, (row, &among), (sets, filter)),
            None => Ok(vec![Hits::default(); sets.len()]),
        }
    }

    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError> {
        plans::of_project(&self.names, project, name)
    }

    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        entries::by(&self.names, filter, limit)
    }

    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError> {
        match self.names.find_project(project)? {
            Some(row) => entries::last(self.names.connection, row),
            None => Ok(None),
        }
    }

    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
        entries::count(&self.names, filter)
    }

    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError> {
        handoffs::of(&self.names, words)
    }

    fn recap(&self, session: &SessionKey) -> Result<Option<KeptRecap>, StoreError> {
        self.of(session, |row| handoffs::recap(self.names.connection, row))
    }

    fn running(&self, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
        running::of(&self.names, whose)
    }

    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError> {
        journal::by(&self.names, filter)
    }
}
