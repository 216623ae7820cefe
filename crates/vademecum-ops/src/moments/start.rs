//! The start of a session in all its ways: what is noted, and what comes back into context.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use vademecum_core::context::{Context, Moment};
use vademecum_core::session::{Began, Session};
use vademecum_store::{StoreError, View};

use super::standing::{self, Told, What};
use super::{Hook, spool};
use crate::call::Call;
use crate::error::OpError;
use crate::gather::{self, Kept, Request};

/// Notes what was told, in the store or else in the spool; the session as far as it is known.
pub(super) fn note(hook: &Hook<'_>, told: &Told) -> (Session, Option<OpError>) {
    let call = hook.call(&told.key);
    let error = match standing::note(&call, told) {
        Ok(session) => return (session, None),
        Err(error) => error,
    };
    queue(hook, Some(told), &error);
    let known = call.read(|view| view.session(&told.key)).ok().flatten();
    (known.unwrap_or_else(|| standing::unknown(&told.key, told)), Some(error))
}

/// Puts what was told, or the fault alone, into the spool.
pub(super) fn queue(hook: &Hook<'_>, told: Option<&Told>, error: &OpError) {
    let queued =
        spool::Queued { at: hook.world.now(), fault: error.message.clone(), told: told.cloned() };
    // A spool that cannot be written either is the same full or read-only disk: the fault is said anyway.
    drop(spool::append(&hook.world.folders.data, &queued));
}

/// Takes in what waits in the spool; one sentence for the context if there was anything.
pub(super) fn drain(hook: &Hook<'_>) -> Option<String> {
    let data = &hook.world.folders.data;
    if spool::is_empty(data) {
        return None;
    }
    let take = |queued: &spool::Queued| match &queued.told {
        Some(told) => standing::note(&theirs(hook, told), told).is_ok(),
        None => hook.call(&unnamed()).read(|view| view.off_at()).is_ok(),
    };
    let taken = spool::drain(data, take).unwrap_or_default();
    let first = taken.first()?;
    let n = taken.len();
    let queued = if n == 1 { "1 event was".to_owned() } else { format!("{n} events were") };
    Some(format!(
        "memory was degraded since {}: {}; {queued} queued and taken in now",
        first.at.to_rfc3339(),
        first.fault
    ))
}

/// A call about the folder in which the session of `told` ran, which may be another project's.
fn theirs<'a>(hook: &'a Hook<'_>, told: &Told) -> Call<'a> {
    let call = hook.call(&told.key);
    match &told.place.cwd {
        Some(cwd) => call.about(Path::new(OsStr::from_bytes(cwd))),
        None => call,
    }
}

fn unnamed() -> vademecum_core::session::SessionKey {
    vademecum_core::session::SessionKey {
        harness: String::new(),
        external: String::new(),
        agent: None,
    }
}

/// What one start reads from its snapshot.
struct Seen {
    kept: Kept,
    left: Option<gather::Left>,
}

/// The context of a start; `faults` are said in it.
pub(super) fn context(
    hook: &Hook<'_>,
    moment: Moment,
    session: &Session,
    faults: &[String],
) -> Result<Option<Context>, OpError> {
    let call = hook.call(&session.key);
    let seen = call.read(|view| {
        let kept =
            if session.id.0 == 0 { Kept::default() } else { gather::kept(view, session.id)? };
        let kept = page_once(hook, moment, kept);
        let left = left(hook, view, moment, session, &kept)?;
        Ok(Seen { kept, left })
    })?;
    let request =
        Request { moment, session, kept: &seen.kept, faults, news: None, left: seen.left.as_ref() };
    let nonce = gather::nonce(hook.store.secret().as_ref(), &session.key);
    Ok(gather::context(&request, hook.config, &hook.cap, &nonce))
}

/// Where the page stands in front of each user message, a start only says so: never two in one context.
///
/// Inside a turn there is no user message: after a compaction the page itself comes back.
fn page_once(hook: &Hook<'_>, moment: Moment, kept: Kept) -> Kept {
    let is_inside_turn = match moment {
        Moment::Compact | Moment::AgentCompact => true,
        Moment::Start | Moment::Clear | Moment::Resume | Moment::Fork | Moment::Prompt => false,
    };
    if is_inside_turn || hook.config.scratchpad_budget().is_none() || kept.notepad.trim().is_empty()
    {
        return kept;
    }
    Kept { notepad: "(in front of each user message)".to_owned(), ..kept }
}

/// A fresh start is offered what the session before left; all others have their own.
fn left(
    hook: &Hook<'_>,
    view: &dyn View,
    moment: Moment,
    session: &Session,
    kept: &Kept,
) -> Result<Option<gather::Left>, StoreError> {
    let is_fresh = match moment {
        Moment::Start | Moment::Clear => true,
        Moment::Compact | Moment::Resume | Moment::Fork | Moment::Prompt | Moment::AgentCompact => {
            false
        }
    };
    if !is_fresh || kept.rev != 0 || session.id.0 == 0 {
        return Ok(None);
    }
    // The session that the user cleared ran in this process until now.
    let is_running = |other: &Session| {
        hook.is_running(other)
            && !(moment == Moment::Clear && other.place.host_pid == session.place.host_pid)
    };
    gather::left(view, session, &is_running)
}

/// The way a session begins, as the store keeps it.
pub(super) fn what(moment: Moment, answer: Option<String>) -> What {
    match moment {
        Moment::Start => What::Begins(Began::Start),
        Moment::Clear => What::Begins(Began::Clear),
        Moment::Fork => What::Begins(Began::Fork),
        Moment::Resume | Moment::Prompt => What::Resumes,
        Moment::Compact | Moment::AgentCompact => What::Compacted(answer),
    }
}
