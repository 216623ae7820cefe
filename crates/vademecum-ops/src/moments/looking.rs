//! The moments where nothing is to be written: a start tells what is kept, and a prompt that nothing is remembered.
//!
//! It is a way of its own, so that no moment that is added elsewhere writes here.

use vademecum_harness::claude_code::own_tool;
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, Moment as Happening, Source, ToolCall};
use vademecum_store::READ_ONLY;

use super::answer::{Answered, begins, bridge, moment, print, told};
use super::capture::{self, Beside};
use super::failing::failed;
use super::{Answer, Hook, delegating, start};
use crate::config::Slot;
use crate::error::OpError;

/// Answers one event.
pub(super) fn answer(hook: &Hook<'_>, event: &Event<'_>) -> Answer {
    if let Happening::PreToolUse(call) = &event.moment {
        return before_tool(hook, event, call);
    }
    if event.is_summariser() {
        return Answer::default();
    }
    let answered = match &event.moment {
        Happening::SessionStart { source, model, .. } => {
            starts(hook, event, source, model.as_deref())
        }
        Happening::UserPromptSubmit { .. } => prompt(hook, event).map(|reply| (reply, None)),
        Happening::PreToolUse(_)
        | Happening::PostToolUse(_)
        | Happening::PostToolBatch { .. }
        | Happening::PreCompact { .. }
        | Happening::PostCompact { .. }
        | Happening::SubagentStart
        | Happening::SubagentStop { .. }
        | Happening::Stop
        | Happening::SessionEnd { .. }
        | Happening::Other(_) => Ok((Reply::default(), None)),
    };
    match answered {
        Ok((reply, error)) => print(event, &reply, error.as_ref()),
        Err(error) => print(event, &failed(event, &error, false), Some(&error)),
    }
}

/// Our own tool gets its session, the delegating one its briefing: both are only read.
fn before_tool(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Answer {
    match bridge(event) {
        Some(answer) if own_tool(&call.tool_name).is_some() => answer,
        Some(_) | None => delegating::answer(hook, event, call),
    }
}

/// Tells what is kept for the session, or where it is new what those before left.
fn starts(
    hook: &Hook<'_>,
    event: &Event<'_>,
    source: &Source<'_>,
    model: Option<&str>,
) -> Answered {
    let (key, moment) = (event.session_key(), moment(event, source));
    let call = hook.call(&key);
    if call.is_off()? {
        return Ok((Reply::default(), None));
    }
    let told = told(hook, event, start::what(moment, None), model);
    let session = start::as_known(hook, &told)?;
    // A project that nothing was ever written for has nothing to tell.
    if !session.has_project() {
        return Ok((Reply::default(), None));
    }
    let said = format!("{READ_ONLY} is set, so nothing can be saved");
    begins(hook, event, (moment, &session), (Some(said), None))
}

/// Says that what the person asks to remember is not remembered; at any other prompt nothing.
fn prompt(hook: &Hook<'_>, event: &Event<'_>) -> Result<Reply, OpError> {
    let is_asked = hook.config.plans.capture && capture::asked(event).is_some();
    if !is_asked || hook.call(&event.session_key()).is_off()? {
        return Ok(Reply::default());
    }
    let Beside { context, message } = Beside::not(&format!("{READ_ONLY} is set"));
    let context = context.filter(|_| hook.config.has_slot(Slot::User));
    Ok(Reply { context, message, ..Reply::default() })
}
