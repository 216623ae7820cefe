//! English words that say nothing about what a note is about. `may` is none: it is a month, too.

/// Whether `word`, in lower case, says nothing.
pub(super) fn is_stop(word: &str) -> bool {
    let Some(first @ b'a'..=b'z') = word.as_bytes().first() else { return false };
    let may_be = word.len() <= LONGEST && LENGTHS[(first - b'a') as usize] >> word.len() & 1 == 1;
    may_be && PACKED.binary_search(&pack(word.as_bytes())).is_ok()
}

const LONGEST: usize = 7;

/// How long the words with each first letter are, one bit for each length.
const LENGTHS: [u8; 26] = {
    let mut lengths = [0; 26];
    let mut at = 0;
    while at < STOP.len() {
        let word = STOP[at].as_bytes();
        lengths[(word[0] - b'a') as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
};

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

const STOP: [&str; 95] = [
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "being", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "during",
    "for", "from", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "me", "might", "must", "my",
    "no", "not", "now", "of", "on", "or", "our", "out", "she", "should", "so", "some", "such",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "why", "will", "with", "would", "you", "your",
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
