//! Takes turns in one by one and keeps what a recap needs, within bounded memory.

mod commits;
mod errors;
mod halt;
mod ledger;
mod met;
mod put;
mod quick;
mod run;
mod since;
mod status;
pub(crate) mod verdict;
mod voices;
mod work;

use vademecum_core::profile::reminder::Happened;
use vademecum_core::turn::{Event, Turn};

use crate::cues::tells_of_putting_back;
use crate::rank::Weights;
use crate::statement::Statements;

pub(crate) use commits::Commits;
use commits::Settled;
pub(crate) use commits::{has_scratch, is_hash, is_scratch, may_be_one, taken_back};
use ledger::Voice;
pub(crate) use ledger::{Entry, FactId, Ledger, PUT_BACK, STASHED};
pub(crate) use put::Put;
pub(crate) use quick::{Quick, QuickMap, QuickSet};
pub(crate) use since::{End, Step};
pub(crate) use voices::{Voices, before_pasted, is_picture, low, own_lines, sentences};
pub(crate) use work::{Failure, Work};

/// How much of an answer is looked through from each end.
const ANSWER_END: usize = 3_000;

/// What the caller knows of a session beside its turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The folders that the session works in; paths below them are said relative to them.
    pub roots: Vec<String>,
}

/// How a session stopped, as far as its transcript says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The agent had the last word.
    Ended,
    /// The user stopped the agent.
    Interrupted,
    /// In the middle of the work: a call without an answer, or an answer without a word on it.
    Broken,
    /// The user asked and nothing followed.
    Unanswered,
}

/// A session so far.
#[derive(Debug)]
pub struct Digest {
    pub(crate) ledger: Ledger,
    pub(crate) voices: Voices,
    pub(crate) work: Work,
    pub(crate) statements: Statements,
    pub(crate) n_turns: u64,
    pub(crate) stop: Stop,
    summary: Option<String>,
    pub(crate) weights: &'static Weights,
}

impl Digest {
    /// Starts with no turn.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            ledger: Ledger::new(&options.roots),
            voices: Voices::default(),
            work: Work::default(),
            statements: Statements::new(&options.roots),
            n_turns: 0,
            stop: Stop::Ended,
            summary: None,
            weights: &Weights::LEARNED,
        }
    }

    /// The same with other weights: what is measured on sessions must not be learned from them.
    #[cfg(feature = "measure")]
    #[must_use]
    pub fn with_weights(self, weights: &'static Weights) -> Self {
        Self { weights, ..self }
    }

    fn asked(&mut self, text: &str, is_plan: bool) {
        self.stop = Stop::Unanswered;
        self.work.since.spoke();
        self.voices.asked(text, is_plan);
        if tells_of_putting_back(text) {
            self.ledger.settled(&Settled::put_back());
        }
        self.voices.undone.iter().for_each(|words| self.statements.undo(words));
        self.ledger.read(text, Voice::Told);
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        self.n_turns += 1;
        self.statements.push(turn, |answer| self.voices.put(answer));
        self.ledger.turn = self.ledger.turn.wrapping_add(1);
        match &turn.event {
            Event::Asked { text, is_plan } => self.asked(text, *is_plan),
            Event::Said { text } => {
                self.stop = Stop::Ended;
                self.work.since.spoke();
                self.voices.said(text);
                self.ledger.read(text, Voice::Told);
            }
            Event::Thought { .. } => self.stop = Stop::Broken,
            Event::Called(call) => {
                self.stop = Stop::Broken;
                self.work.called(call, &mut self.ledger);
            }
            Event::Answered(answer) => {
                self.stop = Stop::Broken;
                self.voices.acted(answer.outcome);
                let (head, tail) = ends(&answer.text, ANSWER_END);
                self.ledger.read(head, Voice::Told);
                self.ledger.read(tail, Voice::Told);
                self.work.answered(answer, &mut self.ledger);
            }
            Event::Interrupted => self.stop = Stop::Interrupted,
            Event::Compacted { summary } => self.summary.clone_from(summary),
        }
        if let Some(moved) = self.ledger.trim() {
            self.work.moved(&moved);
        }
    }

    /// Whether the user had the last word.
    pub(crate) fn is_asked(&self) -> bool {
        self.stop == Stop::Unanswered
    }

    /// The sub-agents that have not reported, by what they were started for.
    pub fn agents(&self) -> impl Iterator<Item = &str> {
        self.work.agents()
    }

    /// The harness's summary of what it dropped last, which its agent has.
    #[must_use]
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// Every fact of the session: files, names, commands and the like.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        self.ledger.entries().iter().map(|entry| &*entry.text)
    }

    /// What happened in the turns so far of which a page should tell.
    #[must_use]
    pub fn happened(&self) -> Happened<'_> {
        let standing = &self.voices.standing;
        Happened {
            commits: self.work.commits.newest().count(),
            rules: standing.len(),
            rule: standing.back().map(String::as_str),
            calls: self.work.n_calls,
        }
    }
}

/// About the first and the last `most` bytes of a text, in whole words, or the whole and nothing.
pub(crate) fn ends(text: &str, most: usize) -> (&str, &str) {
    if text.len() <= 2 * most {
        return (text, "");
    }
    let head = &text[..text.floor_char_boundary(most)];
    let tail = &text[text.ceil_char_boundary(text.len() - most)..];
    // What is cut off from its other half would pass for a name of its own.
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || "_./-~@+#".contains(c);
    (head.trim_end_matches(is_of_word), tail.trim_start_matches(is_of_word))
}
