//! Hashes of what is kept and shown: plain ones for receipts, keyed ones for chains and nonces.

/// A 256-bit hash (BLAKE3).
pub type Hash = [u8; 32];

/// The secret of one store, which no agent reads.
#[derive(Clone)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Hashes `bytes` without a key.
#[must_use]
pub fn plain(bytes: &[u8]) -> Hash {
    *blake3::hash(bytes).as_bytes()
}

/// Hashes `parts` with `key`, each part behind its length so that no two lists collide.
#[must_use]
pub fn keyed(key: &Key, parts: &[&[u8]]) -> Hash {
    let mut hasher = blake3::Hasher::new_keyed(&key.0);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// Writes the first `n_bytes` of `hash` in lower-case hexadecimal.
#[must_use]
pub fn hex(hash: &[u8], n_bytes: usize) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    hash.iter().take(n_bytes).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let key = Key([7; 32]);
        assert_ne!(keyed(&key, &[b"ab", b"c"]), keyed(&key, &[b"a", b"bc"]));
        assert_ne!(keyed(&key, &[b"ab"]), keyed(&Key([8; 32]), &[b"ab"]));
        assert_eq!(hex(&plain(b""), 4), "af1349b9");
    }
}
