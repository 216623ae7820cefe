//! One snapshot of a SQLite store, as the port asks for it.

use rusqlite::Connection;
use vademecum_core::entry::{Entry, Sameness};
use vademecum_core::id::{EntryId, NoteId, PlanId, ProjectId, Seq, SessionId, WriteId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::search::Query;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::time::Time;
use vademecum_store::{
    Body, Candidates, Counts, EntryFilter, Handoff, KeptRecap, NoteFilter, Notepad, PageHead,
    Record, Scope, SessionFilter, StoreError, View, Whose,
};

use crate::borrowed::{self, Kind};
use crate::{
    entries, handoffs, index, journal, notepads, notes, plans, projects, running, sessions,
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
    fn off_at(&self) -> Result<Option<Time>, StoreError> {
        projects::store_off_at(self.connection)
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        projects::by_keys(self.connection, keys)
    }

    fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        projects::by_id(self.connection, id)
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        projects::keys(self.connection, id)
    }

    fn projects(&self) -> Result<Vec<Project>, StoreError> {
        projects::all(self.connection)
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        sessions::by_key(self.connection, key)
    }

    fn line_of(&self, key: &SessionKey, limit: usize) -> Result<Vec<SessionId>, StoreError> {
        sessions::line_of(self.connection, key, limit)
    }

    fn session_by_id(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        sessions::by_id(self.connection, id)
    }

    fn sessions_by_prefix(
        &self,
        project: ProjectId,
        prefix: &str,
    ) -> Result<Vec<Session>, StoreError> {
        sessions::by_prefix(self.connection, project, prefix)
    }

    fn sessions(&self, filter: SessionFilter) -> Result<Vec<Session>, StoreError> {
        sessions::newest(self.connection, filter)
    }

    fn last_instance(&self, project: ProjectId) -> Result<u32, StoreError> {
        sessions::last_instance(self.connection, project)
    }

    fn notepad(&self, session: SessionId) -> Result<Option<Notepad>, StoreError> {
        notepads::of(self.connection, session)
    }

    fn notepad_head(
        &self,
        session: SessionId,
        most: usize,
    ) -> Result<Option<PageHead>, StoreError> {
        notepads::head(self.connection, session, most)
    }

    fn notepad_rev(&self, session: SessionId) -> Result<Option<u32>, StoreError> {
        notepads::rev(self.connection, session)
    }

    fn note(&self, session: SessionId, id: NoteId) -> Result<Option<Note>, StoreError> {
        self.in_notes(session, Option::is_none, |holder| notes::by_id(self.connection, holder, id))
    }

    fn notes(
        &self,
        session: SessionId,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.in_notes(session, Vec::is_empty, |holder| {
            notes::newest(self.connection, holder, filter, limit)
        })
    }

    fn notes_after(
        &self,
        session: SessionId,
        after: Option<NoteId>,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.in_notes(session, Vec::is_empty, |holder| {
            notes::after(self.connection, holder, after, limit)
        })
    }

    fn counts(&self, session: SessionId) -> Result<Counts, StoreError> {
        notes::counts(self.connection, session)
    }

    fn tag_count(
        &self,
        session: SessionId,
        tag: &str,
        include_scratched: bool,
    ) -> Result<u64, StoreError> {
        self.in_notes(
            session,
            |n| *n == 0,
            |holder| notes::tag_count(self.connection, holder, tag, include_scratched),
        )
    }

    fn tags(
        &self,
        session: SessionId,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        self.in_notes(session, Vec::is_empty, |holder| {
            notes::tags(self.connection, holder, include_scratched)
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

    fn plans(&self, project: ProjectId) -> Result<Vec<Plan>, StoreError> {
        plans::of_project(self.connection, project)
    }

    fn plan(&self, project: ProjectId, name: &PlanName) -> Result<Option<Plan>, StoreError> {
        plans::by_name(self.connection, project, name)
    }

    fn active_plan(&self, session: SessionId) -> Result<Option<PlanId>, StoreError> {
        plans::active(self.connection, session)
    }

    fn entries(
        &self,
        plan: PlanId,
        filter: EntryFilter,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        entries::newest(self.connection, plan, filter, limit)
    }

    fn newest_entries(&self, plan: PlanId, limit: usize) -> Result<(Vec<Entry>, bool), StoreError> {
        entries::newest_of_each(self.connection, plan, limit)
    }

    fn entry(&self, project: ProjectId, id: EntryId) -> Result<Option<Entry>, StoreError> {
        entries::by_id(self.connection, project, id)
    }

    fn same_entry(
        &self,
        plan: PlanId,
        sameness: &Sameness,
    ) -> Result<Option<(Entry, bool)>, StoreError> {
        entries::same(self.connection, plan, sameness)
    }

    fn entry_count(&self, plan: PlanId, filter: EntryFilter) -> Result<u64, StoreError> {
        entries::count(self.connection, plan, filter)
    }

    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError> {
        entries::last(self.connection, project)
    }

    fn handoff(&self, session: SessionId) -> Result<Option<Handoff>, StoreError> {
        handoffs::of(self.connection, session)
    }

    fn handoffs_of_agents(
        &self,
        parent: &SessionKey,
    ) -> Result<Vec<(String, Handoff)>, StoreError> {
        handoffs::of_agents(self.connection, parent)
    }

    fn recap(&self, session: SessionId) -> Result<Option<KeptRecap>, StoreError> {
        handoffs::recap(self.connection, session)
    }

    fn worked_at(&self, session: SessionId) -> Result<Option<Time>, StoreError> {
        handoffs::worked_at(self.connection, session)
    }

    fn running(&self, whose: Whose) -> Result<Vec<SubAgent>, StoreError> {
        running::of(self.connection, whose)
    }

    fn record_of(&self, scope: &Scope, id: &WriteId) -> Result<Option<Record>, StoreError> {
        journal::by_write_id(self.connection, scope, id)
    }

    fn journal(
        &self,
        scope: &Scope,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        journal::of_scope(self.connection, scope, before, limit)
    }

    fn journal_outside(
        &self,
        scope: &Scope,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        journal::outside(self.connection, scope, after, limit)
    }

    fn body(&self, seq: Seq) -> Result<Option<Body>, StoreError> {
        journal::body(self.connection, seq)
    }

    fn body_size(&self, seq: Seq) -> Result<Option<u64>, StoreError> {
        journal::body_size(self.connection, seq)
    }

    fn last_seq(&self, scope: &Scope) -> Result<Seq, StoreError> {
        journal::last_seq(self.connection, scope)
    }
}
