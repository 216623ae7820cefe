//! The prompt by which a person puts a session's memory in front of the model again.

use std::sync::Arc;

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value, json};
use vademecum::core::profile::Before;
use vademecum::ops::{Config, OpError, registry};

use crate::mcp::calls::{Calls, nothing};

/// The name of the prompt.
const NAME: &str = "resume";

/// The prompt as it is listed; none where a session keeps nothing that could be put back.
pub(super) fn prompt(config: &Config) -> Option<Prompt> {
    let words = config.profile.words();
    let keeps = words.keeps();
    let first = words.page().unwrap_or("notes");
    let session = PromptArgument::new("session")
        .with_title("Session")
        .with_description("Handle of an earlier session; none for this one")
        .with_required(false);
    let about = format!("Put {keeps} back in context");
    let prompt = Prompt::new(NAME, Some(about), Some(vec![session]));
    (!keeps.is_empty()).then(|| prompt.with_title(format!("Resume from the {first}")))
}

/// The message that the prompt stands for.
pub(super) async fn message(
    calls: &Arc<Calls>,
    mut arguments: JsonObject,
    meta: &Map<String, Value>,
) -> Result<GetPromptResult, OpError> {
    let session = arguments.remove("session").and_then(|value| value.as_str().map(str::to_owned));
    let has_handoffs = calls.config.profile.words().before == Before::Offer;
    let (name, arguments, named) = match session {
        Some(from) if has_handoffs => ("read_handoff", json!({ "from": from }), None),
        session => ("get_context", nothing(), session),
    };
    let is_of_another = name == "read_handoff" || named.is_some();
    let mut caller = calls.caller(meta, named)?;
    // No model calls a prompt: a person picks it, and the session that it is about.
    caller.clues.is_person = is_of_another;
    let op = registry::find(name).expect("an operation of the foundation");
    let text = calls.run(op, arguments, caller).await?.text;
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
