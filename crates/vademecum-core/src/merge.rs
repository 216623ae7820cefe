//! What a plan leaves to its project: its entries once, its patterns, and a summary of all.

use std::collections::BTreeSet;

use crate::entry::{Category, Entry, Line};
use crate::id::EntryId;

/// The file of all patterns of a project.
pub const PATTERNS_FILE: &str = "patterns.md";

/// The file that is made anew at each merge.
pub const SUMMARY_FILE: &str = "summary.md";

/// What a new file of patterns begins with.
pub const PATTERNS_TITLE: &str = "# Patterns\n\n";

/// The entries of `plan` that `project` does not have yet, oldest first.
///
/// An entry is there when it was merged before, or when one there says the same. What is superseded
/// in the plan should not be given.
#[must_use]
pub fn unmerged<'a>(plan: &'a [Entry], project: &[Entry]) -> Vec<&'a Entry> {
    let merged: BTreeSet<EntryId> = project.iter().filter_map(|entry| entry.merged_from).collect();
    let mut said: BTreeSet<_> = project.iter().map(|entry| entry.said.sameness()).collect();
    let mut left: Vec<&Entry> = plan.iter().filter(|entry| !merged.contains(&entry.id)).collect();
    left.sort_by_key(|entry| (entry.at, entry.id));
    left.retain(|entry| said.insert(entry.said.sameness()));
    left
}

/// What is appended to a file of patterns that says `known` already, oldest first.
#[must_use]
pub fn patterns(known: &str, project: &[Entry]) -> String {
    let mut entries: Vec<&Entry> = project.iter().collect();
    entries.sort_by_key(|entry| (entry.at, entry.id));
    let mut added = String::new();
    for entry in entries {
        let Some(pattern) = entry.said.pattern.as_ref().map(Line::as_str) else { continue };
        let mark = format!("- `{pattern}`:");
        if !known.contains(&mark) && !added.contains(&mark) {
            added.extend([mark.as_str(), " ", &first_line(entry), "\n"]);
        }
    }
    added
}

/// The summary: plain bullets of what is in force, oldest first, by category.
#[must_use]
pub fn summary(in_force: &[Entry]) -> String {
    let mut text = "# Summary\n".to_owned();
    for category in Category::ALL {
        let mut entries: Vec<&Entry> =
            in_force.iter().filter(|entry| entry.category() == Some(category)).collect();
        if entries.is_empty() {
            continue;
        }
        entries.sort_by_key(|entry| (entry.at, entry.id));
        let name = category.plural();
        text.extend(["\n## ", &name[..1].to_uppercase(), &name[1..], "\n\n"]);
        for entry in entries {
            let date = &entry.at.to_rfc3339()[..10];
            text.extend(["- ", date, ": ", &first_line(entry), "\n"]);
        }
    }
    text
}

/// The first line of an entry, at most 200 characters of it.
fn first_line(entry: &Entry) -> String {
    let content = entry.said.content.as_str().trim();
    let line = content.lines().next().unwrap_or_default();
    if line.chars().count() <= Line::MAX {
        return line.to_owned();
    }
    let cut: String = line.chars().take(Line::MAX - 1).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Said, Text};
    use crate::plan::PlanName;
    use crate::time::Time;

    fn entry(id: i64, plan: &str, content: &str, pattern: Option<&str>) -> Entry {
        let content = Text::new(content).expect("a text");
        let pattern = pattern.map(|line| Line::new(line).expect("a line"));
        Entry::new(
            EntryId(id),
            PlanName::parse(plan).expect("a name"),
            Time(1_769_524_200_000 + id),
            Said { pattern, ..Said::bare(Category::Learning, content) },
        )
    }

    #[test]
    fn nothing_is_merged_twice() {
        let plan =
            [entry(3, "a", "three", None), entry(1, "a", "one", None), entry(2, "a", "One.", None)];
        let ids = |left: Vec<&Entry>| left.iter().map(|entry| entry.id.0).collect::<Vec<_>>();
        assert_eq!(ids(unmerged(&plan, &[])), [1, 3]);
        let copy = Entry { merged_from: Some(EntryId(1)), ..entry(9, "_project", "one", None) };
        assert_eq!(ids(unmerged(&plan, std::slice::from_ref(&copy))), [3]);
        let said = entry(10, "_project", "THREE", None);
        assert_eq!(ids(unmerged(&plan, &[copy, said])), [0; 0]);
    }

    #[test]
    fn patterns_are_listed_once() {
        let all = [
            entry(1, "a", "first\nmore", Some("src/a.rs:1-2")),
            entry(2, "a", "second", Some("src/a.rs:1-2")),
            entry(3, "a", "third", Some("src/b.rs:3")),
            entry(4, "a", "fourth", None),
        ];
        let added = patterns(PATTERNS_TITLE, &all);
        assert_eq!(added, "- `src/a.rs:1-2`: first\n- `src/b.rs:3`: third\n");
        assert_eq!(patterns(&added, &all), "");
    }

    #[test]
    fn a_summary_is_made_of_bullets() {
        let all = [entry(2, "a", "second", None), entry(1, "a", "first\nmore", None)];
        let expected = "# Summary\n\n## Learnings\n\n- 2026-01-27: first\n- 2026-01-27: second\n";
        assert_eq!(summary(&all), expected);
    }
}
