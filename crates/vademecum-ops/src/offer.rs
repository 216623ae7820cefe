//! Which operations models are offered under a configuration, whatever the surface.

use crate::config::{Config, Profile, Tools};
use crate::operation::{Models, Op};
use crate::registry;

/// The names of each published design, exactly.
const SEED0: [&str; 3] = ["read_notepad", "write_notepad", "update_notepad"];
const SEED1: [&str; 7] = [
    "add_note",
    "search_notes",
    "list_notes",
    "update_note",
    "delete_note",
    "scratch_note",
    "list_tags",
];
const SEED2: [&str; 1] = ["session_scratchpad"];
const SEED3: [&str; 7] = [
    "init_plan",
    "add_learning",
    "add_decision",
    "add_issue",
    "get_wisdom",
    "format_directive",
    "merge_plan",
];

/// The operations that models are offered under `config`, always in the same order.
pub fn offered(config: &Config) -> impl Iterator<Item = &'static Op> {
    registry::ALL.iter().filter(|op| is_offered(op, config))
}

/// The offered operation that a call means by `name`; other names of it are understood.
#[must_use]
pub fn find(name: &str, config: &Config) -> Option<&'static Op> {
    registry::find(name).filter(|op| is_offered(op, config))
}

fn is_offered(op: &Op, config: &Config) -> bool {
    let name = op.declaration.name;
    let has_scratchpad = config.scratchpad_budget().is_some();
    match config.profile {
        Profile::Seed0 => SEED0.contains(&name),
        Profile::Seed1 => SEED1.contains(&name),
        Profile::Seed2 => SEED2.contains(&name) && has_scratchpad,
        Profile::Seed3 => SEED3.contains(&name),
        Profile::Default | Profile::Seed4 => match op.declaration.models {
            Models::Always | Models::Default => true,
            Models::Extra => config.tools == Tools::All,
            Models::Scratchpad => has_scratchpad,
            Models::Never => false,
        },
    }
}
