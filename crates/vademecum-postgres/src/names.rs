//! The names that the port speaks and the numbers of this store: one becomes the other here.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_postgres::Row;
use vademecum_core::hash::{self, Key};
use vademecum_core::id::{NoteId, ProjectId};
use vademecum_core::plan::PlanName;
use vademecum_core::project::shown;
use vademecum_core::session::SessionKey;
use vademecum_store::{Scope, StoreError};

use crate::error::{corrupt, missing};
use crate::sessions;
use crate::snapshot::Snapshot;
use crate::statement::{Statement, array, column, text};

/// Names that were found; no number is given twice, so that they hold for the whole transaction.
#[derive(Debug, Default)]
pub(crate) struct Known {
    sessions: BTreeMap<SessionKey, i64>,
    keys: BTreeMap<i64, Option<Arc<SessionKey>>>,
    projects: BTreeMap<ProjectId, i64>,
    ids: BTreeMap<i64, Option<ProjectId>>,
    others: BTreeMap<String, i64>,
    /// The last note ids of sessions to which this transaction has added.
    pub(crate) last_notes: BTreeMap<i64, NoteId>,
}

/// By what an index finds a name, however long it is: the server's indexes take no long values.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 16] {
    let hash = hash::keyed(&Key([0; 32]), parts);
    *hash.first_chunk().expect("a hash has 32 bytes")
}

/// The digest of a session's whole name.
pub(crate) fn session_digest(key: &SessionKey) -> [u8; 16] {
    let SessionKey { harness, external, agent } = key;
    let agent = agent.as_deref().unwrap_or_default();
    digest(&[harness.as_bytes(), external.as_bytes(), agent.as_bytes()])
}

/// The digest of what a session and its sub-agents have in common.
pub(crate) fn family_digest(key: &SessionKey) -> [u8; 16] {
    digest(&[key.harness.as_bytes(), key.external.as_bytes()])
}

/// The name of a session in three columns.
pub(crate) fn key(row: &Row, first: usize) -> Result<SessionKey, StoreError> {
    let agent = Some(text(row, first + 2)?).filter(|agent| !agent.is_empty());
    Ok(SessionKey { harness: text(row, first)?, external: text(row, first + 1)?, agent })
}

/// The name of a plan in a column.
pub(crate) fn plan_name(row: &Row, at: usize) -> Result<PlanName, StoreError> {
    PlanName::parse(&text(row, at)?).map_err(|error| corrupt(&error))
}

impl Known {
    /// Forgets which numbers name nothing.
    pub(crate) fn forget_gone(&mut self) {
        self.keys.retain(|_, key| key.is_some());
        self.ids.retain(|_, id| id.is_some());
    }
}

