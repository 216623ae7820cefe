//! Files as lines: each with its names, and those that go together on one line.

use super::fill::{LINE, NAMES};
use super::pool::Together;
use crate::digest::{Digest, FactId, QuickMap};

/// A file, and what is said beside it.
pub(super) struct Told {
    pub(super) id: FactId,
    pub(super) names: Vec<FactId>,
}

/// The lines of the files that were changed, and those of the others.
///
/// A line begins with the best file that has none yet. Files that go with it follow while there is
/// room, after a semicolon where one has names; beside changed ones, what was only read is marked by
/// `with`. Files that have neither names nor others share lines.
pub(super) fn of_files(
    digest: &Digest,
    files: &[Told],
    together: &Together,
) -> (Vec<String>, Vec<String>) {
    let is_edited = |told: &Told| 0 < digest.ledger.entry(told.id).writes;
    let mut left: Vec<Part<'_>> = files.iter().map(|told| Part::new(digest, told)).collect();
    let (mut edited, mut read) = (Vec::new(), Vec::new());
    while let Some(first) = left.iter().position(|part| is_edited(part.told)) {
        edited.push(line(first, &mut left, together, &is_edited));
    }
    while !left.is_empty() {
        read.push(line(0, &mut left, together, &|_| true));
    }
    (joined(edited), joined(read))
}

/// Puts the files that stand alone on their lines together, as many as a line holds.
fn joined(lines: Vec<String>) -> Vec<String> {
    let mut made: Vec<String> = Vec::with_capacity(lines.len());
    let mut list: Option<usize> = None;
    for line in lines {
        let is_alone = !line.contains(' ');
        let fits = |list: &usize| made[*list].chars().count() + 1 + line.chars().count() <= LINE;
        if let Some(list) = list.filter(|list| is_alone && fits(list)) {
            made[list].push(' ');
            made[list].push_str(&line);
            continue;
        }
        if is_alone {
            list = Some(made.len());
        }
        made.push(line);
    }
    made
}

/// What stands of a file on a line.
struct Part<'a> {
    told: &'a Told,
    text: String,
    len: usize,
    /// Whether it is one word: a path without names.
    is_word: bool,
}

impl<'a> Part<'a> {
    fn new(digest: &Digest, told: &'a Told) -> Self {
        let word = |id: &FactId| &*digest.ledger.entry(*id).text;
        let mut text = word(&told.id).to_owned();
        if let Some(fate) = &digest.ledger.entry(told.id).fate {
            text.extend([" (", fate, ")"]);
        }
        for (idx, name) in told.names.iter().take(NAMES).enumerate() {
            text.push_str(if idx == 0 { ": " } else { " " });
            text.push_str(word(name));
        }
        Self { told, len: text.chars().count(), is_word: !text.contains(' '), text }
    }
}

/// What marks a file that is told beside those that a line is about.
const WITH: &str = "with ";

/// Takes the part at `first` out of `left`, and what goes with it as long as the line has room.
fn line(
    first: usize,
    left: &mut Vec<Part<'_>>,
    together: &Together,
    is_about: &dyn Fn(&Told) -> bool,
) -> String {
    let Part { told, mut text, mut len, is_word: mut was_word } = left.remove(first);
    let mut n_names = told.names.len();
    let mut company: QuickMap<FactId, f32> = QuickMap::default();
    let mut joined = told.id;
    loop {
        for (other, worth) in together.get(&joined).into_iter().flatten() {
            *company.entry(*other).or_default() += worth;
        }
        let fits = |part: &Part<'_>| {
            len + WITH.len() + part.len + 2 <= LINE && n_names + part.told.names.len() <= NAMES
        };
        if company.is_empty() {
            return text;
        }
        let mut best: Option<(f32, usize)> = None;
        for (idx, part) in left.iter().enumerate() {
            let worth = company.get(&part.told.id).copied().unwrap_or(0.0);
            if best.map_or(0.0, |it| it.0) < worth && fits(part) {
                best = Some((worth, idx));
            }
        }
        let Some((_, idx)) = best else { return text };
        let part = left.remove(idx);
        let mark = if is_about(part.told) { "" } else { WITH };
        let between = if was_word && part.is_word { " " } else { "; " };
        for piece in [between, mark, &part.text] {
            text.push_str(piece);
        }
        len += between.len() + mark.len() + part.len;
        was_word = part.is_word;
        n_names += part.told.names.len();
        joined = part.told.id;
    }
}
