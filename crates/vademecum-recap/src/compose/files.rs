//! The files that a session changed and read, and the commands that are its own.

use memchr::memmem;
use vademecum_core::tokens::estimate;

use super::text::text;
use super::{Part, Section};
use crate::command;
use crate::digest::{Digest, Entry, FactId, PUT_BACK, STASHED};
use crate::fact::Kind;

/// So many files are told, those that were changed or read last, and so many commands.
pub(super) const FILES: usize = 10;
const COMMANDS: usize = 3;

/// Adds as many of the changed files, with how many are left, and of the commands as there is room for, but for those that `known` names.
pub(super) fn add(digest: &Digest, known: &str, sections: &mut Vec<Section>, budget: usize) {
    let is_new = |id: &FactId, text: &str| !names(text, &digest.ledger.entry(*id).text);
    let mut files = last_edited(digest);
    files.retain(|id| is_new(id, known));
    fit(sections, budget, files.len().min(FILES), |n| (Part::Edited, of_files(digest, &files, n)));
    let told = text(sections);
    let is_told = |id: &FactId| !is_new(id, known) || !is_new(id, &told);
    let commands = last_run(digest).into_iter().filter(|id| !is_told(id));
    let commands: Vec<FactId> = commands.take(COMMANDS).collect();
    let word = |id: &FactId| digest.ledger.entry(*id).text.to_string();
    fit(sections, budget, commands.len(), |n| {
        (Part::Commands, commands[..n].iter().map(word).collect())
    });
}

/// Adds as many of the files that were only read as there is room for, but for those that are told or that `known` names.
pub(super) fn add_read(digest: &Digest, known: &str, sections: &mut Vec<Section>, budget: usize) {
    let told = text(sections);
    let word = |id: &FactId| digest.ledger.entry(*id).text.to_string();
    let read = last_read(digest);
    let is_told = |id: &FactId| names(known, &word(id)) || names(&told, &word(id));
    let read: Vec<FactId> = read.into_iter().filter(|id| !is_told(id)).take(FILES).collect();
    fit(sections, budget, read.len(), |n| {
        (Part::Read, vec![read[..n].iter().map(word).collect::<Vec<_>>().join(", ")])
    });
}

/// Whether a text has a name whole, and not as the end of another: `README.md` and not `docs/README.md`.
fn names(text: &str, name: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '.');
    // To look for nothing costs as well.
    name.len() <= text.len()
        && memmem::find_iter(text.as_bytes(), name.as_bytes()).any(|at| {
            let (before, behind) = (&text[..at], &text[at + name.len()..]);
            let is_more = |c: char| c.is_alphanumeric() || matches!(c, '/' | '_' | '-');
            !before.ends_with(is_of_name) && !behind.starts_with(is_more)
        })
}

/// Adds a section, in its place, with as much of `most` things as fits.
fn fit(
    sections: &mut Vec<Section>,
    budget: usize,
    most: usize,
    of: impl Fn(usize) -> (Part, Vec<String>),
) {
    for n in (1..=most).rev() {
        let (part, lines) = of(n);
        let place = sections.partition_point(|before| before.part <= part);
        sections.insert(place, Section { part, lines });
        if estimate(&text(sections)) <= budget {
            return;
        }
        sections.remove(place);
    }
}

/// The files that were changed, the last first: those of the project that are not committed, those that are, then others.
pub(super) fn last_edited(digest: &Digest) -> Vec<FactId> {
    let entries = (0..).zip(digest.ledger.entries());
    let order = |entry: &Entry| {
        let is_own = entry.is_of_project();
        (is_own && entry.is_uncommitted(), is_own, entry.written_at)
    };
    let mut written: Vec<((bool, bool, u32), FactId)> = entries
        .filter(|(_, entry)| 0 < entry.writes && entry.untold_at == 0 && is_file(digest, entry))
        .map(|(id, entry)| (order(entry), id))
        .collect();
    written.sort_unstable_by(|a, b| b.cmp(a));
    written.into_iter().map(|(_, id)| id).collect()
}

