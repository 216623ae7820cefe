//! One write: what it is called, where it belongs, who asked, and what became of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use vademecum_core::hash::Hash;
use vademecum_core::id::{MachineId, PersonId, ProjectId, Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_core::words;

use crate::change::Change;

/// What a write belongs to; writes of one scope stand in one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// The store as a whole.
    Store,
    /// One project.
    Project(ProjectId),
    /// One session.
    Session(SessionKey),
    /// What only a later program knows.
    Unknown(Box<str>),
}

impl Scope {
    /// What the text of a scope begins with whose name was forgotten: a number of this store is behind it.
    pub const GONE: &'static str = "gone:";

    /// Whether its name is gone; no scope of a later program is called so.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Unknown(text) if text.starts_with(Self::GONE))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store => f.write_str("store"),
            Self::Project(id) => write!(f, "project:{id}"),
            Self::Session(key) => write!(f, "session:{key}"),
            Self::Unknown(text) => f.write_str(text),
        }
    }
}

words! {
    /// The way by which a call came in.
    Surface {
        /// The command line.
        Cli = "cli",
        /// The Model Context Protocol.
        Mcp = "mcp",
        /// A hook of a harness.
        Hook = "hook",
        /// The library.
        Library = "library",
        /// An import of records made elsewhere.
        Import = "import",
    }
}

words! {
    /// Who stands behind a call.
    Author {
        /// A person.
        User = "user",
        /// A model.
        Agent = "agent",
        /// A program, such as a harness.
        Tool = "tool",
    }
}

/// Where a write comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The way by which it came in.
    pub surface: Surface,
    /// Who stands behind it.
    pub author: Author,
}

impl Origin {
    /// The origin as `surface/author`, such as `mcp/agent`.
    #[must_use]
    pub fn word(&self) -> String {
        format!("{}/{}", self.surface.word(), self.author.word())
    }

    /// Whether neither the session's own agent nor a hook wrote it.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.author != Author::Agent && self.surface != Surface::Hook
    }

    /// The origin that [`Origin::word`] wrote.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let (surface, author) = word.split_once('/')?;
        Some(Self { surface: Surface::from(surface), author: Author::from(author) })
    }
}

/// Who wrote, and on which machine.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Writer {
    /// The person behind it; none where nobody knows.
    pub person: PersonId,
    /// The machine; none where nobody knows.
    pub machine: MachineId,
}

impl Writer {
    /// Nobody that is known.
    pub const NONE: Self = Self { person: PersonId::NONE, machine: MachineId::NONE };

    /// Both in the bytes of their ids, the person first.
    #[must_use]
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let (person, machine) = bytes.split_at_mut(16);
        person.copy_from_slice(&self.person.0);
        machine.copy_from_slice(&self.machine.0);
        bytes
    }
}

impl From<[u8; 32]> for Writer {
    fn from(bytes: [u8; 32]) -> Self {
        let half = |at: usize| std::array::from_fn(|n| bytes[at + n]);
        Self { person: PersonId(half(0)), machine: MachineId(half(16)) }
    }
}

/// One write as it is asked for.
#[derive(Debug, Clone)]
pub struct Write {
    /// What it belongs to.
    pub scope: Scope,
    /// Its name, by which it can be repeated without doubling.
    pub id: WriteId,
    /// Whether nobody else knows that name, so that no repeat is ever asked for: an engine need not find it again.
    pub is_fresh: bool,
    /// The hash of the operation's name and arguments.
    pub arguments: Hash,
    /// The name of the operation.
    pub kind: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// Who writes.
    pub by: Writer,
    /// When it was asked for.
    pub at: Time,
}

impl Write {
    /// The hash of the arguments as a body has it: a repeat alone asks for it.
    #[must_use]
    pub fn kept_arguments(&self) -> Hash {
        if self.is_fresh { Hash::default() } else { self.arguments }
    }
}

/// What the caller decides on seeing the state.
#[derive(Debug)]
pub enum Decision {
    /// Make these changes and keep the reply for a repeat; without changes nothing is journaled.
    Commit {
        /// The changes, made in this order.
        changes: Vec<Change>,
        /// The reply, as JSON; empty where nobody asks for it again.
        reply: String,
    },
    /// The same for changes that another store made: what undoes them stands in the entries that come with them.
    Copy {
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
        /// The reply, as JSON; empty where nobody asks for it again.
        reply: String,
    },
    /// The caller refused.
    Refused,
}
