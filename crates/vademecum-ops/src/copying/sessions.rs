//! Sessions, in the order in which they began: what ran where it comes from has ended here.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::{ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::project::ProjectKey;
use vademecum_core::session::{Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Change, SessionFilter, StoreError, View};

use super::SLICE;
use super::lines::{Line, Touch};
use super::target::{Part, Target};
use crate::error::OpError;
use crate::forgetting::Tombstone;

/// A session with what is noted of it beside.
type Noted = (Session, Option<Time>, Option<PlanName>);

/// The sessions of a store, the first that began first; another one than that of its name there stands in no project.
pub(super) fn all(from: &dyn View, to: &Target<'_>) -> Result<Vec<Session>, StoreError> {
    let mut sessions = from.sessions(SessionFilter::ALL)?;
    sessions.reverse();
    for session in sessions.iter_mut().filter(|it| to.strangers.contains(&it.key)) {
        session.project = ProjectId::NONE;
    }
    Ok(sessions)
}

/// The sessions whose texts are brought, now that the other store knows them.
pub(super) fn taken(from: &dyn View, to: &Target<'_>) -> Result<Vec<Session>, OpError> {
    let mut taken = Vec::new();
    for session in all(from, to)? {
        if to.read(|view| is_taken(view, &session))? {
            taken.push(session);
        }
    }
    Ok(taken)
}

/// Whether texts of a session are brought: the other store knows it, and has not forgotten it.
pub(super) fn is_taken(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    let is_known = session.has_project() && view.session(&session.key)?.is_some();
    Ok(is_known && !is_forgotten(view, session)?)
}

/// The sessions that are others than those of their names there: a host may give a name once in each project.
fn strangers(from: &dyn View, to: &Target<'_>) -> Result<BTreeSet<SessionKey>, OpError> {
    let mut strangers = BTreeSet::new();
    for session in from.sessions(SessionFilter::ALL)? {
        let keys = from.project_keys(session.project)?;
        let is_met =
            |view: &dyn View| Ok(is_same(view, &session, &keys)? || is_forgotten(view, &session)?);
        if !to.read(is_met)? {
            strangers.insert(session.key);
        }
    }
    Ok(strangers)
}

/// Whether a session is that of its name there, if there is one: of its project, whose folder may belong to another
/// one there, or begun at its time, as an import tells it.
fn is_same(view: &dyn View, session: &Session, keys: &[ProjectKey]) -> Result<bool, StoreError> {
    let Some(known) = view.session(&session.key)? else { return Ok(true) };
    if known.project == session.project || known.started_at == session.started_at {
        return Ok(true);
    }
    // A machine may have been given two ids.
    let is_alike = |one: &ProjectKey, other: &ProjectKey| {
        (&one.kind, &one.value) == (&other.kind, &other.value)
    };
    let there = view.project_keys(known.project)?;
    Ok(keys.iter().any(|key| there.iter().any(|other| is_alike(key, other))))
}

/// Whether it was forgotten there, itself, with whom it stems from, or with its project.
///
/// One that began there again under the same name is another one.
fn is_forgotten(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    let run = SessionKey { agent: None, ..session.key.clone() };
    Ok(Tombstone::Session(&session.key.to_string()).stands_in(view)?
        || Tombstone::Session(&run.to_string()).stands_in(view)?
        || Tombstone::Project(session.project).stands_in(view)?)
}

/// Makes every session known there.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    to.strangers = strangers(from, to)?;
    let sessions = all(from, to)?;
    let keys: BTreeSet<SessionKey> = sessions.iter().map(|it| it.key.clone()).collect();
    for slice in sessions.chunks(SLICE) {
        let noted = |session: &Session| -> Result<Noted, StoreError> {
            let card = from.card(&session.key)?;
            Ok((session.clone(), card.worked_at, card.active_plan))
        };
        let slice = slice.iter().map(noted).collect::<Result<Vec<_>, _>>()?;
        to.write("sessions", &slice, |view, part| {
            let mut instances = Instances { keys: &keys, taken: BTreeMap::new() };
            let mut changes = Vec::new();
            for noted in &slice {
                changes.extend(of_session(view, noted, &mut instances, part)?);
            }
            Ok(changes)
        })?;
    }
    parents(&sessions, to)
}

/// The place of sessions in the line of a project where others stand already.
struct Instances<'a> {
    keys: &'a BTreeSet<SessionKey>,
    taken: BTreeMap<ProjectId, BTreeSet<u32>>,
}

impl Instances<'_> {
    /// The number of a session: its own, or the next one where another session has that.
    fn of(&mut self, view: &dyn View, session: &Session) -> Result<u32, StoreError> {
        if session.key.agent.is_some() {
            return Ok(session.instance);
        }
        if !self.taken.contains_key(&session.project) {
            let project = Some(session.project);
            let there = view.sessions(SessionFilter { project, ..SessionFilter::ALL })?;
            let others = there.iter().filter(|other| !self.keys.contains(&other.key));
            let numbers = others.filter(|it| it.key.agent.is_none()).map(|it| it.instance);
            self.taken.insert(session.project, numbers.collect());
        }
        let taken = self.taken.entry(session.project).or_default();
        let last = taken.last().copied().unwrap_or(0);
        Ok(if taken.contains(&session.instance) {
            last + session.instance
        } else {
            session.instance
        })
    }
}

