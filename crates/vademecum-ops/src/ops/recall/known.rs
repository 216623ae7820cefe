//! What a project knows: its entries in force.

use vademecum_core::entry::Category;
use vademecum_core::frame;
use vademecum_core::wisdom::{Form, MORE, Tally, Task};

use super::{Input, LINE, Output};
use crate::call::Call;
use crate::error::OpError;
use crate::plans::EntryShape;
use crate::wisdom::{self, Asked};

/// How to get at what is known and not told.
const ASK: &str = "name the task in about, or search_notes scope=project";

/// What the project knows, as much as fits; what belongs to the task finds room first.
pub(super) fn fill(call: &Call<'_>, task: &str, input: &Input, output: &mut Output) -> Result<(), OpError> {
    let task = Task { text: task.to_owned(), ..Task::default() };
    let (plan, form) = (input.plan.as_deref(), Form::Plain);
    let asked = Asked { plan, task: Some(&task), max_tokens: Some(MORE), is_all: true, form };
    let told = wisdom::tell(call, &asked)?;
    if told.is_unknown {
        return Err(OpError::missing(format!("no plan has the name {}", frame::line(plan.unwrap_or_default(), LINE))));
    }
    let shown = told.wisdom.shown;
    let limit = input.limit.filter(|limit| 0 < *limit).unwrap_or(usize::MAX);
    let mut tally = Tally::default();
    // Of each category the newest stand last.
    for entry in shown.iter().rev() {
        let Some(category) = entry.category() else { continue };
        tally.add(category);
        if tally.count(category) <= limit {
            output.known.push(EntryShape::of(entry));
        }
    }
    output.known.reverse();
    let left_out = Category::ALL.into_iter().map(|it| told.wisdom.left_out.count(it)).sum::<usize>();
    output.more = u32::try_from(left_out + shown.len() - output.known.len()).unwrap_or(u32::MAX);
    output.older = told.has_older;
    output.problems = told.problems;
    Ok(())
}

/// How what is known is introduced.
pub(super) fn head(output: &Output) -> String {
    let mut tally = Tally::default();
    let categories = output.known.iter().filter_map(|entry| Category::parse(&entry.category));
    categories.for_each(|category| tally.add(category));
    let more = match (output.more, output.older) {
        (0, false) => String::new(),
        (0, true) => format!("; older ones: {ASK}"),
        (n, false) => format!("; {n} more: {ASK}"),
        (n, true) => format!("; {n} more and older ones: {ASK}"),
    };
    match tally.words() {
        nothing if nothing.is_empty() => format!("this project has no entries{more}"),
        counts => format!("in force here: {counts}{more}"),
    }
}

/// What is known: for a task what has its words first, then the others.
pub(super) fn lines(output: &Output) -> Vec<String> {
    let mut lines = output.kept_lines("kept");
    let has_kept = !lines.is_empty();
    let is_told = |entry: &&EntryShape| {
        output.kept.iter().any(|piece| piece.id.as_deref() == Some(entry.id.as_str()))
    };
    let others: Vec<_> = output.known.iter().filter(|entry| !is_told(entry)).collect();
    if has_kept && !others.is_empty() {
        lines.push("in force beside it:".to_owned());
    }
    lines.extend(others.into_iter().map(EntryShape::line_with_why));
    lines.extend(output.problems.iter().cloned());
    lines
}
