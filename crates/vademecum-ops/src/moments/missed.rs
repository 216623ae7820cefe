//! Contexts that a start owes its model: the store could not be read then, or not in time.
//!
//! Nothing else would bring them back before the session is resumed, so its next prompt or call does. One that was tried too often is tried each minute, and named by `vade doctor`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use vademecum_core::context::Moment;
use vademecum_core::hash;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_files::{FileError, Root, draft_of};
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{self, Event};

use super::answer::{begins, copy_parent, host_pid, moment};
use super::recap::Task;
use super::{Hook, start};
use crate::error::OpError;
use crate::renderings;
use crate::world::World;

/// The folder of them in the data folder: a file for each session.
const FOLDER: &str = "owed";

/// A few words.
const MAX_BYTES: u64 = 1 << 16;

/// So often a context is tried at once; then the store is too slow for it, and prompts have better to tell than nothing.
const TRIES: u32 = 3;

/// After so many milliseconds it is tried again: a store is not slow for ever.
const AGAIN_MS: i64 = 60_000;

/// Whoever tries it is done or ended by its deadline in so many milliseconds; until then nobody else does.
const TRIED_MS: i64 = 1_000;

/// How long is waited for another hook of the session that looks at the same.
const PATIENCE: Duration = Duration::from_millis(20);

/// A context that a session was not given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owed {
    /// Since when.
    pub at: Time,
    /// The full name of the session.
    pub session: String,
    /// At which start, in the harness's word for it.
    pub source: String,
    /// How often it was tried since.
    #[serde(default)]
    pub tries: u32,
    /// When it was tried last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried_at: Option<Time>,
    /// The store that it is in; none where that was not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
}

impl Owed {
    /// Whether it is tried at the next occasion; else a minute after the last one.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.tries < TRIES
    }

    fn is_due_at(&self, now: Time) -> bool {
        self.is_due() || self.tried_at.is_none_or(|at| AGAIN_MS <= now.since(at).abs())
    }
}

/// A start that is under way, and what is owed if it comes to no end.
#[derive(Debug, Clone)]
pub(super) struct Owing {
    data: PathBuf,
    owed: Owed,
}

impl Owing {
    /// What a start owes its model if it is not answered; none where it brings nothing back, or nothing is written.
    pub(super) fn of(world: &World, key: &SessionKey, moment: Moment) -> Option<Self> {
        if world.is_read_only() {
            return None;
        }
        let source = match moment {
            Moment::Compact => "compact",
            Moment::Resume => "resume",
            Moment::Fork => "fork",
            Moment::Clear => "clear",
            Moment::Start => "startup",
            // A sub-agent that was compacted asks again by itself.
            Moment::AgentCompact | Moment::Prompt => return None,
        };
        let (session, source) = (key.to_string(), source.to_owned());
        let store = world.store_name().cloned();
        let owed = Owed { at: world.now(), session, source, tries: 0, tried_at: None, store };
        Some(Self { data: world.folders.data.clone(), owed })
    }

    /// Notes that it was not answered; whether that is on disk.
    pub(super) fn note(&self) -> bool {
        let noted = || -> Result<(), FileError> {
            let data = Root::private(&self.data)?;
            put(&data.make_folder(FOLDER)?, &self.owed)
        };
        // Whoever settles the last one takes the folder away.
        noted().or_else(|_| noted()).is_ok()
    }
}

/// What `event` owes before anything was looked at; what a resume is one of is not known yet, for it may be a fork.
pub(super) fn at_once(world: &World, event: &Event<'_>) -> Option<Owing> {
    match &event.moment {
        hook::Moment::SessionStart { source: hook::Source::Resume, .. } => None,
        hook::Moment::SessionStart { source, .. } => {
            Owing::of(world, &event.session_key(), moment(event, source))
        }
        _ => None,
    }
}

fn put(folder: &Root, owed: &Owed) -> Result<(), FileError> {
    let bytes = serde_json::to_vec(owed).unwrap_or_default();
    folder.replace(file_of(&owed.session, owed.store.as_ref()), &bytes)
}

/// The file of a session in a store, whatever their names hold.
fn file_of(session: &str, store: Option<&String>) -> String {
    let name = format!("{session}\n{}", store.map_or("", String::as_str));
    format!("{}.json", hash::hex(&hash::plain(name.as_bytes()), 16))
}

/// Its files as far as they are of this store: where that was not known one is of any.
fn files_of(session: &str, store: Option<&String>) -> [String; 2] {
    [file_of(session, store), file_of(session, None)]
}

fn folder(data: &Path) -> Option<Root> {
    Root::open_private(data).ok()??.below(FOLDER).ok()?
}

fn parsed(folder: &Root, file: impl AsRef<Path>) -> Option<Owed> {
    serde_json::from_slice(&folder.read(file, MAX_BYTES).ok()??).ok()
}

/// The file that a writer that was killed left a draft of.
fn draft(name: &OsStr) -> Option<&str> {
    draft_of(name.to_str()?)
}

/// The contexts that sessions were not given yet, in the order in which they began to be owed.
#[must_use]
pub fn owed(data: &Path) -> Vec<Owed> {
    let Some(folder) = folder(data) else { return Vec::new() };
    let entries = folder.entries().unwrap_or_default().into_iter();
    let files = entries.map(|entry| entry.name).filter(|name| draft(name).is_none());
    let mut owed: Vec<Owed> = files.filter_map(|name| parsed(&folder, name)).collect();
    owed.sort_by(|one, other| (one.at, &one.session).cmp(&(other.at, &other.session)));
    owed
}