/// What is lacking of one session.
fn of_session(
    view: &dyn View,
    (session, worked_at, plan): &Noted,
    instances: &mut Instances<'_>,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let key = &session.key;
    if is_forgotten(view, session)? {
        if !Tombstone::Project(session.project).stands_in(view)? {
            part.report.leave_out(&format_args!("session {key}"));
        }
        return Ok(Vec::new());
    }
    let worked = worked_at.map(|at| Change::SetWorked { session: key.clone(), at });
    if let Some(known) = view.session(key)? {
        if known.project != session.project {
            part.report.notices.push(elsewhere(session));
        }
        if !session.has_project() {
            return Ok(Vec::new());
        }
        let news = worked.filter(|_| view.card(key).is_ok_and(|card| card.worked_at < *worked_at));
        return Ok(news.into_iter().chain(heard(session, &known)).collect());
    }
    if view.project(session.project)?.is_none() {
        return Ok(Vec::new());
    }
    part.report.sessions += 1;
    let mut changes = begun(session, instances.of(view, session)?);
    changes.extend(worked);
    if let Some(plan) = plan
        && view.plan(session.project, plan)?.is_some()
    {
        let (session, plan) = (key.clone(), Some(plan.clone()));
        changes.push(Change::SetActivePlan { session, plan });
    }
    Ok(changes)
}

/// What is said of a session whose name has one of another project there.
fn elsewhere(session: &Session) -> String {
    let what = if session.has_project() {
        "belongs to another project there, and stays with it"
    } else {
        "is another one there, of another project: it is left out"
    };
    format!("session {} {what}", session.key)
}

/// What was heard of a session since, unless it runs there.
fn heard(session: &Session, known: &Session) -> Option<Change> {
    let when = |session: &Session| (session.seen_at, ended_at(session));
    let is_news = when(known) < when(session) && known.place.host_pid.is_none();
    is_news.then(|| Change::SetSession {
        session: session.key.clone(),
        seen_at: session.seen_at,
        ended_at: ended_at(session),
        place: Place { host_pid: None, ..session.place.clone() },
        standing: Standing { told: known.standing.told, ..session.standing.clone() },
    })
}

/// Notes which plan a session works on, if only the store that is copied has said so since.
pub(super) fn plan(
    from: &dyn View,
    to: &mut Target<'_>,
    (session, line): (&Session, &Line),
) -> Result<(), OpError> {
    let plan = from.card(&session.key)?.active_plan;
    to.write("active", &(&session.key, &plan), |view, _| {
        let known = view.card(&session.key)?.active_plan;
        let is_there = match &plan {
            Some(plan) => view.plan(session.project, plan)?.is_some(),
            None => true,
        };
        let is_news = known != plan && is_there && is_taken(view, session)?;
        let is_ahead = is_news && line.alone(view)?.is_ahead(&Touch::ActivePlan);
        let (session, plan) = (session.key.clone(), plan.clone());
        Ok(is_ahead.then_some(Change::SetActivePlan { session, plan }).into_iter().collect())
    })?;
    Ok(())
}

/// A session as it is known there: without its process and without a parent, who may become known later.
fn begun(session: &Session, instance: u32) -> Vec<Change> {
    let place = Place { host_pid: None, ..session.place.clone() };
    let add = Change::AddSession {
        project: session.project,
        key: session.key.clone(),
        parent: None,
        began: session.began.clone(),
        instance,
        host_name: session.host_name.clone(),
        place: place.clone(),
        at: session.started_at,
    };
    let set = Change::SetSession {
        session: session.key.clone(),
        seen_at: session.seen_at,
        ended_at: ended_at(session),
        place,
        standing: Standing { told: Seq(0), ..session.standing.clone() },
    };
    vec![add, set]
}

/// When a session ended; one that no harness runs goes on as it is.
fn ended_at(session: &Session) -> Option<Time> {
    let is_run = session.key.is_restored() || session.key.harness == SessionKey::CLIENT;
    session.ended_at.or_else(|| is_run.then_some(session.seen_at))
}

/// Says whom each session stems from, once all are known.
fn parents(sessions: &[Session], to: &mut Target<'_>) -> Result<(), OpError> {
    let all: Vec<&Session> = sessions.iter().filter(|it| it.parent.is_some()).collect();
    for slice in all.chunks(SLICE) {
        to.write("parents", &slice, |view, _| {
            let mut changes = Vec::new();
            for session in slice {
                let Some(parent) = &session.parent else { continue };
                let known = view.session(&session.key)?;
                let is_free = known.is_some_and(|known| known.parent.is_none());
                if is_free && view.session(parent)?.is_some() && is_taken(view, session)? {
                    let (session, parent) = (session.key.clone(), parent.clone());
                    changes.push(Change::SetParent { session, parent });
                }
            }
            Ok(changes)
        })?;
    }
    Ok(())
}
