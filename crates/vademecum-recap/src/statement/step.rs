//! Whether what a sentence tells to do is still to be done.

use super::{Source, Statement, Statements};
use crate::cues::{
    ANNOUNCING, COMING, GOING, GUESS, INTENT, Seen, count, has_any, is_heralding, is_imperative,
};
use crate::digest::low;

/// How much of a sentence tells whether the agent is about to do something, or only guesses.
const OPENING: usize = 60;

/// How many words a sentence has at most that tells only what the agent is at.
const GOING_ON: usize = 16;

/// What the agent said to do, as it stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing was changed since.
    Open,
    /// Something was changed since; whether that did it nobody says.
    Begun,
    /// The work went on: it was done, or dropped, or nobody took it up.
    Over,
}

impl Statement {
    /// Whether it says what the agent does next.
    pub(crate) fn is_ahead(&self) -> bool {
        let is_own =
            !matches!(self.source, Source::Asked | Source::Reply | Source::Change | Source::Posted);
        let says = || {
            if self.source == Source::Plan {
                return true;
            }
            let low = low(&self.text);
            let low = Seen::of(&low);
            [&ANNOUNCING, &INTENT, &COMING].iter().any(|cues| low.has(cues))
        };
        is_own && (is_imperative(&self.text) || says())
    }
}

impl Statements {
    /// How a step of the agent stands; none where the statement is no step.
    pub(crate) fn step(&self, it: &Statement) -> Option<Step> {
        if matches!(it.source, Source::Asked | Source::Reply | Source::Change | Source::Posted)
            || it.is_heading
        {
            return None;
        }
        if is_imperative(&it.text) {
            let is_over = it.request < self.begun || it.turn < self.committed;
            // Agents say what they do next and do it; what stands in the last words before a request is a list.
            let is_at = it.source == Source::Said && !self.closings.contains(&it.message);
            return Some(match (is_over, it.turn < self.edited) {
                (true, _) => Step::Over,
                (false, true) if is_at => Step::Over,
                (false, true) => Step::Begun,
                (false, false) => Step::Open,
            });
        }
        let opening = low(&it.text[..it.text.floor_char_boundary(OPENING)]);
        let opening = Seen::of(&opening);
        if is_heralding(&it.text) {
            let is_over = it.request + 1 < self.requests || !self.is_fresh(it);
            return Some(if is_over { Step::Over } else { Step::Open });
        }
        let is_over = it.request < self.requests || it.turn < self.edited;
        // In a long sentence it stands beside something else.
        let is_going = || count(&it.text) <= GOING_ON && has_any(&low(&it.text), &GOING);
        if opening.has(&INTENT) || it.is_turning || it.request < self.requests && is_going() {
            return Some(if is_over { Step::Over } else { Step::Open });
        }
        let is_guess = is_over && (opening.has(&GUESS) || it.text.ends_with(['?', '？']));
        is_guess.then_some(Step::Over)
    }

    /// Whether nothing was changed or committed since a statement: what it says of the work holds.
    pub(crate) fn is_fresh(&self, it: &Statement) -> bool {
        self.edited.max(self.committed) <= it.turn
    }
}
