//! What a hook may print: never a permission, a block or a forced turn.

use serde::Serialize;
use serde_json::value::RawValue;
use vademecum_core::error::Kind;

use super::{Event, Harness, Moment};
use crate::json_edit::members;

/// What a hook answers; an empty one prints nothing.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// Text for the model, no longer than the harness lets through.
    pub context: Option<String>,
    /// One line for the person, which the model never sees.
    pub message: Option<String>,
    /// The whole input of the tool call in place of the model's; see [`with_session`].
    pub updated_input: Option<Box<RawValue>>,
    /// Text for the summariser of a compaction.
    pub instructions: Option<String>,
}

/// A reply that the harness would drop, or take for something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{moment} has no place for this part of a reply: {part:?}")]
pub struct ReplyError {
    /// The event that was answered.
    pub moment: String,
    /// The part of the reply without a place.
    pub part: Part,
}

impl ReplyError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::Broken
    }
}

impl Reply {
    /// Text for the model and nothing else.
    #[must_use]
    pub fn context(text: impl Into<String>) -> Self {
        Self { context: Some(text.into()), ..Self::default() }
    }

    /// Writes what to print for `event`; blank texts are left out.
    pub fn to_bytes(&self, event: &Event<'_>) -> Result<Vec<u8>, ReplyError> {
        let (printed, moment) = (Printed::new(self), &event.moment);
        if let Some(part) = printed.misplaced(parts(event.harness, moment)) {
            return Err(ReplyError { moment: moment.name().to_owned(), part });
        }
        Ok(match printed.instructions {
            Some(text) => text.as_bytes().to_vec(),
            None => printed.to_json(moment.name()),
        })
    }
}

/// One part of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`Reply::context`].
    Context,
    /// [`Reply::message`].
    Message,
    /// [`Reply::updated_input`].
    UpdatedInput,
    /// [`Reply::instructions`].
    Instructions,
}

/// The parts that reach somebody at `moment`.
///
/// A context at the end of a turn would force another one, and after the last events nothing
/// reaches anybody. In Claude Code a message before a compaction would reach the summariser word for
/// word. Codex drops a whole answer with a part that the event does not know; what changes the input of
/// a call is a permission there, and its summariser listens to nobody.
#[must_use]
pub fn parts(harness: Harness, moment: &Moment<'_>) -> &'static [Part] {
    match (moment, harness) {
        (
            Moment::SessionStart { .. }
            | Moment::UserPromptSubmit { .. }
            | Moment::PostToolUse(_)
            | Moment::SubagentStart,
            Harness::ClaudeCode | Harness::Codex,
        )
        | (Moment::PostToolBatch { .. }, Harness::ClaudeCode)
        | (Moment::PreToolUse(_), Harness::Codex) => &[Part::Context, Part::Message],
        (Moment::PreToolUse(_), Harness::ClaudeCode) => {
            &[Part::Context, Part::Message, Part::UpdatedInput]
        }
        (Moment::PreCompact { .. }, Harness::ClaudeCode) => &[Part::Instructions],
        (Moment::PreCompact { .. } | Moment::PostCompact { .. }, Harness::Codex)
        | (Moment::Stop, Harness::ClaudeCode | Harness::Codex) => &[Part::Message],
        (Moment::PostCompact { .. }, Harness::ClaudeCode)
        | (Moment::PostToolBatch { .. }, Harness::Codex)
        | (
            Moment::SessionEnd { .. } | Moment::SubagentStop { .. } | Moment::Other(_),
            Harness::ClaudeCode | Harness::Codex,
        ) => &[],
    }
}

/// The parts of a reply that say something.
struct Printed<'a> {
    context: Option<&'a str>,
    message: Option<&'a str>,
    updated_input: Option<&'a RawValue>,
    instructions: Option<&'a str>,
}

impl<'a> Printed<'a> {
    fn new(reply: &'a Reply) -> Self {
        let said =
            |text: &'a Option<String>| text.as_deref().filter(|text| !text.trim().is_empty());
        Self {
            context: said(&reply.context),
            message: said(&reply.message),
            updated_input: reply.updated_input.as_deref(),
            instructions: said(&reply.instructions),
        }
    }

    fn misplaced(&self, places: &[Part]) -> Option<Part> {
        let given = [
            (self.context.is_some(), Part::Context),
            (self.message.is_some(), Part::Message),
            (self.updated_input.is_some(), Part::UpdatedInput),
            (self.instructions.is_some(), Part::Instructions),
        ];
        let mut given = given.into_iter().filter_map(|(is_given, part)| is_given.then_some(part));
        given.find(|part| !places.contains(part))
    }

    fn to_json(&self, event: &str) -> Vec<u8> {
        let is_specific = self.context.is_some() || self.updated_input.is_some();
        if !is_specific && self.message.is_none() {
            return Vec::new();
        }
        let specific = Specific {
            hook_event_name: event,
            updated_input: self.updated_input,
            additional_context: self.context,
        };
        let hook_specific_output = is_specific.then_some(specific);
        let json = Json { system_message: self.message, hook_specific_output };
        serde_json::to_vec(&json).expect("strings and checked JSON can always be written")
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

/// Stands between the caller, which the hook knows, and the session that the model named.
const AS: &str = " as ";

/// What stands for the session that a model names where it names none.
const ITSELF: &str = "self";

/// The input of a call whose `session` says who calls, and behind it what the model gave.
///
/// A model cannot say so itself: what it gives always comes to stand behind the caller. None if the
/// input is no object or its `session` no text, which no tool takes. Every other byte stays.
#[must_use]
pub fn with_session(tool_input: &RawValue, caller: &str) -> Option<Box<RawValue>> {
    let input = tool_input.get();
    let members = members(input).ok()?;
    // JavaScript keeps the last of two equal keys, so the last one counts.
    let given = members.iter().rev().find(|member| member.key == "session");
    let text = given.map(|member| serde_json::from_str(&input[member.value.clone()]));
    let text: Option<String> = text.transpose().ok()?.flatten();
    let named = text.as_deref().map(str::trim).filter(|named| !named.is_empty());
    let value = format!("{caller}{AS}{}", named.unwrap_or(ITSELF));
    let value = serde_json::to_string(&value).expect("a string can always be written");

    let json = if let Some(member) = given {
        format!("{}{value}{}", &input[..member.value.start], &input[member.value.end..])
    } else {
        let at = members.last().map_or(1, |last| last.value.end);
        let comma = if members.is_empty() { "" } else { "," };
        format!("{}{comma}\"session\":{value}{}", &input[..at], &input[at..])
    };
    RawValue::from_string(json).ok()
}

/// Who calls, and the session that the model named, as [`with_session`] wrote them.
#[must_use]
pub fn caller_and_named(session: &str) -> Option<(&str, Option<&str>)> {
    let (caller, named) = session.split_once(AS)?;
    // A model may repeat what it saw of an earlier call.
    let repeated = named.strip_suffix(ITSELF).and_then(|rest| rest.strip_suffix(AS));
    Some((caller, Some(repeated.unwrap_or(named)).filter(|named| *named != ITSELF)))
}
