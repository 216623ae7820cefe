//! Wisdom: the entries of a project and a plan that one reader is told, within a budget.
//!
//! The published order holds: issues, decisions, learnings; of each the newest three, oldest first.
//! Where the reader's task is known, what belongs to it goes before what is newest, and a rule of the user always.

mod choice;
mod directive;
mod relevance;
mod wanted;

use serde::{Deserialize, Serialize};

pub use directive::{Directive, Place, delegate, undelegated};
pub use relevance::Task;

use crate::entry::{Category, Elsewhere, Entry};
use crate::frame::Nonce;
use crate::tokens::chars4;

/// What a model is told of plan notepads where it has nothing else, in the sense of their published design.
pub const GUIDANCE: &str = "\
Plan notepads keep what one agent learned for the next: learnings (patterns, conventions, successful approaches), decisions (choices and their reasons), issues (problems, blockers, gotchas).
Record right after completing work; entries are only ever added. A correction is a new entry with supersedes.
Read the wisdom immediately before each delegation and put it at the top of the prompt, never from memory: format_directive does both.
When a plan is complete, merge_plan takes its entries to the project.";

/// The most tokens that wisdom costs when nothing else is set, in tokens of four characters.
pub const DEFAULT_BUDGET: usize = 1000;

/// How many entries of a category are read of each source.
pub const N_READ: usize = 5;

/// How many entries of a category are shown of each source.
pub const N_SHOWN: usize = 3;

/// With so many tokens a reader gets what the usual ones have no room for.
pub const MORE: usize = 4 * DEFAULT_BUDGET;

/// Which of the entries that were read are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// Those that belong to the task, then the newest.
    #[default]
    Latest,
    /// The oldest three of the newest five, as the published code does it.
    Literal,
}

/// The form of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Sections alone.
    #[default]
    Plain,
    /// In front of a delegated prompt, between `<wisdom>` and `</wisdom>`.
    Block,
}

/// What the reader may be told.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The project's entries in force, of each category the newest first.
    pub project: &'a [Entry],
    /// The plan's entries in force in the same order; none without a plan.
    pub plan: &'a [Entry],
    /// Whether there are older ones beside them.
    pub has_older: bool,
    /// Those that were recorded on another branch.
    pub elsewhere: &'a Elsewhere,
}

/// How it is told.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The most tokens of four characters, with everything that is around the entries.
    pub budget: usize,
    /// The form.
    pub form: Form,
    /// What is shown of what there is.
    pub pick: Pick,
    /// Whether only the published text is given: nothing is said of what is left out.
    pub is_published: bool,
    /// Whether as many are shown as fit: the reader named the budget itself, or a session starts.
    pub is_all: bool,
    /// What the reader is about to do, where that is known.
    pub task: Option<&'a Task>,
    /// The mark of guarded texts.
    pub nonce: &'a Nonce,
}

impl Ask<'_> {
    /// Whether what is left out is said, and all may be shown: the published text does neither.
    fn is_ours(&self) -> bool {
        self.pick == Pick::Latest && !self.is_published
    }
}

/// How many entries of each category there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Issues.
    pub issues: usize,
    /// Decisions.
    pub decisions: usize,
    /// Learnings.
    pub learnings: usize,
}

impl Tally {
    /// Counts one of this category.
    pub fn add(&mut self, category: Category) {
        *self.of(category) += 1;
    }

    /// How many of this category.
    #[must_use]
    pub fn count(mut self, category: Category) -> usize {
        *self.of(category)
    }

    fn of(&mut self, category: Category) -> &mut usize {
        match category {
            Category::Issue => &mut self.issues,
            Category::Decision => &mut self.decisions,
            Category::Learning => &mut self.learnings,
        }
    }

    /// The tally as `2 issues, 1 learning`; nothing where there is none.
    #[must_use]
    pub fn words(mut self) -> String {
        let words = Category::ALL.into_iter().filter_map(|category| match *self.of(category) {
            0 => None,
            1 => Some(format!("1 {}", category.word())),
            n => Some(format!("{n} {}", category.plural())),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// What one reader is told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wisdom {
    /// The text in the form asked for; empty when there is nothing to say.
    pub text: String,
    /// What it costs, in tokens of four characters.
    pub tokens: usize,
    /// The entries that it shows, in its order.
    pub shown: Vec<Entry>,
    /// The entries in force that it does not show.
    pub left_out: Tally,
    /// Whether the budget was too small for what would be shown.
    pub is_cut: bool,
    /// Where no entry found room, the tokens with which all of them are shown.
    pub needed: Option<usize>,
}

/// Chooses and writes what one reader is told; equal sources give equal bytes.
#[must_use]
pub fn wisdom(sources: &Sources<'_>, ask: &Ask<'_>) -> Wisdom {
    let chosen = choice::choose(sources, ask);
    let text = match ask.form {
        _ if chosen.text.is_empty() => String::new(),
        Form::Plain => chosen.text,
        Form::Block => format!("{OPENER}{}{CLOSER}", chosen.text),
    };
    Wisdom {
        tokens: chars4(&text),
        text,
        shown: chosen.shown,
        left_out: chosen.left_out,
        is_cut: chosen.is_cut,
        needed: chosen.is_nothing.then(|| choice::needed(sources, ask)),
    }
}

const OPENER: &str = "<wisdom>\n";
const CLOSER: &str = "\n</wisdom>\n\n";

/// The characters that the text inside the form may have.
fn room(ask: &Ask<'_>) -> usize {
    let all = ask.budget.saturating_mul(4);
    match ask.form {
        Form::Plain => all,
        Form::Block => all.saturating_sub(OPENER.len() + CLOSER.len()),
    }
}

/// The heading of a category.
fn heading(category: Category) -> &'static str {
    match category {
        Category::Issue => "### Known Issues",
        Category::Decision => "### Decisions Made",
        Category::Learning => "### Learnings",
    }
}

#[cfg(test)]
mod tests;
