//! Recaps at moments: the one that is kept while it still tells all, else one that is made in time.
//!
//! A recap is a help and never in the way: it is made beside the hook's own work, which goes on without
//! it when its time is up or its maker fails.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use vademecum_core::intake::is_own_block;
use vademecum_core::profile::Lack;
use vademecum_core::profile::reminder::Happened;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_core::turn::Turn;
use vademecum_harness::hook::Harness;
use vademecum_harness::transcript::{Format, Span};
use vademecum_recap::Digest;
use vademecum_store::{Change, Scope, StoreError, View};

use super::{Hook, fork, missed, recalled, start};
use crate::gather;
use crate::handoffs;
use crate::recaps::{self, BUDGET, Kept, find, wholes};
use crate::renderings;
use crate::succession::{has_worked, latest};
use crate::upkeep;

/// A transcript of up to this many bytes is read whole before a compaction.
const WHOLE: u64 = 6 * 1024 * 1024;

/// How much of a transcript is read for what happened lately.
const LATELY: Span = Span::Ends { head: 0, tail: 1024 * 1024 };

/// What the summariser of a compaction is told of exact facts, in tokens.
const EXACT: usize = 330;

/// So many chunks a method weighs at a hook: the 2,000 of a long transcript took half a second, and a hook has a third of that.
const CHUNKS: usize = 200;

/// So many sessions of a project are looked at for one whose recap is missing.
const LOOKED_AT: usize = 10;

/// What is done once the answer of a moment is out.
pub(super) enum Task {
    /// Keeps the recap that was made of a session.
    Keep(Session, Box<Kept>),
    /// Keeps a recap of a session that has just ended.
    AtEnd(Session),
    /// Counts what the prompts of a session that has just ended were told, and whether it was used.
    Recalled(Session),
    /// Writes the handoff of a session to the file of the work tree.
    File(Session),
    /// Makes a recap that an earlier session than this one lacks.
    OneMore(Session),
    /// Links a fork to the parent that this history tells of.
    Link(Harness, Session, PathBuf),
    /// The same for a session that may be one; nothing to do for all others.
    LinkIfOpen(Harness, SessionKey, PathBuf),
    /// Ends what was begun to be forgotten.
    Unfinished,
    /// Notes that a session has the context of its start.
    Given(SessionKey),
    /// Takes in what waits, that of this session first.
    TakeIn(SessionKey),
    /// Asks for a rendering of a session, whose harness is this process.
    Render(SessionKey, Option<u32>),
}

/// Does what waited for the answer.
pub(super) fn perform(hook: &Hook<'_>, task: Task) {
    match task {
        Task::Keep(session, kept) => keep(hook, &session, &kept),
        Task::AtEnd(session) => at_end(hook, &session),
        Task::Recalled(session) => recalled::at_end(hook, &session),
        // What cannot be written now is written at the next moment that tells all.
        Task::File(session) => drop(write_file(hook, &session, None)),
        Task::OneMore(session) => one_more(hook, &session),
        Task::TakeIn(key) => drop(start::drain(hook, &key)),
        Task::Render(key, host_pid) => renderings::want(hook.world, &key, host_pid),
        Task::Given(key) => missed::settle(hook.world, &key),
        // It is no acknowledged write, and its own call is tried again until the fork has worked.
        Task::Link(harness, fork, history) => drop(fork::link(hook, harness, &fork, &history)),
        // What the store does not take now is left to the next start, command or server.
        Task::Unfinished => drop(upkeep::finish(hook.store, hook.world, hook.config)),
        Task::LinkIfOpen(harness, key, history) => {
            if let Ok(Some(fork)) = fork::open(hook, &key) {
                drop(fork::link(hook, harness, &fork, &history));
            }
        }
    }
    // What was made meanwhile is kept at once: there is no answer left to wait for.
    for task in hook.later.tasks.take() {
        if let Task::Keep(session, kept) = task {
            keep(hook, &session, &kept);
        }
    }
}

/// A recap that was made now.
pub(super) struct Made {
    /// The recap in the form that is kept.
    pub(super) kept: Kept,
    /// What a summary loses first.
    pub(super) exact: String,
}

/// A recap that tells all of a transcript as it is now.
pub(super) struct Fresh {
    /// The recap.
    pub(super) kept: Kept,
    /// Whether it had to be made.
    pub(super) is_made: bool,
}

