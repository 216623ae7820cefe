//! Which candidate comes first. Every candidate is read again, so one handed over in error drops out.

#![expect(clippy::cast_precision_loss, reason = "counts of words and notes are far below 2^23")]

use std::cmp::Reverse;

use memchr::memmem::Finder;

use super::fold::fold;
use super::query::{Query, Role};
use super::read::{Reader, Reading};
use crate::note::Note;

/// How many notes hold a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// How many were found.
    pub n: u64,
    /// Whether counting stopped there, so that there may be more.
    pub saturated: bool,
}

/// What an engine knows beyond the candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// How many notes there are to search.
    pub n_notes: u64,
    /// How many notes hold each of [`Query::terms`], in their order.
    pub found: Vec<Count>,
}

/// How well a note answers; a better tier goes before any score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The whole query stands in the content, in any case.
    Substring,
    /// Every word of the query stands in content or tags, wherever.
    AllTerms,
    /// Some word of the query does.
    SomeTerms,
}

/// A note that answers a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Its place among the candidates.
    pub idx: usize,
    /// How well it answers.
    pub tier: Tier,
    /// How well within its tier; scores of two queries cannot be compared.
    pub score: f32,
}

/// Orders the `notes` that answer `query`, the best first; ties go to the last updated.
#[must_use]
pub fn rank(query: &Query, notes: &[Note], stats: &Stats) -> Vec<Hit> {
    let mut reader = Reader::new(query);
    let readings: Vec<Reading> = notes.iter().map(|note| reader.read(note)).collect();
    let weights = weights(query, &readings, stats);
    let mean_len = mean_len(&readings);
    let finder = query.literal.as_ref().map(|literal| Finder::new(&literal.folded));

    let mut hits: Vec<Hit> = Vec::new();
    for (idx, (note, reading)) in notes.iter().zip(&readings).enumerate() {
        let holds =
            |finder: &Finder<'_>| finder.find(fold(note.content.as_str()).as_bytes()).is_some();
        let tier = if finder.as_ref().is_some_and(holds) {
            Tier::Substring
        } else if reading.terms.is_empty() {
            continue;
        } else if holds_all(query, reading) {
            Tier::AllTerms
        } else {
            Tier::SomeTerms
        };
        hits.push(Hit { idx, tier, score: score(reading, &weights, mean_len) });
    }
    hits.sort_by(|a, b| {
        let newer = |hit: &Hit| Reverse((notes[hit.idx].updated_at, notes[hit.idx].id));
        (a.tier.cmp(&b.tier)).then(b.score.total_cmp(&a.score)).then(newer(a).cmp(&newer(b)))
    });
    hits
}

fn holds_all(query: &Query, reading: &Reading) -> bool {
    let needed = query.terms.iter().enumerate().filter(|(_, term)| term.role != Role::Whole);
    needed.into_iter().all(|(at, _)| reading.terms.iter().any(|&(term, _)| term == at))
}

fn mean_len(readings: &[Reading]) -> f32 {
    let total: usize = readings.iter().map(|reading| reading.len).sum();
    (total as f32 / readings.len().max(1) as f32).max(1.0)
}

/// What holding each term is worth: the fewer notes do, the more.
fn weights(query: &Query, readings: &[Reading], stats: &Stats) -> Vec<f32> {
    let mut seen = vec![0_u64; query.terms.len()];
    for &(term, _) in readings.iter().flat_map(|reading| &reading.terms) {
        seen[term] += 1;
    }
    let n_notes = stats.n_notes.max(readings.len() as u64) as f32;
    let weight = |(at, _): (usize, &super::query::Term)| {
        let found = stats.found.get(at).copied().unwrap_or_default();
        let n = found.n.max(seen[at]) as f32;
        let n = if found.saturated { (n * n_notes).sqrt().max(n) } else { n };
        (1.0 + (n_notes - n + 0.5).max(0.0) / (n + 0.5)).ln()
    };
    query.terms.iter().enumerate().map(weight).collect()
}

/// BM25.
fn score(reading: &Reading, weights: &[f32], mean_len: f32) -> f32 {
    const SATURATION: f32 = 1.2;
    const LENGTH: f32 = 0.75;
    let norm = SATURATION * (1.0 - LENGTH + LENGTH * reading.len as f32 / mean_len);
    let one = |&(term, n): &(usize, f32)| weights[term] * n * (SATURATION + 1.0) / (n + norm);
    reading.terms.iter().map(one).sum()
}
