//! The names that the port speaks and the row numbers of this file: one becomes the other here.

use std::cell::RefCell;
use std::collections::BTreeMap;

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
    rows: RefCell<BTreeMap<SessionKey, SessionRow>>,
    keys: RefCell<BTreeMap<SessionRow, SessionKey>>,
    projects: RefCell<BTreeMap<ProjectRow, ProjectId>>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        let (rows, keys, projects) = Default::default();
        Self { connection, rows, keys, projects }
    }

    /// Remembers the name of a session that was read with its row.
    pub(crate) fn met(&self, key: &SessionKey, row: SessionRow) {
        self.rows.borrow_mut().insert(key.clone(), row);
    }

    /// Remembers the id of a project that was read with its row.
    pub(crate) fn met_project(&self, id: ProjectId, row: ProjectRow) {
        self.projects.borrow_mut().insert(row, id);
    }

    /// The row of a session; none if it is not known.
    pub(crate) fn find_session(&self, key: &SessionKey) -> Result<Option<SessionRow>, StoreError> {
        if let Some(row) = self.rows.borrow().get(key) {
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
        if let Some(key) = self.keys.borrow().get(&session) {
            return Ok(Some(key.clone()));
        }
        if let Some((key, _)) = self.rows.borrow().iter().find(|(_, row)| **row == session) {
            return Ok(Some(key.clone()));
        }
        let sql = "SELECT harness, external, agent FROM session WHERE id = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let found = query.query_row([session.0], |row| key(row, 0)).optional().port()?;
        if let Some(key) = &found {
            self.keys.borrow_mut().insert(session, key.clone());
        }
        Ok(found)
    }

    /// The row of a project; none if it is not known.
    pub(crate) fn find_project(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        if let Some((row, _)) = self.projects.borrow().iter().find(|(_, known)| **known == id) {
            return Ok(Some(*row));
        }
        let sql = "SELECT project FROM project_id WHERE id = ?1
                   UNION ALL SELECT id FROM project WHERE id = ?2
                       AND NOT EXISTS (SELECT 1 FROM project_id WHERE project = ?2)";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let found = query
            .query_row(params![id.to_string(), row_of(id)], |row| row.get(0).map(ProjectRow))
            .optional()
            .port()?;
        if let Some(row) = found {
            self.met_project(id, row);
        }
        Ok(found)
    }

    /// The row of a project that a change needs.
    pub(crate) fn project(&self, id: ProjectId) -> Result<ProjectRow, StoreError> {
        self.find_project(id)?.ok_or_else(|| missing(&format!("project {id}")))
    }

    /// The id of a project; none if its row is gone.
    pub(crate) fn id(&self, project: ProjectRow) -> Result<Option<ProjectId>, StoreError> {
        if let Some(id) = self.projects.borrow().get(&project) {
            return Ok(Some(*id));
        }
        let sql = "SELECT project.id, project_id.id FROM project
                   LEFT JOIN project_id ON project_id.project = project.id WHERE project.id = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let id = |row: &Row<'_>| Ok(project_id(row.get(0)?, row.get(1)?));
        let found = query.query_row([project.0], id).optional().port()?;
        if let Some(id) = found {
            self.met_project(id, project);
        }
        Ok(found)
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
    let row = project.map(row_of).filter(|row| 0 < *row);
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

/// The row that such an id names; 0, which no row has, for any other.
fn row_of(id: ProjectId) -> i64 {
    i64::try_from(u128::from_be_bytes(id.0)).unwrap_or(0)
}
