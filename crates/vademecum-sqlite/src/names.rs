//! The names that the port speaks and the row numbers of this file: one becomes the other here.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::id::ProjectId;
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_store::{Scope, StoreError, Writer};

use crate::error::Port;

/// Who has a journal: a session and a project by the number of its row, and what other scopes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Holder(pub(crate) i64);

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
    /// Whether anything was ever corrected in a project; an entry that is added takes it out.
    pub(crate) corrected: RefCell<Option<(ProjectRow, bool)>>,
}

/// Names that were found.
#[derive(Debug, Default)]
pub(crate) struct Known {
    rows: BTreeMap<SessionKey, SessionRow>,
    keys: BTreeMap<SessionRow, Arc<SessionKey>>,
    projects: BTreeMap<ProjectRow, ProjectId>,
    plans: BTreeMap<(ProjectRow, PlanName), PlanRow>,
    writers: BTreeMap<i64, Writer>,
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
        Self { connection, known: RefCell::new(known), corrected: RefCell::default() }
    }

    /// Who wrote, by the number that entries of the journal have.
    ///
    /// Nobody has no row; one that was damaged must not take its entries along, whose seals tell of it.
    pub(crate) fn writer(&self, number: i64) -> Result<Writer, StoreError> {
        if number == 0 {
            return Ok(Writer::NONE);
        }
        if let Some(known) = self.known.borrow().writers.get(&number) {
            return Ok(*known);
        }
        let sql = "SELECT name FROM writer WHERE id = ?1 AND typeof(name) = 'blob'";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let name = query.query_row([number], |row| row.get::<_, Vec<u8>>(0)).optional().port()?;
        let name: Option<[u8; 32]> = name.and_then(|name| name.try_into().ok());
        let writer = name.map_or(Writer::NONE, Writer::from);
        self.known.borrow_mut().writers.insert(number, writer);
        Ok(writer)
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

    /// Remembers a plan that was read with its row.
    pub(crate) fn met_plan(&self, project: ProjectRow, name: &PlanName, row: PlanRow) {
        self.known.borrow_mut().plans.insert((project, name.clone()), row);
    }

    /// The row of a plan that was met.
    pub(crate) fn known_plan(&self, project: ProjectRow, name: &PlanName) -> Option<PlanRow> {
        self.known.borrow().plans.get(&(project, name.clone())).copied()
    }

    /// Forgets whose plans are whose, before they become another project's.
    pub(crate) fn lost_plans(&self) {
        self.known.borrow_mut().plans.clear();
    }

    /// The row of a session; none if it is not known.
    pub(crate) fn find_session(&self, key: &SessionKey) -> Result<Option<SessionRow>, StoreError> {
        if let Some(row) = self.known.borrow().rows.get(key) {
            return Ok(Some(*row));
        }
        let sql = "SELECT id FROM session WHERE harness = ?1 AND external = ?2 AND agent = ?3";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let values = params![key.harness, key.external, key.agent.as_deref().unwrap_or_default()];
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
        let sql = "SELECT id FROM project WHERE uid = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let found = query.query_row([id.0], |row| row.get(0).map(ProjectRow)).optional().port()?;
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
        if let Some(id) = self.known.borrow().projects.get(&project) {
            return Ok(Some(*id));
        }
        let sql = "SELECT uid FROM project WHERE id = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let found = query.query_row([project.0], |row| row.get(0).map(ProjectId)).optional();
        let found = found.port()?;
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

    /// Who has the journal of a scope; none of what is not known.
    pub(crate) fn find_holder(&self, scope: &Scope) -> Result<Option<Holder>, StoreError> {
        let text = match scope {
            Scope::Project(id) => {
                return Ok(self.find_project(*id)?.map(|ProjectRow(row)| Holder(row)));
            }
            Scope::Session(key) => {
                return Ok(self.find_session(key)?.map(|SessionRow(row)| Holder(row)));
            }
            Scope::Store => STORE,
            Scope::Unknown(text) => text,
        };
        let sql = "SELECT holder FROM other_scope WHERE text = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        query.query_row([text], |row| row.get(0).map(Holder)).optional().port()
    }

    /// [`Names::find_holder`] of what a write belongs to.
    pub(crate) fn holder(&self, scope: &Scope) -> Result<Holder, StoreError> {
        if let Some(holder) = self.find_holder(scope)? {
            return Ok(holder);
        }
        let text = match scope {
            Scope::Store => STORE,
            Scope::Unknown(text) => text,
            Scope::Project(_) | Scope::Session(_) => return Err(missing(&scope.to_string())),
        };
        let holder = new_holder(self.connection)?;
        let sql = "INSERT INTO other_scope (text, holder) VALUES (?1, ?2)";
        self.connection.execute(sql, params![text, holder.0]).port()?;
        Ok(holder)
    }

    /// What a holder's journal belongs to; what is gone has no name any more.
    pub(crate) fn scope_of(&self, holder: Holder) -> Result<Scope, StoreError> {
        if let Some(key) = self.key(SessionRow(holder.0))? {
            return Ok(Scope::Session(key));
        }
        if let Some(id) = self.id(ProjectRow(holder.0))? {
            return Ok(Scope::Project(id));
        }
        let sql = "SELECT text FROM other_scope WHERE holder = ?1";
        let mut query = self.connection.prepare_cached(sql).port()?;
        let text: Option<String> =
            query.query_row([holder.0], |row| row.get(0)).optional().port()?;
        Ok(match text {
            Some(text) if text == STORE => Scope::Store,
            Some(text) => Scope::Unknown(text.into()),
            None => Scope::Unknown(format!("{}{}", Scope::GONE, holder.0).into()),
        })
    }
}

/// The text of scope `store`.
const STORE: &str = "store";

/// Gives a number to a project, a session or another scope; none is given twice.
pub(crate) fn new_holder(connection: &Connection) -> Result<Holder, StoreError> {
    connection.prepare_cached("INSERT INTO holder DEFAULT VALUES").port()?.execute([]).port()?;
    Ok(Holder(connection.last_insert_rowid()))
}

fn missing(what: &str) -> StoreError {
    StoreError::Engine { what: format!("there is no {what} to write to") }
}

/// The name of a session in three columns.
pub(crate) fn key(row: &Row<'_>, first: usize) -> rusqlite::Result<SessionKey> {
    let agent = Some(row.get::<_, String>(first + 2)?).filter(|agent| !agent.is_empty());
    Ok(SessionKey { harness: row.get(first)?, external: row.get(first + 1)?, agent })
}
