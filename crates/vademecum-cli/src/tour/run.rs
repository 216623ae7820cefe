//! The recorded session: what the real Claude Code 2.1.330 sent to our hooks and our MCP server, in order.
//!
//! It was asked twice in a project of ours, with a model that followed a script. Of its transcript only the
//! lines are kept by which the size of the context is known, and the arguments of tool calls are those that
//! our hook answers: what is replayed has to come from this program.

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

/// The home that the recording knows.
pub(super) const HOME: &str = "/home/dev";

/// The harness that was recorded.
pub(super) const HARNESS: &str = "Claude Code 2.1.330";

/// What the harness was told in its environment: it compacts when 67,000 tokens are used.
pub(super) const WINDOW: (&str, &str) = ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");

/// One thing that the harness did.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Recorded {
    /// It wrote a line into its transcript.
    Transcript {
        /// Whose transcript.
        session: String,
        /// The line.
        line: Value,
    },
    /// It ran a hook.
    Hook {
        /// The event.
        event: String,
        /// What the hook read.
        stdin: Value,
    },
    /// It sent a message to the MCP server.
    Mcp {
        /// The message; a call of a tool has the arguments of the hook before it.
        message: Value,
    },
    /// Its model wrote the summary that takes the place of the conversation.
    Summary {
        /// The summary.
        text: String,
    },
}

/// The whole session, its home moved to `home`.
pub(super) fn recorded(home: &str) -> anyhow::Result<Vec<Recorded>> {
    include_str!("run.jsonl").lines().map(|line| parse(line, home)).collect()
}

fn parse(line: &str, home: &str) -> anyhow::Result<Recorded> {
    let value: Value = serde_json::from_str(line).context("the recording is damaged")?;
    serde_json::from_value(moved(value, home)).context("the recording is damaged")
}

/// `value` with the recorded home in all its texts replaced by `home`.
fn moved(value: Value, home: &str) -> Value {
    match value {
        Value::String(text) => text.replace(HOME, home).into(),
        Value::Array(items) => items.into_iter().map(|item| moved(item, home)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, field)| (key, moved(field, home))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
