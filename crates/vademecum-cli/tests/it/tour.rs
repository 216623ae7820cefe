//! The tour shows the same on every machine, and leaves nothing.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::home::{Home, VADE};

/// The tour, told where temporary folders lie.
fn tour(home: &Home) -> Command {
    let temporary = home.path("tmp");
    fs::create_dir_all(&temporary).expect("a folder");
    let mut command = home.command(Path::new(VADE));
    command.arg("tour").env("TMPDIR", temporary);
    command
}

/// What a home with a folder for temporary files holds before anything is done.
fn untouched(home: &Home) -> Vec<PathBuf> {
    vec![home.path("tmp")]
}

fn found(home: &Home) -> Vec<PathBuf> {
    home.tree().into_keys().collect()
}

/// `text` without what no two runs share: note ids, receipts, times, and how many tokens those cost.
fn masked(text: &str) -> String {
    text.lines().map(masked_line).collect::<Vec<_>>().join("\n")
}

/// A row of the table ends with its tokens and its milliseconds.
fn masked_line(line: &str) -> String {
    let without_number = |line: &str| {
        let (rest, word) = line.rsplit_once(' ')?;
        word.parse::<u64>().is_ok().then(|| rest.trim_end().to_owned())
    };
    match without_number(line).and_then(|rest| without_number(&rest)) {
        Some(row) => format!("{} N N", masked_words(&row)),
        None => masked_words(line),
    }
}

fn masked_words(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let next = |idx: usize| words.get(idx + 1).copied().unwrap_or_default();
    let masked = words.iter().enumerate().map(|(idx, word)| match *word {
        word if word.starts_with("note_") && 9 < word.len() => "note_N",
        word if next(idx) == "ms," && !word.is_empty() => "N",
        word if word.starts_with('(') && next(idx).starts_with("tokens") => "(N",
        // The day of an offer is the day of the test.
        word if next(idx).ends_with(')') && word.parse::<u8>().is_ok() => "N",
        word if word.ends_with(')') && 0 < idx && words[idx - 1].parse::<u8>().is_ok() => "MONTH)",
        word if idx == words.len() - 1 && word.len() == 17 && word.ends_with(']') => "HASH]",
        word => word,
    });
    masked.collect::<Vec<_>>().join(" ")
}

#[test]
fn shows_what_comes_back() {
    let home = Home::new();
    let output = tour(&home).output().expect("a run");
    insta::assert_snapshot!(masked(&home.said(&output).success()));
    assert_eq!(found(&home), untouched(&home));
}

#[test]
fn answers_in_json() {
    let home = Home::new();
    let output = tour(&home).arg("--json").output().expect("a run");
    let tour: Value = serde_json::from_str(&home.said(&output).success()).expect("JSON");
    let after = tour["after_compaction"].as_str().expect("a context");
    for kept in ["- [ ] use the harbour's time zone there", "`ferry.harbour.zone`", "## Next"] {
        assert!(after.contains(kept), "{kept}: {after}");
        assert!(!tour["without_vade"].as_str().expect("a summary").contains(kept), "{kept}");
    }
    let warnings = tour["steps"].as_array().expect("steps").iter().filter(|step| {
        step["answer"].as_str().is_some_and(|answer| answer.contains("close to its token limit"))
    });
    assert_eq!(warnings.count(), 1);
}

#[test]
fn the_folder_goes_with_whoever_holds_it() {
    let home = Home::new();
    let mut command = tour(&home);
    let mut keeper = command
        .arg("--keep")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the keeper starts");
    let mut line = String::new();
    BufReader::new(keeper.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let folder = PathBuf::from(line.trim_end());
    fs::create_dir(folder.join("project")).expect("the folder is there");
    fs::write(folder.join("project/file"), "text").expect("the folder is there");

    drop(keeper.stdin.take());
    assert!(keeper.wait().expect("an end").success());
    assert_eq!(found(&home), untouched(&home));
}

/// How many files and folders lie below `folder`, which others are changing.
fn entries(folder: &Path) -> usize {
    let below = |entry: fs::DirEntry| 1 + entries(&entry.path());
    fs::read_dir(folder).map_or(0, |all| all.flatten().map(below).sum())
}

/// Kills the tour once this many files and folders are there; waits for whoever it left behind.
fn kill_at(n_entries: usize) {
    let home = Home::new();
    let mut child = tour(&home).stderr(Stdio::piped()).spawn().expect("the tour starts");
    while entries(&home.path("tmp")) < n_entries && child.try_wait().expect("a state").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("a signal");
    // Its standard error is closed when the keeper, the server and the last hook have ended.
    let mut stderr = child.stderr.take().expect("a pipe");
    let read = stderr.read_to_end(&mut Vec::new());
    read.expect("an end");
    assert!(!child.wait().expect("an end").success(), "it was over before {n_entries} entries");
    assert_eq!(found(&home), untouched(&home), "killed at {n_entries} entries");
}

#[test]
fn nothing_is_left_of_a_tour_that_was_killed() {
    for n_entries in 0..16 {
        kill_at(n_entries);
    }
}
