//! One write: what it is called, where it belongs, who asked, and what became of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use vademecum_core::hash::Hash;
use vademecum_core::id::{ProjectId, Seq, SessionId, WriteId};
use vademecum_core::time::Time;

use crate::change::Change;

/// What a write belongs to; writes of one scope stand in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// The store as a whole.
    Store,
    /// One project.
    Project(ProjectId),
    /// One session.
    Session(SessionId),
}

impl Scope {
    /// The scope that `text` names, in the form that [`fmt::Display`] writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None => (text == "store").then_some(Self::Store),
            Some(("project", id)) => Some(Self::Project(ProjectId(id.parse().ok()?))),
            Some(("session", id)) => Some(Self::Session(SessionId(id.parse().ok()?))),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store => f.write_str("store"),
            Self::Project(id) => write!(f, "project:{}", id.0),
            Self::Session(id) => write!(f, "session:{}", id.0),
        }
    }
}

/// The way by which a call came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// The command line.
    Cli,
    /// The Model Context Protocol.
    Mcp,
    /// A hook of a harness.
    Hook,
    /// The library.
    Library,
    /// An import of records made elsewhere.
    Import,
}

/// Who stands behind a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// A person.
    User,
    /// A model.
    Agent,
    /// A program, such as a harness.
    Tool,
}

/// Where a write comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The way by which it came in.
    pub surface: Surface,
    /// Who stands behind it.
    pub author: Author,
}

impl Origin {
    /// The origin as `surface/author`, such as `mcp/agent`.
    #[must_use]
    pub fn word(self) -> String {
        format!("{}/{}", self.surface.word(), self.author.word())
    }

    /// The origin that [`Origin::word`] wrote.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let (surface, author) = word.split_once('/')?;
        Some(Self { surface: Surface::parse(surface)?, author: Author::parse(author)? })
    }
}

impl Surface {
    const ALL: [Self; 5] = [Self::Cli, Self::Mcp, Self::Hook, Self::Library, Self::Import];

    /// The word that is kept and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Mcp => "mcp",
            Self::Hook => "hook",
            Self::Library => "library",
            Self::Import => "import",
        }
    }

    /// The surface that `word` names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.word() == word)
    }
}

impl Author {
    const ALL: [Self; 3] = [Self::User, Self::Agent, Self::Tool];

    /// The word that is kept and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Tool => "tool",
        }
    }

    /// The author that `word` names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|author| author.word() == word)
    }
}

/// One write as it is asked for.
#[derive(Debug, Clone)]
pub struct Write {
    /// What it belongs to.
    pub scope: Scope,
    /// Its name, by which it can be repeated without doubling.
    pub id: WriteId,
    /// The hash of the operation's name and arguments.
    pub arguments: Hash,
    /// The name of the operation.
    pub kind: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// When it was asked for.
    pub at: Time,
}

/// What the caller decides on seeing the state.
#[derive(Debug)]
pub enum Decision {
    /// Make these changes and keep the reply for a repeat; without changes nothing is journaled.
    Commit {
        /// The changes, made in this order.
        changes: Vec<Change>,
        /// The reply, as JSON.
        reply: String,
    },
    /// Change nothing; the caller keeps the reason.
    Refuse,
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The changes are on disk.
    Done {
        /// The place in the journal.
        seq: Seq,
    },
    /// There was nothing to change.
    Unchanged,
    /// The same write was made before; this is what it answered then.
    Replayed {
        /// The place in the journal.
        seq: Seq,
        /// The reply, as JSON.
        reply: String,
    },
    /// The caller refused.
    Refused,
}
