//! The journal: every write in order, with its reverse, in a keyed chain per scope.

use serde::{Deserialize, Serialize};
use vademecum_core::hash::Hash;
use vademecum_core::id::Seq;
use vademecum_core::time::Time;

use crate::chain::Seal;
use crate::change::{Change, Unknown};
use crate::write::{Origin, Scope, Writer};

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its place.
    pub seq: Seq,
    /// What it belongs to.
    pub scope: Scope,
    /// The write id.
    pub write_id: String,
    /// The operation.
    pub kind: String,
    /// Where it came from.
    pub origin: Origin,
    /// Who wrote it.
    pub by: Writer,
    /// When.
    pub at: Time,
    /// The keyed hash of the body.
    pub body_hash: Seal,
    /// The keyed hash of all the above and of the scope's entry before this one.
    pub hash: Seal,
}

/// An entry, and its body as far as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The entry.
    pub record: Record,
    /// How many bytes its body takes; none where it was erased, or no bodies were asked for.
    pub size: Option<u64>,
    /// Its body, unless it, or one before it in the answer, was larger than what was left to read.
    pub body: Option<Body>,
}

/// What an entry knows of its write, until it is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The hash of the operation's name and arguments; zeros where no repeat is asked for.
    pub arguments: Hash,
    /// The reply, as JSON.
    pub reply: String,
    /// The changes that undo it, in the order to make them.
    pub undo: Vec<Change>,
}

impl Body {
    /// The first change of it that only a later program can undo.
    #[must_use]
    pub fn unknown(&self) -> Option<&Unknown> {
        self.undo.iter().find_map(|change| match change {
            Change::Unknown(unknown) => Some(unknown),
            _ => None,
        })
    }
}
