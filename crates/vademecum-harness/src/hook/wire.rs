//! The fields of all events in one pass over the input, borrowed where they can be.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{EventError, Moment, ToolCall};

/// Every field of every event that we use, in one pass over the input.
#[derive(Deserialize)]
pub(super) struct Wire<'a> {
    #[serde(borrow)]
    pub(super) hook_event_name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) session_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) transcript_path: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) cwd: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) agent_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) agent_type: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) agent_transcript_path: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) permission_mode: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) prompt_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) source: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) model: Option<Text<'a>>,
    pub(super) context_tokens: Option<u64>,
    #[serde(borrow)]
    pub(super) prompt: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) tool_name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) tool_input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_id: Option<Text<'a>>,
    pub(super) tool_calls: Option<Length>,
    #[serde(borrow)]
    pub(super) trigger: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) compact_summary: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) reason: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) last_assistant_message: Option<Text<'a>>,
}

impl<'a> Wire<'a> {
    pub(super) fn moment(self, name: Cow<'a, str>) -> Result<Moment<'a>, EventError> {
        Ok(match &*name {
            "SessionStart" => Moment::SessionStart {
                source: filled(self.source, "source")?.into(),
                model: self.model.map(Text::text),
                context_tokens: self.context_tokens,
            },
            "UserPromptSubmit" => Moment::UserPromptSubmit {
                prompt: self.prompt.ok_or(EventError::Missing("prompt"))?.text(),
                source: self.source.map(Text::text),
            },
            "PreToolUse" => Moment::PreToolUse(self.tool_call()?),
            "PostToolUse" => Moment::PostToolUse(self.tool_call()?),
            "PostToolBatch" => {
                Moment::PostToolBatch { n_calls: self.tool_calls.map_or(0, |calls| calls.0) }
            }
            "PreCompact" => Moment::PreCompact { trigger: filled(self.trigger, "trigger")?.into() },
            "PostCompact" => Moment::PostCompact {
                trigger: filled(self.trigger, "trigger")?.into(),
                summary: self.compact_summary.map(Text::text),
            },
            "SessionEnd" => {
                Moment::SessionEnd { reason: self.reason.map_or("other".into(), Text::text) }
            }
            "SubagentStart" => Moment::SubagentStart,
            "SubagentStop" => Moment::SubagentStop {
                transcript_path: self.agent_transcript_path.and_then(Text::path),
                last_message: self.last_assistant_message.map(Text::text),
            },
            "Stop" => Moment::Stop,
            _ => Moment::Other(name),
        })
    }

    fn tool_call(self) -> Result<ToolCall<'a>, EventError> {
        Ok(ToolCall {
            tool_name: filled(self.tool_name, "tool_name")?,
            tool_input: self.tool_input.ok_or(EventError::Missing("tool_input"))?,
            tool_response: self.tool_response,
            tool_use_id: self.tool_use_id.map(Text::text),
        })
    }
}

pub(super) fn filled<'a>(
    text: Option<Text<'a>>,
    field: &'static str,
) -> Result<Cow<'a, str>, EventError> {
    text.map(Text::text).filter(|text| !text.is_empty()).ok_or(EventError::Missing(field))
}

/// A JSON string as its bytes, since JavaScript writes unpaired surrogates and we must not stop.
pub(super) struct Text<'a>(Cow<'a, [u8]>);

impl<'a> Text<'a> {
    pub(super) fn text(self) -> Cow<'a, str> {
        match self.0 {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// The string as a path; none if it is empty.
    pub(super) fn path(self) -> Option<PathBuf> {
        if self.0.is_empty() {
            return None;
        }
        #[cfg(unix)]
        let path = {
            use std::os::unix::ffi::OsStringExt;
            std::ffi::OsString::from_vec(self.0.into_owned())
        };
        #[cfg(not(unix))]
        let path = self.text().into_owned();
        Some(PathBuf::from(path))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor).map(Text)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(bytes))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(bytes.to_vec()))
    }
}

/// How many items an array has; none of them is kept.
pub(super) struct Length(usize);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LengthVisitor)
    }
}

struct LengthVisitor;

impl<'de> Visitor<'de> for LengthVisitor {
    type Value = Length;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Length, A::Error> {
        let mut n_items = 0;
        while items.next_element::<IgnoredAny>()?.is_some() {
            n_items += 1;
        }
        Ok(Length(n_items))
    }
}
