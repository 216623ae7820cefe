//! The warning before a compaction: what comes back, and what page and notes lack of the conversation.

use crate::frame;

/// The warning before a compaction, with what it says of page and notes by themselves.
#[derive(Debug)]
pub(super) struct Warning {
    /// Up to that.
    pub(super) start: &'static str,
    /// What comes back, where all does; empty where nothing is said of it.
    pub(super) all: &'static str,
    /// Behind it.
    pub(super) end: End,
}

/// How a warning ends.
#[derive(Debug)]
pub(super) enum End {
    /// In the same words whatever is kept.
    Plain(&'static str),
    /// With what page and notes lack, in six parts.
    Parts,
}

/// A warning that is the same whatever comes back.
pub(super) const fn plain(start: &'static str) -> Warning {
    Warning { start, all: "", end: End::Plain("") }
}

/// What a page should tell whoever goes on from it, what is needed first in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// What is being done, and what comes next.
    Now,
    /// What was decided, and why things are as they are.
    Why,
    /// What went wrong.
    Failed,
    /// What the user ruled.
    Rules,
    /// What is done.
    Done,
    /// Where it is.
    Where,
}

impl Topic {
    const ALL: [Self; 6] =
        [Self::Now, Self::Why, Self::Failed, Self::Rules, Self::Done, Self::Where];

    /// What a model is told to save of it.
    fn words(self) -> &'static str {
        match self {
            Self::Now => "the step in progress and the next",
            Self::Why => {
                "each decision, cause and finding with its reason, and what was turned down"
            }
            Self::Failed => "each failure with the error's words, its cause and what was tried",
            Self::Rules => "what the user ruled",
            Self::Done => "what is done, committed, pushed",
            Self::Where => "the files and names that the next step needs",
        }
    }
}

/// Something that a text does not say of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// What it is about.
    pub topic: Topic,
    /// In the session's own words; empty where none stands out, and nothing is kept at all.
    pub example: String,
}

/// The most characters of an example: enough to know which one is meant.
const EXAMPLE: usize = 120;

const SUMMARY: &str = "; of all else a summary at most.";
const TOOLS: &str = "update_notepad or add_note";

impl End {
    /// The words behind what comes back; `lacks` is none where nobody looked.
    pub(super) fn words(&self, lacks: Option<&[Lack]>) -> String {
        match (self, lacks) {
            (Self::Plain(words), _) => (*words).to_owned(),
            (Self::Parts, None) => {
                let topics = Topic::ALL.map(Topic::words).join("; ");
                format!(
                    "{SUMMARY}\nWhat only this conversation has can be saved now with {TOOLS}: {topics}."
                )
            }
            (Self::Parts, Some([])) => format!(
                "{SUMMARY}\nBy its transcript they lack nothing; what changes from here on can be saved with {TOOLS}."
            ),
            (Self::Parts, Some(lacks)) => {
                let line = |lack: &Lack| match frame::line(&lack.example, EXAMPLE) {
                    none if none.is_empty() => format!("\n- {}", lack.topic.words()),
                    example => format!("\n- {}, such as: {example}", lack.topic.words()),
                };
                let lines: String = lacks.iter().map(line).collect();
                format!(
                    "{SUMMARY}\nBy its transcript notepad and notes lack the following, which can be saved now with {TOOLS}:{lines}"
                )
            }
        }
    }
}
