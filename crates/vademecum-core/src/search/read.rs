//! Reads candidates: which words each holds, and how often each term of a query.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::query::{Query, Term};
use super::rank::Searched;
use super::split::Split;
use super::words::{Token, tokens};

/// All candidates, read once.
pub(super) struct Corpus {
    /// What each note holds, in the order given.
    pub(super) notes: Vec<Reading>,
    words: Vec<u32>,
    terms: Vec<(u32, f32)>,
    hits: Vec<(u32, u32)>,
    /// How many notes hold each word; the first words are the terms of the query.
    pub(super) holders: Vec<u32>,
}

/// What one note holds.
pub(super) struct Reading {
    /// How many words it has, those of its tags included.
    pub(super) n_words: usize,
    /// How many of them say nothing.
    pub(super) n_stops: usize,
    /// Whether it holds every word of the query.
    pub(super) holds_all: bool,
    words: Range<usize>,
    terms: Range<usize>,
    hits: Range<usize>,
}

impl Corpus {
    /// Reads content and tags of `notes` for the terms of `query`.
    pub(super) fn read(query: &Query, notes: &[impl Searched]) -> Self {
        let mut reader = Reader::new(query);
        let notes = notes.iter().map(|note| reader.read(note)).collect();
        let Reader { words, terms, hits, holders, .. } = reader;
        Self { notes, words, terms, hits, holders }
    }

    /// The distinct words of a note, if the query is long.
    pub(super) fn words(&self, reading: &Reading) -> &[u32] {
        &self.words[reading.words.clone()]
    }

    /// The terms that a note holds by their number, and how often; another form counts less.
    pub(super) fn terms(&self, reading: &Reading) -> &[(u32, f32)] {
        &self.terms[reading.terms.clone()]
    }

    /// The words of a note that are terms, with their places.
    pub(super) fn hits(&self, reading: &Reading) -> &[(u32, u32)] {
        &self.hits[reading.hits.clone()]
    }
}

/// Gives words numbers and counts them.
struct Reader<'a> {
    query: Vec<&'a Term>,
    n_needed: usize,
    /// Whether words that are no terms are read as well.
    reads_all: bool,
    split: Split,
    numbers: Numbers,
    wanted: Wanted,
    words: Vec<u32>,
    terms: Vec<(u32, f32)>,
    hits: Vec<(u32, u32)>,
    holders: Vec<u32>,
    /// The last note, from 1, that each word was seen in.
    seen: Vec<u32>,
    counts: Vec<f32>,
    n_notes: u32,
}

impl<'a> Reader<'a> {
    /// What a word counts that shares only its stem with the term.
    const OTHER_FORM: f32 = 0.85;

    fn new(query: &'a Query) -> Self {
        let mut numbers = Numbers::new();
        for term in query.scored() {
            numbers.number(xxh3_64(term.key.as_bytes()));
        }
        let n_terms = query.scored().count();
        Self {
            query: query.scored().collect(),
            n_needed: query.n_needed(),
            reads_all: query.is_long(),
            split: Split::default(),
            numbers,
            wanted: Wanted::new(query),
            words: Vec::new(),
            terms: Vec::new(),
            hits: Vec::new(),
            holders: vec![0; n_terms],
            seen: vec![0; n_terms],
            counts: vec![0.0; n_terms],
            n_notes: 0,
        }
    }

    fn read(&mut self, note: &impl Searched) -> Reading {
        self.n_notes += 1;
        let (words, terms, hits) = (self.words.len(), self.terms.len(), self.hits.len());
        let mut reading = Reading {
            n_words: 0,
            n_stops: 0,
            holds_all: false,
            words: 0..0,
            terms: 0..0,
            hits: 0..0,
        };
        self.text(note.text(), &mut reading);
        for tag in note.tags() {
            self.text(tag, &mut reading);
        }
        let mut n_held = 0;
        for ((number, count), term) in (0..).zip(&mut self.counts).zip(&self.query) {
            if 0.0 < *count {
                n_held += usize::from(term.is_needed());
                self.terms.push((number, std::mem::take(count)));
            }
        }
        reading.holds_all = n_held == self.n_needed;
        reading.words = words..self.words.len();
        reading.terms = terms..self.terms.len();
        reading.hits = hits..self.hits.len();
        reading
    }

