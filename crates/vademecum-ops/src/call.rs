//! One call of an operation: the store, the world, and who calls.

use std::cell::{OnceCell, RefCell};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vademecum_core::entry::Stood;
use vademecum_core::hash::{Hash, hex, plain};
use vademecum_core::id::{MachineId, ProjectId, Seq, WriteId};
use vademecum_core::intake::{Accepted, Intake, Policy, Replaced};
use vademecum_core::project::{KeyKind, Project, ProjectKey, shown};
use vademecum_core::session::{Began, Place as SessionPlace, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_harness::hook::Harness;
use vademecum_store::{
    Author, Change, Decision, Origin, Outcome, Scope, Store, StoreError, Surface, View, Write,
    read, write,
};

use crate::branches;
use crate::config::Config;
use crate::desk::Desk;
use crate::error::OpError;
use crate::forgetting::tombstone;
use crate::moments;
use crate::newcomer::Newcomer;
use crate::operation::Operation as _;
use crate::ops::join_project::JoinProject;
use crate::page::Shown;
use crate::place::Place;
use crate::reply;
use crate::who::{self, Clues, How, Who};
use crate::world::World;

/// Who calls, and what came with the call beside its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Where writes of this call come from.
    pub origin: Origin,
    /// What is known of the session.
    pub clues: Clues,
    /// The name under which a repeat of this write is known.
    pub write_id: Option<WriteId>,
}

/// One call of an operation.
pub struct Call<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// The outside world.
    pub world: &'a World,
    /// What is set.
    pub config: &'a Config,
    /// Who calls.
    pub caller: Caller,
    /// Where the model of the session sees its page.
    pub shown: Shown,
    /// Whether a program makes it, or another call, and nobody typed it.
    is_inner: bool,
    place: OnceCell<Place>,
    /// Whether what it says was said before, wherever the work tree stood then.
    is_late: bool,
    replaced: RefCell<Vec<Replaced>>,
    /// The session that the next write makes known.
    newcomer: RefCell<Option<Newcomer>>,
    /// The id of the project, should this call make it known.
    new_project: OnceCell<ProjectId>,
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("caller", &self.caller).finish_non_exhaustive()
    }
}

/// What a write answered, and where it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<T> {
    /// The answer.
    pub value: T,
    /// Its place in the journal; none when there was nothing to change.
    pub seq: Option<Seq>,
}

impl<'a> Call<'a> {
    /// The harness whose model or hook makes the call, as far as its session is named.
    pub(crate) fn harness(&self) -> Option<Harness> {
        let Clues { told, environment, fresh, .. } = &self.caller.clues;
        let key = [told, environment, fresh].into_iter().flatten().find_map(|it| who::full_key(it));
        key.and_then(|key| Harness::of(&key.harness))
    }

    /// A call with everything it may look at.
    #[must_use]
    pub fn new(store: &'a dyn Store, world: &'a World, config: &'a Config, caller: Caller) -> Self {
        Self {
            store,
            world,
            config,
            caller,
            shown: Shown::default(),
            is_inner: false,
            place: OnceCell::new(),
            is_late: false,
            replaced: RefCell::default(),
            newcomer: RefCell::default(),
            new_project: OnceCell::new(),
        }
    }

    /// Another call of the same caller at the same place, under a write id of its own.
    #[must_use]
    pub fn again(&self, write_id: Option<WriteId>) -> Self {
        let caller = Caller { write_id, ..self.caller.clone() };
        let place = OnceCell::from(self.place().clone());
        let new = Self::new(self.store, self.world, self.config, caller);
        Self { shown: self.shown, is_inner: true, place, ..new }
    }

    /// Whether it was typed on a command line.
    pub(crate) fn is_typed(&self) -> bool {
        self.caller.origin.surface == Surface::Cli && !self.is_inner
    }

    /// The same call about another folder.
    #[must_use]
    pub fn about(self, folder: &Path) -> Self {
        Self { place: OnceCell::from(Place::of(folder)), ..self }
    }

    /// The same call for what was said before it.
    #[must_use]
    pub(crate) fn late(self) -> Self {
        Self { is_late: true, ..self }
    }

    /// Whether it is for what was said before it.
    pub(crate) fn is_late(&self) -> bool {
        self.is_late
    }

    /// Which branch and commit are checked out as the call is made; none outside a repository.
    pub(crate) fn stood(&self) -> Option<Stood> {
        if self.is_late { None } else { branches::stood(self) }
    }

