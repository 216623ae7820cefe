//! What is said where an event could not be answered.

use vademecum_core::context::{Return, unreadable};
use vademecum_core::error::Kind;
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, Moment as Happening};

use super::answer::{bridge, print};
use super::capture::Beside;
use super::{Answer, Hook, Noted, fault, sentence};
use crate::error::OpError;

/// Answers one event where the configuration cannot be read, so that no store is known; `noted` is what became of it.
#[must_use]
pub fn without_config(event: &Event<'_>, error: &OpError, noted: Noted) -> Answer {
    // The session must be in the call whatever is wrong with the configuration.
    if let Some(answer) = bridge(event) {
        return Answer { fault: Some(fault(error)), ..answer };
    }
    let reply = match noted {
        Noted::Unkept => {
            let [_, to_both] =
                Beside::not(&format!("{}; say it again once that is mended", sentence(error)))
                    .replies();
            to_both
        }
        Noted::Nothing | Noted::Queued | Noted::Owed => failed(event, error, noted == Noted::Owed),
    };
    print(event, &reply, Some(error))
}

/// What is said of a failure; a start that brings nothing back owes it from here on.
pub(super) fn unanswered(hook: &Hook<'_>, event: &Event<'_>, error: &OpError) -> Reply {
    let is_owed = hook.later.undone.is_missed();
    failed(event, error, is_owed)
}

/// What is said of a failure: to the person at each turn, and to the model when its memory should come back.
///
/// Inside a turn it is only logged: a batch follows the other.
pub(super) fn failed(event: &Event<'_>, error: &OpError, is_owed: bool) -> Reply {
    let message = fault(error);
    match &event.moment {
        Happening::SessionStart { source, .. } => {
            let when = match error.kind {
                Kind::Broken => Return::Unknown,
                _ if is_owed => Return::Later,
                _ => Return::OnResume,
            };
            let message = if is_owed { late(error) } else { lost(error) };
            let why = message.strip_prefix("vade: ").unwrap_or(&message);
            let context = Some(unreadable(why, when, source.is_of_begun()));
            Reply { context, message: Some(message), ..Reply::default() }
        }
        Happening::UserPromptSubmit { .. } => Reply { message: Some(message), ..Reply::default() },
        Happening::PreToolUse(_)
        | Happening::PostToolUse(_)
        | Happening::PostToolBatch { .. }
        | Happening::PreCompact { .. }
        | Happening::PostCompact { .. }
        | Happening::SubagentStart
        | Happening::SubagentStop { .. }
        | Happening::Stop
        | Happening::SessionEnd { .. }
        | Happening::Other(_) => Reply::default(),
    }
}

/// What a person is told of a start whose context comes later.
fn late(error: &OpError) -> String {
    match error.kind {
        Kind::Busy => format!(
            "vade: {}; once it answers, memory comes back and what waits is taken in",
            sentence(error)
        ),
        _ => fault(error),
    }
}

/// What a person is told of a start whose context cannot even be owed.
fn lost(error: &OpError) -> String {
    // That an engine answers again brings nothing back by itself.
    let (said, what) = match error.kind {
        Kind::Busy => (format!("vade: {}", sentence(error)), "once it answers"),
        _ => (fault(error), "once that is mended"),
    };
    format!("{said}; resume this session {what}")
}
