//! Which operations a model is offered, and how each is described to it.

use std::sync::Arc;

use rmcp::model::{MetaObject, Tool, ToolAnnotations};
use serde_json::Value;
use vademecum::ops::config::{Profile, Tools};
use vademecum::ops::operation::{Effect, Models};
use vademecum::ops::{Config, Op, registry};

/// The mark by which Claude Code never hides a tool behind its search.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";

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
pub(super) fn offered(config: &Config) -> impl Iterator<Item = &'static Op> {
    registry::ALL.iter().filter(|op| is_offered(op, config))
}

/// The offered operation that a call means by `name`; other names of it are understood.
pub(super) fn find(name: &str, config: &Config) -> Option<&'static Op> {
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

/// The operation as a tool.
pub(super) fn tool(op: &Op) -> Tool {
    let declaration = op.declaration;
    let Value::Object(mut schema) = op.input_schema() else {
        unreachable!("arguments are an object by their type");
    };
    // The tool's own description says it.
    schema.remove("description");
    let tool = Tool::new(declaration.name, declaration.about, Arc::new(schema))
        .with_title(declaration.title)
        .with_annotations(annotations(declaration.effect));
    match declaration.models {
        Models::Always => tool.with_meta(always_load()),
        Models::Default | Models::Extra | Models::Scratchpad | Models::Never => tool,
    }
}

/// What differs from what the protocol takes for granted: every byte is paid for in every session.
fn annotations(effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match effect {
        Effect::Reads => hints.read_only(true),
        Effect::Writes => hints.destructive(false),
        Effect::Destroys => hints.destructive(true).idempotent(true),
    }
}

fn always_load() -> MetaObject {
    let mut meta = MetaObject::new();
    meta.insert(ALWAYS_LOAD.to_owned(), Value::Bool(true));
    meta
}
