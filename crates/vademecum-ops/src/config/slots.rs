//! The slots in which a harness is given text: all that it has, or those that are named.

use serde::{Deserialize, Serialize};

/// A place where text is put in front of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// The system prompt: the instructions of the MCP server.
    System,
    /// In front of a user message: the scratchpad, and what others changed.
    User,
    /// A delegated prompt: wisdom and directive for a sub-agent.
    Delegate,
    /// The start of a session, and what comes back after a compaction.
    Startup,
}

impl Slot {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::System, Self::User, Self::Delegate, Self::Startup];
}
