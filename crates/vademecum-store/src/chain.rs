//! The keyed chain over the journal: what an entry's hashes are.
//!
//! A scope's chain begins with its name, so that an entry is sealed under the name and none of a scope whose name was
//! erased need be known to check those behind its first.

use vademecum_core::hash::{Hash, Key, keyed};
use vademecum_core::id::Seq;

use crate::journal::Record;
use crate::write::Scope;

/// A keyed BLAKE3, cut to 16 bytes.
pub type Seal = [u8; 16];

/// What an entry knows of its write, as an engine keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyBytes<'a> {
    /// The hash of the operation's name and arguments.
    pub arguments: &'a [u8],
    /// The reply, as JSON.
    pub reply: &'a [u8],
    /// The list of changes that undo it, as JSON.
    pub undo: &'a [u8],
}

/// The hash before the first entry of a scope.
#[must_use]
pub fn start(key: &Key, scope: &Scope) -> Seal {
    cut(&keyed(key, &[b"scope2", scope.to_string().as_bytes()]))
}

/// The keyed hash of an entry's body.
#[must_use]
pub fn body_hash(key: &Key, body: &BodyBytes<'_>) -> Seal {
    cut(&keyed(key, &[b"body2", body.arguments, body.reply, body.undo]))
}

/// The keyed hash of an entry, over the hash of the one before it in its scope and all of its fields.
///
/// All but the scope: that is in the hash before the first.
#[must_use]
pub fn entry_hash(key: &Key, before: &Seal, record: &Record) -> Seal {
    cut(&keyed(
        key,
        &[
            b"entry2",
            before,
            &record.seq.0.to_le_bytes(),
            record.write_id.as_bytes(),
            record.kind.as_bytes(),
            record.origin.surface.word().as_bytes(),
            record.origin.author.word().as_bytes(),
            &record.by.bytes(),
            &record.at.0.to_le_bytes(),
            &record.body_hash,
        ],
    ))
}

/// The first entry of one scope, oldest first, whose hash does not hold.
///
/// Of the entries up to `lost` the key is lost: they are passed over.
#[must_use]
pub fn first_bad<'a>(
    key: &Key,
    lost: Seq,
    start: Seal,
    records: impl IntoIterator<Item = &'a Record>,
) -> Option<&'a Record> {
    let mut before = start;
    for record in records {
        if lost < record.seq && record.hash != entry_hash(key, &before, record) {
            return Some(record);
        }
        before = record.hash;
    }
    None
}

fn cut(hash: &Hash) -> Seal {
    *hash.first_chunk().expect("a hash has 32 bytes")
}
