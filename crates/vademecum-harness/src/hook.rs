//! What a harness sends a hook on its standard input: the form that Claude Code and Codex share.

pub mod reply;
mod wire;

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::value::RawValue;
use vademecum_core::error::Kind;
use vademecum_core::session::SessionKey;

use self::wire::{Text, Wire, filled};
use crate::{claude_code, codex};

/// A harness whose hooks call us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harness {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl Harness {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name in session keys, hook arguments and settings.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::ClaudeCode => claude_code::ID,
            Self::Codex => codex::ID,
        }
    }

    /// Its name as people know it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// What its models see before the name of a tool of ours.
    #[must_use]
    pub fn tool_prefix(self) -> &'static str {
        match self {
            Self::ClaudeCode => claude_code::TOOL_PREFIX,
            Self::Codex => codex::TOOL_PREFIX,
        }
    }

    /// The harness with this id.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|harness| harness.id() == id)
    }
}

/// One call of a hook: who is speaking, and what happens.
///
/// Unknown fields are skipped. Text with unpaired surrogates is taken with U+FFFD in their place.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// Who calls.
    pub harness: Harness,
    /// The harness's id of the session; inside a sub-agent, of its parent.
    pub session_id: Cow<'a, str>,
    /// The transcript of that session, which may not exist yet.
    ///
    /// Inside a sub-agent Claude Code names its parent's, and Codex its own.
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
        /// What it said last, which its transcript may not hold yet.
        last_message: Option<Cow<'a, str>>,
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

impl Source<'_> {
    /// Whether the session may have kept something before.
    #[must_use]
    pub fn is_of_begun(&self) -> bool {
        !matches!(self, Self::Startup | Self::Clear)
    }
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
    /// What the tool answered; none before it ran.
    pub tool_response: Option<&'a RawValue>,
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
    pub fn parse(harness: Harness, name: &str, stdin: &'a [u8]) -> Result<Self, EventError> {
        let mut wire: Wire<'a> = serde_json::from_slice(stdin)?;
        let called = wire.hook_event_name.take().map_or_else(|| name.to_owned().into(), Text::text);
        if called != name {
            return Err(EventError::Name { wired: name.to_owned(), called: called.into_owned() });
        }
        Ok(Self {
            harness,
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
        // What a sub-agent of Codex is asked comes as its prompt, from its parent.
        let is_from_parent = self.harness == Harness::Codex && self.agent_id.is_some();
        !is_from_parent
            && matches!(source.as_deref(), None | Some("user" | "sdk"))
            && !prompt.trim_start().starts_with("<task-notification>")
    }

    /// The ids of background tasks, sub-agents among them, that have ended by what this prompt reports.
    pub fn ended_agents(&self) -> impl Iterator<Item = &str> {
        let Moment::UserPromptSubmit { prompt, .. } = &self.moment else {
            return crate::claude_code::delegation::ended_tasks("");
        };
        crate::claude_code::delegation::ended_tasks(prompt)
    }

    /// Whether the event comes from the agent that writes the summary of a compaction.
    #[must_use]
    pub fn is_summariser(&self) -> bool {
        match self.harness {
            Harness::ClaudeCode => {
                self.agent_id.is_some() && self.agent_type.as_deref() == Some("")
            }
            Harness::Codex => false,
        }
    }

    /// Whether nobody attends the session: a run of one prompt, whose user goes on with nothing.
    #[must_use]
    pub fn is_unattended(&self, env: claude_code::Env<'_>) -> bool {
        match self.harness {
            Harness::ClaudeCode => claude_code::is_unattended(env),
            Harness::Codex => {
                let origin = self.transcript_path.as_deref().map(codex::origin);
                origin.is_some_and(|origin| origin.is_ok_and(|origin| origin.is_unattended))
            }
        }
    }

    /// What makes the session of this event unique; a sub-agent has one of its own.
    #[must_use]
    pub fn session_key(&self) -> SessionKey {
        SessionKey {
            harness: self.harness.id().to_owned(),
            external: self.session_id.clone().into_owned(),
            agent: self.agent_id.clone().map(Cow::into_owned),
        }
    }

    /// The `session` argument that names this session, such as `claude-code:<id>/<agent id>`.
    #[must_use]
    pub fn session_argument(&self) -> String {
        let harness = self.harness.id();
        match &self.agent_id {
            Some(agent) => format!("{harness}:{}/{agent}", self.session_id),
            None => format!("{harness}:{}", self.session_id),
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
