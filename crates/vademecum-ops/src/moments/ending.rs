//! The end of a session or a sub-agent.

use vademecum_core::session::{Place, Session, SessionKey};
use vademecum_harness::hook::Event;
use vademecum_harness::hook::reply::Reply;
use vademecum_store::{Scope, SessionFilter, StoreError, View};

use super::answer::{Answered, awaits, host_pid, known, told};
use super::standing::{NOTE_SESSION, Told, What};
use super::{Hook, capture, late, missed, recap, running, spool, start};
use crate::config::OnSessionEnd;
use crate::error::OpError;
use crate::ops::forget::erase_sessions;
use crate::renderings;

/// Notes that a session ended, or erases it.
pub(super) fn ends(hook: &Hook<'_>, event: &Event<'_>, key: &SessionKey) -> Answered {
    match hook.config.on_session_end {
        // What is taken in late would bring it back.
        OnSessionEnd::Purge => ended(hook, event, key),
        // Nothing tells of it again; noted twice it is noted once.
        OnSessionEnd::Archive => {
            start::keeping(hook, told(hook, event, What::Ends, None), || ended(hook, event, key))
        }
    }
}

fn ended(hook: &Hook<'_>, event: &Event<'_>, key: &SessionKey) -> Answered {
    let session = match known(hook, key) {
        Ok(Some(session)) => session,
        Ok(None) if !awaits(hook, key)? => return Ok((Reply::default(), None)),
        unnoted => {
            // Its start waits still, and so does its end.
            let error = unnoted.err().unwrap_or_else(late::behind);
            start::queue(hook, Some(&told(hook, event, What::Ends, None)), &error);
            return Ok((Reply::default(), Some(error)));
        }
    };
    // Opened twice, it ends with the last of its processes.
    let this = host_pid(hook, event.harness);
    let place = session.place.host_pid.zip(this);
    if place.is_some_and(|(newest, this)| newest != this) && hook.is_running(&session) {
        return Ok((Reply::default(), None));
    }
    if let Some(answered) = goes_on(hook, event, (&session, this)) {
        return Ok(answered);
    }
    missed::settle(hook.world, key);
    if hook.rendered.is_some() && key.agent.is_none() {
        // What stays is swept by the next server of the same harness.
        drop(renderings::forget(hook.world, std::slice::from_ref(&key.to_string())));
    }
    if hook.config.on_session_end == OnSessionEnd::Purge {
        return Ok((Reply::default(), purged(hook, event, session)));
    }
    let (session, error) = start::note(hook, &told(hook, event, What::Ends, None));
    if error.is_none() && key.agent.is_none() {
        // The count comes last: a recap that lacks its time would be made anew.
        let tasks = [recap::Task::AtEnd(session.clone()), recap::Task::Recalled(session)];
        hook.later.tasks.borrow_mut().extend(tasks);
    }
    Ok((Reply::default(), error))
}

/// The answer where the session goes on in another process; none where it ends.
fn goes_on(
    hook: &Hook<'_>,
    event: &Event<'_>,
    (session, this): (&Session, Option<u32>),
) -> Option<(Reply, Option<OpError>)> {
    if session.key.agent.is_some() {
        return None;
    }
    let call = hook.call(&session.key);
    // Where that cannot be read it ends: a hook of the other one makes it run again.
    let place = call.read(|view| elsewhere(hook, view, (session, this))).ok().flatten()?;
    let goes_on = Told { place, ..told(hook, event, What::Resumes, None) };
    let (session, error) = start::note(hook, &goes_on);
    // Its sub-agents in the process that leaves go with that one; a busy store sweeps them at the next start.
    drop(running::sweep(&call, &session, &|other| hook.is_running(other)));
    Some((Reply::default(), error))
}

/// So many of the newest writes of a session are looked at for another process of it, and so many of its hooks' among them.
const WRITES: usize = 500;
const NOTED: usize = 64;

/// Where a session goes on that the process `this` leaves: in the last other one that is still there, and at no other session.
fn elsewhere(
    hook: &Hook<'_>,
    view: &dyn View,
    (session, this): (&Session, Option<u32>),
) -> Result<Option<Place>, StoreError> {
    let mut noted = view.records(&Scope::Session(session.key.clone()), WRITES)?;
    noted.retain(|record| record.kind == NOTE_SESSION);
    noted.truncate(NOTED);
    view.expect(&|view| noted.iter().for_each(|record| drop(view.body(record.seq))));
    for record in noted {
        let reply = view.body(record.seq)?.map(|body| body.reply).unwrap_or_default();
        let host_pid = serde_json::from_str(&reply).unwrap_or_default();
        let place = Place { host_pid, ..session.place.clone() };
        let then = Session { seen_at: record.at, place, ended_at: None, ..session.clone() };
        let is_other = ![None, this, session.place.host_pid].contains(&host_pid);
        if is_other && hook.is_running(&then) && !is_left(view, &then)? {
            return Ok(Some(then.place));
        }
    }
    Ok(None)
}

/// Whether the process of `then` is at another session since.
fn is_left(view: &dyn View, then: &Session) -> Result<bool, StoreError> {
    let filter = SessionFilter { project: Some(then.project), ..SessionFilter::default() };
    let is_since = |other: &Session| {
        other.key != then.key
            && other.host_name == then.host_name
            && other.place.host_pid == then.place.host_pid
            && then.seen_at <= other.seen_at
    };
    Ok(view.sessions(filter)?.iter().any(is_since))
}

/// Erases it; what stands in the way.
fn purged(hook: &Hook<'_>, event: &Event<'_>, session: Session) -> Option<OpError> {
    // What waits of it is the project's: it is taken in before the rest goes.
    let stuck = start::drain(hook, &session.key).stuck;
    let waits = || spool::has_events_below(&hook.world.folders.data, &session.key);
    if let Some(error) = stuck.or_else(|| waits().then(late::behind)) {
        start::queue(hook, Some(&told(hook, event, What::Ends, None)), &error);
        return Some(error);
    }
    let erased = erase_sessions(&hook.call(&session.key), vec![session.key]);
    if let Err(error) = &erased {
        // What could not be erased has ended all the same.
        start::queue(hook, Some(&told(hook, event, What::Ends, None)), error);
    }
    erased.err()
}

/// Notes that a sub-agent ended, and keeps what it reports.
pub(super) fn ends_agent(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    let key = event.session_key();
    if key.agent.is_none() {
        return Ok((Reply::default(), None));
    }
    let reported = capture::Reported::of(hook, event);
    let waits = match (known(hook, &key), awaits(hook, &key)) {
        (Ok(Some(_)), _) => Some(None),
        (Ok(None), Ok(false)) => None,
        (Ok(None), Ok(true)) => Some(Some(late::behind())),
        (Err(error), _) | (Ok(None), Err(error)) => Some(Some(error)),
    };
    let kept = reported.zip(waits).and_then(|(reported, waits)| reported.keep(hook, event, waits));
    hook.later.undone.is_kept();
    let (reply, error) = ends(hook, event, &key)?;
    Ok((reply, error.or(kept)))
}
