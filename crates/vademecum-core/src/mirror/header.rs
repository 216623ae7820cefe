//! The lines that part entries: headers in four dialects, rules, and where a merged plan begins.

use crate::entry::Line;
use crate::plan::PlanName;
use crate::time::Time;

/// The first line of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// When it was said.
    pub at: Time,
    /// In which task.
    pub task: Option<Line>,
}

impl Header {
    /// Reads `## <time> | Task: x`, `## [<time>] Task: x` or `## YYYY-MM-DD HH:MM:SS`.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("## ")?.trim_end();
        let (at, task) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (at, task) = rest.split_once(']')?;
                (at, Some(task.trim_start().strip_prefix("Task:")?))
            }
            None => match rest.split_once('|') {
                Some((at, task)) => (at, Some(task.trim_start().strip_prefix("Task:")?)),
                None => (rest, None),
            },
        };
        let task = task.map(str::trim).filter(|task| !task.is_empty() && *task != Line::NONE);
        let task = task.map(Line::new).transpose().ok()?;
        Some(Self { at: time(at.trim())?, task })
    }
}

/// RFC 3339, or date and time of day in UTC with a blank between them.
fn time(text: &str) -> Option<Time> {
    let begins = text.len() >= 10 && text.is_char_boundary(10);
    let is_date = |c: char| c.is_ascii_digit() || c == '-';
    if !begins || !text[..10].chars().all(is_date) {
        return None;
    }
    Time::parse(text).or_else(|| Time::parse(&format!("{}Z", text.replacen(' ', "T", 1))))
}

/// Whether the line ends an entry.
pub(super) fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Whether the line says from which plan the next entries come.
pub(super) fn is_from(line: &str) -> bool {
    let name = line.trim_end().strip_prefix("# From: ");
    name.is_some_and(|name| PlanName::parse(name).is_ok())
}