    /// Where the folder of the call stands.
    pub fn place(&self) -> &Place {
        self.place.get_or_init(|| Place::of(&self.world.folders.work))
    }

    /// Reads one snapshot.
    pub fn read<T>(&self, look: impl Fn(&dyn View) -> Result<T, StoreError>) -> Result<T, OpError> {
        Ok(read(self.store, look)?)
    }

    /// Reads one snapshot; what it says may be an operation's own refusal.
    pub fn look<T>(&self, look: impl Fn(&dyn View) -> Result<T, OpError>) -> Result<T, OpError> {
        read(self.store, |view| Ok(look(view)))?
    }

    /// The project of the call; none before anything was written for it.
    pub fn project(&self, view: &dyn View) -> Result<Option<Project>, StoreError> {
        let machines = self.world.machines();
        let (here, elsewhere) = machines.split_at(machines.len().min(1));
        let place = self.place();
        let known = here.iter().flat_map(|machine| place.keys(Some(*machine)));
        if let Some(known) = view.project_by_keys(&known.collect::<Vec<_>>())? {
            return Ok(Some(known));
        }
        match view.project_by_keys(&place.clues(elsewhere))? {
            Some(found) if self.is_another_repository(view, found.id)? => Ok(None),
            found => Ok(found),
        }
    }

    /// Whether another repository than the project's lies at its path, as it may on another machine.
    fn is_another_repository(&self, view: &dyn View, id: ProjectId) -> Result<bool, StoreError> {
        let Some(remote) = self.place().remote() else { return Ok(false) };
        let keys = view.project_keys(id)?;
        let mut remotes = keys.iter().filter(|key| key.kind == KeyKind::Remote).peekable();
        Ok(remotes.peek().is_some() && !remotes.any(|key| *key == remote))
    }

    /// The person's own session of the project.
    pub fn desk(&self, project: Option<&Project>) -> Desk {
        Desk { project: project.map(|project| project.id) }
    }

    /// Which session the call is about; refused while vade is off.
    pub fn who(&self, view: &dyn View) -> Result<Who, OpError> {
        let project = self.project(view)?;
        self.who_in(view, project.as_ref())
    }

    /// [`Call::who`] where the project of the call was looked up already.
    pub(crate) fn who_in(
        &self,
        view: &dyn View,
        project: Option<&Project>,
    ) -> Result<Who, OpError> {
        self.check_on_in(view, project)?;
        let desk = self.desk(project);
        let who = who::find(view, project, desk, &self.caller.clues)?;
        let clues = &self.caller.clues;
        // A model names its own, wherever its harness runs.
        if let (Some(name), Some(session), true) = (&clues.named, &who.session, clues.is_person) {
            self.check_is_here(project, session, name)?;
        }
        Ok(who)
    }

    /// Refuses a session of another project, but to a person: what is picked for a model goes to a model.
    pub(crate) fn check_is_here(
        &self,
        project: Option<&Project>,
        session: &Session,
        name: &str,
    ) -> Result<(), OpError> {
        let is_for_person =
            self.caller.clues.is_person && self.caller.origin.surface != Surface::Mcp;
        if is_for_person || project.is_some_and(|project| project.id == session.project) {
            return Ok(());
        }
        Err(OpError::denied(format!("session \"{name}\" is of another project")))
    }

    /// The session of the call for reading; none if nothing was ever written for it.
    pub fn session(&self, view: &dyn View) -> Result<Option<Session>, OpError> {
        Ok(self.who(view)?.session)
    }

    /// Refuses the call while vade is off for the store or its project.
    pub(crate) fn check_on(&self) -> Result<(), OpError> {
        self.look(|view| self.check_on_in(view, self.project(view)?.as_ref()))
    }

    /// Refuses what is asked while vade is off for the store or the project; to switch it on is the person's.
    pub(crate) fn check_on_in(
        &self,
        view: &dyn View,
        project: Option<&Project>,
    ) -> Result<(), OpError> {
        let project = project.filter(|project| project.off_at.is_some());
        let (message, hint) = match (view.store()?.off_at, project) {
            (Some(_), _) => ("vade is switched off".to_owned(), "vade on --all switches it on"),
            (None, Some(project)) => (
                format!("vade is switched off for {}", shown(&project.name)),
                "vade on switches it on",
            ),
            (None, None) => return Ok(()),
        };
        let is_person = self.caller.origin.author == Author::User;
        let hint = if is_person { hint } else { "the user did that: go on without it" };
        Err(OpError::denied(message).hint(hint))
    }

