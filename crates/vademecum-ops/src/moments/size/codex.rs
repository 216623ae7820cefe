//! The size of a context of Codex, by its rollout and the person's configuration.

use serde::Deserialize;
use vademecum_core::planner::Used;
use vademecum_files::read_named;
use vademecum_harness::codex;
use vademecum_harness::codex::usage::{TAIL, Usage, usage};

use super::super::warning::Size;
use super::Record;
use crate::world::World;

pub(super) fn last_answer(record: &Record) -> Option<String> {
    read(record).answer
}

pub(super) fn of(world: &World, record: &Record) -> Size {
    let usage = read(record);
    let unknown = usage.window.is_none().then(|| "its rollout does not name the window".to_owned());
    Size {
        used: usage.tokens.map_or(Used::Unknown, Used::Fresh),
        window: usage.window,
        compact_at: usage.compact_at(limit(world)),
        answer: usage.answer,
        unknown,
    }
}

/// A rollout that is not there yet says nothing.
fn read(record: &Record) -> Usage {
    record.path.as_ref().and_then(|path| usage(path, TAIL).ok()).unwrap_or_default()
}

/// It also lists every folder that the person trusts; a hook parses no more.
const CONFIG_MAX_BYTES: u64 = 1 << 20;

/// Where the person wants Codex to compact; a file that cannot be read says nothing.
fn limit(world: &World) -> Option<u64> {
    #[derive(Deserialize)]
    struct Config {
        model_auto_compact_token_limit: Option<u64>,
    }
    let folder = codex::folder(&|name| world.var(name), &world.folders.home);
    let bytes = read_named(&folder.join("config.toml"), CONFIG_MAX_BYTES).ok()??;
    toml::from_slice::<Config>(&bytes).ok()?.model_auto_compact_token_limit
}
