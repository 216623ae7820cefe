//! What a query asks for. Every text is a query; nothing in it is syntax.

use std::collections::HashMap;

use super::fold::{fold, is_unspaced};
use super::keys::grams;
use super::split::{Gap, Split};
use super::stem::stem;
use super::words::{Kind, tokens};

/// A query, read once: what to look up and what to rank by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// What to look up, the most telling first; at most [`Query::MAX_TERMS`].
    pub terms: Vec<Term>,
    /// The query as one piece of text; none if it is blank or too long to stand in a note.
    pub literal: Option<Literal>,
    /// Terms of a long query that candidates are only ranked by.
    rest: Vec<Term>,
}

/// One thing a query asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The index key of the notes that hold it.
    pub key: String,
    /// Whether it looks like a name, a number or a path, so that few notes should hold it.
    pub is_rare_looking: bool,
    pub(super) kind: Kind,
    /// The form in which the query has it first.
    pub(super) full: String,
    /// How much the query stresses it.
    pub(super) weight: f32,
    /// Where it stands in the query, among its words; empty for what is made of several.
    pub(super) places: Vec<usize>,
    is_stop: bool,
}

impl Term {
    /// Whether its key stands for longer names too that hold it, as that of `a_b` does for `a_b_c`.
    #[must_use]
    pub fn is_pair(&self) -> bool {
        self.kind == Kind::Pair
    }

    /// Whether a note must hold it to hold all of the query; the others say what stands together.
    pub(super) fn is_needed(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Letters)
    }
}

/// A query taken literally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The query in lower case, each run of white space one space.
    pub folded: String,
    /// Keys that every note with this text has; none for a text of one or two characters.
    ///
    /// Without any, an engine hands over its newest notes.
    pub grams: Vec<String>,
}

impl Query {
    /// The most terms that are looked up; of a longer query the plainest words are left out.
    pub const MAX_TERMS: usize = 32;
    /// The most grams that are looked up; the text of a candidate is read anyway.
    pub const MAX_GRAMS: usize = 16;
    /// How much of a query is read, in bytes.
    pub const MAX_LEN: usize = 4096;

    /// Reads `text`; words that say nothing count only where there are no others.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut split = Split::default();
        split.read(&text[..text.floor_char_boundary(Self::MAX_LEN)]);
        let mut terms = Terms::default();
        terms.read(&split);
        terms.join(&split);
        let mut terms = terms.list;
        if terms.iter().any(|term| term.is_needed() && !term.is_stop) {
            terms.retain(|term| !term.is_stop);
        }
        terms.sort_by_key(|term| std::cmp::Reverse(looks(term)));
        let rest = terms.split_off(terms.len().min(Self::MAX_TERMS));
        Self { terms, literal: Literal::of(text), rest }
    }

    /// The place among the terms of the one word or name that is the whole query.
    ///
    /// None for a longer query, and for one that holds more than letters and digits can say.
    #[must_use]
    pub fn single(&self) -> Option<usize> {
        let folded = &self.literal.as_ref()?.folded;
        let is_whole = |term: &Term| {
            let letters = folded.chars().filter(|c| c.is_alphanumeric());
            letters.eq(term.full.chars().filter(|c| c.is_alphanumeric()))
        };
        if folded.contains(' ') {
            return None;
        }
        self.terms.iter().position(is_whole)
    }

    /// The keys that a note must have to hold all of the query, wherever.
    pub fn needed(&self) -> impl Iterator<Item = &String> {
        self.terms.iter().filter(|term| term.is_needed()).map(|term| &term.key)
    }

    /// All terms, those that are looked up first.
    pub(super) fn scored(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().chain(&self.rest)
    }

    /// Whether notes are likely to hold only part of it, so that more than its words must tell.
    pub(super) fn is_long(&self) -> bool {
        3 < self.n_needed()
    }

    /// How many terms a note must hold to hold all of the query.
    pub(super) fn n_needed(&self) -> usize {
        self.scored().filter(|term| term.is_needed()).count()
    }
}

impl Literal {
    fn of(text: &str) -> Option<Self> {
        let folded = fold(text);
        if folded.is_empty() || Query::MAX_LEN < folded.len() {
            return None;
        }
        let mut keys = grams(&folded);
        let chars: Vec<char> = folded.chars().collect();
        let pairs = chars.windows(2).filter(|pair| pair.iter().all(|&c| is_unspaced(c)));
        keys.extend(pairs.map(|pair| pair.iter().collect::<String>()));
        keys.sort_unstable();
        keys.dedup();
        let step = keys.len().div_ceil(Query::MAX_GRAMS).max(1);
        Some(Self { folded, grams: keys.into_iter().step_by(step).collect() })
    }
}

/// The terms of a query, each key once.
#[derive(Default)]
struct Terms {
    list: Vec<Term>,
    known: HashMap<String, usize>,
}

impl Terms {
    /// Up to so many words a query may be names whose parts were written apart.
    const MAX_JOINED: usize = 8;
    /// The first steps of a long path say where it lies, not what it is.
    const FAR_STEP: f32 = 0.1;

