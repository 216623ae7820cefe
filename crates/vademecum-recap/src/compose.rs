//! Chooses what to say within a budget, and says it.

mod choose;
mod clip;
mod fill;
mod lack;
mod lines;
mod list;
mod passages;
mod pool;
mod prose;
mod said;
mod text;

use vademecum_core::tokens::estimate;

use crate::digest::{Digest, Stop};
use crate::state::State;
use choose::Choice;
pub(crate) use clip::clip;
use pool::Pool;
pub(crate) use prose::{announced, failures, first_ask, purpose};
use said::Said;

/// What a section of a recap tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What the user asked for last, what the agent said last, what it is at.
    Now,
    /// What is still to be done.
    Next,
    /// What was decided, and why things are as they are.
    Decided,
    /// What was found out.
    Found,
    /// What went wrong.
    Failed,
    /// What the user said before: constraints and corrections, in their words.
    Rules,
    /// What is done, commits first.
    Done,
    /// Files that were changed, each with its names.
    Edited,
    /// Files that were read, each with its names.
    Read,
    /// The project's own commands, and those that changed something.
    Commands,
}

/// Some lines of a recap on one matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// On what.
    pub part: Part,
    /// The lines, as the text says them.
    pub lines: Vec<String>,
}

/// How much of a session a recap tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// How many turns it was made from.
    pub turns: u64,
    /// How many facts there were.
    pub facts: usize,
    /// How many of them it says, each once; never more than there were.
    pub said: usize,
}

/// The best of a session within a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recap {
    /// The whole as plain text; empty if there was nothing to say.
    pub text: String,
    /// The same in parts.
    pub sections: Vec<Section>,
    /// What it does not say: items of the agent's list, then statements, then facts, each best first.
    pub rest: Vec<String>,
    /// How much of the session it tells.
    pub coverage: Coverage,
    /// How the session stopped.
    pub stop: Stop,
    /// Where the session stands.
    pub state: State,
}

impl Recap {
    /// The text of some sections, as [`Recap::text`] says them.
    #[must_use]
    pub fn text_of(sections: &[Section]) -> String {
        text::text(sections)
    }
}

impl Digest {
    /// Says the best of the session within `budget` [`tokens`].
    #[must_use]
    pub fn recap(&self, budget: usize) -> Recap {
        self.recap_beside(budget, "")
    }

    /// Says the best of the session that its reader does not have in the text `beside`.
    #[must_use]
    pub fn recap_beside(&self, budget: usize, beside: &str) -> Recap {
        let said = Said::of(beside);
        let mut choice = Choice::new(self, &said);
        let chosen = self.chosen(&mut choice, budget + budget * CAUTION / 100);
        let Chosen { plan, taken, sections } = &chosen;
        Recap {
            text: text::text(sections),
            coverage: Coverage {
                turns: self.n_turns,
                facts: self.ledger.entries().len(),
                said: plan.n_said(taken),
            },
            rest: list::untold_items(self, &said, sections)
                .into_iter()
                .chain(choice.left())
                .chain(text::rest(self, plan, taken))
                .collect(),
            state: self.state(),
            stop: self.stop,
            sections: chosen.sections,
        }
    }

    /// The parts of the recap within `budget`, without what its reader has in the text `beside`.
    #[must_use]
    pub fn sections(&self, budget: usize, beside: &str) -> Vec<Section> {
        self.chosen(&mut Choice::new(self, &Said::of(beside)), budget).sections
    }

    /// The sentences take their share of the budget, and what files and commands leave of theirs.
    fn chosen(&self, choice: &mut Choice<'_>, budget: usize) -> Chosen {
        // A summary tells of the files and commands that it names; a page may name a file and not that it was changed.
        let summary = choice.beside.holding(self.summary());
        let pool = Pool::new(self).without_said(self, summary.unwrap_or_default());
        let chosen = self.within(choice, &pool, budget, 0);
        let left = budget.saturating_sub(estimate(&text::text(&chosen.sections)));
        if left * LEFT < budget { chosen } else { self.within(choice, &pool, budget, left) }
    }

    fn within(&self, choice: &mut Choice<'_>, pool: &Pool, budget: usize, more: usize) -> Chosen {
        let mut sections = prose::prose(self, choice, budget, more);
        while budget < estimate(&text::text(&sections)) {
            let Some(last) = sections.last_mut() else { break };
            last.lines.pop();
            if last.lines.is_empty() {
                sections.pop();
            }
        }
        let plan = fill::plan(self, pool, &sections, budget);
        let taken = text::fit(self, &sections, &plan, budget);
        sections.extend(text::told(self, &plan, &taken));
        Chosen { plan, taken, sections }
    }
}

/// What a text of the kind that recaps are costs its reader: the estimate without a part of its
/// caution that none of the recaps needed whose tokens were counted.
#[must_use]
pub fn tokens(text: &str) -> usize {
    estimate(text) * 100 / (100 + CAUTION)
}

/// That part, in a hundred.
const CAUTION: usize = 3;

/// From which part of the budget on what is left is worth to choose anew: one in so many.
const LEFT: usize = 20;

/// What is said, and what it was chosen from.
struct Chosen {
    plan: fill::Plan,
    taken: Vec<fill::Move>,
    sections: Vec<Section>,
}