impl Snapshot<'_> {
    /// Remembers the name of a session that was read with its number.
    pub(crate) fn met(&self, key: &SessionKey, number: i64) {
        let known = &mut *self.known.borrow_mut();
        known.sessions.insert(key.clone(), number);
        known.keys.entry(number).or_insert_with(|| Some(Arc::new(key.clone())));
    }

    /// Remembers the id of a project that was read with its number.
    pub(crate) fn met_project(&self, id: ProjectId, number: i64) {
        let known = &mut *self.known.borrow_mut();
        known.projects.insert(id, number);
        known.ids.insert(number, Some(id));
    }

    /// Remembers who has the journal of another scope.
    pub(crate) fn met_other(&self, scope: &str, holder: i64) {
        self.known.borrow_mut().others.insert(scope.to_owned(), holder);
    }

    /// Remembers who has the journal of a scope.
    pub(crate) fn met_holder(&self, scope: &Scope, holder: i64) {
        match scope {
            Scope::Session(key) => self.met(key, holder),
            Scope::Project(id) => self.met_project(*id, holder),
            Scope::Store | Scope::Unknown(_) => self.met_other(&scope.to_string(), holder),
        }
    }

    /// The number of a session; none if it is not known.
    pub(crate) fn find_session(&self, key: &SessionKey) -> Result<Option<i64>, StoreError> {
        if let Some(number) = self.known.borrow().sessions.get(key) {
            return Ok(Some(*number));
        }
        // Whoever needs the number most often has asked for all of it, or will.
        let found = self.ask_one(sessions::of_key(key))?;
        let number: Option<i64> = found.map(|row| column(&row, 0)).transpose()?;
        if let Some(number) = number {
            self.met(key, number);
        }
        Ok(number)
    }

    /// The number of a session that a change needs.
    pub(crate) fn session_number(&self, key: &SessionKey) -> Result<i64, StoreError> {
        self.find_session(key)?.ok_or_else(|| missing(&format!("session {key}")))
    }

    /// The names of sessions, found together.
    pub(crate) fn learn_keys(&self, numbers: &[i64]) -> Result<(), StoreError> {
        let unknown = |number: &&i64| !self.known.borrow().keys.contains_key(*number);
        let numbers: Vec<i64> = numbers.iter().filter(unknown).copied().collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let sql = "SELECT id, harness, external, agent FROM session WHERE id = ANY ($1)";
        let values = vec![crate::statement::Value::Ints(numbers.clone())];
        let rows = self.ask(Statement::new(sql, values))?;
        for row in rows.iter() {
            self.met(&key(row, 1)?, column(row, 0)?);
        }
        let known = &mut *self.known.borrow_mut();
        for number in numbers {
            known.keys.entry(number).or_insert(None);
        }
        Ok(())
    }

    /// The name of a session; none if it is gone.
    pub(crate) fn key_of(&self, number: i64) -> Result<Option<Arc<SessionKey>>, StoreError> {
        self.learn_keys(&[number])?;
        Ok(self.known.borrow().keys.get(&number).cloned().flatten())
    }

    /// The number of a project; none if it is not known.
    pub(crate) fn find_project(&self, id: ProjectId) -> Result<Option<i64>, StoreError> {
        if let Some(number) = self.known.borrow().projects.get(&id) {
            return Ok(Some(*number));
        }
        let sql = "SELECT id FROM project WHERE uid = $1";
        let found = self.ask_one(Statement::new(sql, vec![id.0.into()]))?;
        let number: Option<i64> = found.map(|row| column(&row, 0)).transpose()?;
        if let Some(number) = number {
            self.met_project(id, number);
        }
        Ok(number)
    }

    /// The number of a project that a change needs.
    pub(crate) fn project_number(&self, id: ProjectId) -> Result<i64, StoreError> {
        self.find_project(id)?.ok_or_else(|| missing(&format!("project {id}")))
    }

    /// The id of a project; none if it is gone.
    pub(crate) fn project_of(&self, number: i64) -> Result<Option<ProjectId>, StoreError> {
        if let Some(id) = self.known.borrow().ids.get(&number) {
            return Ok(*id);
        }
        let sql = "SELECT uid FROM project WHERE id = $1";
        let found = self.ask_one(Statement::new(sql, vec![number.into()]))?;
        let id = found.map(|row| array(&row, 0).map(ProjectId)).transpose()?;
        match id {
            Some(id) => self.met_project(id, number),
            None => drop(self.known.borrow_mut().ids.insert(number, None)),
        }
        Ok(id)
    }

    /// The name of a project of somebody else, and whose it is; none of all others.
    pub(crate) fn of_another(&self, project: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name, owner::text::bytea FROM project
                   WHERE id = $1 AND owner <> session_user";
        let found = self.ask_one(Statement::new(sql, vec![project.into()]))?;
        let Some(row) = found else { return Ok(None) };
        let [name, owner] = [shown(&text(&row, 0)?), shown(&text(&row, 1)?)];
        Ok(Some(format!("the project {name} of {owner}")))
    }

    /// What was read; none of what cannot be read in a project of somebody else, whose damage is no fault of this store.
    pub(crate) fn unless_anothers<T>(
        &self,
        project: i64,
        read: Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match read {
            Err(StoreError::Corrupt { .. }) if self.of_another(project)?.is_some() => Ok(None),
            read => read.map(Some),
        }
    }

    /// The number of a plan of a session's project; none if there is none.
    pub(crate) fn find_plan(
        &self,
        session: i64,
        name: &PlanName,
    ) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT plan.id FROM session JOIN plan ON plan.project = session.project
                   WHERE session.id = $1 AND plan.name = $2";
        let found =
            self.ask_one(Statement::new(sql, vec![session.into(), name.as_str().into()]))?;
        found.map(|row| column(&row, 0)).transpose()
    }

    /// The name of a plan; none if it is gone.
    pub(crate) fn plan_of(&self, number: i64) -> Result<Option<PlanName>, StoreError> {
        let sql = "SELECT name FROM plan WHERE id = $1";
        let found = self.ask_one(Statement::new(sql, vec![number.into()]))?;
        found.map(|row| plan_name(&row, 0)).transpose()
    }

    /// Who has the journal of a scope; none of what is not known.
    pub(crate) fn find_holder(&self, scope: &Scope) -> Result<Option<i64>, StoreError> {
        match scope {
            Scope::Project(id) => self.find_project(*id),
            Scope::Session(key) => self.find_session(key),
            Scope::Store | Scope::Unknown(_) => {
                let text = scope.to_string();
                if let Some(holder) = self.known.borrow().others.get(&text) {
                    return Ok(Some(*holder));
                }
                let sql = "SELECT holder FROM other_scope WHERE digest = $1";
                let values = vec![digest(&[text.as_bytes()]).into()];
                let found = self.ask_one(Statement::new(sql, values))?;
                let holder: Option<i64> = found.map(|row| column(&row, 0)).transpose()?;
                if let Some(holder) = holder {
                    self.met_other(&text, holder);
                }
                Ok(holder)
            }
        }
    }

    /// What a holder's journal belongs to; what is gone has no name any more.
    pub(crate) fn scope_of(&self, holder: i64) -> Result<Scope, StoreError> {
        if let Some(key) = self.key_of(holder)? {
            return Ok(Scope::Session(SessionKey::clone(&key)));
        }
        if let Some(id) = self.project_of(holder)? {
            return Ok(Scope::Project(id));
        }
        let sql = "SELECT text FROM other_scope WHERE holder = $1";
        let found = self.ask_one(Statement::new(sql, vec![holder.into()]))?;
        let found = found.map(|row| text(&row, 0)).transpose()?;
        Ok(match found {
            Some(text) if text == Scope::Store.to_string() => Scope::Store,
            Some(text) => Scope::Unknown(text.into()),
            None => Scope::Unknown(format!("{}{holder}", Scope::GONE).into()),
        })
    }
}
