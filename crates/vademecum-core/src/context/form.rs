//! The form in which stored text goes out: as it is where it is innocent, else guarded.

use std::borrow::Cow;

use memchr::memmem;

use super::cap::Cap;
use super::table::OPENINGS;

/// How stored text is judged, and guarded where it is not innocent.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// Whether a text may go out as it is stored.
    pub is_innocent: fn(&str) -> bool,
    /// Puts a text between delimiters that it cannot forge; never shorter than the text.
    pub guard: &'a dyn Fn(&str) -> String,
}

/// What decides how a text is shown and how much room it takes.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// What the harness lets through.
    pub(super) cap: Cap,
    /// How stored text goes out.
    pub(super) frame: &'a Frame<'a>,
}

impl Form<'_> {
    /// The text as it is where it is innocent, else guarded.
    pub(super) fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_innocent(text) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.guarded(text))
    }

    /// Whether a text may stand there as it is: no line of it can be taken for one of ours.
    pub(super) fn is_innocent(&self, text: &str) -> bool {
        let holds = |odd: &&str| memmem::find(text.as_bytes(), odd.as_bytes()).is_some();
        !ODD_BREAKS.iter().any(holds)
            && !OPENINGS.iter().any(|ours| opens_a_line(text, ours))
            && (self.frame.is_innocent)(text)
    }

    /// The text between delimiters that it cannot forge.
    pub(super) fn guarded(&self, text: &str) -> String {
        (self.frame.guard)(text)
    }

    /// A text of one line and at most `units`, cut visibly; a stand-in where it is not innocent.
    pub(super) fn line(&self, text: &str, units: usize) -> String {
        let is_gap = |c: char| c.is_control() || c.is_whitespace();
        let words: Vec<_> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
        let line = words.join(" ");
        if !self.is_innocent(&line) {
            return "(not shown here)".to_owned();
        }
        if self.cap.measure(&line) <= units {
            return line;
        }
        let kept = self.cap.clip(&line, units.saturating_sub(self.cap.measure("…")));
        format!("{kept}…")
    }
}

// Breaks that some readers show as a new line and that no line of ours is parted by.
const ODD_BREAKS: [&str; 5] = ["\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"];

fn opens_a_line(text: &str, ours: &str) -> bool {
    memmem::find_iter(text.as_bytes(), ours.as_bytes()).any(|at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r'])
    })
}
