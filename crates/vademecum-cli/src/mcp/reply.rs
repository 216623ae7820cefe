//! What a call answers: a sentence for the model and an object for programs.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use vademecum::ops::{OpError, Reply};

/// Clients that hand their model the object as JSON and drop the text when a result has both.
///
/// Seen in what the model was sent by Claude Code 2.1.330 and Codex 0.169.0. A sentence costs the
/// model less than the object, and a page is no page with its line ends escaped: they get text alone.
const TEXT_ONLY: [&str; 2] = ["claude-code", "codex-mcp-client"];

/// The result of a call for the client of this name.
pub(super) fn result(answer: Result<Reply, OpError>, client: Option<&str>) -> CallToolResult {
    let (mut result, object) = match answer {
        Ok(reply) => (CallToolResult::success(vec![text(&reply)]), reply.object),
        Err(error) => {
            let content = vec![ContentBlock::text(explain(&error))];
            (CallToolResult::error(content), json!(error))
        }
    };
    let takes_objects = client.is_none_or(|client| !TEXT_ONLY.contains(&client));
    result.structured_content = takes_objects.then_some(object);
    result
}

/// The text of a reply; where it is empty the object says so, since no model can read nothing.
fn text(reply: &Reply) -> ContentBlock {
    if reply.text.is_empty() {
        return ContentBlock::text(Value::to_string(&reply.object));
    }
    ContentBlock::text(reply.text.clone())
}

/// What went wrong, and on its own line what to do next.
pub(super) fn explain(error: &OpError) -> String {
    match &error.hint {
        Some(hint) => format!("{}\n{hint}", error.message),
        None => error.message.clone(),
    }
}
