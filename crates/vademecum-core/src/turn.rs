//! A transcript as one stream of turns, whichever harness wrote it.
//!
//! Readers of transcripts make turns, the recap reads them. Only the live branch is here, in the
//! order it happened; what harnesses and memory tools inject is none of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::intake::Policy;
use crate::time::Time;

/// One message, call or result of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Where its record stands in the transcript, from 0: a line, or a row.
    pub record: u64,
    /// When; none where the harness does not say.
    pub at: Option<Time>,
    /// What happened.
    pub event: Event,
}

impl Turn {
    /// Takes the secrets out of every text of the turn, before anything of it is chosen or cut.
    pub fn clean(&mut self, policy: Policy) {
        self.event.each_text(&mut |text| {
            if let Cow::Owned(clean) = policy.clean(text) {
                *text = clean;
            }
        });
    }
}

/// What happened in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The user wrote; never a text that a program wrote in the user's name.
    Asked {
        /// The words.
        text: String,
    },
    /// The agent wrote to the user.
    Said {
        /// The words.
        text: String,
    },
    /// The agent thought aloud, where a transcript keeps it.
    Thought {
        /// The words.
        text: String,
    },
    /// The agent called a tool.
    Called(Call),
    /// A tool answered.
    Answered(Answer),
    /// The user stopped the agent.
    Interrupted,
    /// The harness dropped what came before from the agent's context.
    Compacted {
        /// What it put in its place, where the transcript says: never material for a recap.
        summary: Option<String>,
    },
}

impl Event {
    /// Gives `take` every text in which words of a person, a model or a program stand.
    fn each_text(&mut self, take: &mut impl FnMut(&mut String)) {
        match self {
            Self::Asked { text } | Self::Said { text } | Self::Thought { text } => take(text),
            Self::Called(call) => {
                take(&mut call.text);
                call.actions.iter_mut().for_each(|action| action.each_text(take));
            }
            Self::Answered(answer) => take(&mut answer.text),
            // What the harness put in its place is never material.
            Self::Compacted { .. } | Self::Interrupted => {}
        }
    }
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// By what its answer names it; empty where the harness gives none.
    pub id: String,
    /// The tool, as the harness names it.
    pub tool: String,
    /// What it does; several for a patch of several files, never none.
    pub actions: Vec<Action>,
    /// Every string of its arguments, one a line, in the order they stand.
    pub text: String,
}

/// What a call does, whichever harness made it.
///
/// Paths and commands are as the agent wrote them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Reads a file.
    Read {
        /// The file.
        path: String,
    },
    /// Lists a folder.
    Listed {
        /// The folder.
        path: String,
    },
    /// Changes a file in places.
    Edited {
        /// The file.
        path: String,
    },
    /// Writes a file whole.
    Wrote {
        /// The file.
        path: String,
        /// How many lines.
        lines: u32,
    },
    /// Deletes a file.
    Deleted {
        /// The file.
        path: String,
    },
    /// Moves a file.
    Moved {
        /// The file.
        path: String,
        /// Where it lies then.
        to: String,
    },
    /// Runs a command.
    Ran {
        /// The command line, whole.
        command: String,
        /// Whether it only looks: `cat`, `ls`, `git log` and their like.
        is_look: bool,
    },
    /// Searches in files, for files, or on the web.
    Searched {
        /// For what, and where if it was said.
        query: String,
    },
    /// Sets the list of what is to be done.
    Planned {
        /// The whole list where `is_whole`, else what of it changed.
        items: Vec<Item>,
        /// Whether items that are not named are gone.
        is_whole: bool,
    },
    /// Starts a sub-agent.
    Delegated {
        /// Of which type; empty if none was said.
        to: String,
        /// What it was asked.
        task: String,
    },
    /// Keeps something in a memory.
    Remembered {
        /// What was kept.
        text: String,
    },
    /// Changes or takes away what a memory holds.
    Revised {
        /// What was given.
        text: String,
    },
    /// Looks something up in a memory.
    Recalled {
        /// For what, or the id of one memory.
        query: String,
        /// Whether one memory was opened by its id.
        is_one: bool,
    },
    /// Asks the user.
    Questioned {
        /// The question.
        question: String,
    },
    /// Says that the work is done.
    Finished {
        /// With which words.
        summary: String,
    },
    /// Asks about the harness itself; nothing that a recap would tell.
    Looked,
    /// Anything else.
    Other {
        /// The arguments as compact JSON.
        arguments: String,
    },
}

impl Action {
    fn each_text(&mut self, take: &mut impl FnMut(&mut String)) {
        match self {
            Self::Read { path: text }
            | Self::Listed { path: text }
            | Self::Edited { path: text }
            | Self::Deleted { path: text }
            | Self::Wrote { path: text, .. }
            | Self::Ran { command: text, .. }
            | Self::Searched { query: text }
            | Self::Remembered { text }
            | Self::Revised { text }
            | Self::Recalled { query: text, .. }
            | Self::Questioned { question: text }
            | Self::Finished { summary: text }
            | Self::Other { arguments: text } => take(text),
            Self::Planned { items, .. } => items.iter_mut().for_each(|item| take(&mut item.text)),
            Self::Delegated { to: one, task: other } | Self::Moved { path: one, to: other } => {
                take(one);
                take(other);
            }
            Self::Looked => {}
        }
    }

    /// Whether it writes, edits or remembers: the calls that S4 names consequential.
    #[must_use]
    pub fn is_consequential(&self) -> bool {
        matches!(self, Self::Edited { .. } | Self::Wrote { .. } | Self::Remembered { .. })
    }

    /// Whether it changes anything that lasts; of a command its line tells.
    #[must_use]
    pub fn changes_state(&self) -> bool {
        self.is_consequential()
            || matches!(self, Self::Deleted { .. } | Self::Moved { .. } | Self::Revised { .. })
    }
}

/// One line of a list of what is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// By what later calls name it; empty where the harness gives none.
    pub id: String,
    /// What is to be done; empty where a later call names it by its id alone.
    pub text: String,
    /// How far it is.
    pub state: Progress,
}

/// How far something to be done is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Not begun.
    Pending,
    /// In the works.
    Active,
    /// Done.
    Done,
    /// Taken off the list.
    Dropped,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of its call; empty where the harness gives none.
    pub call: String,
    /// Whether it worked: no error said, no exit code but 0.
    pub is_ok: bool,
    /// What it printed.
    pub text: String,
}
