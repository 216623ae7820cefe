//! A plan as sections, and sections as text.

use vademecum_core::tokens::{Meter, estimate};

use super::fill::{LINE, Move, Plan};
use super::lines::{self, Told};
use super::{Part, Section};
use crate::digest::{Digest, FactId};
use crate::fact::Kind;

/// How many moves beyond the first that does not fit are tried one by one.
const TRIES: usize = 24;

/// The moves that the budget holds, best first: as many as possible, then what
/// still fits of those that follow.
pub(super) fn fit(digest: &Digest, prose: &[Section], plan: &Plan, budget: usize) -> Vec<Move> {
    let mut page = text(prose);
    let (n_prose, mut of_prose) = (page.len(), Meter::default());
    of_prose.add(&page);
    let mut price = |moves: &[Move]| {
        page.truncate(n_prose);
        add(&mut page, &told(digest, plan, moves));
        let mut meter = of_prose.clone();
        meter.add(&page[n_prose..]);
        meter.tokens()
    };
    let planned = &plan.moves;
    let n_first = most(planned.len(), budget, |n| price(&planned[..n]) <= budget);
    let mut taken = planned[..n_first].to_vec();
    let mut left = budget.saturating_sub(price(&taken));
    for made in planned.iter().skip(n_first).take(TRIES) {
        let is_orphan =
            matches!(made, Move::Beside(file, _) if !taken.contains(&Move::File(*file)));
        if is_orphan || left + WITHIN < estimate_of(digest, *made) {
            continue;
        }
        taken.push(*made);
        match budget.checked_sub(price(&taken)) {
            Some(rest) => left = rest,
            None => drop(taken.pop()),
        }
    }
    taken
}

/// How many of `n_moves` moves fit.
fn most(n_moves: usize, budget: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n_moves + 1);
    // The plan takes somewhat more than the budget, and moves cost about the same: looked at first
    // is where it should be full, then ever farther off, then by halves.
    let (mut near, mut step) = (n_moves * budget / (budget * 11 / 10 + 60), 4);
    while low + 1 < high {
        let middle = near.clamp(low + 1, high - 1);
        *(if fits(middle) { &mut low } else { &mut high }) = middle;
        near = match (low, high) {
            (_, high) if n_moves < high => low + step,
            (0, high) => high.saturating_sub(step),
            (low, high) => low.midpoint(high),
        };
        step *= 2;
    }
    low
}

/// How much less a fact may cost within a text than by itself.
const WITHIN: usize = 3;

/// What a fact costs by itself.
fn estimate_of(digest: &Digest, made: Move) -> usize {
    match made {
        Move::File(id) | Move::Beside(_, id) | Move::Command(id) => {
            estimate(&digest.ledger.entry(id).text)
        }
    }
}

/// The whole as text, no line longer than 200 characters.
pub(super) fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    add(&mut text, sections);
    text
}

/// Adds sections to a text.
fn add(text: &mut String, sections: &[Section]) {
    for section in sections {
        push(text, &format!("{}:", title(section.part)));
        for line in &section.lines {
            match section.part {
                Part::Edited | Part::Read | Part::Commands => push(text, line),
                _ => push(text, &format!("- {line}")),
            }
        }
    }
}

/// Adds a line, in several where it is too long.
fn push(text: &mut String, line: &str) {
    let mut rest = line;
    loop {
        if !text.is_empty() {
            text.push('\n');
        }
        let past = if LINE < rest.len() { rest.char_indices().nth(LINE) } else { None };
        let Some((end, _)) = past else {
            text.push_str(rest);
            return;
        };
        let end = rest[..end].rfind(' ').filter(|at| 0 < *at).unwrap_or(end);
        text.push_str(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Now => "Now",
        Part::Next => "Next",
        Part::Decided => "Decided and why",
        Part::Found => "Found",
        Part::Failed => "Failed",
        Part::Rules => "The user said",
        Part::Done => "Done",
        Part::Edited => "Edited",
        Part::Read => "Files",
        Part::Commands => "Commands",
    }
}

/// What was taken, as sections.
pub(super) fn told(digest: &Digest, plan: &Plan, moves: &[Move]) -> Vec<Section> {
    let word = |id: &FactId| digest.ledger.entry(*id).text.to_string();
    let Lists { files, commands } = lists(moves);
    let mut sections = Vec::new();
    let mut add = |part, lines: Vec<String>| {
        if !lines.is_empty() {
            sections.push(Section { part, lines });
        }
    };
    let (edited, read) = lines::of_files(digest, &files, &plan.together);
    add(Part::Edited, edited);
    add(Part::Read, read);
    add(Part::Commands, commands.iter().map(word).collect());
    sections
}

/// What was taken, by what it is.
#[derive(Default)]
struct Lists {
    files: Vec<Told>,
    commands: Vec<FactId>,
}

fn lists(moves: &[Move]) -> Lists {
    let mut lists = Lists::default();
    for made in moves {
        match *made {
            Move::File(id) => lists.files.push(Told { id, names: Vec::new() }),
            Move::Beside(file, id) => {
                if let Some(told) = lists.files.iter_mut().find(|told| told.id == file) {
                    told.names.push(id);
                }
            }
            Move::Command(id) => lists.commands.push(id),
        }
    }
    lists
}

/// All that is not said, as lines: what was planned and not taken, then every other fact.
///
/// A program stands in the commands that run it.
pub(super) fn rest(digest: &Digest, plan: &Plan, taken: &[Move]) -> Vec<String> {
    let word = |id: FactId| digest.ledger.entry(id).text.to_string();
    let line = |made: &Move| match *made {
        Move::File(id) | Move::Command(id) => word(id),
        Move::Beside(file, id) => format!("{}: {}", word(file), word(id)),
    };
    let planned = plan.moves.iter().filter(|made| !taken.contains(made)).map(line);
    let others = plan.untold(digest).into_iter();
    let others = others.filter(|id| digest.ledger.entry(*id).kind != Kind::Program).map(word);
    planned.chain(others).collect()
}
