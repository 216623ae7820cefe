//! What scenarios check, each with an error that shows what was there instead.

use std::fmt::Debug;

use anyhow::{Context as _, Result, ensure};
use vademecum_core::hash;

use super::request::Request;

/// The events whose only context is the warning that a compaction is near.
const WARNING_EVENTS: [&str; 3] = ["UserPromptSubmit", "PostToolUse", "PostToolBatch"];

/// Checks that two values are the same.
pub(super) fn equal<T: PartialEq + Debug + ?Sized>(what: &str, got: &T, wanted: &T) -> Result<()> {
    ensure!(got == wanted, "{what}: got {got:?}, wanted {wanted:?}");
    Ok(())
}

/// Fails unless each sentence of a request stands in a text: rules stand apart from the task.
pub(super) fn holds_request(what: &str, text: &str, request: &str) -> Result<()> {
    request.split_inclusive(". ").try_for_each(|sentence| holds(what, text, sentence.trim()))
}

/// Checks that `part` stands in `text` byte for byte.
pub(super) fn holds(what: &str, text: &str, part: &str) -> Result<()> {
    ensure!(text.contains(part), "{what} lacks {part:?}; it is {text:?}");
    Ok(())
}

/// Checks that `part` stands nowhere in `text`.
pub(super) fn lacks(what: &str, text: &str, part: &str) -> Result<()> {
    ensure!(!text.contains(part), "{what} holds {part:?}: {text:?}");
    Ok(())
}

/// Checks that `part` stands nowhere in the messages of a request.
pub(super) fn nowhere(what: &str, request: &Request, part: &str) -> Result<()> {
    let text = request.texts().into_iter().find(|text| text.contains(part));
    ensure!(text.is_none(), "{what} holds {part:?}: {text:?}");
    Ok(())
}

/// Takes the newest context that a session's begin put into `request`.
///
/// The harness shows the contexts of earlier begins again, in their old places, when it resumes.
pub(super) fn context(request: &Request) -> Result<&str> {
    let contexts = request.contexts("SessionStart");
    let context = contexts.last().context("the model got no context at the session's begin")?;
    lacks("the context", context, "<persisted-output>")?;
    Ok(context)
}

/// Counts the contexts in `request` that hold `part`.
#[must_use]
pub(super) fn copies(request: &Request, part: &str) -> usize {
    request.contexts("SessionStart").iter().filter(|context| context.contains(part)).count()
}

/// Checks that `context` ends in the receipt of all that is above it.
pub(super) fn receipt(context: &str) -> Result<()> {
    let (above, last) = context.rsplit_once('\n').context("the context has one line")?;
    let above = format!("{above}\n");
    let receipt = hash::hex(&hash::plain(above.as_bytes()), 8);
    equal("the last line of the context", last, &format!("[vade receipt {receipt}]"))
}

/// The warnings that stand in `request`.
#[must_use]
pub(super) fn warnings(request: &Request) -> Vec<&str> {
    WARNING_EVENTS.iter().flat_map(|event| request.contexts(event)).collect()
}

/// Takes the last result of vade's tool `tool` out of `request`.
pub(super) fn result(request: &Request, tool: &str) -> Result<String> {
    request
        .result_of(&format!("mcp__vade__{tool}"))
        .with_context(|| format!("{tool} was never answered"))
}
