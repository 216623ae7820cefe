//! What the project knows, in a context: how much there is, how to ask, and the first of it.

use std::fmt::Write as _;

use super::form::Form;
use super::table::{BlockName, Fitted, Part};
use crate::entry::{Category, Entry, Matter};
use crate::openers::{KNOWS, KNOWS_NOW};
use crate::tokens;
use crate::wisdom::{MORE, Tally};

/// What a project knows, as one session is told of it.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge<'a> {
    /// The entries in force, in the order in which they matter.
    pub entries: &'a [Entry],
    /// Whether there are older ones beside them.
    pub has_older: bool,
    /// Whether these are only those that came in since the session was told of all.
    pub is_more: bool,
    /// Other plans that hold entries, by name.
    pub plans: &'a [String],
    /// The most tokens that it may cost.
    pub max_tokens: usize,
}

/// So many of each category are named, so that none crowds the others out.
const N_NAMED: usize = 3;

/// What one of them takes at most, in units.
const LINE: usize = 200;

/// What a name that stands beside it takes at most, in units.
const NAME: usize = 80;

/// The knowledge before the room for it is known.
pub(super) struct Known {
    heading: String,
    lines: Vec<String>,
    of: u64,
}

impl Known {
    /// Chooses what is named within its own budget; none where nothing is known, or nothing may be told.
    pub(super) fn new(knowledge: &Knowledge<'_>, form: &Form) -> Option<Self> {
        let heading = heading(knowledge, form)?;
        let mut left = knowledge.max_tokens.checked_sub(tokens::estimate(&heading))?;
        let named = named(knowledge.entries).map(|entry| line(entry, form));
        let fits = |line: &String| {
            // The line break is a token of its own at most.
            let rest = left.checked_sub(1 + tokens::estimate(line));
            rest.map(|rest| left = rest).is_some()
        };
        let lines: Vec<String> = named.filter(fits).collect();
        Some(Self { heading, lines, of: knowledge.entries.len() as u64 })
    }

    fn text(&self, n_lines: usize) -> String {
        let lines = self.lines.iter().take(n_lines).map(String::as_str);
        let end = if n_lines == 0 { "." } else { ":" };
        let heading = format!("{}{end}", self.heading);
        std::iter::once(heading.as_str()).chain(lines).collect::<Vec<_>>().join("\n")
    }
}

impl Part for Known {
    fn name(&self) -> BlockName {
        BlockName::Knowledge
    }

    fn of(&self) -> u64 {
        self.of
    }

    fn is_complete(&self) -> bool {
        self.lines.len() as u64 == self.of
    }

    fn want(&self, form: &Form) -> usize {
        form.cap.measure(&self.text(self.lines.len()))
    }

    /// As many lines as fit below the one that counts them all.
    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let fits = |n: &usize| form.cap.measure(&self.text(*n)) <= room;
        let n_lines = (0..=self.lines.len()).rev().find(fits);
        let shown = n_lines.unwrap_or_default() as u64;
        let text = n_lines.map(|n| self.text(n)).unwrap_or_default();
        let why = match shown {
            _ if text.is_empty() => format!("no room: it gets {room}"),
            shown if shown == self.of => "all of it".to_owned(),
            _ => "counted, and the first of it".to_owned(),
        };
        Fitted { text, shown, why }
    }
}

fn heading(knowledge: &Knowledge<'_>, form: &Form) -> Option<String> {
    let Knowledge { entries, has_older, is_more, plans, .. } = knowledge;
    let mut tally = Tally::default();
    for entry in *entries {
        tally.add(entry.category());
    }
    let older = if *has_older { " and older ones" } else { "" };
    // What it gives unasked is as many of each as are named here.
    let is_crowded = *has_older || Category::ALL.into_iter().any(|it| N_NAMED < tally.count(it));
    let ask =
        if is_crowded { format!("get_wisdom max_tokens={MORE}") } else { "get_wisdom".to_owned() };
    let counts = format!("{}{older}", tally.words());
    let plans: Vec<String> = plans.iter().map(|plan| form.line(plan, NAME)).collect();
    let more = match (counts.is_empty(), plans.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("{counts}; {ask} for more"),
        (true, false) => format!("in the plans {}; get_wisdom plan=…", plans.join(", ")),
        (false, false) => {
            format!("{counts}; {ask} for more, plan=… for {}", plans.join(", "))
        }
    };
    let what = if *is_more { KNOWS_NOW } else { KNOWS };
    Some(format!("{what}({more})"))
}

/// The first of each category, the categories in their order.
fn named(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    let of = |category: Category| entries.iter().filter(move |entry| entry.category() == category);
    Category::ALL.into_iter().flat_map(move |category| of(category).take(N_NAMED))
}

/// An entry on one line: what it is, what it says, where.
fn line(entry: &Entry, form: &Form) -> String {
    let said = &entry.said;
    let mut line = format!("- {}", entry.category().word());
    if let Matter::Issue { severity: Some(severity), .. } = &said.matter {
        write!(line, ", {}", severity.word()).expect("a String takes every text");
    }
    write!(line, ": {}", form.line(said.content.as_str(), LINE))
        .expect("a String takes every text");
    if let Some(pattern) = &said.pattern {
        let place = form.line(pattern.as_str(), NAME);
        write!(line, " ({place})").expect("a String takes every text");
    }
    line
}