    fn read(&mut self, split: &Split) {
        let far = far(split);
        let is_letter = |at: usize| split.parts.get(at).is_some_and(|part| part.is_letter);
        tokens(split, |token| {
            let in_pair = token.is_part()
                && is_letter(token.place)
                && (is_letter(token.place + 1)
                    || token.place.checked_sub(1).is_some_and(is_letter));
            if !in_pair {
                let weight = if token.is_part() && far[token.place] { Self::FAR_STEP } else { 1.0 };
                let is_stop = token.is_part() && split.parts[token.place].is_stop;
                let place = token.is_part().then_some(token.place);
                self.add(token.full, token.kind, (is_stop, place), weight);
            }
        });
        for term in &mut self.list {
            term.weight =
                if term.weight < 1.0 { term.weight } else { 1.0 + 1.5 * term.weight.ln() };
        }
    }

    fn add(
        &mut self,
        full: &str,
        kind: Kind,
        (is_stop, place): (bool, Option<usize>),
        weight: f32,
    ) {
        let key = stem(full);
        if let Some(&at) = self.known.get(key) {
            self.list[at].weight += weight;
            self.list[at].places.extend(place);
            return;
        }
        self.known.insert(key.to_owned(), self.list.len());
        let is_rare_looking = !matches!(kind, Kind::Word | Kind::Letters) || looks_rare(key);
        let (key, full) = (key.to_owned(), full.to_owned());
        let places = place.into_iter().collect();
        self.list.push(Term { key, is_rare_looking, kind, full, weight, places, is_stop });
    }

    /// Adds the names that neighbouring words of a short query may make: `with timeout`, `withTimeout`.
    fn join(&mut self, split: &Split) {
        let parts = &split.parts;
        if Self::MAX_JOINED < parts.len() {
            return;
        }
        for run in (2..=4).flat_map(|span| parts.windows(span)) {
            let joined = &split.folded[run[0].start..run[run.len() - 1].end];
            let is_known = self.known.contains_key(stem(joined));
            if !is_known && run.iter().all(|part| !part.is_letter) {
                self.add(joined, Kind::Name, (false, None), 1.0);
            }
        }
    }
}

/// Which parts stand three steps or more before the end of their path.
fn far(split: &Split) -> Vec<bool> {
    let mut n_after = 0;
    let mut far: Vec<bool> = Vec::with_capacity(split.parts.len());
    let mut gap = Gap::Break;
    for part in split.parts.iter().rev() {
        n_after = if Gap::Path < gap { 0 } else { n_after + usize::from(gap == Gap::Path) };
        far.push(3 <= n_after);
        gap = part.gap;
    }
    far.reverse();
    far
}

fn looks_rare(key: &str) -> bool {
    10 <= key.len() || key.bytes().any(|b| b.is_ascii_digit())
}

/// How telling a term looks before anything is known of the notes.
fn looks(term: &Term) -> usize {
    let whole = match term.kind {
        Kind::Name | Kind::Path => 20,
        Kind::Word | Kind::Letters => 5,
        Kind::Pair => 0,
    };
    let digit = if term.key.bytes().any(|b| b.is_ascii_digit()) { 10 } else { 0 };
    whole + digit + term.key.chars().count().min(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let query = Query::parse(text);
        let terms: Vec<&str> = query.terms.iter().map(|term| term.key.as_str()).collect();
        assert_eq!(terms.join(" "), expected, "{text}");
    }

    #[test]
    fn every_text_is_plain_text() {
        check("", "");
        check("parse_config", "config parseconfig pars");
        check("parse config", "config parseconfig pars");
        check("foo\" OR (bar*", "fooorbar fooor orbar foo bar");
        check("the", "the");
        check("错误码", "错误 误码");
        check("错", "错");
    }

    #[test]
    fn a_literal_asks_for_its_grams() {
        let literal = |text: &str| Query::parse(text).literal;
        assert_eq!(literal(" \n"), None);
        let expected = Literal {
            folded: "ab 错误码".to_owned(),
            grams: vec!["误码".to_owned(), "错误".to_owned()],
        };
        assert_eq!(literal("Ab\n错误码"), Some(expected));
        assert_eq!(literal("ab").map(|literal| literal.grams), Some(vec![]));
    }

    #[test]
    fn one_name_is_known_as_such() {
        let single = |text: &str| {
            let query = Query::parse(text);
            query.single().map(|at| query.terms[at].key.clone())
        };
        assert_eq!(single("parse_config").as_deref(), Some("parseconfig"));
        assert_eq!(single("`getUserName()`").as_deref(), Some("getusernam"));
        assert_eq!(single("E0277").as_deref(), Some("e0277"));
        for none in ["parse config", "", "错误码", "C++ x", "the parse_config"] {
            assert_eq!(single(none), None, "{none}");
        }
    }

    #[test]
    fn a_long_query_is_bounded() {
        let text: String = (0..500).map(|n| n.to_string() + "word ").collect();
        let query = Query::parse(&text);
        assert_eq!(query.terms.len(), Query::MAX_TERMS);
        assert!(query.literal.is_some_and(|literal| literal.grams.len() <= Query::MAX_GRAMS));
    }
}
