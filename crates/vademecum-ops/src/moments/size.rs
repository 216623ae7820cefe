//! How full the context of a session is, and where it is compacted, from what its harness keeps.

mod claude_code;
mod codex;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use vademecum_core::session::Session;
use vademecum_harness::claude_code::folders::agent_transcript;
use vademecum_harness::hook::{Event, Harness, Moment};

use super::warning::Size;
use crate::world::World;

/// The harness's own record of a session.
pub(super) struct Record {
    harness: Harness,
    /// Where it lies; a sub-agent has one of its own.
    pub(super) path: Option<PathBuf>,
    is_agent: bool,
}

impl Record {
    /// The record of the session that the event belongs to.
    pub(super) fn of_event(event: &Event<'_>) -> Self {
        let told = event.transcript_path.clone();
        let path = match (event.harness, &event.agent_id, &event.moment) {
            (Harness::ClaudeCode, Some(agent), _) => {
                told.and_then(|path| agent_transcript(&path, agent))
            }
            (Harness::Codex, Some(_), Moment::SubagentStop { transcript_path, .. }) => {
                transcript_path.clone()
            }
            (Harness::ClaudeCode | Harness::Codex, _, _) => told,
        };
        Self { harness: event.harness, path, is_agent: event.agent_id.is_some() }
    }

    /// The record that the hooks of the session last told of; none of a harness that has no hooks.
    fn of_session(session: &Session) -> Option<Self> {
        let harness = Harness::of(&session.key.harness)?;
        let path = session.place.transcript.clone();
        let path = path.map(|path| PathBuf::from(OsString::from_vec(path)));
        Some(Self { harness, path, is_agent: session.key.agent.is_some() })
    }

    /// The id of the last answer; none right after a compaction.
    pub(super) fn last_answer(&self) -> Option<String> {
        match self.harness {
            Harness::ClaudeCode => claude_code::last_answer(self),
            Harness::Codex => codex::last_answer(self),
        }
    }
}

/// The size of the context of `session`, by its `record` and the person's settings.
pub(super) fn of(world: &World, session: &Session, record: &Record) -> Size {
    match record.harness {
        Harness::ClaudeCode => claude_code::of(world, session, record),
        Harness::Codex => codex::of(world, record),
    }
}

/// The limits of a session of Claude Code whose harness says itself how much is used.
pub(super) fn limit(world: &World, model: Option<&str>, session: &Session) -> Size {
    claude_code::limit(world, model.or(session.place.model.as_deref()))
}

/// The size of the context of a session that is only looked at, as its hooks left it.
pub(super) fn of_session(world: &World, session: &Session) -> Option<Size> {
    Some(of(world, session, &Record::of_session(session)?))
}
