//! Maps with a hasher for short keys: several times quicker than the standard one.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map for short keys.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A set of short keys.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// Folds the key in, eight bytes at a time. Its seed is fixed, so that the same turns take the
/// same way; the maps are bounded, so that keys made to meet cost time only.
#[derive(Debug, Default)]
pub(crate) struct Quick(u64);

impl Quick {
    fn fold(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let (low, high) = (wide as u64, (wide >> 64) as u64);
        self.0 = low ^ high;
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        self.fold(last(bytes) ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, _end_of_text: u8) {}

    fn write_u32(&mut self, word: u32) {
        self.fold(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The last eight bytes, or all of a shorter text; read without a loop.
fn last(bytes: &[u8]) -> u64 {
    if let Some(word) = bytes.last_chunk() {
        return u64::from_le_bytes(*word);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    let byte = |at: usize| bytes.get(at).copied().map_or(0, u64::from);
    byte(0) | byte(1) << 8 | byte(2) << 16
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;

    fn hash(key: impl Hash) -> u64 {
        let mut quick = Quick::default();
        key.hash(&mut quick);
        quick.finish()
    }

    #[test]
    fn keys_that_are_alike_lie_apart() {
        let texts = (0..2_000).map(|n| hash(format!("src/a{n}.rs")));
        let pairs = (0..2_000_u32).map(|n| hash((n / 50, n % 50)));
        let low: HashSet<u64> = texts.chain(pairs).map(|hash| hash & 0xffff_ffff).collect();
        assert_eq!(low.len(), 4_000);
    }

    #[test]
    fn a_longer_text_of_nothing_is_another() {
        assert_ne!(hash("a"), hash("a\0"));
    }
}
