//! Which entries are told: from two sources with half the budget each, what one leaves to the other.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::relevance::Sought;
use super::{Ask, Form, MORE, N_READ, N_SHOWN, Pick, Sources, Tally, heading, room};
use crate::entry::{Category, Elsewhere, Entry, Line, Said, on_branch};
use crate::frame;
use crate::frame::Nonce;
use crate::id::EntryId;
use crate::reported::unconfirmed;

/// What ends a text that lost something to the budget.
const CUT: &str = "\n[...truncated]";

/// What stands between two categories.
const GAP: &str = "\n\n";

/// The entries that are told, and their text without the form around it.
pub(super) struct Chosen {
    pub(super) text: String,
    pub(super) shown: Vec<Entry>,
    pub(super) left_out: Tally,
    pub(super) is_cut: bool,
    /// Whether there are entries, and not a word of any is told.
    pub(super) is_nothing: bool,
}

/// An entry that would be told if there were room.
struct Candidate<'a> {
    entry: &'a Entry,
    category: Category,
    text: String,
    n_chars: usize,
    is_of_plan: bool,
    is_elsewhere: bool,
    /// Whether it is one of the first of its category and source: none crowds the others out.
    is_first: bool,
    /// How near it is to the task; a rule of the user is nearer than all else.
    weight: f64,
}

pub(super) fn choose(sources: &Sources<'_>, ask: &Ask<'_>) -> Chosen {
    let (candidates, all) = candidates(sources, ask);
    let room = room(ask);
    let whole = candidates.iter().fold(Length::default(), Length::and);
    let is_cut = room < whole.n_chars;
    let kept = if is_cut {
        fitting(&candidates, room.saturating_sub(CUT.len() + around(all, sources, ask)))
    } else {
        (0..candidates.len()).collect()
    };
    let mut left_out = all;
    for &idx in &kept {
        *left_out.of(candidates[idx].category) -= 1;
    }
    let mut text = compose(&candidates, &kept);
    let mut is_nothing = false;
    if is_cut && kept.is_empty() {
        text = cut_first(&candidates, sources.elsewhere, ask, room);
        is_nothing = !ask.is_published && (text.is_empty() || text == CUT.trim_start());
    } else {
        if ask.is_ours() {
            let words = left_out_words(left_out, sources.has_older, ask);
            say_left_out(&mut text, &words, room, is_cut);
        }
        text.push_str(if is_cut { CUT } else { "" });
    }
    let shown = in_order(&candidates, &kept).into_iter().map(|one| one.entry.clone()).collect();
    Chosen { text, shown, left_out, is_cut, is_nothing }
}

/// What the words on what is left out may take, in characters; nothing of a budget that has little room for entries.
fn around(all: Tally, sources: &Sources<'_>, ask: &Ask<'_>) -> usize {
    let words = left_out_words(all, sources.has_older, ask).chars().count() + GAP.len();
    if ask.is_ours() && 8 * words <= room(ask) { words } else { 0 }
}

/// The tokens with which all entries are shown.
pub(super) fn needed(sources: &Sources<'_>, ask: &Ask<'_>) -> usize {
    let (candidates, _) = candidates(sources, &Ask { is_all: true, ..*ask });
    let whole = candidates.iter().fold(Length::default(), Length::and);
    let around = ask.budget.saturating_mul(4).saturating_sub(room(ask));
    (whole.n_chars + around).div_ceil(4)
}

/// What would be told with room for all, and how many entries there are.
fn candidates<'a>(sources: &Sources<'a>, ask: &Ask<'_>) -> (Vec<Candidate<'a>>, Tally) {
    let of_plan: BTreeSet<EntryId> = sources.plan.iter().map(|entry| entry.id).collect();
    let mut seen = Vec::new();
    let mut all = Tally::default();
    let mut candidates = Vec::new();
    let sought = ask.task.map(Sought::of);
    for (entries, is_of_plan) in [(sources.plan, true), (sources.project, false)] {
        // What was merged into the project is told once.
        let is_new = |entry: &&Entry| entry.merged_from.is_none_or(|id| !of_plan.contains(&id));
        let new: Vec<&Entry> = entries.iter().filter(is_new).collect();
        new.iter().filter_map(|entry| entry.category()).for_each(|category| all.add(category));
        let weights = sought.as_ref().map(|sought| sought.weights(&new));
        for category in Category::ALL {
            let of_category =
                new.iter().enumerate().filter(|(_, it)| it.category() == Some(category));
            let weighed = of_category
                .map(|(idx, entry)| (weights.as_ref().map_or(0.0, |weights| weights[idx]), *entry));
            let picked = pick(weighed.collect(), (ask, sources.elsewhere), &mut seen);
            candidates.extend(picked.into_iter().enumerate().map(|(nth, (weight, entry))| {
                let text = line(entry, sources.elsewhere, ask, usize::MAX);
                Candidate {
                    entry,
                    category,
                    n_chars: text.chars().count(),
                    text,
                    is_of_plan,
                    is_elsewhere: sources.elsewhere.branch(entry).is_some(),
                    is_first: nth < N_SHOWN,
                    weight: if is_rule(entry, ask) { f64::INFINITY } else { weight },
                }
            }));
        }
    }
    (candidates, all)
}

