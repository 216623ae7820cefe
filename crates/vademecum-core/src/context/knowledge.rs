//! What the project knows, in a context: how much there is, how to ask, and the first of it.

use std::fmt::Write as _;

use super::cap::{Cap, Unit};
use super::form::Form;
use super::table::{BlockName, Fitted, Part};
use crate::entry::{Category, Elsewhere, Entry, Matter, Said, Status, on_branch};
use crate::frame::Nonce;
use crate::openers::{KNOWS, KNOWS_NOW, LAPSED};
use crate::reported::unconfirmed;
use crate::tokens;
use crate::wisdom::Tally;

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
    /// Those that were recorded on another branch.
    pub elsewhere: &'a Elsewhere,
    /// The most tokens that it may cost.
    pub max_tokens: usize,
}

impl<'a> Knowledge<'a> {
    /// The entries that are told one by one, where there is room for them.
    pub fn named(&self) -> impl Iterator<Item = &'a Entry> {
        named(self.entries, self.elsewhere)
    }
}

/// An entry that a conversation may have been told, and that is in force no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lapsed {
    /// Another entry took its place, or resolved it.
    Replaced {
        /// What it said.
        said: Box<Said>,
        /// What the other one says.
        by: Box<Said>,
    },
    /// It was erased for good: only its category is known.
    Forgotten(Category),
}

/// So many that are in force no more are told one by one.
const N_LAPSED: usize = 5;

/// So many of each category are named before more of any, so that none crowds the others out.
const N_NAMED: usize = 3;

/// What one of them takes at most, in units.
pub const LINE: usize = 200;

/// What a name that stands beside it takes at most, in units.
const NAME: usize = 80;

/// The knowledge before the room for it is known.
#[derive(Default)]
pub(super) struct Known {
    heading: String,
    /// The heading where every line stands below it, and they say all there is.
    alone: String,
    lines: Vec<String>,
    of: u64,
    /// What is in force no more, at length and shorter; one empty text where nothing is.
    lapsed: Vec<String>,
}

impl Known {
    /// What is known and what is known no more; none where there is nothing of either.
    pub(super) fn new(
        knowledge: Option<&Knowledge<'_>>,
        lapsed: &[Lapsed],
        form: &Form,
    ) -> Option<Self> {
        let known = knowledge.and_then(|knowledge| Self::in_force(knowledge, form));
        if lapsed.is_empty() {
            return known;
        }
        let nothing = Self::default;
        let lapsed = [N_LAPSED, 0].map(|n_named| lines_of(lapsed, n_named, form)).into();
        Some(Self { lapsed, ..known.unwrap_or_else(nothing) })
    }

    /// Chooses what is named within its own budget; none where nothing is known, or nothing may be told.
    fn in_force(knowledge: &Knowledge<'_>, form: &Form) -> Option<Self> {
        let heading = heading(knowledge, true, form)?;
        let mut left = knowledge.max_tokens.checked_sub(tokens::estimate(&heading))?;
        let named = knowledge.named().map(|entry| line(entry, knowledge.elsewhere, form));
        let fits = |line: &String| {
            // The line break is a token of its own at most.
            let rest = left.checked_sub(1 + tokens::estimate(line));
            rest.map(|rest| left = rest).is_some()
        };
        let lines: Vec<String> = named.filter(fits).collect();
        let of = knowledge.entries.len();
        let says_all = lines.len() == of && knowledge.entries.iter().all(|it| is_whole(it, form));
        let has_more = !says_all || knowledge.has_older;
        let alone = self::heading(knowledge, has_more, form)?;
        Some(Self { heading, alone, lines, of: of as u64, lapsed: vec![String::new()] })
    }

    /// So many lines below the one that counts them, and what is in force no more in these words.
    fn text(&self, n_lines: usize, lapsed: &str) -> String {
        let end = if n_lines == 0 { "." } else { ":" };
        let is_all = n_lines as u64 == self.of;
        let heading = match if is_all { self.alone.as_str() } else { self.heading.as_str() } {
            "" => String::new(),
            heading => format!("{heading}{end}"),
        };
        let lines = self.lines.iter().take(n_lines).map(String::as_str);
        let all = std::iter::once(heading.as_str()).chain(lines).chain([lapsed]);
        all.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn longest(&self) -> &str {
        self.lapsed.first().map_or("", String::as_str)
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
        form.cap.measure(&self.text(self.lines.len(), self.longest()))
    }

    /// What is in force no more at first, then as many lines as fit below the one that counts them all.
    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let n_lines = || (0..=self.lines.len()).rev();
        let each = self.lapsed.iter().flat_map(|lapsed| n_lines().map(move |n| (n, lapsed)));
        let mut texts = each.map(|(n, lapsed)| (n as u64, self.text(n, lapsed)));
        let fitting = texts.find(|(_, text)| form.cap.measure(text) <= room);
        let (shown, text) = fitting.unwrap_or_default();
        let why = match shown {
            _ if text.is_empty() => format!("no room: it gets {room}"),
            shown if shown == self.of => "all of it".to_owned(),
            _ => "counted, and the first of it".to_owned(),
        };
        Fitted { text, shown, why }
    }
}