    /// Whether vade is switched off for the store or the project of the call.
    pub fn is_off(&self) -> Result<bool, OpError> {
        self.read(|view| {
            let project = self.project(view)?;
            Ok(view.store()?.off_at.is_some()
                || project.is_some_and(|project| project.off_at.is_some()))
        })
    }

    /// The session that a harness told of, if it is known and vade is on for it.
    pub fn session_if_on(&self) -> Result<Option<Session>, OpError> {
        let key = self.caller.clues.told.as_deref().and_then(who::full_key);
        self.read(|view| {
            let Some(session) = key.as_ref().map(|key| view.session(key)).transpose()?.flatten()
            else {
                return Ok(None);
            };
            let project = view.project(session.project)?;
            let is_off = view.store()?.off_at.is_some()
                || project.is_some_and(|project| project.off_at.is_some());
            Ok((!is_off).then_some(session))
        })
    }

    /// The session of the call for writing; one that is not known yet is made by the next write of the call.
    pub fn open_session(&self) -> Result<(Session, How), OpError> {
        let who = self.look(|view| self.who(view))?;
        let Some(session) = who.session else {
            // Who comes before its start was taken in makes it what it is: a fork gets what its parent keeps.
            let (began, place, at) = moments::start_of(&self.world.folders.data, &who.key)
                .unwrap_or_else(|| (Began::Start, SessionPlace::default(), self.now()));
            return Ok((self.open(&who.key, &place, &began, at)?, who.how));
        };
        if self.caller.origin.author == Author::Agent {
            self.hear(&session);
        }
        Ok((session, who.how))
    }

    /// Notes that a session was heard of, before it passes for one that stopped.
    ///
    /// It is no acknowledged write: what a busy store does not take is noted at the next call.
    pub(crate) fn hear(&self, session: &Session) {
        let at = self.now();
        let is_heard = at.since(session.seen_at) < who::LIVE_MS / 3;
        if session.ended_at.is_some() || is_heard || self.world.is_read_only() {
            return;
        }
        let written =
            self.write(Scope::Session(session.key.clone()), "hear_session", &(), |view| {
                let heard = view.session(&session.key)?.and_then(|now| who::heard(now, at));
                Ok((heard.into_iter().collect(), ()))
            });
        drop(written);
    }

    /// The session with this key; one that is not known yet is made by the next write of the call, begun `at`.
    ///
    /// A desk is called after its project, which another program may be making under another id: both are made at
    /// once where neither is known.
    pub(crate) fn open(
        &self,
        key: &SessionKey,
        place: &SessionPlace,
        began: &Began,
        at: Time,
    ) -> Result<Session, OpError> {
        let (key, place, began) = (key.clone(), place.clone(), began.clone());
        let at = Some(at.min(self.now()));
        let newcomer = Newcomer { key, place, began, at, is_in_line: true };
        let (session, changes) = self.read(|view| newcomer.begin(self, view))?;
        if changes.is_empty() {
            return Ok(session);
        }
        let makes_project = matches!(changes.first(), Some(Change::AddProject { .. }));
        if makes_project && session.key.harness == SessionKey::DESK {
            return self.begin(&newcomer.key, &newcomer.place, newcomer.began);
        }
        self.newcomer.replace(Some(newcomer));
        Ok(session)
    }

    /// Makes a session known, with its project and, for a sub-agent, its parent.
    pub fn begin(
        &self,
        key: &SessionKey,
        place: &SessionPlace,
        began: Began,
    ) -> Result<Session, OpError> {
        let (key, place) = (key.clone(), place.clone());
        self.begin_as(&Newcomer { key, place, began, at: None, is_in_line: true })
    }

    /// The same for one of which more is told than a call knows.
    pub(crate) fn begin_as(&self, newcomer: &Newcomer) -> Result<Session, OpError> {
        let (session, changes) = self.read(|view| newcomer.begin(self, view))?;
        if changes.is_empty() {
            return Ok(session);
        }
        // Where another program makes the project meanwhile its id, and so the name of its desk, is another one.
        let scope = match session.key.harness.as_str() {
            SessionKey::DESK => Scope::Store,
            _ => Scope::Session(session.key),
        };
        let written = self.write(scope, "begin_session", &newcomer.key, |view| {
            let (session, changes) = newcomer.begin(self, view)?;
            Ok((changes, session.key))
        })?;
        let session = self.read(|view| view.session(&written.value))?;
        session.ok_or_else(|| OpError::broken("a session that was just made is not there"))
    }