/// The recap of all that `session` did so far: `kept` if nothing was added since, else a new one.
///
/// None where recaps are switched off, and where there was no time for one. A transcript that is gone
/// is told by the recap that was kept of it.
pub(super) fn fresh(hook: &Hook<'_>, session: &Session, kept: Option<Kept>) -> Option<Fresh> {
    if !hook.config.recap.enabled {
        return None;
    }
    let kept = kept.map(|kept| Fresh { kept, is_made: false });
    let Some((path, size)) = transcript(session) else {
        return kept;
    };
    let is_fresh = |kept: &Kept| kept.size == size && kept.method == hook.config.recap.method;
    if let Some(fresh) = kept.filter(|fresh| is_fresh(&fresh.kept)) {
        return Some(fresh);
    }
    let kept = make(hook, session, path, Span::HOOK)?.kept;
    Some(Fresh { kept, is_made: true })
}

/// Whether `kept` tells all that `session` did, as far as its transcript is still there.
pub(super) fn is_current(hook: &Hook<'_>, session: &Session, kept: &Kept) -> bool {
    hook.config.recap.enabled && transcript(session).is_none_or(|(_, size)| size == kept.size)
}

/// The recap of all that `session` did so far, for a compaction that comes next.
pub(super) fn before_compaction(hook: &Hook<'_>, session: &Session) -> Option<Made> {
    let (path, size) = transcript(session).filter(|_| hook.config.recap.enabled)?;
    let span = if size <= WHOLE { Span::Whole } else { Span::HOOK };
    make(hook, session, path, span)
}

/// What `session` has, as far as its transcript tells, that `kept` does not say.
///
/// None where nobody may look, nothing is found, or there was no time for it.
pub(super) fn lacking(hook: &Hook<'_>, session: &Session, kept: String) -> Option<Vec<Lack>> {
    let (path, size) = transcript(session).filter(|_| hook.config.recap.enabled)?;
    let span = if size <= WHOLE { Span::Whole } else { Span::HOOK };
    let (format, policy) = (format_of(session), hook.config.policy());
    in_time(hook, move || {
        let read = recaps::read(&path, format, span, policy).ok()?;
        let mut lacks = read.digest.lacking(&kept)?;
        lacks.retain(|lack| !is_own_block(&lack.example));
        Some(lacks)
    })
}

