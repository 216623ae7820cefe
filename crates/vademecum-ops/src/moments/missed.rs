//! Contexts that a start owes its model: the store could not be read then, or not in time.
//!
//! Nothing else would bring them back before the session is resumed, so its next prompt or call does. One that was tried too often stays in the list, for `vade doctor`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum_core::context::Moment;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_files::FileError;
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{self, Event};

use super::answer::{begins, copy_parent, moment};
use super::list::{self, List};
use super::recap::Task;
use super::{Hook, start};
use crate::error::OpError;
use crate::world::World;

const LIST: List = List("owed.jsonl");

/// So often a context is tried; then the store is too slow for it, and prompts have better to tell than nothing.
const TRIES: u32 = 3;

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
}

impl Owed {
    /// Whether it is still tried.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.tries < TRIES
    }
}

/// A start that is under way, and what is owed if it comes to no end.
#[derive(Debug, Clone)]
pub(super) struct Owing {
    data: PathBuf,
    owed: Owed,
}

impl Owing {
    /// What a start owes its model if it is not answered; none where it brings nothing back.
    pub(super) fn of(world: &World, key: &SessionKey, moment: Moment) -> Option<Self> {
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
        let owed = Owed { at: world.now(), session, source, tries: 0 };
        Some(Self { data: world.folders.data.clone(), owed })
    }

    /// Notes that it was not answered.
    pub(super) fn note(&self) {
        LIST.append(&self.data, &self.owed);
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

/// The contexts that sessions were not given yet, in the order in which they began to be owed.
#[must_use]
pub fn owed(data: &Path) -> Vec<Owed> {
    list::parsed(&LIST.text(data)).collect()
}

/// Answers with the context that the session is owed; none where it is owed none, or there is nothing to tell by now.
pub(super) fn made_up(
    hook: &Hook<'_>,
    event: &Event<'_>,
) -> Result<Option<(Reply, Option<OpError>)>, OpError> {
    let (key, data) = (event.session_key(), &hook.world.folders.data);
    let name = key.to_string();
    let mut owed = owed(data).into_iter().rev();
    let is_due = |owed: &Owed| owed.is_due() && key.agent.is_none();
    let Some(last) = owed.find(|owed| owed.session == name).filter(is_due) else {
        return Ok(None);
    };
    // Before it is tried: a deadline in the midst of it counts.
    settle(data, &key, Some(&Owed { tries: last.tries + 1, ..last.clone() }));
    let drained = start::drain(hook, &key);
    let Some(session) = hook.call(&key).session_if_on()? else { return Ok(None) };
    let source = hook::Source::from(std::borrow::Cow::Borrowed(last.source.as_str()));
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

/// Notes that the session has what it was owed, or that it is to be tried `again`.
pub(super) fn settle(data: &Path, key: &SessionKey, again: Option<&Owed>) {
    let name = key.to_string();
    // What cannot be noted is given twice.
    drop(forget(data, std::slice::from_ref(&name)));
    if let Some(again) = again {
        LIST.append(data, again);
    }
}

/// Takes every line of these sessions out of the list.
pub(super) fn forget(data: &Path, sessions: &[String]) -> Result<(), FileError> {
    LIST.retain(data, |line| {
        let owed: Owed = serde_json::from_slice(line).ok()?;
        (!sessions.contains(&owed.session)).then(|| line.to_vec())
    })
}