    /// The project of the call; made known if it is not yet.
    pub fn open_project(&self) -> Result<Project, OpError> {
        if let Some(project) = self.read(|view| self.project(view))? {
            return Ok(project);
        }
        // A session that this write makes brings its project along.
        let is_coming = self.newcomer.borrow().is_some();
        self.write(Scope::Store, "begin_project", &self.place().keys(None), |view| {
            let add = self.begin_project(view)?.1.filter(|_| !is_coming);
            Ok((add.into_iter().collect(), ()))
        })?;
        let project = self.read(|view| self.project(view))?;
        project.ok_or_else(|| OpError::broken("a project that was just made is not there"))
    }

    /// The project of the call, and the change that makes it known, here, if it is not yet.
    pub(crate) fn begin_project(
        &self,
        view: &dyn View,
    ) -> Result<(ProjectId, Option<Change>), StoreError> {
        let keys = self.new_keys();
        if let Some(project) = view.project_by_keys(&keys)? {
            return Ok((project.id, None));
        }
        if let Some(Project { id: project, .. }) = self.project(view)? {
            // Known by this machine too, it is found whatever others say of the path later.
            return Ok((project, Some(Change::AddProjectKeys { project, keys })));
        }
        let (id, place, at) =
            (*self.new_project.get_or_init(|| self.new_project_id()), self.place(), self.now());
        let keys = keys.into_iter().chain(place.remote()).collect();
        Ok((id, Some(Change::AddProject { id, name: place.name(), keys, at })))
    }

    /// What the project of the call is to be known by on this machine.
    pub(crate) fn new_keys(&self) -> Vec<ProjectKey> {
        let machine = self.world.writer().machine;
        self.place().keys(Some(machine).filter(|machine| *machine != MachineId::NONE))
    }

