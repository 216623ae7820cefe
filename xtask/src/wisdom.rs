//! What choosing by the task is worth: `cargo xtask wisdom FILE…`, recorded sessions that start sub-agents.
//!
//! What was said before a sub-agent started stands in for entries: what the agent and its sub-agents said for
//! learnings, what the user said for decisions, what failed for issues. Of the facts in the sub-agent's
//! report that its prompt does not hold, the share is counted that its wisdom would have told.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;

use anyhow::{Context, Result};
use vademecum_core::entry::{Category, Elsewhere, Entry, Matter, Said, Text};
use vademecum_core::frame::Nonce;
use vademecum_core::hash::Key;
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_core::turn::{Action, Event, Outcome, Turn};
use vademecum_core::wisdom::{Ask, Form, Pick, Sources, Task, wisdom};
use vademecum_harness::transcript::{Span, read};
use vademecum_ops::wisdom::N_CANDIDATES;

use crate::recap::{Fact, facts};

/// How much of a text an agent would have recorded, in characters.
const RECORDED: usize = 600;

const BUDGETS: [usize; 3] = [250, 500, 1000];

/// Measures each delegation of each transcript, and prints the shares.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut rows, mut n_sessions) = (Vec::new(), 0);
    for path in words {
        let before = rows.len();
        session(path, &mut rows).with_context(|| path.clone())?;
        n_sessions += usize::from(before < rows.len());
    }
    println!("{} delegations of {n_sessions} sessions", rows.len());
    for (at, budget) in BUDGETS.into_iter().enumerate() {
        let shares: Vec<[f64; 2]> = rows.iter().map(|row: &Row| row[at]).collect();
        let (better, worse) = (
            shares.iter().filter(|[task, newest]| newest < task).count(),
            shares.iter().filter(|[task, newest]| task < newest).count(),
        );
        println!(
            "{budget} tokens: by task {:.3}, newest {:.3}; more in {better}, fewer in {worse}",
            mean(shares.iter().map(|share| share[0])),
            mean(shares.iter().map(|share| share[1])),
        );
    }
    Ok(())
}

/// The shares told by task and by age, for each budget.
type Row = [[f64; 2]; BUDGETS.len()];

/// Adds a row for each sub-agent of a session that used anything said before.
fn session(path: &str, rows: &mut Vec<Row>) -> Result<()> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut source = BufReader::new(File::open(path)?);
    let report = read(None, Span::Whole, &mut source, &mut |turn| turns.push(turn))?;
    let mut history = History::default();
    let mut asked: HashMap<String, Task> = HashMap::new();
    for turn in &turns {
        if let Event::Called(call) = &turn.event
            && let Some(Action::Delegated { to, task, .. }) = call.actions.first()
        {
            let agent_type = Some(to.clone()).filter(|to| !to.is_empty());
            let task = Task { text: task.clone(), files: Vec::new(), agent_type };
            asked.insert(call.id.clone(), task);
        }
        if let Event::Answered(answer) = &turn.event
            && answer.outcome != Outcome::Running
            && let Some(task) = asked.remove(&answer.call)
        {
            rows.extend(history.row(&task, &answer.text, &report.cwds));
            answer.text.split("\n\n").for_each(|part| history.add(Category::Learning, part));
        }
        history.hear(&turn.event);
    }
    Ok(())
}

/// What was said until now, as entries.
#[derive(Default)]
struct History {
    entries: Vec<Entry>,
}

impl History {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Asked { text, .. } => self.add(Category::Decision, text),
            Event::Said { text } => self.add(Category::Learning, text),
            Event::Answered(answer) if !answer.is_ok() => self.add(Category::Issue, &answer.text),
            Event::Answered(_)
            | Event::Called(_)
            | Event::Thought { .. }
            | Event::Interrupted
            | Event::Compacted { .. } => {}
        }
    }

    fn add(&mut self, category: Category, text: &str) {
        let text: String = text.trim().chars().take(RECORDED).collect();
        let Ok(content) = Text::new(text) else { return };
        let n = i64::try_from(self.entries.len()).unwrap_or(i64::MAX);
        self.entries.push(Entry::new(
            EntryId(n),
            PlanName::project(),
            Time(n),
            Said { matter: Matter::bare(category), ..Said::bare(category, content) },
        ));
    }

    /// The shares for one sub-agent; none where it used nothing that was said before.
    fn row(&self, task: &Task, report: &str, roots: &[String]) -> Option<Row> {
        let said: HashSet<Fact> = self
            .entries
            .iter()
            .flat_map(|entry| facts(entry.said.content.as_str(), roots))
            .collect();
        let given = facts(&task.text, roots);
        let mut used = facts(report, roots);
        used.retain(|fact| said.contains(fact) && !given.contains(fact));
        if used.is_empty() {
            return None;
        }
        let share = |budget, task| {
            let told = facts(&self.told(budget, task), roots);
            ratio(used.iter().filter(|fact| told.contains(fact)).count(), used.len())
        };
        Some(BUDGETS.map(|budget| [share(budget, Some(task)), share(budget, None)]))
    }

    /// The wisdom that a reader gets within `budget`.
    fn told(&self, budget: usize, task: Option<&Task>) -> String {
        let newest = |category| {
            let of_it = self
                .entries
                .iter()
                .rev()
                .filter(move |it| it.said.matter.category() == Some(category));
            of_it.take(N_CANDIDATES).cloned()
        };
        let mut project: Vec<Entry> = Category::ALL.into_iter().flat_map(newest).collect();
        project.sort_by_key(|entry| std::cmp::Reverse(entry.id));
        let sources = Sources {
            project: &project,
            plan: &[],
            has_older: false,
            elsewhere: &Elsewhere::default(),
        };
        let nonce = Nonce::of(&Key([0; 32]), b"wisdom");
        let ask = Ask {
            budget,
            form: Form::Block,
            pick: Pick::Latest,
            is_published: false,
            is_all: false,
            task,
            nonce: &nonce,
        };
        wisdom(&sources, &ask).text
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len();
    ratio_of(values.sum(), n)
}

fn ratio(some: usize, all: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "facts of one report are few")]
    let some = some as f64;
    ratio_of(some, all)
}

fn ratio_of(sum: f64, n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "sessions are few")]
    let n = n.max(1) as f64;
    sum / n
}
