//! Which sub-agents run: noted at their start and stop, and swept where their harness is gone.

use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::{Running, SubAgent};
use vademecum_core::time::Time;
use vademecum_harness::hook::Harness;
use vademecum_store::{Change, Scope, StoreError, View, Whose};

use super::standing::{Told, What};
use crate::call::Call;
use crate::error::OpError;

/// What `told` says of sub-agents: that this one runs, or that this session has none any more.
pub(super) fn changes(
    view: &dyn View,
    session: &Session,
    told: &Told,
) -> Result<Vec<Change>, StoreError> {
    let (kind, asked) = match &told.what {
        What::Runs(kind) => (kind.clone(), None),
        What::Asked(kind, asked) => (kind.clone(), asked.clone()),
        What::Ends => return stopped(view, session, told),
        What::Compacted(_) => return interrupted(view, session, told),
        What::Begins(_) | What::Resumes | What::Warned(_) | What::Knows(_) | What::Found(_) => {
            return Ok(Vec::new());
        }
    };
    let is_over = session.ended_at.is_some() && !matches!(told.what, What::Runs(_));
    let Some(parent) = session.parent.as_ref().filter(|_| !is_over) else {
        return Ok(Vec::new());
    };
    let known = view.running(Whose::Parent(parent))?;
    let known = known.into_iter().find(|agent| agent.session == session.key);
    let known = known.map(|agent| agent.running);
    let old = |part: fn(&Running) -> Option<String>| known.as_ref().and_then(part);
    let running = Running {
        began_at: known.as_ref().map_or(told.at, |known| known.began_at),
        host_pid: told.place.host_pid.or(known.as_ref().and_then(|known| known.host_pid)),
        kind: kind.or(old(|known| known.kind.clone())),
        asked: asked.or(old(|known| known.asked.clone())),
    };
    let is_new = known.as_ref() != Some(&running);
    let set = Change::SetRunning { session: session.key.clone(), running: Some(running) };
    Ok(is_new.then_some(set).into_iter().collect())
}

/// Adds the changes that `told` makes to those of what was told before it, in one write.
///
/// The snapshot that they were made from does not show the earlier ones.
pub(super) fn add(all: &mut Vec<Change>, session: &Session, told: &Told, mut more: Vec<Change>) {
    let is_end = matches!(told.what, What::Ends);
    let earlier = all.extract_if(.., |change| match change {
        Change::SetRunning { session: of, .. } => {
            *of == session.key && (is_end || !more.is_empty())
        }
        _ => false,
    });
    let earlier = earlier.last();
    if let (
        Some(Change::SetRunning { running: Some(earlier), .. }),
        [Change::SetRunning { running: Some(now), .. }],
    ) = (earlier, more.as_mut_slice())
    {
        now.began_at = earlier.began_at;
        now.host_pid = now.host_pid.or(earlier.host_pid);
        now.kind = now.kind.take().or(earlier.kind);
        now.asked = now.asked.take().or(earlier.asked);
    }
    all.append(&mut more);
}

/// A sub-agent that ends runs no more, and none of a session that ends does.
fn stopped(view: &dyn View, session: &Session, told: &Told) -> Result<Vec<Change>, StoreError> {
    let is_meant = |agent: &SubAgent| agent.session == session.key || agent.parent == session.key;
    let meant = view.running(Whose::Project(session.project))?.into_iter().filter(is_meant);
    let changes = meant.map(|agent| over(view, Some(&session.key), &agent, told.at));
    Ok(changes.collect::<Result<Vec<_>, _>>()?.concat())
}

/// One that is waited for is over when its parent is compacted; interrupted ones do not say so themselves.
fn interrupted(view: &dyn View, session: &Session, told: &Told) -> Result<Vec<Change>, StoreError> {
    if session.key.harness != Harness::ClaudeCode.id() {
        return Ok(Vec::new());
    }
    let all = view.running(Whose::Parent(&session.key))?.into_iter();
    let waited_for = all.filter(|agent| agent.running.asked.is_none());
    let changes = waited_for.map(|agent| over(view, Some(&session.key), &agent, told.at));
    Ok(changes.collect::<Result<Vec<_>, _>>()?.concat())
}

/// The changes by which a sub-agent runs no more; `ending` is the session that ends by another change.
fn over(
    view: &dyn View,
    ending: Option<&SessionKey>,
    agent: &SubAgent,
    at: Time,
) -> Result<Vec<Change>, StoreError> {
    let mut changes = vec![Change::SetRunning { session: agent.session.clone(), running: None }];
    if let Some(session) = view.session(&agent.session)?
        && Some(&session.key) != ending
        && session.ended_at.is_none()
    {
        let Session { key: session, seen_at, place, standing, .. } = session;
        changes.push(Change::SetSession { session, seen_at, ended_at: Some(at), place, standing });
    }
    Ok(changes)
}

/// Notes that the sub-agents of a project whose harness is gone run no more.
///
/// `this` begins or goes on now: of it only those run that its present process started.
pub(super) fn sweep(
    call: &Call<'_>,
    this: &Session,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<(), OpError> {
    let whose = Whose::Project(this.project);
    let is_gone = |view: &dyn View, agent: &SubAgent| -> Result<bool, StoreError> {
        if agent.parent == this.key {
            let pid = agent.running.host_pid;
            return Ok(pid.is_none() || pid != this.place.host_pid);
        }
        Ok(view.session(&agent.parent)?.is_none_or(|parent| !is_running(&parent)))
    };
    let any = call.read(|view| {
        let mut running = view.running(whose)?.into_iter();
        running.try_fold(false, |any, agent| Ok(any || is_gone(view, &agent)?))
    })?;
    if !any {
        return Ok(());
    }
    call.write(Scope::Session(this.key.clone()), "sweep_running", &(), |view| {
        let mut changes = Vec::new();
        for agent in view.running(whose)? {
            if is_gone(view, &agent)? {
                changes.extend(over(view, None, &agent, call.now())?);
            }
        }
        Ok((changes, ()))
    })?;
    Ok(())
}
