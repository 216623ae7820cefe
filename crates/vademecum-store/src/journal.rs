//! The journal: every write in order, with its reverse, in a keyed chain per scope.

use serde::{Deserialize, Serialize};
use vademecum_core::hash::Hash;
use vademecum_core::id::Seq;
use vademecum_core::time::Time;

use crate::change::Change;
use crate::write::{Origin, Scope};

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// When.
    pub at: Time,
    /// The keyed hash of the body.
    pub body_hash: Hash,
    /// The hash of the scope's entry before this one; zeros for the first.
    pub prev_hash: Hash,
    /// The keyed hash of all the above.
    pub hash: Hash,
}

/// What an entry knows of its write, until it is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The hash of the arguments, in hexadecimal.
    pub arguments: String,
    /// The reply, as JSON.
    pub reply: String,
    /// The changes that undo it, in the order to make them.
    pub undo: Vec<Change>,
}
