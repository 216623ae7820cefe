//! The keyed chain over the journal: what an entry's hashes are.

use vademecum_core::hash::{Hash, Key, keyed};
use vademecum_core::id::Seq;

use crate::journal::Record;

/// The hash before the first entry of a scope.
pub const START: Hash = [0; 32];

/// The keyed hash of an entry's body.
#[must_use]
pub fn body_hash(key: &Key, body: &[u8]) -> Hash {
    keyed(key, &[b"body", body])
}

/// The keyed hash of an entry, over all of its fields but the hash itself.
#[must_use]
pub fn entry_hash(key: &Key, record: &Record) -> Hash {
    let scope = record.scope.to_string();
    let origin = record.origin.word();
    keyed(
        key,
        &[
            b"entry",
            &record.prev_hash,
            &record.seq.0.to_le_bytes(),
            scope.as_bytes(),
            record.write_id.as_bytes(),
            record.kind.as_bytes(),
            origin.as_bytes(),
            &record.at.0.to_le_bytes(),
            &record.body_hash,
        ],
    )
}

/// The first entry of one scope, oldest first, whose hashes do not hold.
#[must_use]
pub fn first_bad<'a>(
    key: &Key,
    records: impl IntoIterator<Item = &'a Record>,
) -> Option<&'a Record> {
    first_bad_after(key, Seq(0), records)
}

/// The same where the key of the entries up to `lost` is lost.
///
/// Of those it can only be said that each follows on the one before it.
#[must_use]
pub fn first_bad_after<'a>(
    key: &Key,
    lost: Seq,
    records: impl IntoIterator<Item = &'a Record>,
) -> Option<&'a Record> {
    let mut prev = START;
    for record in records {
        let is_signed = record.seq <= lost || record.hash == entry_hash(key, record);
        if record.prev_hash != prev || !is_signed {
            return Some(record);
        }
        prev = record.hash;
    }
    None
}
