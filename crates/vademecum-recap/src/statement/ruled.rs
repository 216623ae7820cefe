//! What the user rules out: a step of the agent's that it names is no longer the present one.

use super::words::Word;
use super::{Source, Statement, Statements, words_of};
use crate::cues::{FORBIDDEN, REFUSING, has_any};
use crate::digest::low;

/// The most words that name one thing: what is longer tells more than what is not wanted.
const NAME: usize = 4;

/// What the user ruled out so far.
#[derive(Debug, Default)]
pub(crate) struct RuledOut<'a> {
    /// The words of each sentence that forbids something behind the agent's last words.
    sentences: Vec<&'a [Word]>,
    /// The turn of that request; none once the agent answered to it.
    last: Option<u32>,
    /// What was refused by name in any request, each with its turn.
    refused: Vec<(u32, Vec<Word>)>,
}

impl Statements {
    /// The turn at which the user said this sentence last; 0 if it is not known.
    pub(crate) fn asked_at(&self, sentence: &str) -> u32 {
        let is_it = |it: &&Statement| it.source == Source::Asked && *it.text == *sentence;
        self.all.iter().rev().find(is_it).map_or(0, |it| it.turn)
    }

    /// What the user ruled out.
    pub(crate) fn ruled_out(&self) -> RuledOut<'_> {
        let asked = self.all.iter().filter(|it| it.source == Source::Asked && !it.words.is_empty());
        let refused = asked.flat_map(|it| refused(&it.text).map(|name| (it.turn, name))).collect();
        let newest = || self.all.iter().rev().take_while(|it| it.request == self.requests);
        if newest().any(|it| it.source == Source::Said) {
            return RuledOut { refused, ..RuledOut::default() };
        }
        let asked = || newest().filter(|it| it.source == Source::Asked);
        let forbids = asked()
            .filter(|it| has_any(&low(&it.text), &FORBIDDEN))
            .map(|it| &*it.words)
            .filter(|words| !words.is_empty());
        RuledOut { sentences: forbids.collect(), last: asked().last().map(|it| it.turn), refused }
    }
}

/// The names of what a sentence refuses, as the words of each.
fn refused(text: &str) -> impl Iterator<Item = Vec<Word>> {
    // What is wanted in its place stands before it.
    let text =
        text.replace(" instead of ", ", instead of ").replace(" rather than ", ", rather than ");
    let clauses = text.split([',', ';', ':', '.', '!', '(', ')', '，', '。']);
    let named = |clause: &str| {
        let clause = clause.trim().trim_start_matches("please ").trim_start_matches("and ");
        let low = low(clause);
        let (_, name) = REFUSING.opening(&low)?;
        // Names are told by their capitals, too.
        let words = words_of(clause.get(clause.len().checked_sub(name.len())?..)?);
        (1..=NAME).contains(&words.len()).then_some(words)
    };
    clauses.filter_map(named).collect::<Vec<_>>().into_iter()
}

impl RuledOut<'_> {
    /// Whether nothing is ruled out.
    pub(crate) fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.refused.is_empty()
    }

    /// Whether a text that the agent said last names what the newest request rules out.
    pub(crate) fn has(&self, text: &str) -> bool {
        let words = || words_of(text);
        !self.is_empty()
            && (self.forbids(&words())
                || self.last.is_some_and(|last| self.refuses(&words(), last.saturating_sub(1))))
    }

    /// The same of an item of a list as it was told at this turn.
    pub(crate) fn has_item(&self, text: &str, turn: u32) -> bool {
        self.has(text) || !self.is_empty() && self.refuses(&words_of(text), turn)
    }

    /// Whether a line written at this turn names what was refused since, and does not refuse it itself.
    pub(crate) fn refuses_item(&self, text: &str, turn: u32) -> bool {
        !has_any(&low(text), &FORBIDDEN)
            && refused(text).next().is_none()
            && self.refuses(&words_of(text), turn)
    }

    /// The same of a step of the agent's.
    pub(crate) fn has_step(&self, it: &Statement) -> bool {
        !self.is_empty()
            && it.is_ahead()
            && (self.forbids(&it.words) || self.refuses(&it.words, it.turn))
    }

    /// Whether a sentence that forbids has two of three of its words among these.
    fn forbids(&self, words: &[Word]) -> bool {
        self.sentences.iter().any(|sentence| {
            let shared = sentence.iter().filter(|word| words.contains(word)).count();
            2 * sentence.len() <= 3 * shared
        })
    }

    /// Whether something that was refused behind `turn` is named by all of its words.
    fn refuses(&self, words: &[Word], turn: u32) -> bool {
        let is_named = |name: &[Word]| name.iter().all(|word| words.contains(word));
        self.refused.iter().any(|(at, name)| turn < *at && is_named(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sentence_refuses_has_a_name() {
        for (text, names) in [
            ("Stop, no LRU: under attack it throws out the good clients.", &["LRU"][..]),
            ("Use a plain dict, not an OrderedDict.", &["OrderedDict"]),
            ("Use a dict instead of the LRU cache, please.", &["LRU cache"]),
            ("please don't use Redis.", &["Redis"]),
            ("Go on with the LRU.", &[]),
            ("Never let a request wait for the lock of another client again.", &[]),
        ] {
            let expected: Vec<Vec<Word>> = names.iter().map(|name| words_of(name)).collect();
            assert_eq!(refused(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
