//! All that a store in memory holds. Inside, projects, sessions and plans have numbers; names are at the edge.
//!
//! A number is never given twice: what has the number of something that was erased has nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, MachineId, ProjectId};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;

use super::journal::Journal;
use super::notes::Notes;
use crate::error::StoreError;
use crate::store::IntentId;
use crate::view::{Handoff, KeptRecap, Notepad};
use crate::write::Scope;

/// The number of a project; one that was made later has a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ProjectNumber(pub(super) u64);

/// The number of a session; one that became known later has a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SessionNumber(pub(super) u64);

/// The number of a plan; one that was made later has a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlanNumber(pub(super) u64);

/// A whole store; a copy shares with it what neither changes.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) off_at: Option<Time>,
    pub(super) intents: BTreeMap<IntentId, String>,
    last_intent: u32,
    pub(super) projects: BTreeMap<ProjectNumber, Arc<KeptProject>>,
    pub(super) sessions: BTreeMap<SessionNumber, Arc<KeptSession>>,
    pub(super) names: Arc<Names>,
    pub(super) journal: Arc<Journal>,
}

/// What a project is known by: the word of its kind, its value and its machine.
pub(super) type KnownBy = (String, Vec<u8>, Option<MachineId>);

/// By what projects and sessions are found, and the last numbers that were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub(super) projects: HashMap<ProjectId, ProjectNumber>,
    /// In the order in which keys are listed.
    pub(super) keys: BTreeMap<KnownBy, ProjectNumber>,
    pub(super) sessions: HashMap<Arc<SessionKey>, SessionNumber>,
    /// Who has the journals of other scopes, by their text.
    pub(super) others: HashMap<String, u64>,
    last_holder: u64,
    last_plan: u64,
}

/// A project with its plans.
#[derive(Debug, Clone)]
pub(super) struct KeptProject {
    pub(super) about: Project,
    pub(super) plans: BTreeMap<PlanName, (PlanNumber, Plan)>,
    pub(super) entries: BTreeMap<EntryId, Arc<KeptEntry>>,
    /// The newest entry id ever given, erased ones included.
    pub(super) last_entry: Option<EntryId>,
    /// The place of the entry that was added last.
    pub(super) last_place: u64,
}

/// An entry of a plan.
#[derive(Debug)]
pub(super) struct KeptEntry {
    /// The entry without the session that said it, which stands beside.
    pub(super) entry: Entry,
    pub(super) session: Option<SessionNumber>,
    /// When it was added among those of its project.
    pub(super) place: u64,
}

/// A session with all that it keeps.
#[derive(Debug, Clone)]
pub(super) struct KeptSession {
    /// The session without its project and its parent, which stand beside.
    pub(super) about: Session,
    pub(super) project: ProjectNumber,
    pub(super) parent: Option<SessionNumber>,
    pub(super) page: Option<Arc<Notepad>>,
    pub(super) notes: Arc<Notes>,
    pub(super) handoff: Option<Handoff>,
    pub(super) recap: Option<KeptRecap>,
    pub(super) worked_at: Option<Time>,
    /// What is known of it while it runs, and the session that was its parent when that was noted.
    pub(super) running: Option<(SessionNumber, Running)>,
    pub(super) active_plan: Option<PlanNumber>,
}

impl State {
    /// The number of a project; none if it is not known.
    pub(super) fn find_project(&self, id: ProjectId) -> Option<ProjectNumber> {
        self.names.projects.get(&id).copied()
    }

    /// The number of a project that a change needs.
    pub(super) fn project(&self, id: ProjectId) -> Result<ProjectNumber, StoreError> {
        self.find_project(id).ok_or_else(|| missing(&format!("project {id}")))
    }

    /// A project to change.
    pub(super) fn project_mut(&mut self, id: ProjectId) -> Result<&mut KeptProject, StoreError> {
        let number = self.project(id)?;
        let kept = self.projects.get_mut(&number);
        kept.map(Arc::make_mut).ok_or_else(|| missing(&format!("project {id}")))
    }

    /// The id of a project; none if it is gone.
    pub(super) fn project_id(&self, number: ProjectNumber) -> Option<ProjectId> {
        self.projects.get(&number).map(|kept| kept.about.id)
    }

    /// The number of a session; none if it is not known.
    pub(super) fn find_session(&self, key: &SessionKey) -> Option<SessionNumber> {
        self.names.sessions.get(key).copied()
    }

    /// The number of a session that a change needs.
    pub(super) fn session(&self, key: &SessionKey) -> Result<SessionNumber, StoreError> {
        self.find_session(key).ok_or_else(|| missing(&format!("session {key}")))
    }

    /// A session with all that it keeps; none if it is not known.
    pub(super) fn find_kept(&self, key: &SessionKey) -> Option<&Arc<KeptSession>> {
        self.sessions.get(&self.find_session(key)?)
    }

    /// A session that a change needs, with all that it keeps.
    pub(super) fn kept(&self, key: &SessionKey) -> Result<&Arc<KeptSession>, StoreError> {
        self.find_kept(key).ok_or_else(|| missing(&format!("session {key}")))
    }

    /// A session to change.
    pub(super) fn session_mut(&mut self, key: &SessionKey) -> Result<&mut KeptSession, StoreError> {
        let number = self.session(key)?;
        let kept = self.sessions.get_mut(&number);
        kept.map(Arc::make_mut).ok_or_else(|| missing(&format!("session {key}")))
    }

