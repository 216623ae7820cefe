//! The end of a session or a sub-agent.

use vademecum_core::session::{Session, SessionKey};
use vademecum_harness::hook::Event;
use vademecum_harness::hook::reply::Reply;

use super::answer::{Answered, awaits, host_pid, known, told};
use super::standing::What;
use super::{Hook, capture, late, missed, recap, spool, start};
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
    // Opened twice, it ends with the second of its processes.
    let place = session.place.host_pid.zip(host_pid(hook, event.harness));
    if place.is_some_and(|(newest, this)| newest != this) && hook.is_running(&session) {
        return Ok((Reply::default(), None));
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
