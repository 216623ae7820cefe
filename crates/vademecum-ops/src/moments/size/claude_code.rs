//! The size of a context of Claude Code, by its transcript and the person's settings.

use vademecum_core::planner::Used;
use vademecum_core::session::Session;
use vademecum_files::{Root, read_named};
use vademecum_harness::claude_code::transcript::usage::{TAIL, Tokens, Whose, answered_at, usage};
use vademecum_harness::claude_code::{folders, window};

use super::super::warning::Size;
use super::Record;
use crate::world::World;

pub(super) fn last_answer(record: &Record) -> Option<String> {
    match record.tokens()? {
        Tokens::Used { message_id, .. } => message_id,
        Tokens::Compacted { .. } | Tokens::Unknown => None,
    }
}

impl Record {
    fn whose(&self) -> Whose {
        if self.is_agent { Whose::Agent } else { Whose::Session }
    }

    /// None where there is no record: that of a first prompt does not exist yet.
    fn tokens(&self) -> Option<Tokens> {
        Some(usage(self.path.as_ref()?, self.whose(), TAIL).ok()?.tokens)
    }

    /// Whether the last answer on record was given before the last compaction.
    ///
    /// The record is written late: right after a compaction its last answer may be one that was not
    /// even there yet when the compaction was noted.
    fn is_from_before(&self, session: &Session) -> bool {
        if session.standing.compactions == 0 {
            return false;
        }
        let answered = |path| answered_at(path, self.whose(), TAIL).ok().flatten();
        let at = self.path.as_deref().and_then(answered);
        at.is_some_and(|at| at <= session.seen_at)
    }
}

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
    Size { used, answer, ..limit(world, model.as_deref()) }
}

/// Where a conversation with `model` is compacted; what is used is not known here.
pub(super) fn limit(world: &World, model: Option<&str>) -> Size {
    let env = |name: &str| world.var(name);
    let limit = window::limit(model, &env, &settings(world));
    let unknown = limit.as_ref().err().map(ToString::to_string);
    let limit = limit.ok();
    Size {
        used: Used::Unknown,
        answer: None,
        window: limit.map(|limit| limit.window),
        compact_at: limit.map(|limit| limit.compact_at),
        unknown,
    }
}

/// Settings with thousands of permissions are shorter; a hook parses no more.
const SETTINGS_MAX_BYTES: u64 = 1 << 20;

/// The person's settings, with the project's over them; a file that cannot be read says nothing.
fn settings(world: &World) -> window::Settings {
    let env = |name: &str| world.var(name);
    let own = folders::Folders::new(&env, &world.folders.home).settings;
    let own = read_named(&own, SETTINGS_MAX_BYTES).ok().flatten();
    let work = Root::open(&world.folders.work).ok().flatten();
    let project = |name: &str| work.as_ref()?.read(name, SETTINGS_MAX_BYTES).ok()?;
    let files = [own, project(".claude/settings.json"), project(".claude/settings.local.json")];
    let parsed = files.into_iter().flatten().filter_map(|it| window::Settings::parse(&it).ok());
    parsed.fold(window::Settings::default(), window::Settings::under)
}
