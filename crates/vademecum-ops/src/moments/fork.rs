//! A fork: which session it was copied from, and the copies of what that one kept.
//!
//! Claude Code tells a fork neither its parent's id nor, at the start, where the copied history is. What
//! the history holds of our own contexts tells: their receipts were logged with the session's name.
//! Versions that do not tell of forks at all call one a resume: of the parent, or of a session that
//! nobody knows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_files::read_named;
use vademecum_harness::claude_code::transcript::contexts::contexts;
use vademecum_harness::claude_code::{ID, forks};
use vademecum_harness::codex::origin;
use vademecum_harness::hook::{Event, Harness};
use vademecum_store::{Scope, SessionFilter};

use super::answer::{host_pid, known};
use super::standing::NOTE_WORK;
use super::{Hook, log};
use crate::children::{Given, changes};
use crate::error::OpError;
use crate::who::full_key;

/// The most that Linux lets a program be started with.
const ARGUMENTS_MAX: u64 = 6 << 20;

/// A fork that the harness told of as a resume: its own event, and the session that it was copied from.
///
/// None for a session that goes on as itself. Nothing is looked up for most of them: the file that the
/// harness keeps for their environment bears their own name.
pub(super) fn told_as_resume<'e>(
    hook: &Hook<'_>,
    event: &Event<'e>,
) -> Option<(Event<'e>, SessionKey)> {
    let (Harness::ClaudeCode, None) = (event.harness, &event.agent_id) else { return None };
    let named = forks::environment_of(&|name| hook.world.var(name))?;
    if named == event.session_id {
        return None;
    }
    resume_of_parent(hook, event, named).or_else(|| resume_of_branch(hook, event))
}

/// `--fork-session`: the event names the parent, and the environment the fork, which is new.
fn resume_of_parent<'e>(
    hook: &Hook<'_>,
    event: &Event<'e>,
    named: String,
) -> Option<(Event<'e>, SessionKey)> {
    let key = full_key(&format!("{ID}:{named}"))?;
    if !forks::is_asked_for(&arguments(host_pid(hook, event.harness))?) || is_known(hook, &key) {
        return None;
    }
    let beside = |path: &PathBuf| path.with_file_name(format!("{named}.jsonl"));
    let transcript_path = event.transcript_path.as_ref().map(beside);
    let fork = Event { session_id: named.into(), transcript_path, ..event.clone() };
    Some((fork, event.session_key()))
}

/// `/branch`: the event names the fork, which is new, and its record a parent that we know.
fn resume_of_branch<'e>(hook: &Hook<'_>, event: &Event<'e>) -> Option<(Event<'e>, SessionKey)> {
    let key = event.session_key();
    let external = forks::branched_from(event.transcript_path.as_deref()?).ok()??;
    let parent = SessionKey { external, ..key.clone() };
    let is_fork = parent != key && is_known(hook, &parent) && !is_known(hook, &key);
    is_fork.then(|| (event.clone(), parent))
}

/// Whether the store knows the session; one that cannot be read knows none.
fn is_known(hook: &Hook<'_>, key: &SessionKey) -> bool {
    hook.call(key).read(|view| view.session(key)).is_ok_and(|found| found.is_some())
}

/// The arguments of a process, each with a zero byte behind it; none where nothing tells them.
fn arguments(pid: Option<u32>) -> Option<Vec<u8>> {
    read_named(Path::new(&format!("/proc/{}/cmdline", pid?)), ARGUMENTS_MAX).ok()?
}

/// The session that a fork is a copy of: the one that its record names, else the one that its process was asked for.
///
/// A branch of a branch is of the same process, whose arguments name the first of them, and history alone may tell
/// contexts of that one only.
fn named(hook: &Hook<'_>, fork: &Session, record: Option<&Path>) -> Option<SessionKey> {
    let branched = || {
        let external = forks::branched_from(record?).ok()??;
        let parent = SessionKey { external, agent: None, ..fork.key.clone() };
        (parent != fork.key && is_known(hook, &parent)).then_some(parent)
    };
    let asked = || {
        let parent = asked_for(&fork.key, fork.place.host_pid)?;
        (is_known(hook, &parent) && is_first(hook, fork, &parent)).then_some(parent)
    };
    branched().or_else(asked)
}

/// Whether the process has had no session but the fork and its parent.
fn is_first(hook: &Hook<'_>, fork: &Session, parent: &SessionKey) -> bool {
    let Some(pid) = fork.place.host_pid else { return true };
    let began = (hook.world.process_began)(pid);
    let of_project = SessionFilter { project: Some(fork.project), ..SessionFilter::ALL };
    let is_third = |it: &Session| {
        it.place.host_pid == Some(pid)
            && it.host_name == hook.world.host_name
            && it.key.agent.is_none()
            && it.key != fork.key
            && it.key != *parent
            // Its number may have been another process's before.
            && began.is_none_or(|began| began <= it.started_at)
    };
    let all = hook.call(&fork.key).read(|view| view.sessions(of_project));
    all.is_ok_and(|all| !all.iter().any(is_third))
}

/// The session that the harness's process was asked to go on with, by its arguments.
fn asked_for(key: &SessionKey, host_pid: Option<u32>) -> Option<SessionKey> {
    let external = resumed(&arguments(host_pid)?)?;
    let parent = SessionKey { external, agent: None, ..key.clone() };
    (parent != *key).then_some(parent)
}

