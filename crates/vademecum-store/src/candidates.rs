//! Which notes a search looks at: a few steps, each bounded, however common a word is.

use std::collections::BTreeMap;

use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::search::{self, Count, Keys, Query, Stats};
use vademecum_core::session::SessionKey;

use crate::error::StoreError;
use crate::view::{Hits, KeySet, NoteFilter, View};

/// So many of the newest notes with a word are looked at; a word in more of them says little.
const PER_TERM: usize = 500;

/// So many of the newest notes with all trigrams of the query are looked at.
const PER_LITERAL: usize = 100;

/// So many trigrams find the text of a name among notes; what they find in error is read and dropped.
const FEW_GRAMS: usize = 4;

/// So many of the newest notes are looked at without any index: in a small session, all of them.
const NEWEST: usize = 600;

/// What might match a query, for core to verify and rank.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    /// The notes, in no order that means anything.
    pub notes: Vec<Note>,
    /// What ranking needs to know of the session.
    pub stats: Stats,
}

impl dyn View + '_ {
    /// Finds what might match `query`.
    pub fn candidates(
        &self,
        session: &SessionKey,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Candidates, StoreError> {
        let mut search = Search { view: self, session, filter, notes: BTreeMap::new() };
        let found = match search.single(query)? {
            Some(counts) => counts,
            None => search.several(query)?,
        };
        let stats = Stats { n_notes: self.counts(session)?.notes, found };
        Ok(Candidates { notes: search.notes.into_values().collect(), stats })
    }
}

struct Search<'a> {
    view: &'a (dyn View + 'a),
    session: &'a SessionKey,
    filter: &'a NoteFilter,
    notes: BTreeMap<NoteId, Note>,
}

impl Search<'_> {
    /// Takes the notes with the one name that is the query; none where there are none or many.
    ///
    /// Those that hold a part of the name would only come behind them, and cost a hundred times more.
    fn single(&mut self, query: &Query) -> Result<Option<Vec<Count>>, StoreError> {
        let Some(at) = query.single() else { return Ok(None) };
        let n = self.take_of_any(vec![&query.terms[at].key])?;
        if self.notes.is_empty() || n == PER_TERM {
            self.notes.clear();
            return Ok(None);
        }
        if !query.terms[at].is_pair() {
            self.longer(query)?;
        }
        let mut counts = vec![Count::default(); query.terms.len()];
        counts[at] = Count { n: n as u64, saturated: false };
        Ok(Some(counts))
    }

    /// Takes the notes with longer names that hold the one name that is the query.
    ///
    /// Those of several parts are found by the parts, one word in a longer one by its letters.
    fn longer(&mut self, query: &Query) -> Result<(), StoreError> {
        let needed: Vec<&str> = query.needed().map(String::as_str).collect();
        if 1 < needed.len() {
            if self.take_of_any(needed.clone())? == PER_TERM {
                self.take(&[newest(needed, PER_TERM)])?;
            }
        } else if let Some(literal) = &query.literal {
            let step = literal.grams.len().div_ceil(FEW_GRAMS).max(1);
            let few = literal.grams.iter().step_by(step).map(String::as_str);
            self.take(&[newest(few.collect(), PER_LITERAL)])?;
        }
        Ok(())
    }

    /// Takes the newest notes with each word, with all common words, and with the text of the query.
    fn several(&mut self, query: &Query) -> Result<Vec<Count>, StoreError> {
        let word = |key| KeySet { keys: vec![key], most: PER_TERM, is_rare: true };
        let words: Vec<_> = query.terms.iter().map(|term| word(term.key.as_str())).collect();
        let found = self.take(&words)?;
        let count = |n| Count { n: n as u64, saturated: n == PER_TERM };
        let counts: Vec<Count> = found.into_iter().map(count).collect();
        let terms = query.terms.iter().zip(&counts).filter(|(_, count)| count.saturated);
        let common: Vec<&str> = terms.map(|(term, _)| term.key.as_str()).collect();
        // So many notes with all common words leave no room for those with one of them.
        let is_enough =
            1 < common.len() && self.take(&[newest(common.clone(), PER_TERM)])? == [PER_TERM];
        let mut sets = Vec::new();
        if !is_enough {
            sets.extend(common.into_iter().map(|key| newest(vec![key], PER_TERM)));
        }
        if let Some(literal) = &query.literal {
            sets.push(newest(literal.grams.iter().map(String::as_str).collect(), PER_LITERAL));
        }
        self.take(&sets)?;
        if !is_enough {
            let newest = self.view.notes(self.session, self.filter, NEWEST)?;
            self.notes.extend(newest.into_iter().map(|note| (note.id, note)));
        }
        Ok(counts)
    }

    /// Takes what passes the filter; how many each set found.
    fn take(&mut self, sets: &[KeySet<'_>]) -> Result<Vec<usize>, StoreError> {
        let found = self.view.hits(self.session, sets, self.filter)?;
        let n = found.iter().map(|hits| hits.n).collect();
        let notes = found.into_iter().flat_map(|hits| hits.notes);
        self.notes.extend(notes.map(|note| (note.id, note)));
        Ok(n)
    }

    /// Takes those of the newest notes with these keys that pass the filter; how many it looked at.
    ///
    /// Of few notes, to look at each is cheaper than to look the filter up.
    fn take_of_any(&mut self, keys: Vec<&str>) -> Result<usize, StoreError> {
        let sets = [newest(keys, PER_TERM)];
        let found = self.view.hits(self.session, &sets, &NoteFilter::ALL)?;
        let Hits { notes, n } = found.into_iter().next().unwrap_or_default();
        let passing = notes.into_iter().filter(|note| self.filter.lets_through(note));
        self.notes.extend(passing.map(|note| (note.id, note)));
        Ok(n)
    }
}

/// The newest notes with these keys.
fn newest(keys: Vec<&str>, most: usize) -> KeySet<'_> {
    KeySet { keys, most, is_rare: false }
}

/// What [`View::hits`] gives of these notes, the last added first: each is read.
#[must_use]
pub fn hits_among<'n>(
    notes: impl IntoIterator<Item = &'n Note>,
    sets: &[KeySet<'_>],
    filter: &NoteFilter,
) -> Vec<Hits> {
    let passing = notes.into_iter().filter(|note| filter.lets_through(note));
    let read: Vec<(&Note, Keys)> = passing.map(|note| (note, keys(note))).collect();
    sets.iter().map(|set| found(&read, set)).collect()
}

fn found(notes: &[(&Note, Keys)], set: &KeySet<'_>) -> Hits {
    let has = |keys: &Keys, key: &str| {
        let is_in = |all: &[String]| all.binary_search_by(|it| it.as_str().cmp(key)).is_ok();
        is_in(&keys.words) || is_in(&keys.grams)
    };
    let has_all = |keys: &Keys| !set.keys.is_empty() && set.keys.iter().all(|key| has(keys, key));
    let found = notes.iter().filter(|(_, keys)| has_all(keys)).take(set.most);
    let notes: Vec<Note> = found.map(|(note, _)| (*note).clone()).collect();
    let n = notes.len();
    if set.is_rare && n == set.most { Hits { notes: Vec::new(), n } } else { Hits { notes, n } }
}

fn keys(note: &Note) -> Keys {
    search::keys(note.content.as_str(), note.tags.as_slice())
}
