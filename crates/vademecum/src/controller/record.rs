//! The lines of a session's transcript: messages, and what happened between them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dialect::{Native, ToolCall, Usage};

/// The version that the first line names.
pub(super) const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Record {
    Message(Spoken),
    Event(Event),
}

/// A message, as the reader of message logs takes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub(super) enum Spoken {
    User {
        at: String,
        content: String,
    },
    Assistant {
        at: String,
        content: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Native>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    Tool {
        at: String,
        tool_call_id: String,
        content: String,
        #[serde(default)]
        is_error: bool,
    },
}

/// What happened between messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event {
    Session {
        version: u32,
        at: String,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
        /// How deep it lies under the session that no other one started.
        #[serde(default, skip_serializing_if = "is_zero")]
        depth: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<From>,
        /// What the project knew when it began.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        memory: String,
    },
    Warning {
        at: String,
    },
    Summary {
        at: String,
        content: String,
        /// What the session keeps beside its page, as it was then.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        memory: String,
    },
    BeganTask {
        at: String,
        task: String,
        call: String,
        title: String,
    },
    EndedTask {
        at: String,
        task: String,
        call: String,
        summary: String,
        is_cancelled: bool,
    },
    Spawned {
        at: String,
        call: String,
        #[serde(flatten)]
        child: Child,
    },
    Ended {
        at: String,
        outcome: Outcome,
        content: String,
    },
    Custom {
        at: String,
        #[serde(rename = "customType")]
        custom_type: String,
        data: Value,
    },
    #[serde(other)]
    Unknown,
}

/// The line of another transcript that a fork goes on from; what stands before it is its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct From {
    /// The file, beside the fork's own.
    pub(super) file: String,
    /// The first line that is not part of the history.
    pub(super) line: u64,
}

/// What a child was started for, and with what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Child {
    /// The agent id of its session.
    #[serde(rename = "child")]
    pub(super) id: String,
    pub(super) task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token_limit: Option<u64>,
    /// For a fork, the first line of its parent that is not part of its history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// How a child came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It reported its result.
    Reported,
    /// Its program failed.
    Crashed,
    /// It took longer than it may.
    TimedOut,
    /// It was stopped.
    Cancelled,
}