/// The value of `--resume` or `-r` among arguments that end with a zero byte each.
fn resumed(arguments: &[u8]) -> Option<String> {
    let mut words = arguments.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    while let Some(word) = words.next() {
        let value = match &*word {
            "--resume" | "-r" => words.next()?.into_owned(),
            word => match word.strip_prefix("--resume=") {
                Some(value) => value.to_owned(),
                None => continue,
            },
        };
        let is_id =
            !value.is_empty() && !value.starts_with('-') && !value.contains(char::is_whitespace);
        return is_id.then_some(value);
    }
    None
}

/// The session that Codex's own record names as the one that it was copied from.
fn recorded(key: &SessionKey, rollout: Option<&Path>) -> Option<SessionKey> {
    let external = origin(rollout?).ok()?.forked_from?;
    let parent = SessionKey { external, agent: None, ..key.clone() };
    (parent != *key).then_some(parent)
}

/// The session whose contexts stand in the copied history, by the newest receipt.
fn told_by_history(hook: &Hook<'_>, key: &SessionKey, transcript: &Path) -> Option<SessionKey> {
    let sent = log::sent(&hook.world.folders.data);
    let receipts: Vec<String> = contexts(transcript)
        .ok()?
        .filter_map(Result::ok)
        .filter_map(|context| context.receipt)
        .collect();
    let session = receipts.iter().rev().find_map(|receipt| {
        let found = sent.iter().rev().find(|sent| sent.receipt == *receipt)?;
        full_key(&found.session).filter(|other| other != key)
    })?;
    Some(session)
}

/// The session of `key` if it is a fork whose parent is not known, and which has not been at work for long.
///
/// A history that tells nothing by then never will, and each look at it reads all of it. What the model writes
/// before its first prompt is no work that a hook noted.
pub(super) fn open(hook: &Hook<'_>, key: &SessionKey) -> Result<Option<Session>, OpError> {
    let fork = known(hook, key)?.filter(|session| {
        session.began == Began::Fork && session.parent.is_none() && key.agent.is_none()
    });
    let Some(fork) = fork else { return Ok(None) };
    let scope = Scope::Session(fork.key.clone());
    let newest = hook.call(key).read(|view| view.records(&scope, FEW))?;
    let is_at_work = newest.len() == FEW || newest.iter().any(|it| it.kind == NOTE_WORK);
    Ok((!is_at_work).then_some(fork))
}

/// A fork that wrote so often is at work, whatever its hooks noted.
const FEW: usize = 20;

/// The session that the harness names as the one that a fork was copied from.
pub(super) fn parent(
    hook: &Hook<'_>,
    harness: Harness,
    fork: &Session,
    record: Option<&Path>,
) -> Option<SessionKey> {
    match harness {
        Harness::ClaudeCode => named(hook, fork, record),
        Harness::Codex => recorded(&fork.key, record),
    }
}

/// Links a fork to its parent: the one that is named, whose copies a busy store did not take at the start, else the one
/// that its history tells of, once that is there.
pub(super) fn link(
    hook: &Hook<'_>,
    harness: Harness,
    fork: &Session,
    history: &Path,
) -> Result<(), OpError> {
    let told = || match harness {
        Harness::ClaudeCode => awaited(|| told_by_history(hook, &fork.key, history)),
        Harness::Codex => None,
    };
    match parent(hook, harness, fork, Some(history)).or_else(told) {
        Some(parent) => copy(hook, fork, &parent).map(drop),
        None => Ok(()),
    }
}

/// What `look` finds, asked again for a tenth of a second: the copied history is written late.
#[expect(clippy::disallowed_methods, reason = "another process writes what is waited for")]
fn awaited<T>(look: impl Fn() -> Option<T>) -> Option<T> {
    for _ in 0..10 {
        if let Some(found) = look() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Copies page and notes of `parent` into a fork of its project; says what it lacks.
///
/// Arguments, records and histories may name any session: what another project keeps stays there.
pub(super) fn copy(
    hook: &Hook<'_>,
    fork: &Session,
    parent: &SessionKey,
) -> Result<Option<String>, OpError> {
    let call = hook.call(&fork.key);
    call.write(Scope::Session(fork.key.clone()), "copy_session", parent, |view| {
        let parent = view.session(parent)?.filter(|parent| parent.project == fork.project);
        let is_linked = view.session(&fork.key)?.is_some_and(|fork| fork.parent.is_some());
        let Some(parent) = parent.filter(|_| !is_linked) else { return Ok((Vec::new(), ())) };
        Ok((changes(view, &fork.key, &parent, Given::Everything, hook.world.now())?, ()))
    })?;
    call.read(|view| {
        let (has, of) = (view.counts(&fork.key)?.notes, view.counts(parent)?.notes);
        let lacks = has != 0 && has < of && view.store()?.unfinished.has_forks;
        let said = || {
            format!("of its parent's {of} notes the newest {has} are shown from here; tools have them all")
        };
        Ok(lacks.then(said))
    })
}

#[cfg(test)]
mod tests {
    use super::resumed;

    #[test]
    fn reads_the_session_that_is_resumed() {
        for (arguments, expected) in [
            ("claude\0-p\0--resume\0abc-1\0--fork-session\0hi\0", Some("abc-1")),
            ("claude\0-r\0abc-1\0", Some("abc-1")),
            ("claude\0--resume=abc-1\0", Some("abc-1")),
            ("claude\0--resume\0--fork-session\0", None),
            ("claude\0--continue\0", None),
            ("claude\0-p\0say --resume now\0", None),
        ] {
            assert_eq!(resumed(arguments.as_bytes()).as_deref(), expected, "{arguments:?}");
        }
    }
}