/// What a session is owed, tried however often.
fn all(folder: &Root, world: &World, key: &SessionKey) -> impl Iterator<Item = Owed> {
    let name = key.to_string();
    let files = files_of(&name, world.store_name()).into_iter();
    files.filter_map(|file| parsed(folder, file)).filter(move |owed| owed.session == name)
}

/// What a session is owed and was not tried too often.
fn found(folder: &Root, world: &World, key: &SessionKey) -> Option<Owed> {
    all(folder, world, key).find(|owed| owed.is_due_at(world.now()))
}

/// The start whose context a session is owed, where that is not asked for at each compaction and resume.
pub(super) fn start_of(world: &World, key: &SessionKey) -> Option<Moment> {
    // What is not due now is asked for all the same: it is to be there once it is.
    let owed = all(&folder(&world.folders.data)?, world, key).next()?;
    match owed.source.as_str() {
        "startup" => Some(Moment::Start),
        "clear" => Some(Moment::Clear),
        _ => None,
    }
}

/// Takes it on to give the session what it is owed: of several hooks at once one does.
///
/// It counts as tried before it is: a deadline in the midst of it counts.
fn claim(world: &World, key: &SessionKey) -> Option<Owed> {
    let folder = folder(&world.folders.data)?;
    let _lock = folder.lock(PATIENCE).ok()?;
    let (owed, now) = (found(&folder, world, key)?, world.now());
    let is_tried = owed.tried_at.is_some_and(|at| now.since(at).abs() < TRIED_MS);
    if is_tried {
        return None;
    }
    put(&folder, &Owed { tries: owed.tries + 1, tried_at: Some(now), ..owed.clone() }).ok()?;
    Some(owed)
}

/// Whether a session is owed its context, and it is still tried.
pub(super) fn is_owed(hook: &Hook<'_>, key: &SessionKey) -> bool {
    let owed = || found(&folder(&hook.world.folders.data)?, hook.world, key);
    key.agent.is_none() && owed().is_some()
}

/// Answers with the context that the session is owed; none where it is owed none, or there is nothing to tell by now.
pub(super) fn made_up(
    hook: &Hook<'_>,
    event: &Event<'_>,
) -> Result<Option<(Reply, Option<OpError>)>, OpError> {
    let key = event.session_key();
    if !is_owed(hook, &key) {
        return Ok(None);
    }
    // What is asked beforehand is there for the next one, if the deadline ends this one.
    if hook.rendered.is_some_and(|rendered| !rendered.is_current()) {
        renderings::want(hook.world, &key, host_pid(hook, event.harness));
    }
    // While vade is off nothing is tried.
    if hook.call(&key).session_if_on()?.is_none() {
        return Ok(None);
    }
    let Some(owed) = claim(hook.world, &key) else { return Ok(None) };
    let drained = start::drain(hook, &key);
    let Some(session) = hook.call(&key).session_if_on()? else { return Ok(None) };
    let source = hook::Source::from(std::borrow::Cow::Borrowed(owed.source.as_str()));
    let moment = moment(event, &source);
    let (lacks, error) = match moment {
        Moment::Fork => copy_parent(hook, event, (&session, None)),
        _ => (None, None),
    };
    let said = late(moment).into_iter().chain(drained.said().or(lacks));
    let said: Vec<String> = said.collect();
    let said = (!said.is_empty()).then(|| said.join("; "));
    let answered = begins(hook, event, (moment, &session), (said, error))?;
    given(hook, key);
    Ok(Some(answered).filter(|(reply, _)| reply.context.is_some()))
}

/// What is said of a context that comes late to a conversation that went on without it.
fn late(moment: Moment) -> Option<String> {
    let when = match moment {
        Moment::Compact => "this conversation was compacted",
        Moment::Resume => "this session was resumed",
        _ => return None,
    };
    Some(format!(
        "it could not be read when {when}, and comes late: check what you did since against it"
    ))
}

/// Lets it be noted that the session has its context, first of all once that is out: until then the deadline may end it.
pub(super) fn given(hook: &Hook<'_>, key: SessionKey) {
    hook.later.tasks.borrow_mut().insert(0, Task::Given(key));
}

/// Notes that the session has what it was owed, or has ended: whoever goes on with it is told at the start.
pub(super) fn settle(world: &World, key: &SessionKey) {
    // What cannot be noted is given twice.
    drop(forget(world, std::slice::from_ref(&key.to_string())));
}

/// Takes the files of these sessions away; what they are owed of another store is that one's.
pub(super) fn forget(world: &World, sessions: &[String]) -> Result<(), FileError> {
    let Some(data) = Root::open_private(&world.folders.data)? else { return Ok(()) };
    let Some(folder) = data.below(FOLDER)? else { return Ok(()) };
    let files: BTreeSet<String> =
        sessions.iter().flat_map(|name| files_of(name, world.store_name())).collect();
    for entry in folder.entries()? {
        let of = draft(&entry.name).or_else(|| entry.name.to_str());
        if of.is_some_and(|of| files.contains(of)) {
            folder.remove_file(&entry.name)?;
        }
    }
    data.remove_empty_folder(FOLDER)
}