/// What `say` makes of what happened in `session` after `since`; of an older stretch only its end is read.
pub(super) fn reminder(
    hook: &Hook<'_>,
    session: &Session,
    since: Option<Time>,
    say: impl FnOnce(&Happened<'_>) -> Option<String>,
) -> Option<String> {
    let (path, _) = transcript(session).filter(|_| hook.config.recap.enabled)?;
    let (format, policy) = (format_of(session), hook.config.policy());
    let is_since = move |turn: &Turn| since.is_none_or(|since| Some(since) < turn.at);
    let push = move |digest: &mut Digest, turn: &Turn| {
        if is_since(turn) {
            digest.push(turn);
        }
    };
    let digest = in_time(hook, move || {
        let read = recaps::read_with(&path, format, (LATELY, policy), Digest::new, push);
        Some(read.ok()?.digest)
    })?;
    say(&digest.happened()).filter(|line| !is_own_block(line))
}

/// The line on the files that are as `session` read them, as far as there is time to look.
pub(super) fn unchanged(hook: &Hook<'_>, session: &Session, kept: &Kept) -> Option<String> {
    if kept.wholes.is_empty() {
        return None;
    }
    let (kept, root) = (kept.clone(), hook.call(&session.key).place().root.clone());
    in_time(hook, move || wholes::unchanged(&kept, &root))
}

/// Keeps the recap of a session that has just ended, if it did anything.
fn at_end(hook: &Hook<'_>, session: &Session) {
    let kept = hook.call(&session.key).read(|view| {
        let is_work = has_worked(view, session)?;
        Ok((is_work, if is_work { gather::recap(view, &session.key)? } else { None }))
    });
    if let Ok((true, kept)) = kept {
        let fresh = fresh(hook, session, kept);
        write_file(hook, session, fresh.as_ref().map(|fresh| &fresh.kept));
    }
}

/// Writes the handoff of `session` to the file of the work tree, where one is set; whether it was.
pub(super) fn write_file(hook: &Hook<'_>, session: &Session, recap: Option<&Kept>) -> bool {
    if hook.config.recap.handoff_file.is_none() {
        return false;
    }
    let call = hook.call(&session.key);
    let left = call.read(|view| handoffs::Left::of(view, hook.world, session));
    let Ok(mut left) = left else { return false };
    left.recap = recap.cloned().or(left.recap);
    !left.is_empty() && handoffs::write_file(&call, session, &left, BUDGET).is_ok()
}

/// Makes the recap of one earlier session of the project that has none, or one that is out of date.
fn one_more(hook: &Hook<'_>, this: &Session) {
    if !hook.config.recap.enabled {
        return;
    }
    let is_running = |other: &Session| hook.is_running(other);
    let ended = hook.call(&this.key).read(|view| ended(view, this, &is_running));
    // What cannot be read now is looked for at the next start.
    let mut ended = ended.unwrap_or_default().into_iter();
    let stale = ended.find_map(|(session, told)| {
        let (path, size) = transcript(&session)?;
        (told != Some(size)).then_some((session, path))
    });
    if let Some((session, path)) = stale {
        drop(make(hook, &session, path, Span::HOOK));
    }
}

/// Earlier sessions that worked and have ended, each with how much of its transcript its recap tells.
fn ended(
    view: &dyn View,
    this: &Session,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<Vec<(Session, Option<u64>)>, StoreError> {
    let mut worked = Vec::new();
    for session in latest(view, this.project, LOOKED_AT)? {
        if session.key != this.key && has_worked(view, &session)? && !is_running(&session) {
            worked.push(session);
        }
    }
    view.expect(&|view| worked.iter().map(|it| view.recap(&it.key)).for_each(drop));
    let told = |session: Session| {
        let told = view.recap(&session.key)?.and_then(|kept| Kept::size_in(&kept.body));
        Ok((session, told))
    };
    worked.into_iter().map(told).collect()
}

/// Where the transcript of a session lies and how long it is; none if it is not there.
fn transcript(session: &Session) -> Option<(PathBuf, u64)> {
    let path = find::of_session(session)?;
    let size = path.metadata().ok()?.len();
    Some((path, size))
}

/// Makes a recap while there is time, and keeps it.
fn make(hook: &Hook<'_>, session: &Session, path: PathBuf, span: Span) -> Option<Made> {
    let (format, policy) = (format_of(session), hook.config.policy());
    // Without its memories there is no recap by a method that weighs against them.
    let making = recaps::making(&hook.call(&session.key), session).ok()?.within(CHUNKS);
    let made = in_time(hook, move || {
        let read = recaps::read_for(&making, &path, format, (span, policy)).ok()?;
        let exact = recaps::exact(read.digest.digest(), EXACT, &making.beside);
        Some(Made { kept: Kept::of(read, making, BUDGET), exact })
    })?;
    hook.later.tasks.borrow_mut().push(Task::Keep(session.clone(), Box::new(made.kept.clone())));
    Some(made)
}

/// How the transcript of a session is written.
fn format_of(session: &Session) -> Option<Format> {
    Format::ALL.into_iter().find(|format| format.name() == session.key.harness)
}

fn keep(hook: &Hook<'_>, session: &Session, kept: &Kept) {
    if !session.has_project() {
        return;
    }
    let scope = Scope::Session(session.key.clone());
    let written = hook.call(&session.key).write(scope, "keep_recap", &kept.size, |_| {
        let at = hook.world.now();
        Ok((vec![Change::SetRecap { session: session.key.clone(), body: kept.body(), at }], ()))
    });
    // What a busy store does not take is made again at the next moment that asks for it.
    drop(written);
}

/// What `make` gives within the time that a moment has for it; its thread ends with the process.
fn in_time<T: Send + 'static>(
    hook: &Hook<'_>,
    make: impl FnOnce() -> Option<T> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let maker = std::thread::Builder::new().spawn(move || drop(sender.send(make())));
    maker.ok()?;
    let left = hook.recap_until.since(hook.world.now());
    receiver.recv_timeout(Duration::from_millis(u64::try_from(left).unwrap_or(0))).ok()?
}
