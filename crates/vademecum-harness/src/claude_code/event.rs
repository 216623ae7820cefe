//! What Claude Code sends a hook on its standard input.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use vademecum_core::error::Kind;
use vademecum_core::session::SessionKey;

use super::ID;

/// One call of a hook: who is speaking, and what happens.
///
/// Unknown fields are skipped. Text with unpaired surrogates is taken with U+FFFD in their place.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// The harness's id of the session; inside a sub-agent, of its parent.
    pub session_id: Cow<'a, str>,
    /// The transcript of that session, which may not exist yet.
    pub transcript_path: Option<PathBuf>,
    /// The folder that the agent is in now.
    pub cwd: PathBuf,
    /// The sub-agent that the event belongs to; none for the session itself.
    pub agent_id: Option<Cow<'a, str>>,
    /// The kind of agent; a session started as a named agent has one without an id.
    pub agent_type: Option<Cow<'a, str>>,
    /// How freely the agent may act.
    pub permission_mode: Option<Cow<'a, str>>,
    /// The prompt that is being worked on; none before the first.
    pub prompt_id: Option<Cow<'a, str>>,
    /// What happens.
    pub moment: Moment<'a>,
}

/// What happens, with what only this kind of event carries.
#[derive(Debug, Clone)]
pub enum Moment<'a> {
    /// A conversation begins, goes on, or was just compacted.
    SessionStart {
        /// Why the session starts.
        source: Source<'a>,
        /// The model, where the harness says it (not on resume).
        model: Option<Cow<'a, str>>,
        /// The tokens of the conversation, on resume and fork.
        context_tokens: Option<u64>,
    },
    /// A message is about to be sent to the model; see [`Event::is_user_prompt`].
    UserPromptSubmit {
        /// The message.
        prompt: Cow<'a, str>,
        /// Who made it, where the harness says so.
        source: Option<Cow<'a, str>>,
    },
    /// A tool is about to run.
    PreToolUse(ToolCall<'a>),
    /// A tool has run.
    PostToolUse(ToolCall<'a>),
    /// All tools of one answer of the model have run or were refused.
    PostToolBatch {
        /// How many there were.
        n_calls: usize,
    },
    /// The conversation is about to be compacted; sometimes nothing follows.
    PreCompact {
        /// Who asked for it.
        trigger: Trigger<'a>,
    },
    /// The conversation was compacted; the next request is not sent yet.
    PostCompact {
        /// Who asked for it.
        trigger: Trigger<'a>,
        /// The harness's own summary, which the transcript does not hold yet.
        summary: Option<Cow<'a, str>>,
    },
    /// The session ends.
    SessionEnd {
        /// Why: `clear`, `resume`, `logout`, `prompt_input_exit` or `other`.
        reason: Cow<'a, str>,
    },
    /// A sub-agent starts.
    SubagentStart,
    /// A sub-agent ends; with an empty kind it is the summariser of a compaction.
    SubagentStop {
        /// Its own transcript.
        transcript_path: Option<PathBuf>,
    },
    /// The agent has answered.
    Stop,
    /// An event that nothing here depends on.
    Other(Cow<'a, str>),
}

/// Why a session starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source<'a> {
    /// A new conversation.
    Startup,
    /// An earlier conversation goes on.
    Resume,
    /// A new conversation after the user cleared the last.
    Clear,
    /// The same conversation goes on behind its summary.
    Compact,
    /// A copy of a conversation under a new id.
    Fork,
    /// A reason that we do not know.
    Other(Cow<'a, str>),
}

/// Who asked for a compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger<'a> {
    /// The user.
    Manual,
    /// The harness.
    Auto,
    /// Somebody we do not know.
    Other(Cow<'a, str>),
}

/// One call of a tool.
#[derive(Debug, Clone)]
pub struct ToolCall<'a> {
    /// The tool's name in the harness.
    pub tool_name: Cow<'a, str>,
    /// The model's arguments, as sent.
    pub tool_input: &'a RawValue,
    /// The model API's id of the call.
    pub tool_use_id: Option<Cow<'a, str>>,
}

/// An input that is no event.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// No JSON, or a field of another type than known.
    #[error("the input of the hook is not understood")]
    Json(#[from] serde_json::Error),
    /// The input names another event than the settings.
    #[error("wired for \"{wired}\", called for \"{called}\"")]
    Name {
        /// The event that the hook is wired for.
        wired: String,
        /// The event that the input names.
        called: String,
    },
    /// A field that this event must have is absent or empty.
    #[error("the input of the hook has no {0}")]
    Missing(&'static str),
}

impl EventError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Json(_) | Self::Name { .. } | Self::Missing(_) => Kind::Usage,
        }
    }
}

impl<'a> Event<'a> {
    /// Reads the `stdin` of a hook that is wired for the event `name`.
    pub fn parse(name: &str, stdin: &'a [u8]) -> Result<Self, EventError> {
        let mut wire: Wire<'a> = serde_json::from_slice(stdin)?;
        let called = wire.hook_event_name.take().map_or_else(|| name.to_owned().into(), Text::text);
        if called != name {
            return Err(EventError::Name { wired: name.to_owned(), called: called.into_owned() });
        }
        Ok(Self {
            session_id: filled(wire.session_id.take(), "session_id")?,
            transcript_path: wire.transcript_path.take().and_then(Text::path),
            cwd: wire.cwd.take().and_then(Text::path).ok_or(EventError::Missing("cwd"))?,
            agent_id: wire.agent_id.take().map(|id| filled(Some(id), "agent_id")).transpose()?,
            agent_type: wire.agent_type.take().map(Text::text),
            permission_mode: wire.permission_mode.take().map(Text::text),
            prompt_id: wire.prompt_id.take().map(Text::text),
            moment: wire.moment(called)?,
        })
    }

