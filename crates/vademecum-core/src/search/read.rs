//! Reads a candidate for what a query asks: which terms it holds, how often and where.

use xxhash_rust::xxh3::xxh3_64;

use super::query::Query;
use super::words::{Kind, scan};
use crate::note::Note;

/// What one note holds of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reading {
    /// How many tokens the note has.
    pub(super) len: usize,
    /// The terms it holds by their place in the query, and how often.
    pub(super) terms: Vec<(usize, f32)>,
}

/// Finds the terms of one query in many notes.
pub(super) struct Reader {
    table: Table,
    counts: Vec<f32>,
}

impl Reader {
    /// Prepares for `query`.
    pub(super) fn new(query: &Query) -> Self {
        Self { table: Table::new(query), counts: vec![0.0; query.terms.len()] }
    }

    /// Reads content and tags of `note`.
    pub(super) fn read(&mut self, note: &Note) -> Reading {
        self.counts.fill(0.0);
        let mut len = 0;
        let texts = std::iter::once(note.content.as_str());
        for text in texts.chain(note.tags.as_slice().iter().map(String::as_str)) {
            scan(text, |token| {
                len += usize::from(token.kind != Kind::Path);
                if let Some(term) = self.table.find(token.key) {
                    self.counts[term] += 1.0;
                }
            });
        }
        let held = self.counts.iter().copied().enumerate().filter(|&(_, n)| 0.0 < n);
        Reading { len, terms: held.collect() }
    }
}

/// The terms of a query by the hash of their key.
struct Table {
    slots: Vec<Option<(u64, usize)>>,
}

impl Table {
    fn new(query: &Query) -> Self {
        let mut slots = vec![None; (query.terms.len() * 4).next_power_of_two()];
        for (at, term) in query.terms.iter().enumerate() {
            let hash = xxh3_64(term.key.as_bytes());
            let free = Self::probe(&slots, hash).find(|&slot| slots[slot].is_none());
            slots[free.expect("a quarter of the slots is used at most")] = Some((hash, at));
        }
        Self { slots }
    }

    fn find(&self, key: &str) -> Option<usize> {
        let hash = xxh3_64(key.as_bytes());
        let slots = Self::probe(&self.slots, hash).map_while(|slot| self.slots[slot]);
        slots.filter(|&(of, _)| of == hash).map(|(_, term)| term).next()
    }

    fn probe(slots: &[Option<(u64, usize)>], hash: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = slots.len() - 1;
        let start = usize::try_from(hash & 0xffff).expect("16 bits fit");
        (0..=mask).map(move |step| (start + step) & mask)
    }
}
