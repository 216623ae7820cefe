//! How an operation is described to a model.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::Value;
use vademecum::ops::offer::{about, input_schema};
use vademecum::ops::operation::{Effect, Models};
use vademecum::ops::{Config, Op};

/// The mark by which Claude Code never hides a tool behind its search.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";

/// The operation as a tool under `config`; its published schema, where it has one.
pub(super) fn tool_under(op: &Op, config: &Config) -> Tool {
    let mut tool = tool(op);
    tool.description = Some(about(op, config).into());
    match input_schema(op, config) {
        // As it is kept: the listing puts it in without reading it.
        Cow::Borrowed(_) => {}
        Cow::Owned(text) => tool.input_schema = serde_json::from_str(&text).unwrap_or_default(),
    }
    tool
}

/// The operation as a tool, without a title: its name says it, and every byte is paid for in every session.
///
/// [`super::listing`] puts the schema of its arguments in.
pub(super) fn tool(op: &Op) -> Tool {
    let declaration = op.declaration;
    let tool = Tool::new(declaration.name, declaration.about, Arc::<JsonObject>::default())
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
