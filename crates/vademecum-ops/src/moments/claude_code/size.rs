//! How full the context of a Claude Code session is, and where it is compacted, from what the harness keeps.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use vademecum_core::planner::Used;
use vademecum_core::session::Session;
use vademecum_harness::claude_code::event::Event;
use vademecum_harness::claude_code::transcript::usage::{TAIL, Tokens, Whose, answered_at, usage};
use vademecum_harness::claude_code::{folders, window};

use super::super::warning::Size;
use crate::world::World;

/// The harness's own record of a session.
pub(super) struct Record {
    /// Where it lies; a sub-agent has one of its own.
    pub(super) path: Option<PathBuf>,
    whose: Whose,
}

impl Record {
    /// The record of the session that the event belongs to.
    pub(super) fn of_event(event: &Event<'_>) -> Self {
        let path = event.transcript_path.clone();
        match &event.agent_id {
            Some(agent) => {
                let path = path.and_then(|path| folders::agent_transcript(&path, agent));
                Self { path, whose: Whose::Agent }
            }
            None => Self { path, whose: Whose::Session },
        }
    }

    /// The record that the hooks of the session last told of.
    fn of_session(session: &Session) -> Self {
        let path = session.place.transcript.clone();
        let path = path.map(|path| PathBuf::from(OsString::from_vec(path)));
        let whose = if session.key.agent.is_some() { Whose::Agent } else { Whose::Session };
        Self { path, whose }
    }

    /// The id of the last answer; none right after a compaction.
    pub(super) fn last_answer(&self) -> Option<String> {
        match self.tokens()? {
            Tokens::Used { message_id, .. } => message_id,
            Tokens::Compacted { .. } | Tokens::Unknown => None,
        }
    }

    /// None where there is no record: that of a first prompt does not exist yet.
    fn tokens(&self) -> Option<Tokens> {
        Some(usage(self.path.as_ref()?, self.whose, TAIL).ok()?.tokens)
    }

    /// Whether the last answer on record was given before the last compaction.
    ///
    /// The record is written late: right after a compaction its last answer may be one that was not
    /// even there yet when the compaction was noted.
    fn is_from_before(&self, session: &Session) -> bool {
        if session.standing.compactions == 0 {
            return false;
        }
        let answered = |path| answered_at(path, self.whose, TAIL).ok().flatten();
        let at = self.path.as_deref().and_then(answered);
        at.is_some_and(|at| at <= session.seen_at)
    }
}

/// The size of the context of `session`, by its `record` and the person's settings.
pub(super) fn of(world: &World, session: &Session, record: &Record) -> Size {
    let (used, answer, model) = match record.tokens() {
        Some(Tokens::Used { tokens, message_id, model }) => {
            (Used::Fresh(tokens), message_id, model)
        }
        Some(Tokens::Compacted { tokens }) => {
            (tokens.map_or(Used::Unknown, Used::Fresh), None, None)
        }
        Some(Tokens::Unknown) | None => (Used::Unknown, None, None),
    };
    let used = if record.is_from_before(session) { Used::Stale { projected: None } } else { used };
    let model = model.or_else(|| session.place.model.clone());
    let env = |name: &str| world.var(name);
    let limit = window::limit(model.as_deref(), &env, &settings(world));
    let unknown = limit.as_ref().err().map(ToString::to_string);
    let limit = limit.ok();
    Size {
        used,
        answer,
        window: limit.map(|limit| limit.window),
        compact_at: limit.map(|limit| limit.compact_at),
        unknown,
    }
}

/// The size of the context of a session that is only looked at, as its hooks left it.
pub(crate) fn of_session(world: &World, session: &Session) -> Size {
    of(world, session, &Record::of_session(session))
}

/// The person's settings, with the project's over them; a file that cannot be read says nothing.
fn settings(world: &World) -> window::Settings {
    let env = |name: &str| world.var(name);
    let own = folders::Folders::new(&env, &world.folders.home).settings;
    let project = |name: &str| world.folders.work.join(".claude").join(name);
    let files = [own, project("settings.json"), project("settings.local.json")];
    let read = |path: PathBuf| window::Settings::parse(&std::fs::read(path).ok()?).ok();
    files.into_iter().filter_map(read).fold(window::Settings::default(), window::Settings::under)
}