/// The entries of one category that are shown, those that matter most first; what says the same once.
fn pick<'a>(
    mut entries: Vec<(f64, &'a Entry)>,
    (ask, elsewhere): (&Ask<'_>, &Elsewhere),
    seen: &mut Vec<&'a Said>,
) -> Vec<(f64, &'a Entry)> {
    let behind = |entry: &Entry| elsewhere.behind(entry);
    match ask.pick {
        Pick::Latest => entries.sort_by(|(a, one), (b, other)| {
            let ((reported, elsewhere), (other_reported, other_elsewhere)) =
                (behind(one), behind(other));
            // What may not hold here takes no room from what does, however near it is to the task.
            let by_branch = elsewhere.cmp(&other_elsewhere);
            let by_rule = is_rule(other, ask).cmp(&is_rule(one, ask));
            by_branch.then(by_rule).then(b.total_cmp(a)).then(reported.cmp(&other_reported))
        }),
        Pick::Literal => {
            entries.truncate(N_READ);
            entries.reverse();
        }
    }
    let new = entries.into_iter().filter(|(_, entry)| {
        let is_new = !seen.iter().any(|other| says_the_same(other, &entry.said));
        if is_new {
            seen.push(&entry.said);
        }
        is_new
    });
    new.take(if ask.is_all && ask.is_ours() { usize::MAX } else { N_SHOWN }).collect()
}

/// Whether an entry goes before others as a rule of the user; the published text knows none.
fn is_rule(entry: &Entry, ask: &Ask<'_>) -> bool {
    ask.is_all && ask.is_ours() && entry.is_rule()
}

/// Whether two entries say the same; most are told apart by their first letter or word.
fn says_the_same(one: &Said, other: &Said) -> bool {
    let letter = |said: &Said| {
        let first = said.content.as_str().trim_start().bytes().next();
        first.filter(u8::is_ascii).map(|byte| byte.to_ascii_lowercase())
    };
    if let (Some(one), Some(other)) = (letter(one), letter(other))
        && one != other
    {
        return false;
    }
    let word = |said: &Said| -> String {
        let word = said.content.as_str().split_whitespace().next().unwrap_or_default();
        word.trim_end_matches('.').to_lowercase()
    };
    word(one) == word(other) && one.sameness() == other.sameness()
}

/// The candidates that fit: each source in its half first, then whatever is left.
fn fitting(candidates: &[Candidate<'_>], room: usize) -> Vec<usize> {
    let order = by_rank(candidates);
    let mut kept = Vec::new();
    let mut whole = Length::default();
    for pass in [Some(true), Some(false), None] {
        let (mut of_pass, share) =
            if pass.is_some() { (Length::default(), room / 2) } else { (whole, room) };
        for &idx in &order {
            let one = &candidates[idx];
            let is_asked = pass.is_none_or(|is_of_plan| one.is_of_plan == is_of_plan);
            if !is_asked || kept.contains(&idx) {
                continue;
            }
            let with_it = (of_pass.and(one), whole.and(one));
            if with_it.0.n_chars <= share && with_it.1.n_chars <= room {
                (of_pass, whole) = with_it;
                kept.push(idx);
            }
        }
    }
    kept
}

/// How long a text of some candidates is, in characters, as [`compose`] would write it.
#[derive(Clone, Copy, Default)]
struct Length {
    n_chars: usize,
    has_heading: [bool; Category::ALL.len()],
}

impl Length {
    fn and(mut self, one: &Candidate<'_>) -> Self {
        let has_heading = &mut self.has_heading[one.category as usize];
        if !*has_heading {
            *has_heading = true;
            let gap = if self.n_chars == 0 { 0 } else { GAP.len() };
            self.n_chars += gap + heading(one.category).len();
        }
        self.n_chars += 1 + one.n_chars;
        self
    }
}

/// What goes first when there is not room for all: what holds here, a rule, what belongs to the task, the first of each
/// category, then the category.
fn by_rank(candidates: &[Candidate<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&candidates[a], &candidates[b]);
        let by_category = a.category.cmp(&b.category);
        let by_branch = a.is_elsewhere.cmp(&b.is_elsewhere);
        let by_first = b.is_first.cmp(&a.is_first);
        let by_weight = b.weight.total_cmp(&a.weight);
        by_branch.then(by_weight).then(by_first).then(by_category)
    });
    order
}

/// The chosen ones by category, oldest first.
fn in_order<'a, 'b>(candidates: &'b [Candidate<'a>], kept: &[usize]) -> Vec<&'b Candidate<'a>> {
    let mut chosen: Vec<&Candidate<'_>> = kept.iter().map(|&idx| &candidates[idx]).collect();
    chosen.sort_by_key(|one| (one.category, one.entry.at, one.entry.id));
    chosen
}