/// The line that counts what is known; with `has_more`, how to ask for what it does not show.
fn heading(knowledge: &Knowledge<'_>, has_more: bool, form: &Form) -> Option<String> {
    let Knowledge { entries, has_older, is_more, plans, .. } = knowledge;
    let mut tally = Tally::default();
    entries.iter().filter_map(Entry::category).for_each(|category| tally.add(category));
    let older = if *has_older { " and older ones" } else { "" };
    let counts = format!("{}{older}", tally.words());
    let plans: Vec<String> = plans.iter().map(|plan| form.line(plan, NAME)).collect();
    let more = match (counts.is_empty(), plans.is_empty()) {
        (true, true) => return None,
        (false, true) if !has_more => counts,
        (false, true) => format!("{counts}; {ASK} for more"),
        (true, false) => format!("in the plans {}; {ASK} plan=…", plans.join(", ")),
        (false, false) if !has_more => {
            format!("{counts}; {ASK} plan=… for {}", plans.join(", "))
        }
        (false, false) => {
            format!("{counts}; {ASK} for more, plan=… for {}", plans.join(", "))
        }
    };
    let what = if *is_more { KNOWS_NOW } else { KNOWS };
    Some(format!("{what}({more})"))
}

/// Rules of the user, the first of each category, then the others, the categories in their order.
fn named<'a>(entries: &'a [Entry], elsewhere: &Elsewhere) -> impl Iterator<Item = &'a Entry> {
    let of = |category: Category| {
        let mut of: Vec<&Entry> =
            entries.iter().filter(|entry| entry.category() == Some(category)).collect();
        of.sort_by_key(|entry| elsewhere.behind(entry));
        of.into_iter().enumerate()
    };
    let mut all: Vec<(usize, &Entry)> = Category::ALL.map(of).into_iter().flatten().collect();
    let holds = |entry: &Entry| entry.is_rule() && elsewhere.branch(entry).is_none();
    // A repository may bring as many as it likes.
    all.sort_by_key(|(nth, entry)| (!holds(entry), entry.is_from_file(), N_NAMED <= *nth));
    all.into_iter().map(|(_, entry)| entry)
}

/// A line for each that is in force no more, at most `n_named` of them; the rest is counted.
fn lines_of(lapsed: &[Lapsed], n_named: usize, form: &Form) -> String {
    let named = lapsed.iter().take(n_named).map(|one| format!("{LAPSED}{}", one.words(form)));
    let more = match lapsed.len().saturating_sub(n_named) {
        0 => None,
        1 => Some(format!("{LAPSED}1 entry more {IN_FORCE}")),
        n => Some(format!("{LAPSED}{n} entries more {IN_FORCE}")),
    };
    named.chain(more).collect::<Vec<_>>().join("\n")
}

/// How to ask for what is known.
const ASK: &str = "recall kind=known";

/// How to learn what else is in force.
const IN_FORCE: &str = "(recall kind=known says what is in force)";

impl Lapsed {
    fn words(&self, form: &Form) -> String {
        let (said, by) = match self {
            Self::Replaced { said, by } => (said, by),
            Self::Forgotten(category) => {
                let article = if *category == Category::Issue { "an" } else { "a" };
                let word = category.word();
                return format!("{article} {word} that was forgotten since {IN_FORCE}");
            }
        };
        let content = |said: &Said| form.line(said.content.as_str(), LINE);
        let how = match &by.matter {
            Matter::Issue { status: Status::Resolved, .. } => "resolved".to_owned(),
            matter => format!("superseded by {}", form.line(matter.word(), NAME)),
        };
        format!(
            "{}: {} ({how}: {})",
            form.line(said.matter.word(), NAME),
            content(said),
            content(by)
        )
    }
}

/// Whether [`line`] says all of an entry.
fn is_whole(entry: &Entry, form: &Form) -> bool {
    let Said { content, matter, pattern, .. } = &entry.said;
    let has_reasons = matter.own().texts().next().is_some();
    let fits = |text: &str, units| form.line(text, units) == text;
    let is_place_whole = pattern.as_ref().is_none_or(|pattern| fits(pattern.as_str(), NAME));
    !has_reasons && is_place_whole && fits(content.as_str(), LINE)
}

/// What it costs at least that a session is told of this entry, in tokens.
#[must_use]
pub fn cost_of_telling(entry: &Entry, nonce: &Nonce) -> usize {
    let cap = Cap { units: usize::MAX, unit: Unit::Utf16 };
    let form = Form { cap, nonce };
    let entries = std::slice::from_ref(entry);
    let elsewhere = &Elsewhere::default();
    let alone = Knowledge {
        entries,
        has_older: false,
        is_more: false,
        plans: &[],
        elsewhere,
        max_tokens: usize::MAX,
    };
    let heading = heading(&alone, true, &form).unwrap_or_default();
    tokens::estimate(&heading) + 1 + tokens::estimate(&line(entry, elsewhere, &form))
}

/// An entry on one line: what it is, what it says, where.
fn line(entry: &Entry, elsewhere: &Elsewhere, form: &Form) -> String {
    let said = &entry.said;
    let mut line = format!("- {}", form.line(entry.word(), NAME));
    if let Some(severity) = said.matter.own().severity {
        write!(line, ", {}", form.line(severity, NAME)).expect("a String takes every text");
    }
    if let Some(unconfirmed) = unconfirmed(said.tags.as_slice()) {
        write!(line, ", {unconfirmed}").expect("a String takes every text");
    }
    if entry.is_from_file() {
        line.push_str(", read from a file");
    }
    if let Some(branch) = elsewhere.branch(entry) {
        write!(line, ", {}", on_branch(branch.as_str())).expect("a String takes every text");
    }
    write!(line, ": {}", form.line(said.content.as_str(), LINE))
        .expect("a String takes every text");
    if let Some(pattern) = &said.pattern {
        let place = form.line(pattern.as_str(), NAME);
        write!(line, " ({place})").expect("a String takes every text");
    }
    line
}
