//! The names that the port speaks and the row numbers of this file: one becomes the other here.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::id::ProjectId;
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_store::{Scope, StoreError};

use crate::error::Port;

/// The row of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProjectRow(pub(crate) i64);

/// The row of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionRow(pub(crate) i64);

/// The row of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlanRow(pub(crate) i64);

/// Translates within one snapshot; what was found is remembered, so that a hook asks for each name once.
///
/// What was not found is not: it may be made by the next change. No change takes a row away.
pub(crate) struct Names<'a> {
    pub(crate) connection: &'a Connection,
    known: RefCell<Known>,
    /// The plan that was looked up last; whatever changes what is noted of it takes it out.
    pub(crate) plan: RefCell<Option<(ProjectRow, PlanName, PlanRow, bool)>>,
}

/// Names that were found.
#[derive(Debug, Default)]
pub(crate) struct Known {
    rows: BTreeMap<SessionKey, SessionRow>,
    keys: BTreeMap<SessionRow, Arc<SessionKey>>,
    projects: BTreeMap<ProjectRow, ProjectId>,
}

impl Known {
    fn key(&mut self, session: SessionRow) -> Option<Arc<SessionKey>> {
        if let Some(key) = self.keys.get(&session) {
            return Some(Arc::clone(key));
        }
        let (key, _) = self.rows.iter().find(|(_, row)| **row == session)?;
        let key = Arc::new(key.clone());
        self.keys.insert(session, Arc::clone(&key));
        Some(key)
    }

    fn project(&self, id: ProjectId) -> Option<ProjectRow> {
        self.projects.iter().find(|(_, known)| **known == id).map(|(row, _)| *row)
    }
}

impl<'a> Names<'a> {
    pub(crate) fn new(connection: &'a Connection, known: Known) -> Self {
        Self { connection, known: RefCell::new(known), plan: RefCell::default() }
    }

    /// What was found until now.
    pub(crate) fn into_known(self) -> Known {
        self.known.into_inner()
    }

    /// Remembers the name of a session that was read with its row.
    pub(crate) fn met(&self, key: &SessionKey, row: SessionRow) {
        self.known.borrow_mut().rows.insert(key.clone(), row);
    }

    /// Forgets the row of a name that is not there any more, or is there anew.
    pub(crate) fn lost(&self, key: &SessionKey) {
        let known = &mut *self.known.borrow_mut();
        known.rows.remove(key);
        known.keys.retain(|_, known| **known != *key);
    }

    /// Remembers the id of a project that was read with its row.
    pub(crate) fn met_project(&self, id: ProjectId, row: ProjectRow) {
        self.known.borrow_mut().projects.insert(row, id);
    }

    /// The row of a session; none if it is not known.
    pub(crate) fn find_session(&self, key: &SessionKey) -> Result<Option<SessionRow>, StoreError> {
        if let Some(row) = self.known.borrow().rows.get(key) {
            return Ok(Some(*row));
        }
        let sql = "SELECT id FROM session WHERE harness = ?1 AND external = ?2 AND agent = ?3";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let values = params![key.harness, external(key), key.agent.as_deref().unwrap_or_default()];
        let found = query.query_row(values, |row| row.get(0).map(SessionRow)).optional().port()?;
        if let Some(row) = found {
            self.met(key, row);
        }
        Ok(found)
    }

    /// The row of a session that a change needs.
    pub(crate) fn session(&self, key: &SessionKey) -> Result<SessionRow, StoreError> {
        self.find_session(key)?.ok_or_else(|| missing(&format!("session {key}")))
    }

    /// The name of a session; none if its row is gone.
    pub(crate) fn key(&self, session: SessionRow) -> Result<Option<SessionKey>, StoreError> {
        Ok(self.shared_key(session)?.map(Arc::unwrap_or_clone))
    }

    /// [`Names::key`] for many that have the same.
    pub(crate) fn shared_key(
        &self,
        session: SessionRow,
    ) -> Result<Option<Arc<SessionKey>>, StoreError> {
        if let Some(key) = self.known.borrow_mut().key(session) {
            return Ok(Some(key));
        }
        let sql = "SELECT harness, external, agent FROM session WHERE id = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let found = query.query_row([session.0], |row| key(row, 0)).optional().port()?;
        let found = found.map(Arc::new);
        if let Some(key) = &found {
            self.known.borrow_mut().keys.insert(session, Arc::clone(key));
        }
        Ok(found)
    }

    /// The row of a project; none if it is not known.
    pub(crate) fn find_project(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        if let Some(row) = self.known.borrow().project(id) {
            return Ok(Some(row));
        }
        let found = match self.noted(id)? {
            Some(row) => Some(row),
            None => self.unnamed(id)?,
        };
        if let Some(row) = found {
            self.met_project(id, row);
        }
        Ok(found)
    }

    /// The row under which an id is noted.
    fn noted(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        let sql = "SELECT project FROM project_id WHERE id = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        query.query_row([id.to_string()], |row| row.get(0).map(ProjectRow)).optional().port()
    }

    /// The row that an id of before 1.6 names, if it has no other id.
    fn unnamed(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        let Some(row) = row_of(id).map(ProjectRow) else { return Ok(None) };
        Ok((self.id(row)? == Some(id)).then_some(row))
    }

