//! How well a note answers a query, in one number.
//!
//! BM25 over words and names. A note that holds every word gains by holding them close together. The
//! others are told apart, the more the longer the query is, by what goes with an answer: sharing rare
//! words with good matches, standing next to one, being recent, naming things rather than talking.
//! The weights were fitted on real agent sessions, and hold on repositories left out of the fit.
#![expect(clippy::cast_precision_loss, reason = "counts of words and notes are far below 2^23")]

use super::near::{Wanted, shortest_run};
use super::query::{Query, Term};
use super::rank::{Searched, Stats};
use super::read::{Corpus, Reading};
use super::words::Kind;

/// What BM25 makes of counts.
struct Weighing {
    /// How soon repeating a term stops to count.
    saturation: f32,
    /// How much long texts lose.
    length: f32,
    /// How much more rare terms count than BM25 has it.
    rarity: f32,
}

/// Long texts are what BM25 was made for: its usual parameters (Robertson and Zaragoza, 2009).
const OF_WHOLES: Weighing = Weighing { saturation: 1.2, length: 0.75, rarity: 1.0 };
const OF_NOTES: Weighing = Weighing { saturation: 2.0, length: 0.7, rarity: 1.5 };

/// A query of so many terms is half way between short and long.
const HALF_LONG: f32 = 6.0;

const SHARED: f32 = 0.8;
const NEXT_TO: f32 = 0.5;
const TALK: f32 = 3.0;
const AGE: f32 = 0.07;
const TOGETHER: f32 = 0.3;

/// What two words near each other count beside one of them, and two that follow each other as in the query: a third more
/// of each finds the same (docs/search.md).
const NEAR: f32 = 0.3;
const NEXT: f32 = 0.45;

/// Scores every note of `corpus`, in the same order.
pub(super) fn scores(
    query: &Query,
    corpus: &Corpus,
    notes: &[impl Searched],
    stats: &Stats,
) -> Vec<f32> {
    let mut matched = scaled(bm25(query, corpus, stats, &OF_NOTES));
    let shared = scaled(shared(corpus, &matched));
    let is_whole = stats.n_notes <= notes.len() as u64;
    let next_to = if is_whole { next_to(notes, &matched) } else { vec![0.0; notes.len()] };
    let n_needed = query.n_needed() as f32;
    let doubt = n_needed.powi(2) / (n_needed.powi(2) + HALF_LONG.powi(2));
    for (age, idx) in newest_first(notes, Searched::order).enumerate() {
        let note = &corpus.notes[idx];
        let near = SHARED * shared[idx] + NEXT_TO * next_to[idx];
        let far = TALK * talk(note) + AGE * (1.0 + age.min(255) as f32).ln();
        matched[idx] += if note.holds_all {
            TOGETHER * together(query, corpus.hits(note))
        } else {
            doubt * (near - far)
        };
    }
    matched
}

fn scaled(mut scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(0.0, f32::max);
    if 0.0 < most {
        for score in &mut scores {
            *score /= most;
        }
    }
    scores
}

/// How well each text as a whole answers `query`: 1 the best, 0 one that has none of its words.
#[must_use]
pub fn weigh(query: &Query, texts: &[impl Searched]) -> Vec<f32> {
    let corpus = Corpus::read(query, texts);
    let mut scores = bm25(query, &corpus, &Stats::default(), &OF_WHOLES);
    for (score, pairs) in scores.iter_mut().zip(pairs(query, &corpus)) {
        *score += pairs;
    }
    scaled(scores)
}

/// How much more texts say of a query whose words stand together in them, as they do in who answers it.
///
/// Each two words count that stand near each other, and those more that follow each other as in the query
/// (sequential dependence: Metzler and Croft, 2005).
fn pairs(query: &Query, corpus: &Corpus) -> Vec<f32> {
    let wanted = Wanted::new(query);
    let found: Vec<Vec<(usize, f32)>> =
        corpus.notes.iter().map(|note| wanted.in_text(corpus.hits(note))).collect();
    let mut holders = vec![0.0_f32; 2 * wanted.n_pairs()];
    for &(pair, _) in found.iter().flatten() {
        holders[pair] += 1.0;
    }
    let n_texts = corpus.notes.len() as f32;
    let worth = |&(pair, n): &(usize, f32)| {
        let weight = if pair < wanted.n_pairs() { NEAR } else { NEXT };
        let rarity = (1.0 + (n_texts - holders[pair] + 0.5) / (holders[pair] + 0.5)).ln();
        weight * rarity * n * (OF_WHOLES.saturation + 1.0) / (n + OF_WHOLES.saturation)
    };
    found.iter().map(|pairs| pairs.iter().map(worth).sum()).collect()
}

