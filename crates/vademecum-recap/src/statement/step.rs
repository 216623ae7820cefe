//! Whether what a sentence tells to do is still to be done.

use super::{Source, Statement, Statements};
use crate::cues::{GUESS, INTENT, Seen, is_imperative};
use crate::digest::low;

/// A step is done if changes after it hold this share of what its words tell.
const SHARE: f32 = 0.6;

/// How much of a sentence tells whether the agent is about to do something, or only guesses.
const OPENING: usize = 60;

/// What the agent said to do, as it stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing after it did it.
    Open,
    /// Later changes hold its words.
    Done,
    /// The work went on to something else: it was dropped, or nobody took it up.
    Over,
}

impl Statements {
    /// How a step of the agent stands; none where the statement is no step.
    pub(crate) fn step(&self, it: &Statement) -> Option<Step> {
        if matches!(it.source, Source::Asked | Source::Reply | Source::Change) || it.is_heading {
            return None;
        }
        if is_imperative(&it.text) {
            let is_over = it.request < self.begun || it.turn < self.committed;
            let step = if is_over { Step::Over } else { Step::Open };
            return Some(if self.is_changed(it) { Step::Done } else { step });
        }
        let opening = low(&it.text[..it.text.floor_char_boundary(OPENING)]);
        let opening = Seen::of(&opening);
        let is_over = it.request < self.requests || it.turn < self.edited;
        if opening.has(&INTENT) {
            return Some(if is_over { Step::Over } else { Step::Open });
        }
        let is_guess = is_over && (opening.has(&GUESS) || it.text.ends_with(['?', '？']));
        is_guess.then_some(Step::Over)
    }

    /// Whether changes of files after a statement hold most of what its words tell.
    fn is_changed(&self, it: &Statement) -> bool {
        let (mut all, mut held) = (0.0, 0.0);
        for used in it.words.iter().filter_map(|word| self.uses.get(word)) {
            all += used.tells;
            held += if it.turn < used.edited { used.tells } else { 0.0 };
        }
        0.0 < all && SHARE * all <= held
    }
}
