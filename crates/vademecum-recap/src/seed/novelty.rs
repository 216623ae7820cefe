//! How new a chunk is to what is remembered, in four ways.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::vector::{Vector, cosine, counts, document_counts, float, scale, words};

/// How novelty is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Novelty {
    /// 1 less the nearest memory's cosine, by TF-IDF or by the embedder that is given.
    #[default]
    Distance,
    /// The mean information of its words: how rare they are in memory.
    Information,
    /// The distance to the nearest memory by compression.
    Compression,
    /// How far it shifts the distribution of words.
    Surprise,
}

/// Of each chunk, 0 to 1; all 1 where nothing is remembered.
pub(super) fn novelty(
    how: Novelty,
    chunks: &[&str],
    memories: &[String],
    vectors: &[Vector],
) -> Vec<f64> {
    if memories.is_empty() {
        return vec![1.0; chunks.len()];
    }
    match how {
        Novelty::Distance => {
            let (chunks, memories) = vectors.split_at(chunks.len());
            let nearest = |chunk| memories.iter().map(|it| cosine(chunk, it)).fold(0.0, f64::max);
            chunks.iter().map(|chunk| 1.0 - nearest(chunk)).collect()
        }
        Novelty::Information => {
            let with = document_counts(memories);
            scale(chunks.iter().map(|chunk| information(chunk, &with, memories.len())).collect())
        }
        Novelty::Compression => {
            let nearest =
                |chunk: &&str| memories.iter().map(|it| ncd(chunk, it)).fold(1.0, f64::min);
            chunks.iter().map(nearest).collect()
        }
        Novelty::Surprise => {
            let prior = counts(&memories.join("\n"));
            scale(chunks.iter().map(|chunk| surprise(&prior, &counts(chunk))).collect())
        }
    }
}

/// The mean of -ln P(word), P by the share of memories that hold it.
fn information(chunk: &str, with: &HashMap<String, usize>, n_memories: usize) -> f64 {
    let all = float(n_memories);
    let bits = |word: String| {
        let n = float(with.get(&word).copied().unwrap_or(0));
        ((all + 1.0) / (n + 0.5)).ln()
    };
    let (mut sum, mut n) = (0.0, 0);
    for word in words(chunk) {
        sum += bits(word);
        n += 1;
    }
    if n == 0 { 0.0 } else { sum / float(n) }
}

/// Bayesian surprise in nats: KL(posterior ‖ prior) of the words, each seen once more than it was.
#[must_use]
pub fn surprise(prior: &BTreeMap<String, f64>, seen: &BTreeMap<String, f64>) -> f64 {
    let vocabulary: BTreeSet<&String> = prior.keys().chain(seen.keys()).collect();
    let n_words = float(vocabulary.len());
    let before = prior.values().sum::<f64>() + n_words;
    let after = before + seen.values().sum::<f64>();
    let term = |word: &String| {
        let had = prior.get(word).copied().unwrap_or(0.0) + 1.0;
        let has = had + seen.get(word).copied().unwrap_or(0.0);
        let (p, q) = (has / after, had / before);
        p * (p / q).ln()
    };
    vocabulary.into_iter().map(term).sum::<f64>().max(0.0)
}

/// The normalised compression distance of two texts, 0 to 1.
#[must_use]
pub fn ncd(a: &str, b: &str) -> f64 {
    let (one, other) = (compressed(a.as_bytes()), compressed(b.as_bytes()));
    let (less, more) = (one.min(other), one.max(other));
    if more == 0 {
        return 0.0;
    }
    let both = compressed(format!("{a}{b}").as_bytes());
    (float(both.saturating_sub(less)) / float(more)).clamp(0.0, 1.0)
}

/// How many bits a text takes: 9 a byte, 24 a repetition of 4 bytes or more.
fn compressed(bytes: &[u8]) -> usize {
    const LEAST: usize = 4;
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    let (mut at, mut bits) = (0, 0);
    while at < bytes.len() {
        let seen = bytes.get(at..at + LEAST).and_then(|key| last.get(key)).copied();
        let len = seen.map_or(1, |from| {
            bytes[at..].iter().zip(&bytes[from..]).take_while(|(a, b)| a == b).count()
        });
        bits += if seen.is_some() { 24 } else { 9 };
        for place in at..at + len {
            if let Some(key) = bytes.get(place..place + LEAST) {
                last.insert(key, place);
            }
        }
        at += len;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
    }

    #[track_caller]
    fn check_surprise(prior: &str, seen: &str, nats: f64) {
        close(surprise(&counts(prior), &counts(seen)), nats);
    }

    #[test]
    fn tells_surprise() {
        check_surprise("aa bb", "", 0.0);
        check_surprise(
            "aa bb",
            "aa aa",
            2.0 / 3.0 * (4.0_f64 / 3.0).ln() + (2.0_f64 / 3.0).ln() / 3.0,
        );
        check_surprise("aa", "bb", 0.5 * (0.75_f64).ln() + 0.5 * (1.5_f64).ln());
    }

    #[test]
    fn tells_the_distance_by_compression() {
        close(ncd("", ""), 0.0);
        close(ncd("abcdefgh", "stuvwxyz"), 1.0);
        close(ncd("abcdefghijklmnop", "abcdefghijklmnop"), 24.0 / 144.0);
    }
}