    /// The row of a project that a change needs.
    pub(crate) fn project(&self, id: ProjectId) -> Result<ProjectRow, StoreError> {
        self.find_project(id)?.ok_or_else(|| missing(&format!("project {id}")))
    }

    /// The id of a project; none if its row is gone.
    pub(crate) fn id(&self, project: ProjectRow) -> Result<Option<ProjectId>, StoreError> {
        if let Some(id) = self.known.borrow().projects.get(&project) {
            return Ok(Some(*id));
        }
        let sql = "SELECT id FROM project_id WHERE project = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let noted = query.query_row([project.0], |row| row.get(0)).optional().port()?;
        if noted.is_none() && !self.has_project(project)? {
            return Ok(None);
        }
        let id = project_id(project.0, noted);
        self.met_project(id, project);
        Ok(Some(id))
    }

    fn has_project(&self, project: ProjectRow) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM project WHERE id = ?1";
        self.connection.prepare_cached(sql).port()?.exists([project.0]).port()
    }

    /// The row of a plan of a session's project; none if there is none.
    pub(crate) fn find_plan(
        &self,
        session: SessionRow,
        name: &PlanName,
    ) -> Result<Option<PlanRow>, StoreError> {
        let sql = "SELECT plan.id FROM session JOIN plan ON plan.project = session.project
                   WHERE session.id = ?1 AND plan.name = ?2";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let values = params![session.0, name.as_str()];
        query.query_row(values, |row| row.get(0).map(PlanRow)).optional().port()
    }

    /// The row of a plan that a change needs.
    pub(crate) fn plan(&self, session: SessionRow, name: &PlanName) -> Result<PlanRow, StoreError> {
        self.find_plan(session, name)?.ok_or_else(|| missing(&format!("plan {name}")))
    }

    /// A scope as the journal has it; none of what has no row.
    pub(crate) fn find_scope(&self, scope: &Scope) -> Result<Option<String>, StoreError> {
        Ok(match scope {
            Scope::Store => Some("store".to_owned()),
            Scope::Project(id) => {
                self.find_project(*id)?.map(|ProjectRow(row)| format!("project:{row}"))
            }
            Scope::Session(key) => {
                self.find_session(key)?.map(|SessionRow(row)| format!("session:{row}"))
            }
            Scope::Unknown(text) => Some(text.to_string()),
        })
    }

    /// [`Names::find_scope`] of what a write belongs to.
    pub(crate) fn scope(&self, scope: &Scope) -> Result<String, StoreError> {
        self.find_scope(scope)?.ok_or_else(|| missing(&scope.to_string()))
    }

    /// What the text of a scope in the journal names; what is gone has no name any more.
    pub(crate) fn scope_of(&self, text: &str) -> Result<Scope, StoreError> {
        let found = match text.split_once(':') {
            None if text == "store" => Some(Scope::Store),
            Some(("project", text)) => match written_row(text) {
                Some(row) => self.id(ProjectRow(row))?.map(Scope::Project),
                None => None,
            },
            Some(("session", text)) => match written_row(text) {
                Some(row) => self.key(SessionRow(row))?.map(Scope::Session),
                None => None,
            },
            _ => None,
        };
        Ok(found.unwrap_or_else(|| Scope::Unknown(text.into())))
    }
}

/// The row that a text names as this engine writes one.
fn written_row(text: &str) -> Option<i64> {
    text.parse().ok().filter(|row: &i64| 0 < *row && row.to_string() == text)
}

fn missing(what: &str) -> StoreError {
    StoreError::Engine { what: format!("there is no {what} to write to") }
}

/// The name of a session in three columns.
pub(crate) fn key(row: &Row<'_>, first: usize) -> rusqlite::Result<SessionKey> {
    let agent = Some(row.get::<_, String>(first + 2)?).filter(|agent| !agent.is_empty());
    let mut key = SessionKey { harness: row.get(first)?, external: row.get(first + 1)?, agent };
    // The desk of a project without an id of its own is kept under the project's row.
    let desk = Some(&key.external).filter(|_| key.harness == SessionKey::DESK);
    if let Some(row) = desk.and_then(|external| written_row(external)) {
        key.external = numbered(row).to_string();
    }
    Ok(key)
}

/// The harness's id of a session as it is kept.
pub(crate) fn external(key: &SessionKey) -> String {
    let desk = Some(&key.external).filter(|_| key.harness == SessionKey::DESK);
    let project = desk.and_then(|external| ProjectId::try_from(external.clone()).ok());
    let row = project.and_then(row_of);
    row.map_or_else(|| key.external.clone(), |row| row.to_string())
}

/// The id of a project by its row and what is noted of it.
pub(crate) fn project_id(row: i64, noted: Option<String>) -> ProjectId {
    let noted = noted.and_then(|noted| ProjectId::try_from(noted).ok());
    noted.unwrap_or_else(|| numbered(row))
}

/// The id of a project of a store of before 1.6: its row's number.
fn numbered(row: i64) -> ProjectId {
    ProjectId(u128::from(row.unsigned_abs()).to_be_bytes())
}

/// The row that such an id names; none for any other.
fn row_of(id: ProjectId) -> Option<i64> {
    i64::try_from(u128::from_be_bytes(id.0)).ok().filter(|row| 0 < *row)
}
