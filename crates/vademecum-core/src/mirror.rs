//! The Markdown form of entries: written in one form, read in four, and no content is lost in it.
//!
//! A line of a text that would be read as a header, a field or a rule gets a backslash in front,
//! as does a blank line at its edge; reading takes it away again.

mod fields;
mod header;

pub use header::Header;

use fields::{Field, read_fields};
use header::{is_from, is_rule};

use crate::entry::{Category, Line, PartError, Said, Severity, Status};
use crate::plan::PlanName;
use crate::time::Time;

/// The name of a category's file.
#[must_use]
pub fn file_name(category: Category) -> &'static str {
    match category {
        Category::Issue => "issues.md",
        Category::Decision => "decisions.md",
        Category::Learning => "learnings.md",
    }
}

/// What a new file begins with.
#[must_use]
pub fn title(category: Category) -> &'static str {
    match category {
        Category::Issue => "# Issues\n\n",
        Category::Decision => "# Decisions\n\n",
        Category::Learning => "# Learnings\n\n",
    }
}

/// What stands before entries that come from another plan.
#[must_use]
pub fn from_plan(plan: &PlanName) -> String {
    format!("\n\n# From: {plan}\n\n")
}

/// The entry as it is appended to the file of its category.
#[must_use]
pub fn render(category: Category, at: Time, said: &Said) -> String {
    let task = said.task.as_ref().map_or(Line::NONE, Line::as_str);
    let pattern = said.pattern.as_ref();
    let pattern = pattern.map(|line| format!("**Pattern found:** `{}`\n", line.as_str()));
    let tags = said.tags.as_slice().join(", ");
    let tags = if tags.is_empty() { tags } else { format!("**Tags:** {tags}") };
    format!(
        "\n## {} | Task: {task}\n\n{}\n\n{}{}\n{tags}\n\n---\n",
        at.to_rfc3339(),
        escape(said.content.as_str(), category),
        own_fields(said),
        pattern.unwrap_or_default(),
    )
}

/// The fields that the published form does not have, each with a blank line behind it.
fn own_fields(said: &Said) -> String {
    let mut fields: Vec<(Field, String)> = Vec::new();
    let mut put = |field, value: Option<String>| fields.extend(value.map(|value| (field, value)));
    let text = |text: Option<&str>| text.map(|text| text.replace('\n', "\n  "));
    let own = said.matter.own();
    put(Field::Severity, own.severity.map(str::to_owned));
    let status = own.status.filter(|status| *status != Status::Open.word());
    put(Field::Status, status.map(str::to_owned));
    put(Field::Workaround, text(own.workaround));
    put(Field::Rationale, text(own.rationale));
    put(Field::Alternatives, text(own.alternatives));
    put(Field::Supersedes, said.supersedes.map(|id| id.to_string()));
    let lines = fields.iter().map(|(field, value)| format!("{} {value}\n\n", field.mark()));
    lines.collect()
}

/// An entry as it was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The time in its header; none for a text without a header.
    pub at: Option<Time>,
    /// What it says, or why it cannot be taken in.
    pub said: Result<Said, PartError>,
    /// Whether a rule or another entry stands behind it, so that it cannot grow any more.
    pub is_closed: bool,
}

/// Reads the entries of a file of this category, in their order.
#[must_use]
pub fn parse(category: Category, text: &str) -> Vec<Found> {
    let mut reading = Reading { category, found: Vec::new(), block: None };
    for (idx, line) in text.split('\n').enumerate() {
        reading.line(idx + 1, line);
    }
    reading.close(false);
    reading.found
}

/// The text of a file without the entries that are gone; none where it holds none of them.
#[must_use]
pub fn without(category: Category, text: &str, is_gone: impl Fn(&Said) -> bool) -> Option<String> {
    let found = parse(category, text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut is_kept = vec![true; lines.len()];
    for (idx, entry) in found.iter().enumerate() {
        if !entry.said.as_ref().is_ok_and(&is_gone) {
            continue;
        }
        let first = entry.line - 1;
        let next = found.get(idx + 1).map_or(lines.len(), |next| next.line - 1);
        // What says where the next entries come from stays with them.
        let from = (first..next).find(|&at| is_from(lines[at])).unwrap_or(next);
        let rule = (first..from).find(|&at| is_rule(lines[at])).map_or(from, |at| at + 1);
        is_kept[first..rule].fill(false);
    }
    let kept = || lines.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
    (kept().count() < lines.len()).then(|| kept().map(|(line, _)| *line).collect())
}

struct Block<'a> {
    line: usize,
    header: Option<Header>,
    lines: Vec<&'a str>,
}

struct Reading<'a> {
    category: Category,
    found: Vec<Found>,
    block: Option<Block<'a>>,
}

impl<'a> Reading<'a> {
    fn line(&mut self, number: usize, line: &'a str) {
        if let Some(header) = Header::parse(line) {
            self.close(true);
            self.block = Some(Block { line: number, header: Some(header), lines: Vec::new() });
            return;
        }
        if is_rule(line) || is_from(line) {
            return self.close(true);
        }
        let is_loose = self.block.as_ref().is_some_and(|block| block.header.is_none());
        if is_loose && (is_blank(line) || is_bullet(line)) {
            self.close(true);
        }
        match &mut self.block {
            Some(block) => block.lines.push(line),
            None if is_blank(line) || is_title(line) => {}
            None => self.block = Some(Block { line: number, header: None, lines: vec![line] }),
        }
    }

    fn close(&mut self, is_closed: bool) {
        let Some(block) = self.block.take() else { return };
        if block.lines.iter().all(|line| is_blank(line)) {
            return;
        }
        let (at, task) = block.header.map_or((None, None), |header| (Some(header.at), header.task));
        let said = read_fields(self.category, &block.lines).map(|said| Said { task, ..said });
        self.found.push(Found { line: block.line, at, said, is_closed });
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn is_bullet(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

fn is_title(line: &str) -> bool {
    Category::ALL.iter().any(|category| title(*category).trim_end() == line.trim_end())
}

/// Whether the reader would take a line of a text for something else.
fn is_special(line: &str, category: Category) -> bool {
    Header::parse(line).is_some()
        || is_rule(line)
        || is_from(line)
        || Field::of(line, category).is_some()
}

fn escape(text: &str, category: Category) -> String {
    let last = text.split('\n').count() - 1;
    let escaped = text.split('\n').enumerate().map(|(idx, line)| {
        let rest = line.trim_start_matches('\\');
        let is_edge = idx == 0 || idx == last;
        let is_escapable =
            is_special(rest, category) || is_blank(rest) && (is_edge || rest.len() < line.len());
        format!("{}{line}", if is_escapable { "\\" } else { "" })
    });
    escaped.collect::<Vec<_>>().join("\n")
}

fn unescape(line: &str, category: Category) -> &str {
    let rest = line.trim_start_matches('\\');
    let is_escaped = rest.len() < line.len() && (is_special(rest, category) || is_blank(rest));
    if is_escaped { &line[1..] } else { line }
}

/// The severity and status of an issue while its fields are read.
type Grade = (Option<Severity>, Option<Status>);

#[cfg(test)]
mod tests;
