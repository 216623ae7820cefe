//! Which candidate comes first. Every candidate is read again, so one handed over in error drops out.

use std::cmp::Reverse;

use memchr::memmem::Finder;

use super::fold::{fold, push_all_lower};
use super::query::Query;
use super::read::Corpus;
use super::score::scores;
use crate::note::Note;
use crate::time::Time;

/// What is searched and ranked: a note, or a piece of a longer text.
pub trait Searched {
    /// The text.
    fn text(&self) -> &str;

    /// The tags, which are found as words are.
    fn tags(&self) -> &[String];

    /// When it was last written, and its id: those of ids that follow each other stand side by side.
    fn order(&self) -> (Time, i64);
}

impl Searched for Note {
    fn text(&self) -> &str {
        self.content.as_str()
    }

    fn tags(&self) -> &[String] {
        self.tags.as_slice()
    }

    fn order(&self) -> (Time, i64) {
        (self.updated_at, self.id.0)
    }
}

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
pub fn rank(query: &Query, notes: &[impl Searched], stats: &Stats) -> Vec<Hit> {
    let corpus = Corpus::read(query, notes);
    let scores = scores(query, &corpus, notes, stats);
    let literal = literal_hits(query, notes);
    let tier = |idx: usize| {
        let note = &corpus.notes[idx];
        match literal[idx] {
            true => Some(Tier::Substring),
            false if corpus.terms(note).is_empty() => None,
            false if note.holds_all => Some(Tier::AllTerms),
            false => Some(Tier::SomeTerms),
        }
    };
    let hit = |idx: usize| Some(Hit { idx, tier: tier(idx)?, score: scores[idx] });
    let mut hits: Vec<Hit> = (0..notes.len()).filter_map(hit).collect();
    hits.sort_by(|a, b| {
        let newer = |hit: &Hit| Reverse(notes[hit.idx].order());
        (a.tier.cmp(&b.tier)).then(b.score.total_cmp(&a.score)).then(newer(a).cmp(&newer(b)))
    });
    hits
}

/// Which notes hold the whole query in their content.
fn literal_hits<N: Searched>(query: &Query, notes: &[N]) -> Vec<bool> {
    let Some(literal) = &query.literal else { return vec![false; notes.len()] };
    let whole = Finder::new(&literal.folded);
    let mut words: Vec<&str> = literal.folded.split(' ').collect();
    words.sort_by_key(|word| Reverse(word.len()));
    let words: Vec<Finder<'_>> = words.into_iter().map(Finder::new).collect();

    let mut lower = String::new();
    let holds = |note: &N| {
        lower.clear();
        push_all_lower(&mut lower, note.text());
        let holds = |finder: &Finder<'_>, text: &str| finder.find(text.as_bytes()).is_some();
        // White space is folded only where the rest leaves it open.
        words.iter().all(|word| holds(word, &lower))
            && (holds(&whole, &lower) || (!is_folded(&lower) && holds(&whole, &fold(&lower))))
    };
    notes.iter().map(holds).collect()
}

/// Whether all white space of `text` is sure to be single spaces.
fn is_folded(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii() && !matches!(byte, b'\t'..=b'\r');
    text.bytes().all(is_plain) && !text.contains("  ")
}
