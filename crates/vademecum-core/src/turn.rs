//! A transcript as one stream of turns, whichever harness wrote it.
//!
//! Readers of transcripts make turns, the recap reads them. Only the live branch is here, in the
//! order it happened; what harnesses and memory tools inject is none of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::intake::Cleaner;
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
    pub fn clean(&mut self, cleaner: &mut Cleaner) {
        self.event.each_text(&mut |text| {
            if let Cow::Owned(clean) = cleaner.clean(text) {
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
        /// Whether what follows its first line is a plan of the agent's that is to be carried out.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_plan: bool,
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
            Self::Asked { text, .. } | Self::Said { text } | Self::Thought { text } => take(text),
            Self::Called(call) => {
                take(&mut call.text);
                call.actions.iter_mut().for_each(|action| action.each_text(take));
            }
            Self::Answered(answer) => answer.each_text(take),
            Self::Compacted { summary } => summary.iter_mut().for_each(take),
            Self::Interrupted => {}
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
        /// For what, in a few words; empty if none were said.
        about: String,
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
    /// Asks the user; the answer tells the replies.
    Questioned {
        /// The questions.
        questions: Vec<Question>,
    },
    /// Lays a plan before the user; the answer tells whether they let it be carried out.
    Proposed {
        /// The plan.
        plan: String,
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
            | Self::Proposed { plan: text }
            | Self::Finished { summary: text }
            | Self::Other { arguments: text } => take(text),
            Self::Planned { items, .. } => items.iter_mut().for_each(|item| take(&mut item.text)),
            Self::Questioned { questions } => {
                for Question { text, options, .. } in questions {
                    options.iter_mut().chain([text]).for_each(&mut *take);
                }
            }
            Self::Delegated { to, about, task } => [to, about, task].into_iter().for_each(take),
            Self::Moved { path, to } => [path, to].into_iter().for_each(take),
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

/// One question to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// By what a reply names it; empty where the harness gives none.
    pub id: String,
    /// The question.
    pub text: String,
    /// What they could choose from, where that was said.
    pub options: Vec<String>,
}

/// What the user replied to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The question.
    pub question: String,
    /// The options that they chose, or their own words.
    pub answer: String,
}

/// What came of a call.
///
/// What runs on in the background is answered more than once, always by the id of the call that
/// began it: whoever asks after it, and whoever tells its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of its call; empty where the harness gives none.
    pub call: String,
    /// How it went.
    pub outcome: Outcome,
    /// What it printed, or what a sub-agent reported.
    pub text: String,
    /// What its text holds, as far as that is known.
    #[serde(default, skip_serializing_if = "Holds::is_output")]
    pub holds: Holds,
}

impl Answer {
    /// Whether nothing went wrong so far: no error said, no exit code but 0.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self.outcome, Outcome::Done | Outcome::Running)
    }

    fn each_text(&mut self, take: &mut impl FnMut(&mut String)) {
        take(&mut self.text);
        match &mut self.holds {
            Holds::Replies { replies } => {
                for Reply { question, answer } in replies {
                    [question, answer].into_iter().for_each(&mut *take);
                }
            }
            Holds::Items { items } => items.iter_mut().for_each(|item| take(&mut item.text)),
            Holds::Output | Holds::Report => {}
        }
    }
}

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked.
    Done,
    /// It said an error, or an exit code but 0.
    Failed,
    /// It runs on in the background; another answer tells its end.
    Running,
    /// It was stopped before its end.
    Stopped,
    /// The user or a rule did not let it run.
    Refused,
}

/// What the text of an answer holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "holds", rename_all = "snake_case")]
pub enum Holds {
    /// What a tool printed.
    #[default]
    Output,
    /// What a sub-agent reports, in its own words.
    Report,
    /// What the user replied.
    Replies {
        /// The replies, in the order of the questions.
        replies: Vec<Reply>,
    },
    /// The whole list of what is to be done, as it stands.
    Items {
        /// The items.
        items: Vec<Item>,
    },
}

impl Holds {
    fn is_output(&self) -> bool {
        *self == Self::Output
    }
}