    fn text(&mut self, text: &str, reading: &mut Reading) {
        let mut split = std::mem::take(&mut self.split);
        split.read(text);
        tokens(&split, |token| self.token(&token, reading.n_words));
        reading.n_words += split.parts.len();
        reading.n_stops += split.parts.iter().filter(|part| part.is_stop).count();
        self.split = split;
    }

    fn token(&mut self, token: &Token<'_>, n_before: usize) {
        let reads_all = self.reads_all && token.is_part();
        if !reads_all && !self.wanted.may_hold(token.full) {
            return;
        }
        let hash = xxh3_64(token.key().as_bytes());
        let number =
            if reads_all { Some(self.numbers.number(hash)) } else { self.numbers.find(hash) };
        let Some(number) = number else { return };
        if let Some(term) = self.query.get(number as usize) {
            let is_same = term.full == token.full;
            self.counts[number as usize] += if is_same { 1.0 } else { Self::OTHER_FORM };
            if token.is_part() {
                let place = u32::try_from(n_before + token.place).unwrap_or(u32::MAX);
                self.hits.push((number, place));
            }
        }
        if self.see(number) && reads_all {
            self.words.push(number);
        }
    }

    /// Counts the note as a holder of `word`, unless it is counted already.
    fn see(&mut self, word: u32) -> bool {
        let at = word as usize;
        if self.seen.len() <= at {
            self.seen.resize(at + 1, 0);
            self.holders.resize(at + 1, 0);
        }
        let is_new = self.seen[at] != self.n_notes;
        if is_new {
            self.seen[at] = self.n_notes;
            self.holders[at] += 1;
        }
        is_new
    }
}

/// Rules most tokens out by their first three letters, which no stem loses.
struct Wanted {
    masks: [u64; 64],
}

impl Wanted {
    fn new(query: &Query) -> Self {
        let mut masks = [0; 64];
        for term in query.scored() {
            let (at, bit) = Self::bit(&term.key);
            masks[at] |= bit;
        }
        Self { masks }
    }

    fn may_hold(&self, full: &str) -> bool {
        let (at, bit) = Self::bit(full);
        self.masks[at] & bit != 0
    }

    fn bit(word: &str) -> (usize, u64) {
        let byte = |at: usize| word.as_bytes().get(at).copied().unwrap_or_default();
        (usize::from(byte(0) & 63), 1 << ((byte(1) ^ (byte(2) << 3)) & 63))
    }
}

/// Numbers hashes from zero in the order they come.
struct Numbers {
    slots: Vec<(u64, u32)>,
    n: u32,
}

impl Numbers {
    const EMPTY: u32 = u32::MAX;

    fn new() -> Self {
        Self { slots: vec![(0, Self::EMPTY); 2048], n: 0 }
    }

    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (hash & 0xffff_ffff) as usize & mask;
        while self.slots[at].1 != Self::EMPTY && self.slots[at].0 != hash {
            at = (at + 1) & mask;
        }
        at
    }

    fn find(&self, hash: u64) -> Option<u32> {
        let number = self.slots[self.slot(hash)].1;
        (number != Self::EMPTY).then_some(number)
    }

    fn number(&mut self, hash: u64) -> u32 {
        let at = self.slot(hash);
        if self.slots[at].1 != Self::EMPTY {
            return self.slots[at].1;
        }
        self.slots[at] = (hash, self.n);
        self.n += 1;
        if self.slots.len() < 2 * self.n as usize {
            self.grow();
        }
        self.n - 1
    }

    fn grow(&mut self) {
        let empty = vec![(0, Self::EMPTY); self.slots.len() * 4];
        for (hash, number) in std::mem::replace(&mut self.slots, empty) {
            if number != Self::EMPTY {
                let at = self.slot(hash);
                self.slots[at] = (hash, number);
            }
        }
    }
}
