//! One snapshot of a SQLite store, as the port asks for it.

use rusqlite::Connection;
use vademecum_core::id::{NoteId, ProjectId, Seq, SessionId, WriteId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::search::Query;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{
    Body, Candidates, Counts, NoteFilter, Notepad, Record, Scope, SessionFilter, StoreError, View,
};

use crate::{index, journal, notepads, notes, projects, sessions};

/// A connection inside a transaction.
pub(crate) struct Snapshot<'a> {
    connection: &'a Connection,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection }
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

    fn note(&self, session: SessionId, id: NoteId) -> Result<Option<Note>, StoreError> {
        notes::by_id(self.connection, session, id)
    }

    fn notes(
        &self,
        session: SessionId,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        notes::newest(self.connection, session, filter, limit)
    }

    fn counts(&self, session: SessionId) -> Result<Counts, StoreError> {
        notes::counts(self.connection, session)
    }

    fn tags(
        &self,
        session: SessionId,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        notes::tags(self.connection, session, include_scratched)
    }

    fn candidates(
        &self,
        session: SessionId,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Candidates, StoreError> {
        index::candidates(self.connection, session, query, filter)
    }

    fn record_of(&self, scope: Scope, id: &WriteId) -> Result<Option<Record>, StoreError> {
        journal::by_write_id(self.connection, scope, id)
    }

    fn journal(
        &self,
        scope: Scope,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        journal::of_scope(self.connection, scope, before, limit)
    }

    fn journal_outside(
        &self,
        scope: Scope,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        journal::outside(self.connection, scope, after, limit)
    }

    fn body(&self, seq: Seq) -> Result<Option<Body>, StoreError> {
        journal::body(self.connection, seq)
    }

    fn last_seq(&self, scope: Scope) -> Result<Seq, StoreError> {
        journal::last_seq(self.connection, scope)
    }
}
