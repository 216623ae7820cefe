//! The prompt by which a person puts a session's memory in front of the model again.

use std::sync::Arc;

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};
use vademecum::ops::{OpError, registry};

use crate::mcp::calls::{Calls, nothing};

/// The name of the prompt.
pub(super) const NAME: &str = "resume";

/// Where the context comes from, the first that there is: in one, or in its parts.
const SOURCES: [&[&str]; 2] = [&["get_context"], &["read_notepad", "list_notes"]];

/// The prompt as it is listed.
pub(super) fn prompt() -> Prompt {
    let session = PromptArgument::new("session")
        .with_title("Session")
        .with_description("Handle of an earlier session; none for this one")
        .with_required(false);
    Prompt::new(NAME, Some("Put notepad and notes back in context"), Some(vec![session]))
        .with_title("Resume from the notepad")
}

/// The message that the prompt stands for.
pub(super) async fn message(
    calls: &Arc<Calls>,
    mut arguments: JsonObject,
    meta: &Map<String, Value>,
) -> Result<GetPromptResult, OpError> {
    let session = arguments.remove("session").and_then(|value| value.as_str().map(str::to_owned));
    let mut texts = Vec::new();
    for op in SOURCES.iter().find_map(|names| found(names)).unwrap_or_default() {
        let caller = calls.caller(meta, session.clone())?;
        texts.push(calls.run(op, nothing(), caller).await?.text);
    }
    texts.retain(|text| !text.trim().is_empty());
    let text = texts.join("\n\n");
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

/// The operations of these names, if all are there.
fn found(names: &[&str]) -> Option<Vec<&'static vademecum::ops::Op>> {
    names.iter().map(|name| registry::find(name)).collect()
}
