//! What a project knows: its entries in force.

use vademecum_core::entry::{Category, Entry};
use vademecum_core::frame;
use vademecum_core::wisdom::{Form, MORE, Tally, Task};

use super::{FoundShape, Input, LINE, Output};
use crate::call::Call;
use crate::error::OpError;
use crate::plans::EntryShape;
use crate::wisdom::{self, Asked};

/// How to get at what is known and not told.
const ASK: &str = "limit=0, a task in about, or search_notes with query and scope=project";

/// What the project knows, as much as fits; what belongs to the task finds room first.
pub(super) fn fill(call: &Call<'_>, task: &str, input: &Input, output: &mut Output) -> Result<(), OpError> {
    let task = Task { text: task.to_owned(), ..Task::default() };
    let (plan, form) = (input.plan.as_deref(), Form::Plain);
    let asked = Asked { plan, task: Some(&task), max_tokens: Some(MORE), is_all: true, form };
    let told = wisdom::tell(call, &asked)?;
    if told.is_unknown {
        let name = frame::line(plan.unwrap_or_default(), LINE);
        return Err(OpError::missing(format!("no plan has the name {name}"))
            .hint("leave plan out for what the project knows"));
    }
    let mut all = told.wisdom.left_out;
    told.wisdom.shown.iter().filter_map(Entry::category).for_each(|it| all.add(it));
    output.more = Category::ALL.into_iter().map(|it| u32::try_from(all.count(it)).unwrap_or(u32::MAX)).sum();
    output.in_force = Some(all.words()).filter(|words| !words.is_empty());
    output.known = told.wisdom.shown.iter().map(|entry| EntryShape::told(entry, &told.elsewhere)).collect();
    output.older = told.has_older;
    output.problems = told.problems;
    Ok(())
}

/// Puts what was found of the entries first, cuts each part, and counts what is left out.
pub(super) fn settle(output: &mut Output, limit: Option<usize>) {
    let limit = limit.filter(|limit| 0 < *limit).unwrap_or(usize::MAX);
    let found: Vec<String> = output.kept.iter().filter_map(|piece| piece.id.clone()).collect();
    let rank = |entry: &EntryShape| found.iter().position(|id| *id == entry.id);
    // What is kept of entries stands here whole; one of another plan is none that was asked for.
    output.kept.retain(|piece| matches!(piece.kind.as_str(), "note" | "handoff"));
    output.kept.truncate(limit);
    // Of each category the newest stand last, and go before the others.
    output.known.reverse();
    output.known.sort_by_key(|entry| rank(entry).unwrap_or(usize::MAX));
    let mut tally = Tally::default();
    output.known.retain(|entry| {
        let Some(category) = Category::parse(&entry.category) else { return false };
        tally.add(category);
        tally.count(category) <= limit
    });
    output.more -= u32::try_from(output.known.len()).unwrap_or(u32::MAX);
    output.n_found = output.known.iter().filter(|entry| rank(entry).is_some()).count();
    output.known[output.n_found..].reverse();
}

/// How what is known is introduced.
pub(super) fn head(output: &Output) -> String {
    let Some(counts) = &output.in_force else {
        return "this project has no entries in force; what was noted, search_notes with query and scope=project knows".to_owned();
    };
    match (output.more, output.older) {
        (0, false) => format!("in force here: {counts}"),
        (0, true) => format!("in force here: {counts}, and older ones: {ASK}"),
        (n, false) => format!("in force here: {counts}; {n} not shown: {ASK}"),
        (n, true) => format!("in force here: {counts}, and older ones; {n} not shown: {ASK}"),
    }
}

/// What is known: for a task what has its words first, then the others.
pub(super) fn lines(output: &Output) -> Vec<String> {
    let (found, others) = output.known.split_at(output.n_found);
    let about = found.iter().map(EntryShape::line_with_why);
    let mut lines: Vec<String> = about.chain(output.kept.iter().map(FoundShape::line)).collect();
    if !lines.is_empty() {
        let head = if output.partly { "with some of these words:" } else { "about it:" };
        lines.insert(0, head.to_owned());
    }
    if !output.about.is_empty() && !others.is_empty() {
        let head = if lines.is_empty() { "no word of it is found; in force:" } else { "in force beside it:" };
        lines.push(head.to_owned());
    }
    lines.extend(others.iter().map(EntryShape::line_with_why));
    lines.extend(output.problems.iter().cloned());
    lines
}