/// The files of the project that were read last and never changed.
fn last_read(digest: &Digest) -> Vec<FactId> {
    let is_told = |entry: &Entry| {
        0 < entry.read_at && entry.writes == 0 && entry.is_of_project() && is_file(digest, entry)
    };
    let entries = (0..).zip(digest.ledger.entries());
    let mut read: Vec<(u32, FactId)> = entries
        .filter(|(_, entry)| is_told(entry))
        .map(|(id, entry)| (entry.read_at, id))
        .collect();
    read.sort_unstable_by(|a, b| b.cmp(a));
    read.into_iter().map(|(_, id)| id).collect()
}

/// Whether what was changed or read is a file: no root, no device, and there.
fn is_file(digest: &Digest, entry: &Entry) -> bool {
    !entry.is_missing && !digest.ledger.is_root(&entry.text) && !entry.text.starts_with("/dev/")
}

/// The commands that ran last, that the project has for itself or that changed something, and that did not fail.
fn last_run(digest: &Digest) -> Vec<FactId> {
    let is_own = |entry: &Entry| {
        entry.kind == Kind::Command
            && 0 < entry.run
            && entry.refused < entry.run + entry.look + entry.edit
            && !entry.is_failing
            && command::is_own(&entry.text)
            && !command::is_everyones(&entry.text)
    };
    let entries = (0..).zip(digest.ledger.entries());
    let mut run: Vec<(u32, FactId)> = entries
        .filter(|(_, entry)| is_own(entry))
        .map(|(id, entry)| (entry.last_call, id))
        .collect();
    run.sort_unstable_by(|a, b| b.cmp(a));
    run.into_iter().map(|(_, id)| id).collect()
}

/// The files that were changed: those that are not committed, those that are, then those that are nobody's to commit.
fn of_files(digest: &Digest, files: &[FactId], most: usize) -> Vec<String> {
    let mut lists =
        [("Not committed: ", Vec::new(), 0), ("Committed: ", Vec::new(), 0), ("", Vec::new(), 0)];
    for (n, id) in files.iter().enumerate() {
        let entry = digest.ledger.entry(*id);
        let is_back = matches!(entry.fate.as_deref(), Some(PUT_BACK | STASHED));
        // One that was made and deleted may never have been in a commit.
        let is_gone = entry.fate.is_some() && !entry.is_uncommitted();
        let is_nobodys = !entry.is_of_project() || is_back || is_gone;
        let list = if is_nobodys { 2 } else { usize::from(!entry.is_uncommitted()) };
        if n < most {
            lists[list].1.push(changed(entry));
        } else {
            lists[list].2 += 1;
        }
    }
    let line = |(title, files, n_left): (&str, Vec<String>, usize)| match (&*files, n_left) {
        ([], 0) => None,
        ([], n) => Some(format!("{title}{n} more")).filter(|_| !title.is_empty()),
        (files, 0) => Some(format!("{title}{}", by_folder(files))),
        (files, n) => Some(format!("{title}{}; {n} more", by_folder(files))),
    };
    lists.into_iter().filter_map(line).collect()
}

/// A file with what became of it.
fn changed(entry: &Entry) -> String {
    match &entry.fate {
        Some(fate) => format!("{} ({fate})", entry.text),
        None => entry.text.to_string(),
    }
}

/// Files, those below one folder behind its name where that saves most.
fn by_folder(files: &[String]) -> String {
    let folders = files.iter().flat_map(|file| file.match_indices('/').map(|(at, _)| &file[..=at]));
    let below = |folder: &str| files.iter().filter(|file| file.starts_with(folder)).count();
    let saves = |folder: &&str| below(folder).saturating_sub(1) * folder.len();
    let Some(folder) = folders.max_by_key(saves).filter(|folder| SAVED <= saves(folder)) else {
        return files.join(", ");
    };
    let (inside, beside): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.starts_with(folder));
    let inside: Vec<&str> = inside.iter().map(|file| &file[folder.len()..]).collect();
    let beside: Vec<&str> = beside.iter().map(|file| file.as_str()).collect();
    let inside = format!("in {folder} {}", inside.join(", "));
    let told = [beside.join(", "), inside];
    told.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("; ")
}

/// How many bytes a folder has to save to be told apart.
const SAVED: usize = 16;
