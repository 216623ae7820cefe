//! What a query asks for. Every text is a query; nothing in it is syntax.

use super::fold::{fold, is_unspaced};
use super::keys::grams;
use super::stem::stem;
use super::stop::is_stop;
use super::words::{Kind, Token, scan};

/// A query, read once: what to look up and what to rank by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// What to look up, the most telling first; at most [`Query::MAX_TERMS`].
    pub terms: Vec<Term>,
    /// The query as one piece of text; none if it is blank.
    pub literal: Option<Literal>,
}

/// One thing a query asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The index key of the notes that hold it.
    pub key: String,
    /// Whether it looks like a name, a number or a path, so that few notes should hold it.
    pub is_rare_looking: bool,
    pub(super) kind: Kind,
    /// Where it first stands in the query, in words.
    pub(super) place: u32,
    /// How many words it spans.
    pub(super) span: u32,
    pub(super) role: Role,
}

/// What a term does for the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A note must hold it to hold all of the query.
    Needed,
    /// A word that says nothing.
    Stop,
    /// Made up of needed terms: holding it says that they stand together.
    Whole,
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
        let text = &text[..text.floor_char_boundary(Self::MAX_LEN)];
        let words = words(text);
        let mut terms = read(text, &words);
        add_joined(&mut terms, &words);
        if terms.iter().any(|term| term.role == Role::Needed) {
            terms.retain(|term| term.role != Role::Stop);
        }
        terms.sort_by_key(|term| (std::cmp::Reverse(looks(term)), term.place));
        terms.truncate(Self::MAX_TERMS);
        Self { terms, literal: Literal::of(text) }
    }
}

impl Literal {
    fn of(text: &str) -> Option<Self> {
        let folded = fold(text);
        if folded.is_empty() {
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

/// The words and single letters of a text in order.
struct Words(Vec<Found>);

struct Found {
    full: String,
    kind: Kind,
}

fn words(text: &str) -> Words {
    let mut found = Vec::new();
    scan(text, |Token { full, kind, span, .. }| {
        if matches!(kind, Kind::Word | Kind::Letters) && span == 1 {
            found.push(Found { full: full.to_owned(), kind });
        }
    });
    Words(found)
}

/// The distinct tokens of `text` as terms; a letter that stands in a pair is none.
fn read(text: &str, words: &Words) -> Vec<Term> {
    let is_letter =
        |at: u32| words.0.get(at as usize).is_some_and(|word| word.kind == Kind::Letters);
    let mut terms: Vec<Term> = Vec::new();
    scan(text, |token| {
        let in_pair = token.kind == Kind::Letters
            && token.span == 1
            && (is_letter(token.place + 1) || token.place.checked_sub(1).is_some_and(is_letter));
        if !in_pair && terms.iter().all(|term| term.key != token.key) {
            terms.push(term(&token));
        }
    });
    terms
}

fn term(token: &Token<'_>) -> Term {
    let role = match token.kind {
        Kind::Word if is_stop(token.full) => Role::Stop,
        Kind::Word | Kind::Letters => Role::Needed,
        Kind::Pair | Kind::Name | Kind::Path => Role::Whole,
    };
    Term {
        key: token.key.to_owned(),
        is_rare_looking: role == Role::Whole || looks_rare(token.key),
        kind: token.kind,
        place: token.place,
        span: token.span,
        role,
    }
}

fn looks_rare(key: &str) -> bool {
    10 <= key.len() || key.bytes().any(|b| b.is_ascii_digit())
}

/// Adds the names that neighbouring words of a short query may make: `parse config`, `parseConfig`.
fn add_joined(terms: &mut Vec<Term>, words: &Words) {
    const MOST_WORDS: usize = 8;
    if MOST_WORDS < words.0.len() {
        return;
    }
    for (span, place) in
        [2, 3, 4].into_iter().flat_map(|span| (0..words.0.len()).map(move |at| (span, at)))
    {
        let Some(run) = words.0.get(place..place + span) else { continue };
        let full: String = run.iter().map(|word| word.full.as_str()).collect();
        let is_known = terms.iter().any(|term| term.key == stem(&full));
        if is_known || run.iter().any(|word| word.kind != Kind::Word) {
            continue;
        }
        terms.push(Term {
            key: stem(&full).to_owned(),
            is_rare_looking: true,
            kind: Kind::Name,
            place: u32::try_from(place).unwrap_or(u32::MAX),
            span: u32::try_from(span).unwrap_or(u32::MAX),
            role: Role::Whole,
        });
    }
}

/// How telling a term looks before anything is known of the notes.
fn looks(term: &Term) -> usize {
    let whole = if term.role == Role::Whole { 20 } else { 0 };
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
        check("parse_config", "parseconfig config pars");
        check("parse config", "parseconfig config pars");
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
    fn a_long_query_is_bounded() {
        let text: String = (0..500).map(|n| n.to_string() + "word ").collect();
        let query = Query::parse(&text);
        assert_eq!(query.terms.len(), Query::MAX_TERMS);
        assert!(query.literal.is_some_and(|literal| literal.grams.len() <= Query::MAX_GRAMS));
    }
}
