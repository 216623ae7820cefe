//! Files as lines: each with its names, and those that go together on one line.

use super::fill::{LINE, NAMES};
use super::pool::Together;
use crate::digest::{Digest, Entry, FactId, PUT_BACK, QuickMap, STASHED};

/// A file, and what is said beside it.
pub(super) struct Told {
    pub(super) id: FactId,
    pub(super) names: Vec<FactId>,
}

/// The lines of the files that were changed, and those of the others.
///
/// Of the changed ones is told what is known for certain: how often, what became of them, what is committed. A line of
/// the others begins with the best file that has none yet. Files that go with it follow while there is room, after a
/// semicolon where one has names. Files that have neither names nor others share lines.
pub(super) fn of_files(
    digest: &Digest,
    files: &[Told],
    together: &Together,
) -> (Vec<String>, Vec<String>) {
    let is_edited = |told: &&Told| 0 < digest.ledger.entry(told.id).writes;
    let (edited, read): (Vec<&Told>, Vec<&Told>) = files.iter().partition(is_edited);
    let mut left: Vec<Part<'_>> = read.into_iter().map(|told| Part::new(digest, told)).collect();
    let mut lines = Vec::new();
    while !left.is_empty() {
        lines.push(line(&mut left, together));
    }
    (of_edited(digest, &edited), joined(lines))
}

/// The files that were changed: those that are not committed, those that are, then those that are nobody's to commit.
fn of_edited(digest: &Digest, files: &[&Told]) -> Vec<String> {
    let mut lists =
        [("Not committed: ", Vec::new()), ("Committed: ", Vec::new()), ("", Vec::new())];
    for told in files {
        let entry = digest.ledger.entry(told.id);
        let is_back = matches!(entry.fate.as_deref(), Some(PUT_BACK | STASHED));
        // One that was made and deleted may never have been in a commit.
        let is_gone = entry.fate.is_some() && !entry.is_uncommitted();
        let is_nobodys = !entry.is_of_project() || is_back || is_gone;
        let list = if is_nobodys { 2 } else { usize::from(!entry.is_uncommitted()) };
        lists[list].1.push(changed(entry));
    }
    let told = lists.into_iter().filter(|(_, files)| !files.is_empty());
    told.map(|(title, files)| format!("{title}{}", files.join(", "))).collect()
}

/// A file with what became of it, else how often it was changed behind the commit before.
fn changed(entry: &Entry) -> String {
    match (&entry.fate, entry.fresh_writes) {
        (Some(fate), _) => format!("{} ({fate})", entry.text),
        (None, 0 | 1) => entry.text.to_string(),
        (None, n) => format!("{} ({n} edits)", entry.text),
    }
}

/// Puts the files that stand alone on their lines together, as many as a line holds.
fn joined(lines: Vec<String>) -> Vec<String> {
    let mut made: Vec<String> = Vec::with_capacity(lines.len());
    let mut list: Option<usize> = None;
    for line in lines {
        let is_alone = !line.contains(' ');
        let fits = |list: &usize| made[*list].chars().count() + 2 + line.chars().count() <= LINE;
        if let Some(list) = list.filter(|list| is_alone && fits(list)) {
            made[list].push_str(", ");
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
        for (idx, name) in told.names.iter().take(NAMES).enumerate() {
            text.push_str(if idx == 0 { ": " } else { " " });
            text.push_str(word(name));
        }
        Self { told, len: text.chars().count(), is_word: !text.contains(' '), text }
    }
}

/// Takes the first part out of `left`, and what goes with it as long as the line has room.
fn line(left: &mut Vec<Part<'_>>, together: &Together) -> String {
    let Part { told, mut text, mut len, is_word: mut was_word } = left.remove(0);
    let mut n_names = told.names.len();
    let mut company: QuickMap<FactId, f32> = QuickMap::default();
    let mut joined = told.id;
    loop {
        for (other, worth) in together.get(&joined).into_iter().flatten() {
            *company.entry(*other).or_default() += worth;
        }
        let fits = |part: &Part<'_>| {
            len + part.len + 2 <= LINE && n_names + part.told.names.len() <= NAMES
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
        let between = if was_word && part.is_word { " " } else { "; " };
        for piece in [between, &part.text] {
            text.push_str(piece);
        }
        len += between.len() + part.len;
        was_word = part.is_word;
        n_names += part.told.names.len();
        joined = part.told.id;
    }
}
