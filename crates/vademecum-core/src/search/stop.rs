//! English words that say nothing about what a note is about.

/// Whether `word`, in lower case, says nothing.
pub(super) fn is_stop(word: &str) -> bool {
    word.len() <= LONGEST && PACKED.binary_search(&pack(word.as_bytes())).is_ok()
}

const LONGEST: usize = 5;

/// The words as numbers in the same order, since every word of every candidate is compared.
const PACKED: [u64; STOP.len()] = {
    let mut packed = [0; STOP.len()];
    let mut at = 0;
    while at < STOP.len() {
        packed[at] = pack(STOP[at].as_bytes());
        at += 1;
    }
    packed
};

const fn pack(word: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let mut at = 0;
    while at < word.len() {
        bytes[at] = word[at];
        at += 1;
    }
    u64::from_be_bytes(bytes)
}

const STOP: [&str; 74] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "did", "do", "does", "for", "from", "had", "has", "have", "here", "how", "i", "if",
    "in", "into", "is", "it", "its", "just", "let", "me", "my", "no", "not", "now", "of", "on",
    "or", "our", "out", "so", "some", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "up", "was", "we", "were", "what", "when",
    "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(STOP.is_sorted());
        assert_eq!(STOP.iter().map(|word| word.len()).max(), Some(LONGEST));
        assert!(is_stop("with") && !is_stop("timeout"));
    }
}
