//! Chooses what to say within a budget, and says it.

mod choose;
mod clip;
mod edits;
mod files;
mod lack;
mod list;
mod passages;
mod planned;
mod prose;
mod said;
mod text;

use vademecum_core::tokens::estimate;

use crate::digest::{Digest, FactId, QuickSet, Stop};
use crate::state::State;
use choose::Choice;
pub(crate) use clip::clip;
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
    /// Files that were changed, with what became of them.
    Edited,
    /// Files of the project that were only read, where there is room left.
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
    /// What it does not say: items of the agent's list, then statements, best first, then facts, those used most of late first.
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

/// Which part of a budget is much to lose: one in so many.
const MUCH: usize = 4;

/// Lets go of the last lines while there are more than `budget` tokens.
fn trim(sections: &mut Vec<Section>, budget: usize) {
    while budget < estimate(&text::text(sections)) {
        let Some(last) = sections.last_mut() else { break };
        last.lines.pop();
        if last.lines.is_empty() {
            sections.pop();
        }
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
        let sections = self.chosen(&mut choice, budget + budget * CAUTION / 100);
        let text = text::text(&sections);
        let told = self.ledger.known(&text);
        Recap {
            coverage: Coverage {
                turns: self.n_turns,
                facts: self.ledger.entries().len(),
                said: told.len(),
            },
            rest: list::untold_items(self, &said, &sections)
                .into_iter()
                .chain(choice.left())
                .chain(self.facts_but(&told))
                .collect(),
            state: self.state(),
            stop: self.stop,
            sections,
            text,
        }
    }

    /// The facts that are not told, those used most of late first.
    fn facts_but(&self, told: &QuickSet<FactId>) -> impl Iterator<Item = String> {
        let all = self.ledger.warmest(self.ledger.entries().len()).into_iter();
        let untold = all.filter(|id| !told.contains(id));
        untold.map(|id| self.ledger.entry(id).text.to_string())
    }

    /// The parts of the recap within `budget`, without what its reader has in the text `beside`.
    #[must_use]
    pub fn sections(&self, budget: usize, beside: &str) -> Vec<Section> {
        self.chosen(&mut Choice::new(self, &Said::of(beside)), budget)
    }

    /// The sentences take their share of the budget, and what files and commands leave of theirs.
    fn chosen(&self, choice: &mut Choice<'_>, budget: usize) -> Vec<Section> {
        // A summary tells of the files and commands that it names; a page may name a file and not that it was changed.
        let summary = choice.beside.holding(self.summary()).unwrap_or_default();
        let mut sections = self.within(choice, summary, (budget, 0));
        let left = budget.saturating_sub(estimate(&text::text(&sections)));
        if budget <= left * LEFT {
            sections = self.within(choice, summary, (budget, left));
        }
        files::add_read(self, summary, &mut sections, budget);
        sections
    }

    fn within(
        &self,
        choice: &mut Choice<'_>,
        summary: &str,
        (budget, more): (usize, usize),
    ) -> Vec<Section> {
        let mut sections = prose::prose(self, choice, budget, more);
        let n_over = estimate(&text::text(&sections)).saturating_sub(budget);
        trim(&mut sections, budget);
        // A passage is one line, however long: where much went with it, it is chosen anew in less room.
        if 0 < n_over && estimate(&text::text(&sections)) < budget - budget / MUCH {
            let less = budget.saturating_sub(n_over);
            sections = prose::prose(self, choice, less, more.saturating_sub(n_over));
            trim(&mut sections, budget);
        }
        files::add(self, summary, &mut sections, budget);
        sections
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
