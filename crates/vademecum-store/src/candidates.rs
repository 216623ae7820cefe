//! Which notes a search looks at: a few steps, each bounded, however common a word is.

use std::collections::BTreeMap;
use std::sync::Arc;

use vademecum_core::id::ProjectId;
use vademecum_core::note::Note;
use vademecum_core::search::{Count, Keys, Query, Stats};
use vademecum_core::session::SessionKey;

use crate::document::{Document, DocumentId};
use crate::error::StoreError;
use crate::view::{Corpus, Hits, KeySet, NoteFilter, View};

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
    /// Whether nothing else holds all of the query.
    pub is_complete: bool,
}

/// What of a project might match a query, for core to verify and rank.
#[derive(Debug, Clone, Default)]
pub struct ProjectCandidates {
    /// The documents, in no order that means anything.
    pub documents: Vec<Document>,
    /// How many hold each term of the query, as far as they are counted.
    pub found: Vec<Count>,
    /// Whether nothing else holds all of the query.
    pub is_complete: bool,
}

impl dyn View + '_ {
    /// Finds what might match `query`.
    pub fn candidates(
        &self,
        session: &SessionKey,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Candidates, StoreError> {
        // An engine that knows how few there are may read them all at once.
        let n_notes = self.counts(session)?.notes;
        let mut search = Search::new(self, Corpus::Notes(session), filter);
        let stats = Stats { n_notes, found: search.run(query)? };
        let is_complete = search.is_complete || stats.n_notes <= search.documents.len() as u64;
        let notes = search.documents.into_values().filter_map(Document::into_note).collect();
        Ok(Candidates { notes, stats, is_complete })
    }

    /// Finds what in a project might match `query`: what its sessions keep, and its entries, with all keys that are `needed`.
    pub fn project_candidates(
        &self,
        project: ProjectId,
        query: &Query,
        needed: &[String],
    ) -> Result<ProjectCandidates, StoreError> {
        let mut all = ProjectCandidates { is_complete: true, ..ProjectCandidates::default() };
        all.found = vec![Count::default(); query.terms.len()];
        let filter = NoteFilter::ALL;
        // What is searched is read, before what finds something in it.
        self.expect(&|view| {
            drop(view.hits(Corpus::Sessions(project), &[], &filter));
            drop(view.hits(Corpus::Entries(project), &[], &filter));
        });
        for corpus in [Corpus::Sessions(project), Corpus::Entries(project)] {
            let needed = needed.iter().map(String::as_str).collect();
            let mut search = Search { needed, ..Search::new(self, corpus, &filter) };
            for (all, found) in all.found.iter_mut().zip(search.run(query)?) {
                all.n += found.n;
                all.saturated |= found.saturated;
            }
            all.is_complete &= search.is_complete;
            all.documents.extend(search.documents.into_values());
        }
        Ok(all)
    }
}

struct Search<'a> {
    view: &'a (dyn View + 'a),
    corpus: Corpus<'a>,
    filter: &'a NoteFilter,
    /// Keys that each document must have beside those of the query.
    needed: Vec<&'a str>,
    documents: BTreeMap<DocumentId, Document>,
    is_complete: bool,
}