fn compose(candidates: &[Candidate<'_>], kept: &[usize]) -> String {
    let chosen = in_order(candidates, kept);
    let mut text = String::new();
    let mut last = None;
    for one in chosen {
        if last != Some(one.category) {
            text.push_str(if last.is_some() { GAP } else { "" });
            text.push_str(heading(one.category));
            last = Some(one.category);
        }
        text.push('\n');
        text.push_str(&one.text);
    }
    text
}

/// The first part of what matters most, when nothing fits whole.
fn cut_first(
    candidates: &[Candidate<'_>],
    elsewhere: &Elsewhere,
    ask: &Ask<'_>,
    room: usize,
) -> String {
    let first = by_rank(candidates).first().copied();
    let Some((category, first)) =
        first.map(|idx| (candidates[idx].category, candidates[idx].entry))
    else {
        return String::new();
    };
    let cut = |n_chars: usize| {
        format!("{}\n{}{CUT}", heading(category), line(first, elsewhere, ask, n_chars))
    };
    let fits = |n_chars: usize| cut(n_chars).chars().count() <= room;
    let (mut low, mut high) = (0, first.said.content.as_str().chars().count());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    if 0 < low && fits(low) {
        return cut(low);
    }
    let only = CUT.trim_start();
    if only.len() <= room { only.to_owned() } else { String::new() }
}

/// What is not shown, and how to have it; empty where all is.
fn left_out_words(left_out: Tally, has_older: bool, ask: &Ask<'_>) -> String {
    let counted = Some(left_out.words()).filter(|words| !words.is_empty());
    let older = has_older.then(|| "older ones".to_owned());
    let words: Vec<String> = counted.into_iter().chain(older).collect();
    let more = match ask.form {
        Form::Plain if !ask.is_all => format!("max_tokens={} shows more; ", ask.budget.max(MORE)),
        Form::Plain | Form::Block => String::new(),
    };
    match words.as_slice() {
        [] => String::new(),
        words => {
            let all = if has_older { " --limit 0" } else { "" };
            format!("Left out: {} ({more}in a shell: vade plan show{all}).", words.join(" and "))
        }
    }
}

fn say_left_out(text: &mut String, words: &str, room: usize, is_cut: bool) {
    if words.is_empty() {
        return;
    }
    let line = format!("\n\n{words}");
    let n_cut = if is_cut { CUT.len() } else { 0 };
    if text.chars().count() + line.len() + n_cut <= room {
        text.push_str(&line);
    }
}

/// One entry as a reader sees it, at most `n_chars` characters of its text.
///
/// What a file says is told as that, and under no name that it gives itself; the published text knows no difference.
fn line(entry: &Entry, elsewhere: &Elsewhere, ask: &Ask<'_>, n_chars: usize) -> String {
    let (said, nonce) = (&entry.said, ask.nonce);
    let is_from_file = entry.is_from_file() && ask.is_ours();
    let mut line = format!("- {}", entry.at.day());
    if is_from_file {
        line.push_str(" (read from a file)");
    } else if let Some(task) = &said.task {
        write!(line, " ({})", word(task.as_str())).expect("a String takes every text");
    }
    if let Some(severity) = said.matter.own().severity {
        write!(line, " {}", word(severity)).expect("a String takes every text");
    }
    if let Some(unconfirmed) = unconfirmed(said.tags.as_slice()) {
        write!(line, " ({unconfirmed})").expect("a String takes every text");
    }
    if let Some(branch) = elsewhere.branch(entry) {
        write!(line, " ({})", on_branch(branch.as_str())).expect("a String takes every text");
    }
    let content = said.content.as_str();
    // Most are told whole, and as many characters take at least as many bytes.
    let cut = (n_chars < content.len())
        .then(|| content.char_indices().nth(n_chars).map(|(at, _)| &content[..at]))
        .flatten();
    let text = cut.unwrap_or(content);
    // The lines of a file's entry are none of this text.
    let shown_text = if is_from_file { frame::line(text, usize::MAX) } else { shown(text, nonce) };
    let gap = if shown_text.starts_with("<vade-") { ":\n" } else { ": " };
    line.push_str(gap);
    line.push_str(&shown_text);
    if cut.is_none() {
        more(said, nonce, is_from_file, &mut line);
    }
    line
}

/// A stored text that can neither close its block nor pose as another voice.
fn shown(text: &str, nonce: &Nonce) -> String {
    frame::render(text, nonce).into_owned()
}

/// What stands in a line of ours; nothing that is stored is sure to be what vade let in.
fn word(text: &str) -> String {
    frame::line(text, Line::MAX)
}

/// What an entry says beside its text, each on a line.
fn more(said: &Said, nonce: &Nonce, is_line: bool, line: &mut String) {
    let mut put = |word: &str, text: Option<&str>| {
        if let Some(text) = text {
            let text = if is_line { frame::line(text, usize::MAX) } else { shown(text, nonce) };
            let gap = if text.starts_with("<vade-") { "\n" } else { " " };
            write!(line, "\n  {word}:{gap}{text}").expect("a String takes every text");
        }
    };
    let own = said.matter.own();
    put("Workaround", own.workaround);
    put("Why", own.rationale);
    put("Not taken", own.alternatives);
    put("Where", said.pattern.as_ref().map(|pattern| word(pattern.as_str())).as_deref());
}