    /// Whether a person wrote the message of this event.
    ///
    /// The end of a background agent, a timer and the harness itself also submit prompts.
    #[must_use]
    pub fn is_user_prompt(&self) -> bool {
        let Moment::UserPromptSubmit { prompt, source } = &self.moment else { return false };
        matches!(source.as_deref(), None | Some("user" | "sdk"))
            && !prompt.trim_start().starts_with("<task-notification>")
    }

    /// Whether the event comes from the agent that writes the summary of a compaction.
    #[must_use]
    pub fn is_summariser(&self) -> bool {
        self.agent_id.is_some() && self.agent_type.as_deref() == Some("")
    }

    /// What makes the session of this event unique; a sub-agent has one of its own.
    #[must_use]
    pub fn session_key(&self) -> SessionKey {
        SessionKey {
            harness: ID.to_owned(),
            external: self.session_id.clone().into_owned(),
            agent: self.agent_id.clone().map(Cow::into_owned),
        }
    }

    /// The `session` argument that names this session: `claude-code:<id>` or `…/<agent id>`.
    #[must_use]
    pub fn session_argument(&self) -> String {
        match &self.agent_id {
            Some(agent) => format!("{ID}:{}/{agent}", self.session_id),
            None => format!("{ID}:{}", self.session_id),
        }
    }
}

impl Moment<'_> {
    /// The harness's name of the event.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::SessionStart { .. } => "SessionStart",
            Self::UserPromptSubmit { .. } => "UserPromptSubmit",
            Self::PreToolUse(_) => "PreToolUse",
            Self::PostToolUse(_) => "PostToolUse",
            Self::PostToolBatch { .. } => "PostToolBatch",
            Self::PreCompact { .. } => "PreCompact",
            Self::PostCompact { .. } => "PostCompact",
            Self::SessionEnd { .. } => "SessionEnd",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop { .. } => "SubagentStop",
            Self::Stop => "Stop",
            Self::Other(name) => name,
        }
    }
}

impl<'a> From<Cow<'a, str>> for Source<'a> {
    fn from(word: Cow<'a, str>) -> Self {
        match &*word {
            "startup" => Self::Startup,
            "resume" => Self::Resume,
            "clear" => Self::Clear,
            "compact" => Self::Compact,
            "fork" => Self::Fork,
            _ => Self::Other(word),
        }
    }
}

impl<'a> From<Cow<'a, str>> for Trigger<'a> {
    fn from(word: Cow<'a, str>) -> Self {
        match &*word {
            "manual" => Self::Manual,
            "auto" => Self::Auto,
            _ => Self::Other(word),
        }
    }
}

/// Every field of every event that we use, in one pass over the input.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    hook_event_name: Option<Text<'a>>,
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    #[serde(borrow)]
    transcript_path: Option<Text<'a>>,
    #[serde(borrow)]
    cwd: Option<Text<'a>>,
    #[serde(borrow)]
    agent_id: Option<Text<'a>>,
    #[serde(borrow)]
    agent_type: Option<Text<'a>>,
    #[serde(borrow)]
    agent_transcript_path: Option<Text<'a>>,
    #[serde(borrow)]
    permission_mode: Option<Text<'a>>,
    #[serde(borrow)]
    prompt_id: Option<Text<'a>>,
    #[serde(borrow)]
    source: Option<Text<'a>>,
    #[serde(borrow)]
    model: Option<Text<'a>>,
    context_tokens: Option<u64>,
    #[serde(borrow)]
    prompt: Option<Text<'a>>,
    #[serde(borrow)]
    tool_name: Option<Text<'a>>,
    #[serde(borrow)]
    tool_input: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_id: Option<Text<'a>>,
    tool_calls: Option<Length>,
    #[serde(borrow)]
    trigger: Option<Text<'a>>,
    #[serde(borrow)]
    compact_summary: Option<Text<'a>>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
}

impl<'a> Wire<'a> {
    fn moment(self, name: Cow<'a, str>) -> Result<Moment<'a>, EventError> {
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
            },
            "Stop" => Moment::Stop,
            _ => Moment::Other(name),
        })
    }

    fn tool_call(self) -> Result<ToolCall<'a>, EventError> {
        Ok(ToolCall {
            tool_name: filled(self.tool_name, "tool_name")?,
            tool_input: self.tool_input.ok_or(EventError::Missing("tool_input"))?,
            tool_use_id: self.tool_use_id.map(Text::text),
        })
    }
}

fn filled<'a>(text: Option<Text<'a>>, field: &'static str) -> Result<Cow<'a, str>, EventError> {
    text.map(Text::text).filter(|text| !text.is_empty()).ok_or(EventError::Missing(field))
}

/// A JSON string as its bytes, since JavaScript writes unpaired surrogates and we must not stop.
struct Text<'a>(Cow<'a, [u8]>);

impl<'a> Text<'a> {
    fn text(self) -> Cow<'a, str> {
        match self.0 {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// The string as a path; none if it is empty.
    fn path(self) -> Option<PathBuf> {
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
struct Length(usize);

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