    /// Writes what `decide` gives under an id of its own: for what a caller never repeats.
    pub fn write<T: Serialize + DeserializeOwned>(
        &self,
        scope: Scope,
        kind: &'static str,
        arguments: &impl Serialize,
        decide: impl FnMut(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<Written<T>, OpError> {
        self.write_as((None, true), scope, kind, arguments, decide)
    }

    /// Writes what `decide` gives once for equal arguments, however often it is asked for.
    pub fn write_unique<T: Serialize + DeserializeOwned>(
        &self,
        scope: Scope,
        kind: &'static str,
        arguments: &impl Serialize,
        decide: impl FnMut(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<Written<T>, OpError> {
        let id = unique_id(kind, arguments)?;
        self.write_as((Some(id), true), scope, kind, arguments, decide)
    }

    /// Writes what `decide` gives, once for each write id of the caller.
    pub fn write_once<T: Serialize + DeserializeOwned>(
        &self,
        session: &SessionKey,
        kind: &'static str,
        arguments: &impl Serialize,
        decide: impl FnMut(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<Written<T>, OpError> {
        self.write_once_in(Scope::Session(session.clone()), kind, arguments, decide)
    }

    /// [`Call::write_once`] in a scope that is no session's.
    pub fn write_once_in<T: Serialize + DeserializeOwned>(
        &self,
        scope: Scope,
        kind: &'static str,
        arguments: &impl Serialize,
        decide: impl FnMut(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<Written<T>, OpError> {
        let id = self.caller.write_id.clone();
        let is_repeatable = id.is_some();
        self.write_as((id, is_repeatable), scope, kind, arguments, decide)
    }

    /// A write under an id, or without one under a new one.
    fn request(
        &self,
        (id, scope): (Option<WriteId>, Scope),
        kind: &'static str,
        arguments: &str,
    ) -> Write {
        Write {
            scope,
            is_fresh: id.is_none(),
            id: id.unwrap_or_else(|| self.new_write_id()),
            arguments: hash_of(kind, arguments),
            kind,
            origin: self.caller.origin.clone(),
            by: self.world.writer(),
            at: self.world.now(),
        }
    }

    /// Writes what is decided; a reply that nobody can ask for again need not be kept.
    fn write_as<T: Serialize + DeserializeOwned>(
        &self,
        (id, keeps_reply): (Option<WriteId>, bool),
        scope: Scope,
        kind: &'static str,
        arguments: &impl Serialize,
        mut decide: impl FnMut(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<Written<T>, OpError> {
        let arguments = serde_json::to_string(arguments).map_err(|error| not_json(&error))?;
        let request = self.request((id, scope), kind, &arguments);
        let newcomer = self.newcomer.borrow().clone();
        let (outcome, value) = write(self.store, &request, |view| {
            check_not_joined(view, &request)?;
            let (decided, value) = decide(view)?;
            let first = newcomer.as_ref().map(|it| it.begin(self, view)).transpose()?;
            let mut changes = first.map_or_else(Vec::new, |(_, changes)| changes);
            changes.extend(decided);
            let kept = keeps_reply.then(|| reply::kept(&value, &arguments)).transpose();
            let reply = kept.map_err(|error| not_json(&error))?.unwrap_or_default();
            Ok::<_, OpError>((value, Decision::Commit { changes, reply }))
        })?;
        self.newcomer.replace(None);
        match (outcome, value) {
            (Outcome::Replayed { seq, reply }, _) => {
                let value = reply::whole(&reply, &arguments).and_then(serde_json::from_value);
                let value = value.map_err(|error| not_json(&error))?;
                Ok(Written { value, seq: Some(seq) })
            }
            (Outcome::Done { seq }, Some(value)) => Ok(Written { value, seq: Some(seq) }),
            (Outcome::Unchanged, Some(value)) => Ok(Written { value, seq: None }),
            (Outcome::Done { .. } | Outcome::Unchanged | Outcome::Refused, _) => {
                Err(OpError::broken("the store took a decision that was not given"))
            }
        }
    }

    /// An id that no other project ever has.
    fn new_project_id(&self) -> ProjectId {
        ProjectId(self.world.random_id())
    }

    fn new_write_id(&self) -> WriteId {
        WriteId::new((self.world.new_id)()).expect("a UUID is a legal write id")
    }

    /// Lets a text from outside in, or says why not; every text that is kept comes this way.
    pub fn accept(&self, text: &str) -> Result<String, OpError> {
        let intake = Intake::new(Intake::NOTEPAD_MAX, self.policy());
        Ok(self.take(intake.take(text.to_owned())?))
    }

    /// What becomes of secrets in this call.
    pub fn policy(&self) -> Policy {
        self.config.policy()
    }

    /// The text of `accepted`; what was replaced in it is told by the reply.
    pub(crate) fn take(&self, accepted: Accepted) -> String {
        self.replaced.borrow_mut().extend_from_slice(accepted.replaced());
        accepted.into_text()
    }

    /// Takes out what was replaced in the call so far.
    pub(crate) fn replaced(&self) -> Vec<Replaced> {
        self.replaced.take()
    }

    /// [`Call::accept`] for tags.
    pub fn accept_all(&self, texts: &[String]) -> Result<Vec<String>, OpError> {
        texts.iter().map(|text| self.accept(text)).collect()
    }

    /// [`Call::accept`] for a text that may be absent.
    pub fn accept_some(&self, text: Option<&String>) -> Result<Option<String>, OpError> {
        text.map(|text| self.accept(text)).transpose()
    }

    /// The time of the call.
    pub fn now(&self) -> Time {
        self.world.now()
    }
}

/// Refuses what a project is told that was joined to another while the call looked it up: nobody would find it.
///
/// It has no keys any more, which went over in one write with its plans. What joins, and what notes that something is
/// gone, may be told to one without keys.
fn check_not_joined(view: &dyn View, request: &Write) -> Result<(), OpError> {
    let Scope::Project(id) = &request.scope else { return Ok(()) };
    if [JoinProject::DECLARATION.name, tombstone::KIND].contains(&request.kind) {
        return Ok(());
    }
    if view.project(*id)?.is_some() && view.project_keys(*id)?.is_empty() {
        return Err(OpError::conflict("this folder became part of another project meanwhile")
            .hint("nothing was written: repeat the call"));
    }
    Ok(())
}

fn not_json(error: &serde_json::Error) -> OpError {
    OpError::broken(format!("a reply is no JSON: {error}"))
}

/// The id of the one write of this kind with these arguments.
pub(crate) fn unique_id(kind: &str, arguments: &impl Serialize) -> Result<WriteId, OpError> {
    let json = serde_json::to_string(arguments).map_err(|error| not_json(&error))?;
    let name = hex(&hash_of(kind, &json), 16);
    Ok(WriteId::new(name).expect("hexadecimal digits are a legal write id"))
}

/// The hash of a write's arguments, which a repeat must have, too.
fn hash_of(kind: &str, arguments: &str) -> Hash {
    plain(format!("{kind}\n{arguments}").as_bytes())
}