    /// The key of a session; none if it is gone.
    pub(super) fn session_key(&self, number: SessionNumber) -> Option<&SessionKey> {
        self.sessions.get(&number).map(|kept| &kept.about.key)
    }

    /// The number of a plan of a session's project; none if there is none.
    pub(super) fn find_plan(&self, session: &KeptSession, name: &PlanName) -> Option<PlanNumber> {
        self.projects.get(&session.project)?.plans.get(name).map(|(number, _)| *number)
    }

    /// The name of a plan; none if it is gone.
    pub(super) fn plan_name(&self, number: PlanNumber) -> Option<&PlanName> {
        let mut plans = self.projects.values().flat_map(|kept| kept.plans.values());
        plans.find(|(each, _)| *each == number).map(|(_, plan)| &plan.name)
    }

    /// Makes a project known that nobody knows yet.
    pub(super) fn add_project(&mut self, about: Project) -> ProjectNumber {
        let names = Arc::make_mut(&mut self.names);
        let number = ProjectNumber(names.number());
        names.projects.insert(about.id, number);
        let (plans, entries) = (BTreeMap::new(), BTreeMap::new());
        let kept = KeptProject { about, plans, entries, last_entry: None, last_place: 0 };
        self.projects.insert(number, Arc::new(kept));
        number
    }

    /// Makes a project known by further keys; those of another project stay there.
    pub(super) fn add_keys(&mut self, project: ProjectNumber, keys: &[ProjectKey]) {
        let names = Arc::make_mut(&mut self.names);
        for ProjectKey { kind, machine, value } in keys {
            let known = (kind.word().to_owned(), value.clone(), *machine);
            names.keys.entry(known).or_insert(project);
        }
    }

    /// Gives a number to a plan.
    pub(super) fn number_plan(&mut self) -> PlanNumber {
        let names = Arc::make_mut(&mut self.names);
        names.last_plan += 1;
        PlanNumber(names.last_plan)
    }

    /// Makes a session known that nobody knows yet.
    pub(super) fn add_session(&mut self, kept: KeptSession) {
        let names = Arc::make_mut(&mut self.names);
        let number = SessionNumber(names.number());
        names.sessions.insert(Arc::new(kept.about.key.clone()), number);
        self.sessions.insert(number, Arc::new(kept));
    }

    /// Keeps an intention; its number is never given again, so that nothing else is fulfilled by it.
    pub(super) fn intend(&mut self, what: &str) -> IntentId {
        self.last_intent += 1;
        self.intents.insert(IntentId(self.last_intent), what.to_owned());
        IntentId(self.last_intent)
    }

    /// A scope as the journal has it: the number of who has it; none of what is not known.
    pub(super) fn find_scope(&self, scope: &Scope) -> Option<String> {
        let number = match scope {
            Scope::Project(id) => self.find_project(*id)?.0,
            Scope::Session(key) => self.find_session(key)?.0,
            Scope::Store | Scope::Unknown(_) => *self.names.others.get(&scope.to_string())?,
        };
        Some(number.to_string())
    }

    /// [`State::find_scope`] of what a write belongs to; one that nobody has is given to somebody.
    pub(super) fn scope(&mut self, scope: &Scope) -> Result<String, StoreError> {
        if let Scope::Store | Scope::Unknown(_) = scope
            && self.find_scope(scope).is_none()
        {
            let names = Arc::make_mut(&mut self.names);
            let number = names.number();
            names.others.insert(scope.to_string(), number);
        }
        self.find_scope(scope).ok_or_else(|| missing(&scope.to_string()))
    }

    /// What a number in the journal names; what is gone has no name any more.
    pub(super) fn scope_of(&self, text: &str) -> Scope {
        let number = text.parse().unwrap_or(0);
        if let Some(key) = self.session_key(SessionNumber(number)) {
            return Scope::Session(key.clone());
        }
        if let Some(id) = self.project_id(ProjectNumber(number)) {
            return Scope::Project(id);
        }
        match self.names.others.iter().find(|(_, of)| **of == number) {
            Some((text, _)) if *text == Scope::Store.to_string() => Scope::Store,
            Some((text, _)) => Scope::Unknown(text.as_str().into()),
            None => Scope::Unknown(format!("{}{number}", Scope::GONE).into()),
        }
    }
}

impl Names {
    /// The next number of a project, a session or another scope.
    fn number(&mut self) -> u64 {
        self.last_holder += 1;
        self.last_holder
    }
}

impl KeptSession {
    /// A session that keeps nothing yet.
    pub(super) fn new(
        about: Session,
        project: ProjectNumber,
        parent: Option<SessionNumber>,
    ) -> Self {
        Self {
            about,
            project,
            parent,
            page: None,
            notes: Arc::default(),
            handoff: None,
            recap: None,
            worked_at: None,
            running: None,
            active_plan: None,
        }
    }
}

/// Says what a change or a write needs and nobody knows.
pub(super) fn missing(what: &str) -> StoreError {
    StoreError::Engine { what: format!("there is no {what} to write to") }
}

/// Says what is there already and can be there only once.
pub(super) fn doubled(what: &str) -> StoreError {
    StoreError::Engine { what: format!("there is a {what} already") }
}