fn bm25(query: &Query, corpus: &Corpus, stats: &Stats, by: &Weighing) -> Vec<f32> {
    let weights = weights(query, corpus, stats, by.rarity);
    let total: usize = corpus.notes.iter().map(|note| note.n_words).sum();
    let mean = (total as f32 / corpus.notes.len().max(1) as f32).max(1.0);
    let score = |note: &Reading| {
        let length = 1.0 - by.length + by.length * note.n_words as f32 / mean;
        let norm = by.saturation * length;
        let one = |&(term, n): &(u32, f32)| {
            weights[term as usize] * n * (by.saturation + 1.0) / (n + norm)
        };
        corpus.terms(note).iter().map(one).sum()
    };
    corpus.notes.iter().map(score).collect()
}

/// What holding each term is worth: the fewer notes do, the more.
fn weights(query: &Query, corpus: &Corpus, stats: &Stats, power: f32) -> Vec<f32> {
    let n_notes = stats.n_notes.max(corpus.notes.len() as u64) as f32;
    let seen = corpus.holders.iter().map(|&n| n as f32);
    let n_words = query.n_needed().max(1) as f32;
    let weight = |((at, term), seen): ((usize, &Term), f32)| {
        let found = stats.found.get(at).copied().unwrap_or_default();
        let n = seen.max(found.n as f32);
        let n = if found.saturated { (n * n_notes).sqrt() } else { n };
        let rarity = (1.0 + (n_notes - n + 0.5).max(0.0) / (n + 0.5)).ln();
        kind_weight(term.kind, n_words) * term.weight * rarity.powf(power)
    };
    query.scored().enumerate().zip(seen).map(weight).collect()
}

/// Standing together matters most where there are few words to go by.
fn kind_weight(kind: Kind, n_words: f32) -> f32 {
    match kind {
        Kind::Word | Kind::Letters => 1.0,
        Kind::Name | Kind::Path => (2.0 / n_words).max(0.2),
        Kind::Pair => (2.0 / n_words).min(1.0),
    }
}

/// How telling it is to share each word: nothing if only one note holds it, or too many do.
fn rarities(corpus: &Corpus) -> Vec<f32> {
    let n_notes = corpus.notes.len();
    let most = (n_notes * 3 / 20).clamp(3, 30);
    let rarity = |&n: &u32| {
        let is_telling = (2..=most).contains(&(n as usize));
        if is_telling { (1.0 + n_notes as f32 / n as f32).ln() } else { 0.0 }
    };
    corpus.holders.iter().map(rarity).collect()
}

/// How much each note shares the rarer words of notes that match well.
fn shared(corpus: &Corpus, matched: &[f32]) -> Vec<f32> {
    let rarity = rarities(corpus);
    let telling = |note: &Reading| {
        corpus.words(note).iter().map(|&word| word as usize).filter(|&word| 0.0 < rarity[word])
    };
    let size = |note: &Reading| (telling(note).count().max(1) as f32).sqrt();

    let mut heat = vec![0.0_f32; corpus.holders.len()];
    for (note, matched) in corpus.notes.iter().zip(matched) {
        let share = matched / size(note);
        for word in telling(note) {
            heat[word] += share;
        }
    }
    for ((heat, rarity), &n) in heat.iter_mut().zip(&rarity).zip(&corpus.holders) {
        *heat *= rarity * rarity / n.max(1) as f32;
    }
    let sum = |note: &Reading| telling(note).map(|word| heat[word]).sum::<f32>() / size(note);
    corpus.notes.iter().map(sum).collect()
}

/// The better match of the two notes that stand before and after each.
fn next_to(notes: &[impl Searched], matched: &[f32]) -> Vec<f32> {
    let order: Vec<usize> = newest_first(notes, |note| note.order().1).collect();
    let mut next_to = vec![0.0_f32; notes.len()];
    for pair in order.windows(2) {
        next_to[pair[0]] = next_to[pair[0]].max(matched[pair[1]]);
        next_to[pair[1]] = next_to[pair[1]].max(matched[pair[0]]);
    }
    next_to
}

/// How close together a note holds all words of a short query: 1 where nothing stands between.
fn together(query: &Query, hits: &[(u32, u32)]) -> f32 {
    const MOST_WORDS: usize = 8;
    let n_needed = query.n_needed();
    if !(2..=MOST_WORDS).contains(&n_needed) {
        return 0.0;
    }
    let needed: Vec<bool> = query.scored().map(Term::is_needed).collect();
    let hits: Vec<(u32, u32)> =
        hits.iter().copied().filter(|&(term, _)| needed[term as usize]).collect();
    shortest_run(&hits, needed.len(), n_needed).map_or(0.0, |run| n_needed as f32 / run as f32)
}

/// Which share of a note are words that say nothing.
fn talk(note: &Reading) -> f32 {
    note.n_stops as f32 / note.n_words.max(5) as f32
}

/// The places of `notes`, those with the greatest `key` first.
fn newest_first<N: Searched, K: Ord>(notes: &[N], key: fn(&N) -> K) -> impl Iterator<Item = usize> {
    let mut order: Vec<usize> = (0..notes.len()).collect();
    order.sort_unstable_by_key(|&idx| std::cmp::Reverse(key(&notes[idx])));
    order.into_iter()
}
