//! The fields of an entry, one line each; those that hold a text go on with indented lines.

use super::{Grade, is_blank, unescape};
use crate::entry::{Category, Labels, Line, Matter, PartError, Said, Severity, Status, Text};
use crate::id::EntryId;

/// A field behind the text of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Pattern,
    Tags,
    Supersedes,
    Rationale,
    Alternatives,
    Severity,
    Status,
    Workaround,
}

impl Field {
    const ALL: [Self; 8] = [
        Self::Pattern,
        Self::Tags,
        Self::Supersedes,
        Self::Rationale,
        Self::Alternatives,
        Self::Severity,
        Self::Status,
        Self::Workaround,
    ];

    /// What the line begins with.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Pattern => "**Pattern found:**",
            Self::Tags => "**Tags:**",
            Self::Supersedes => "**Supersedes:**",
            Self::Rationale => "**Rationale:**",
            Self::Alternatives => "**Alternatives:**",
            Self::Severity => "**Severity:**",
            Self::Status => "**Status:**",
            Self::Workaround => "**Workaround:**",
        }
    }

    fn is_of(self, category: Category) -> bool {
        match self {
            Self::Pattern | Self::Tags | Self::Supersedes => true,
            Self::Rationale | Self::Alternatives => category == Category::Decision,
            Self::Severity | Self::Status | Self::Workaround => category == Category::Issue,
        }
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Rationale | Self::Alternatives | Self::Workaround)
    }

    /// The field that a line holds in a file of this category.
    pub(super) fn of(line: &str, category: Category) -> Option<Self> {
        let is_it = |field: &Self| field.is_of(category) && line.starts_with(field.mark());
        Self::ALL.into_iter().find(is_it)
    }
}

/// What was read so far.
#[derive(Default)]
struct Draft {
    pattern: Option<Line>,
    tags: Option<Labels>,
    supersedes: Option<EntryId>,
    rationale: Option<Text>,
    alternatives: Option<Text>,
    grade: Grade,
    workaround: Option<Text>,
}

/// Reads the lines between header and rule; what is no field, or no legal one, is text.
pub(super) fn read_fields(category: Category, lines: &[&str]) -> Result<Said, PartError> {
    let (mut draft, mut content) = (Draft::default(), Vec::new());
    let mut idx = 0;
    while idx < lines.len() {
        let line = lines[idx];
        let field = Field::of(line, category);
        let n_more =
            field.filter(|field| field.is_text()).map_or(0, |_| n_indented(lines, idx + 1));
        let end = idx + 1 + n_more;
        match field {
            Some(field) if draft.put(field, &value(field, &lines[idx..end])) => {}
            Some(_) | None => content.extend(&lines[idx..end]),
        }
        idx = end;
    }
    let content = Text::new(text_of(category, &content))?;
    Ok(draft.into_said(category, content))
}

fn n_indented(lines: &[&str], from: usize) -> usize {
    lines[from..].iter().take_while(|line| line.starts_with("  ")).count()
}

fn value(field: Field, lines: &[&str]) -> String {
    let first = &lines[0][field.mark().len()..];
    let more = lines[1..].iter().map(|line| &line[2..]);
    std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
}

/// The text without the blank lines around it.
fn text_of(category: Category, lines: &[&str]) -> String {
    let is_said = |line: &&str| !is_blank(line);
    let begin = lines.iter().position(is_said).unwrap_or(lines.len());
    let end = lines.iter().rposition(is_said).map_or(begin, |last| last + 1);
    let lines = lines[begin..end].iter().map(|line| unescape(line, category));
    lines.collect::<Vec<_>>().join("\n")
}

/// Fills an empty place; whether it was empty and the value is legal.
fn fill<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let is_free = slot.is_none() && value.is_some();
    if is_free {
        *slot = value;
    }
    is_free
}

impl Draft {
    fn put(&mut self, field: Field, value: &str) -> bool {
        let word = || value.trim().to_lowercase();
        match field {
            Field::Pattern => fill(&mut self.pattern, Line::new(&value.replace('`', "")).ok()),
            Field::Tags => {
                let tags: Vec<&str> = value.split(',').filter(|tag| !is_blank(tag)).collect();
                let tags = Labels::new(&tags).ok().filter(|tags| !tags.as_slice().is_empty());
                fill(&mut self.tags, tags)
            }
            Field::Supersedes => fill(&mut self.supersedes, EntryId::parse(value.trim())),
            Field::Rationale => fill(&mut self.rationale, Text::trimmed(value).ok()),
            Field::Alternatives => fill(&mut self.alternatives, Text::trimmed(value).ok()),
            Field::Severity => fill(&mut self.grade.0, Severity::parse(&word())),
            Field::Status => fill(&mut self.grade.1, Status::parse(&word())),
            Field::Workaround => fill(&mut self.workaround, Text::trimmed(value).ok()),
        }
    }

    fn into_said(self, category: Category, content: Text) -> Said {
        let (severity, status) = self.grade;
        let matter = match category {
            Category::Issue => Matter::Issue {
                severity,
                status: status.unwrap_or_default(),
                workaround: self.workaround,
            },
            Category::Decision => {
                Matter::Decision { rationale: self.rationale, alternatives: self.alternatives }
            }
            Category::Learning => Matter::Learning,
        };
        Said {
            content,
            matter,
            task: None,
            pattern: self.pattern,
            tags: self.tags.unwrap_or_default(),
            supersedes: self.supersedes,
        }
    }
}
