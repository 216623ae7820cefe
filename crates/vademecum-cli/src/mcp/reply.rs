//! What a call answers: a sentence for the model and an object for programs.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use vademecum::ops::ops::read_notepad::EMPTY;
use vademecum::ops::{Reply, voice};

use crate::mcp::calls::Answered;

/// Clients that hand their model the object as JSON and drop the text when a result has both.
///
/// Seen in what the model was sent by Claude Code 2.1.330 and Codex 0.169.0. A sentence costs the
/// model less than the object, and a page is no page with its line ends escaped: they get text alone.
const TEXT_ONLY: [&str; 2] = ["claude-code", "codex-mcp-client"];

/// The result of a call for the client of this name.
pub(super) fn result(answered: Answered, client: Option<&str>) -> CallToolResult {
    let Answered { reply, beside } = answered;
    let (mut result, mut object) = match reply {
        Ok(reply) => (CallToolResult::success(vec![text(&reply)]), reply.object),
        Err(error) => {
            let content = vec![ContentBlock::text(voice::refusal(&error))];
            (CallToolResult::error(content), json!(voice::of_error(&error)))
        }
    };
    if let Some(beside) = beside {
        // A block of its own: a page is given byte for byte.
        result.content.push(ContentBlock::text(beside.line()));
        if let Value::Object(members) = &mut object {
            members.insert("session".to_owned(), json!(beside.session));
        }
    }
    let takes_objects =
        object.is_object() && client.is_none_or(|client| !TEXT_ONLY.contains(&client));
    result.structured_content = takes_objects.then_some(object);
    result
}

/// What a page is given as where its text alone would not do: one that reads as this, or as an empty one.
const PAGE: &str = "{\"content\":";

/// The text of a reply; where it is empty it says so, since no model can read nothing.
fn text(reply: &Reply) -> ContentBlock {
    let text = reply.text.as_str();
    let object = || Some(reply.object.to_string()).filter(|object| object.starts_with(PAGE));
    if text.is_empty() && object().is_some() {
        return ContentBlock::text(EMPTY);
    }
    if (text == EMPTY || text.starts_with(PAGE))
        && let Some(object) = object()
    {
        return ContentBlock::text(object);
    }
    // No longer than the smallest budget.
    ContentBlock::text(if text.is_empty() { "none" } else { text })
}
