//! One snapshot of a SQLite store, as the port asks for it.

use rusqlite::Connection;
use vademecum_core::entry::Entry;
use vademecum_core::id::{ProjectId, SessionId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::search::Query;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_store::{
    Candidates, EntryFilter, Handoff, JournalEntry, JournalFilter, KeptRecap, NoteFilter, Notepad,
    SessionCard, SessionFilter, StoreCard, StoreError, View, Whose, Words,
};

use crate::borrowed::{self, Kind};
use crate::{
    entries, erase, handoffs, index, journal, notepads, notes, plans, projects, running, sessions,
};

/// A connection inside a transaction.
pub(crate) struct Snapshot<'a> {
    connection: &'a Connection,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection }
    }

    /// What `find` finds among the session's own notes, else among those that it borrows.
    ///
    /// Who finds notes of its own does not ask for a holder: it has none.
    fn in_notes<T>(
        &self,
        session: SessionId,
        is_nothing: impl FnOnce(&T) -> bool,
        find: impl Fn(SessionId) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let own = find(session)?;
        if !is_nothing(&own) {
            return Ok(own);
        }
        match borrowed::holder(self.connection, session, Kind::Notes)? {
            Some(holder) => find(holder),
            None => Ok(own),
        }
    }
}

impl View for Snapshot<'_> {
    fn store(&self) -> Result<StoreCard, StoreError> {
        erase::store_card(self.connection)
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        projects::by_keys(self.connection, keys)
    }

    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError> {
        projects::all(self.connection, id)
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        projects::keys(self.connection, id)
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        sessions::by_key(self.connection, key)
    }

    fn line_of(&self, key: &SessionKey, limit: usize) -> Result<Vec<SessionId>, StoreError> {
        sessions::line_of(self.connection, key, limit)
    }

    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError> {
        sessions::by(self.connection, filter)
    }

    fn card(&self, session: SessionId) -> Result<SessionCard, StoreError> {
        sessions::card(self.connection, session)
    }

    fn page(&self, session: SessionId, most: usize) -> Result<Option<Notepad>, StoreError> {
        notepads::of(self.connection, session, most)
    }

    fn notes(
        &self,
        session: SessionId,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.in_notes(session, Vec::is_empty, |holder| {
            notes::by(self.connection, holder, filter, limit)
        })
    }

    fn tag_counts(
        &self,
        session: SessionId,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        self.in_notes(session, Vec::is_empty, |holder| {
            notes::tags(self.connection, holder, tag, include_scratched)
        })
    }

    fn candidates(
        &self,
        session: SessionId,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Candidates, StoreError> {
        self.in_notes(
            session,
            |found: &Candidates| found.notes.is_empty(),
            |holder| index::candidates(self.connection, holder, query, filter),
        )
    }

    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError> {
        plans::of_project(self.connection, project, name)
    }

    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        entries::by(self.connection, filter, limit)
    }

    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
        entries::count(self.connection, filter)
    }

    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError> {
        handoffs::of(self.connection, words)
    }

    fn recap(&self, session: SessionId) -> Result<Option<KeptRecap>, StoreError> {
        handoffs::recap(self.connection, session)
    }

    fn running(&self, whose: Whose) -> Result<Vec<SubAgent>, StoreError> {
        running::of(self.connection, whose)
    }

    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError> {
        journal::by(self.connection, filter)
    }
}
