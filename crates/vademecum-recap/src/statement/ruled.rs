//! What the user's last request rules out: a step of the agent's that it names is no longer the present one.

use super::words::Word;
use super::{Source, Statements, words_of};
use crate::cues::{FORBIDDEN, has_any};
use crate::digest::low;

/// What the user forbade behind the agent's last words.
#[derive(Debug, Default)]
pub(crate) struct RuledOut<'a> {
    /// The words of each sentence that forbids.
    sentences: Vec<&'a [Word]>,
}

impl Statements {
    /// What the last request rules out; nothing once the agent answered to it.
    pub(crate) fn ruled_out(&self) -> RuledOut<'_> {
        let newest = || self.all.iter().rev().take_while(|it| it.request == self.requests);
        if newest().any(|it| it.source == Source::Said) {
            return RuledOut::default();
        }
        let forbids = newest()
            .filter(|it| it.source == Source::Asked && has_any(&low(&it.text), &FORBIDDEN))
            .map(|it| &*it.words)
            .filter(|words| !words.is_empty());
        RuledOut { sentences: forbids.collect() }
    }
}

impl RuledOut<'_> {
    /// Whether nothing is ruled out.
    pub(crate) fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// Whether a text of the agent's names what is ruled out: with two of three words of the sentence that forbids it.
    pub(crate) fn has(&self, text: &str) -> bool {
        !self.is_empty() && self.has_words(&words_of(text))
    }

    /// The same by the words of the text.
    pub(crate) fn has_words(&self, words: &[Word]) -> bool {
        self.sentences.iter().any(|sentence| {
            let shared = sentence.iter().filter(|word| words.contains(word)).count();
            2 * sentence.len() <= 3 * shared
        })
    }
}