impl<'a> Search<'a> {
    fn new(view: &'a (dyn View + 'a), corpus: Corpus<'a>, filter: &'a NoteFilter) -> Self {
        let (needed, documents) = (Vec::new(), BTreeMap::new());
        Self { view, corpus, filter, needed, documents, is_complete: true }
    }

    /// Takes what might match; how many hold each term.
    fn run(&mut self, query: &Query) -> Result<Vec<Count>, StoreError> {
        match self.single(query)? {
            Some(counts) => return Ok(counts),
            None => self.expect(|search| search.several(query).map(drop)),
        }
        self.several(query)
    }

    /// Says what will be asked. What is found meanwhile is found again.
    fn expect(&self, ask: impl Fn(&mut Search<'_>) -> Result<(), StoreError>) {
        self.view.expect(&|view| {
            let (corpus, filter, needed) = (self.corpus, self.filter, self.needed.clone());
            drop(ask(&mut Search { needed, ..Search::new(view, corpus, filter) }));
        });
    }

    /// Takes the notes with the one name that is the query; none where there are none or many.
    ///
    /// Those that hold a part of the name would only come behind them, and cost a hundred times more.
    fn single(&mut self, query: &Query) -> Result<Option<Vec<Count>>, StoreError> {
        let Some(at) = query.single() else { return Ok(None) };
        self.expect(|search| {
            search.take_of_any(vec![&query.terms[at].key])?;
            if query.terms[at].is_pair() { Ok(()) } else { search.longer(query) }
        });
        let n = self.take_of_any(vec![&query.terms[at].key])?;
        if self.documents.is_empty() || n == PER_TERM {
            self.documents.clear();
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
                let found = self.take(&[newest(needed, PER_TERM)])?;
                self.is_complete = found != [PER_TERM];
            }
        } else if let Some(literal) = &query.literal {
            let step = literal.grams.len().div_ceil(FEW_GRAMS).max(1);
            let few = literal.grams.iter().step_by(step).map(String::as_str);
            let found = self.take(&[newest(few.collect(), PER_LITERAL)])?;
            // Without three letters nothing finds what is in longer words.
            self.is_complete = found != [PER_LITERAL] && !literal.grams.is_empty();
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
        let is_every = !counts.is_empty() && common.len() == counts.len();
        let is_enough =
            1 < common.len() && self.take(&[newest(common.clone(), PER_TERM)])? == [PER_TERM];
        // Of a word that few have all notes with it were taken.
        self.is_complete = !is_every || (1 < common.len() && !is_enough);
        let mut sets = Vec::new();
        if !is_enough {
            sets.extend(common.into_iter().map(|key| newest(vec![key], PER_TERM)));
        }
        if let Some(literal) = &query.literal {
            sets.push(newest(literal.grams.iter().map(String::as_str).collect(), PER_LITERAL));
            self.is_complete &= !literal.grams.is_empty();
        }
        let found = self.take(&sets)?;
        self.is_complete &= query.literal.is_none() || found.last() != Some(&PER_LITERAL);
        if let Corpus::Notes(session) = self.corpus
            && !is_enough
        {
            let newest = self.view.notes(session, self.filter, NEWEST)?;
            let key = Arc::new(session.clone());
            self.add(newest.into_iter().map(|note| Document::Note(Arc::clone(&key), note)));
        }
        Ok(counts)
    }

    fn add(&mut self, documents: impl IntoIterator<Item = Document>) {
        self.documents.extend(documents.into_iter().map(|it| (it.id(), it)));
    }

    fn hits(&self, sets: &[KeySet<'_>], filter: &NoteFilter) -> Result<Vec<Hits>, StoreError> {
        if self.needed.is_empty() {
            return self.view.hits(self.corpus, sets, filter);
        }
        let sets: Vec<KeySet<'_>> = sets.iter().map(|set| with(set, &self.needed)).collect();
        self.view.hits(self.corpus, &sets, filter)
    }

    /// Takes what passes the filter; how many each set found.
    fn take(&mut self, sets: &[KeySet<'_>]) -> Result<Vec<usize>, StoreError> {
        let found = self.hits(sets, self.filter)?;
        let n = found.iter().map(|hits| hits.n).collect();
        self.add(found.into_iter().flat_map(|hits| hits.documents));
        Ok(n)
    }

    /// Takes those of the newest notes with these keys that pass the filter; how many it looked at.
    ///
    /// Of few notes, to look at each is cheaper than to look the filter up.
    fn take_of_any(&mut self, keys: Vec<&str>) -> Result<usize, StoreError> {
        let sets = [newest(keys, PER_TERM)];
        let found = self.hits(&sets, &NoteFilter::ALL)?;
        let Hits { documents, n } = found.into_iter().next().unwrap_or_default();
        let filter = self.filter;
        self.add(documents.into_iter().filter(|it| it.passes(filter)));
        Ok(n)
    }
}

/// A set with more keys; without any of its own it finds nothing.
fn with<'k>(set: &KeySet<'k>, needed: &[&'k str]) -> KeySet<'k> {
    let mut set = set.clone();
    if !set.keys.is_empty() {
        set.keys.extend(needed);
    }
    set
}

/// The newest notes with these keys.
fn newest(keys: Vec<&str>, most: usize) -> KeySet<'_> {
    KeySet { keys, most, is_rare: false }
}

/// What [`View::hits`] gives of these documents in their order: each is read.
#[must_use]
pub fn hits_among<'d>(
    documents: impl IntoIterator<Item = &'d Document>,
    sets: &[KeySet<'_>],
    filter: &NoteFilter,
) -> Vec<Hits> {
    if sets.is_empty() {
        return Vec::new();
    }
    let passing = documents.into_iter().filter(|it| it.passes(filter));
    let read: Vec<(&Document, Keys)> = passing.map(|it| (it, it.keys())).collect();
    sets.iter().map(|set| found(&read, set)).collect()
}

fn found(documents: &[(&Document, Keys)], set: &KeySet<'_>) -> Hits {
    let has = |keys: &Keys, key: &str| {
        let is_in = |all: &[String]| all.binary_search_by(|it| it.as_str().cmp(key)).is_ok();
        is_in(&keys.words) || is_in(&keys.grams)
    };
    let has_all = |keys: &Keys| !set.keys.is_empty() && set.keys.iter().all(|key| has(keys, key));
    let found = documents.iter().filter(|(_, keys)| has_all(keys)).take(set.most);
    let documents: Vec<Document> = found.map(|(it, _)| (*it).clone()).collect();
    let n = documents.len();
    if set.is_rare && n == set.most {
        Hits { documents: Vec::new(), n }
    } else {
        Hits { documents, n }
    }
}
