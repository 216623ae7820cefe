//! Candidates for a search, found by reading every note of the session.
//!
//! Limits and steps are those of the embedded engine, so that both hand over the same notes.

use std::collections::BTreeMap;

use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::search::{self, Count, Keys, Query, Stats};

use super::notes::Notes;
use crate::view::{Candidates, NoteFilter};

/// So many of the newest notes with a word are looked at; a word in more of them says little.
const PER_TERM: usize = 500;

/// So many of the newest notes with all trigrams of the query are looked at.
const PER_LITERAL: usize = 100;

/// So many trigrams find the text of a name among notes.
const FEW_GRAMS: usize = 4;

/// So many of the newest notes are looked at whatever they hold: in a small session, all of them.
const NEWEST: usize = 600;

/// Finds what might match a query.
pub(super) fn candidates(notes: &Notes, query: &Query, filter: &NoteFilter) -> Candidates {
    let read = |note| ReadNote { note, keys: keys(note), passes: filter.lets_through(note) };
    let read: Vec<ReadNote<'_>> = notes.last_added_first().into_iter().map(read).collect();
    let mut found = Found { notes: &read, taken: BTreeMap::new() };
    let counts = match found.single(query) {
        Some(counts) => counts,
        None => found.several(query, || notes.by(filter, NEWEST)),
    };
    let stats = Stats { n_notes: notes.counts().notes, found: counts };
    Candidates { notes: found.taken.into_values().collect(), stats }
}

fn keys(note: &Note) -> Keys {
    search::keys(note.content.as_str(), note.tags.as_slice())
}

/// A note and what it is found by.
struct ReadNote<'a> {
    note: &'a Note,
    keys: Keys,
    passes: bool,
}

impl ReadNote<'_> {
    fn has(&self, key: &String) -> bool {
        self.keys.words.binary_search(key).is_ok() || self.keys.grams.binary_search(key).is_ok()
    }
}

struct Found<'a> {
    /// All notes of the session, the last added first.
    notes: &'a [ReadNote<'a>],
    taken: BTreeMap<NoteId, Note>,
}

impl Found<'_> {
    /// Takes the notes with the one name that is the query; none where there are none or many.
    fn single(&mut self, query: &Query) -> Option<Vec<Count>> {
        let at = query.single()?;
        let n = self.take_of_first(&[&query.terms[at].key]);
        if self.taken.is_empty() || n == PER_TERM {
            self.taken.clear();
            return None;
        }
        if !query.terms[at].is_pair() {
            self.longer(query);
        }
        let mut counts = vec![Count::default(); query.terms.len()];
        counts[at] = Count { n: n as u64, saturated: false };
        Some(counts)
    }

    /// Takes the notes with longer names that hold the one name that is the query.
    fn longer(&mut self, query: &Query) {
        let needed: Vec<&String> = query.needed().collect();
        if 1 < needed.len() {
            if self.take_of_first(&needed) == PER_TERM {
                self.take(&needed, PER_TERM);
            }
        } else if let Some(literal) = &query.literal {
            let step = literal.grams.len().div_ceil(FEW_GRAMS).max(1);
            let few: Vec<&String> = literal.grams.iter().step_by(step).collect();
            self.take(&few, PER_LITERAL);
        }
    }

    /// Takes the newest notes with each word, with all common words, and with the text of the query.
    fn several(&mut self, query: &Query, newest: impl FnOnce() -> Vec<Note>) -> Vec<Count> {
        let mut counts = Vec::with_capacity(query.terms.len());
        let mut common: Vec<&String> = Vec::new();
        for term in &query.terms {
            let n = self.passing(&[&term.key]).take(PER_TERM).count();
            let saturated = n == PER_TERM;
            counts.push(Count { n: n as u64, saturated });
            if saturated {
                common.push(&term.key);
            } else {
                self.take(&[&term.key], PER_TERM);
            }
        }
        // So many notes with all common words leave no room for those with one of them.
        let is_enough = 1 < common.len() && self.take(&common, PER_TERM) == PER_TERM;
        if !is_enough {
            for key in &common {
                self.take(&[key], PER_TERM);
            }
        }
        if let Some(literal) = &query.literal {
            self.take(&literal.grams.iter().collect::<Vec<_>>(), PER_LITERAL);
        }
        if !is_enough {
            self.taken.extend(newest().into_iter().map(|note| (note.id, note)));
        }
        counts
    }

    /// The notes of the filter that have all of these keys; none without keys.
    fn passing(&self, keys: &[&String]) -> impl Iterator<Item = &ReadNote<'_>> {
        let has_all = |note: &&ReadNote<'_>| keys.iter().all(|key| note.has(key));
        let notes = if keys.is_empty() { &[] } else { self.notes };
        notes.iter().filter(|note| note.passes).filter(has_all)
    }

    /// Takes the newest notes of the filter that have all of these keys; how many these are.
    fn take(&mut self, keys: &[&String], n_most: usize) -> usize {
        let found = self.passing(keys).take(n_most);
        let found: Vec<(NoteId, Note)> =
            found.map(|read| (read.note.id, read.note.clone())).collect();
        let n = found.len();
        self.taken.extend(found);
        n
    }

    /// Takes those of the newest notes with all of these keys that the filter lets through; how many it looked at.
    fn take_of_first(&mut self, keys: &[&String]) -> usize {
        let has_all = |note: &&ReadNote<'_>| keys.iter().all(|key| note.has(key));
        let first: Vec<&ReadNote<'_>> = self.notes.iter().filter(has_all).take(PER_TERM).collect();
        let passing = first.iter().filter(|read| read.passes);
        self.taken.extend(passing.map(|read| (read.note.id, read.note.clone())));
        first.len()
    }
}
