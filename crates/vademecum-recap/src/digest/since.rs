//! What the agent did since anybody spoke: its last words end before that.

use std::collections::VecDeque;

use crate::command::prints_secrets;
use crate::statement::flat;

/// How many steps are kept.
const STEPS: usize = 3;

/// How long an output is at most that is told whole.
const SAID: usize = 80;

/// What Claude Code puts in the place of an output where there was none.
pub(super) const NOTHING: &[&str] =
    &["(Bash completed with no output)", "Tool ran without output or errors"];

/// One step of the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A file was changed.
    Edited(String),
    /// A command came to its end.
    Ran {
        /// The line.
        line: String,
        /// How that was.
        end: End,
        /// What it printed, where that is one short line.
        said: String,
    },
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Whether well is not seen.
    Came,
    /// It ran well.
    Well,
}

/// The last steps since somebody spoke, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Since(pub(crate) VecDeque<Step>);

impl Since {
    pub(super) fn spoke(&mut self) {
        self.0.clear();
    }

    pub(super) fn edited(&mut self, file: &str) {
        self.took(Step::Edited(file.to_owned()));
    }

    /// Takes in how a command ended; one that only looked is a step where it tells something in a line.
    pub(super) fn ran(&mut self, line: &str, end: End, output: &str, is_look: bool) {
        let output = Some(output.trim()).filter(|it| !NOTHING.contains(it)).unwrap_or_default();
        let is_short = output.len() <= SAID && !output.contains('\n') && !prints_secrets(line);
        // It stands in quotes.
        let said = if is_short { flat(output).replace(['"', '`'], "'") } else { String::new() };
        if !is_look || !said.is_empty() {
            self.took(Step::Ran { line: line.to_owned(), end, said });
        }
    }

    /// Takes in that a command failed, which is told as a failure.
    pub(super) fn failed(&mut self, line: &str) {
        self.0.retain(|step| !matches!(step, Step::Ran { line: before, .. } if before == line));
    }

    /// What was done again counts where that was.
    fn took(&mut self, step: Step) {
        let is_same = |before: &Step| match (before, &step) {
            (Step::Ran { line: before, .. }, Step::Ran { line, .. }) => before == line,
            _ => *before == step,
        };
        self.0.retain(|before| !is_same(before));
        if self.0.len() == STEPS {
            self.0.pop_front();
        }
        self.0.push_back(step);
    }
}
