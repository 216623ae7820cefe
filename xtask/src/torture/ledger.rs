//! What was acknowledged, written down before the next call, and what a fresh handle finds of it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use vademecum_store::{NoteFilter, read};

use super::home::Home;

/// The file in which one writer writes down what it was told is kept.
pub(super) struct Ledger(File);

/// What was found of one session.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The notes, id and content.
    pub(super) notes: Vec<(String, String)>,
    /// The page.
    pub(super) page: String,
}

impl Ledger {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self(OpenOptions::new().create(true).append(true).open(path)?))
    }

    /// Writes a note down; the whole line is one write(2).
    pub(super) fn note(&mut self, id: &str, content: &str) -> Result<()> {
        Ok(self.0.write_all(format!("note {id} {content}\n").as_bytes())?)
    }

    /// Writes down a line of the page.
    pub(super) fn page(&mut self, line: &str) -> Result<()> {
        Ok(self.0.write_all(format!("page {line}\n").as_bytes())?)
    }
}

/// What all ledgers in a folder hold, line by line.
pub(super) fn acknowledged(folder: &Path) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    for file in files {
        lines.extend(fs::read_to_string(file)?.lines().map(str::to_owned));
    }
    Ok(lines)
}

/// Looks a session up through a fresh handle.
pub(super) fn find(home: &Home, session: &str) -> Result<Found> {
    let id = home.known(session)?.key;
    let filter = NoteFilter::ALL;
    let found = read(&home.store(), |view| {
        let notes = view.notes(&id, &filter, 0)?;
        let notes =
            notes.iter().map(|note| (note.id.to_string(), note.content.as_str().to_owned()));
        let page = view.notepad(&id)?.map(|page| page.text).unwrap_or_default();
        Ok(Found { notes: notes.collect(), page })
    });
    found.context("the store cannot be read")
}

/// What breaks the promise: acknowledged and not there, there and not as acknowledged, there twice.
///
/// An id may be written down as `?` by who was not told it.
pub(super) fn broken(acknowledged: &[String], found: &Found) -> Vec<String> {
    let mut broken = Vec::new();
    let mut by_content = BTreeMap::<&str, Vec<&str>>::new();
    for (id, content) in &found.notes {
        by_content.entry(content).or_default().push(id);
    }
    for (content, ids) in by_content.iter().filter(|(_, ids)| 1 < ids.len()) {
        broken.push(format!("doubled: {content} is {}", ids.join(" and ")));
    }
    let page: std::collections::BTreeSet<&str> = found.page.lines().collect();
    for line in acknowledged {
        let is_there = match line.split_once(' ') {
            Some(("note", rest)) => rest.split_once(' ').is_some_and(|(id, content)| {
                let ids = by_content.get(content).map_or(&[][..], Vec::as_slice);
                ids.iter().any(|found| *found == id || id == "?")
            }),
            Some(("page", line)) => page.contains(line),
            _ => false,
        };
        if !is_there {
            broken.push(format!("lost: {line}"));
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(acknowledged: &[&str], expected: &[&str]) {
        let note = |id: &str, content: &str| (id.to_owned(), content.to_owned());
        let found = Found {
            notes: vec![note("note_1", "a b"), note("note_2", "c"), note("note_3", "d")],
            page: "one\ntwo\n".to_owned(),
        };
        let lines: Vec<String> = acknowledged.iter().map(ToString::to_string).collect();
        assert_eq!(broken(&lines, &found), expected);
    }

    #[test]
    fn finds_what_is_there() {
        check(&["note note_1 a b", "note ? c", "page two"], &[]);
    }

    #[test]
    fn a_store_that_acknowledges_before_it_keeps_is_found_out() {
        check(
            &["note note_4 e", "note ? e", "page three", "page tw"],
            &["lost: note note_4 e", "lost: note ? e", "lost: page three", "lost: page tw"],
        );
        check(&["note note_2 a b"], &["lost: note note_2 a b"]);
    }

    #[test]
    fn a_doubled_note_is_found_out() {
        let note = |id: &str| (id.to_owned(), "same".to_owned());
        let found = Found { notes: vec![note("note_1"), note("note_2")], page: String::new() };
        assert_eq!(broken(&[], &found), ["doubled: same is note_1 and note_2"]);
    }
}
