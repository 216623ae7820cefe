//! The form in which stored text goes out: as it is where it is innocent, else guarded.

use std::borrow::Cow;

use super::cap::Cap;
use super::table::OPENINGS;
use crate::frame::{self, Nonce};

/// What decides how a text is shown and how much room it takes.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// What the harness lets through.
    pub(super) cap: Cap,
    /// What marks guarded text.
    pub(super) nonce: &'a Nonce,
}

impl Form<'_> {
    /// The text as it is where it is innocent, else guarded.
    pub(super) fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        frame::render_below(text, &OPENINGS, self.nonce)
    }

    /// The text between delimiters that it cannot forge.
    pub(super) fn guarded(&self, text: &str) -> String {
        frame::guard(text, self.nonce).text
    }

    /// A text of one line and at most `units`, cut visibly; a stand-in where it is not innocent.
    pub(super) fn line(&self, text: &str, units: usize) -> String {
        let is_gap = |c: char| c.is_control() || c.is_whitespace();
        let words: Vec<_> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
        let line = words.join(" ");
        if !frame::is_innocent_below(&line, &OPENINGS) {
            return "(not shown here)".to_owned();
        }
        if self.cap.measure(&line) <= units {
            return line;
        }
        let kept = self.cap.clip(&line, units.saturating_sub(self.cap.measure("…")));
        format!("{kept}…")
    }

    /// Whether a text may stand there as it is: no line of it can be taken for one of ours.
    pub(super) fn is_innocent(&self, text: &str) -> bool {
        self.nonce.lets(text, &OPENINGS)
    }
}
