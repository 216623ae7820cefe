//! What earlier sessions did, asked one thing at a time: who changed a file and why, what ended an error, how a program
//! is run here, what was read twice.
//!
//! Each is a taker of turns in bounded memory; who asks walks the transcripts of a project, the oldest first.

mod mended;
mod reread;
mod runs;
mod touched;

pub use mended::{Error, Mend, Mended};
pub use reread::Reread;
pub use runs::{Run, Runs};
pub use touched::{Touch, Touched, file};

use vademecum_core::time::Time;
use vademecum_core::turn::{Answer, Turn};

use crate::cues::{DECISION, INTENT, count, has_any};
use crate::digest::{before_pasted, low, verdict};
use crate::statement::{flat, sentence};

/// The longest text of another that is told, in bytes.
const SHORT: usize = 240;

/// Where something stands in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The record, from 0: a line, or a row.
    pub record: u64,
    /// When; none where the harness does not say.
    pub at: Option<Time>,
}

impl Spot {
    fn of(turn: &Turn) -> Self {
        Self { record: turn.record, at: turn.at }
    }
}

/// Whether a command ran well: where its exit code is lost behind a pipe, by what it printed.
fn ran_well(command: &str, answer: &Answer) -> bool {
    answer.is_ok() && !(verdict::hides_its_code(command) && verdict::is_failure(&answer.text))
}

/// Fewer words than this say what is meant only behind the request before.
const FEW: usize = 6;

/// A request of the user on one line; behind the one before it where it is too short to be understood alone.
fn request(text: &str, before: Option<&str>) -> Option<String> {
    let own = flat(&before_pasted(text));
    if own.is_empty() {
        return None;
    }
    let before = before.filter(|_| count(&own) < FEW);
    Some(match before {
        Some(before) => {
            let before = before.split(THEN).next().unwrap_or(before);
            format!(
                "{}{THEN}{}",
                sentence::cut(before.to_owned(), SHORT / 2),
                sentence::cut(own, SHORT / 2)
            )
        }
        None => sentence::cut(own, SHORT),
    })
}

/// Stands between two requests.
const THEN: &str = " … then: ";

/// How much a sentence tells of why something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Telling {
    /// It states a cause or a decision.
    States,
    /// It is about it.
    About,
    /// Both.
    Both,
}

/// The sentence of a message that says most of why, the last of those that say as much.
fn reason(
    text: &str,
    roots: &[String],
    is_about: impl Fn(&str) -> bool,
) -> Option<(Telling, String)> {
    let mut best: Option<(Telling, String)> = None;
    sentence::each(text, sentence::LONGEST, |sentence, is_heading| {
        let low = low(sentence);
        if is_heading || sentence.ends_with([':', '?']) || has_any(&low, &INTENT) {
            return;
        }
        let telling = match (has_any(&low, &DECISION), is_about(&low)) {
            (true, true) => Telling::Both,
            (false, true) => Telling::About,
            (true, false) => Telling::States,
            (false, false) => return,
        };
        if best.as_ref().is_none_or(|(known, _)| *known <= telling) {
            best = Some((telling, sentence::cut(sentence::short(sentence, roots), SHORT)));
        }
    });
    best
}
