//! Failures: what was given, what is allowed, what to do next, and the exit code of each kind.

use std::fmt::Write;
use std::fs;
use std::process::Stdio;

use super::home::Home;

fn shown(home: &Home, words: &[&str]) -> String {
    let said = home.vade(words);
    assert_eq!(said.out, "", "{words:?}: answers go to stdout, failures do not");
    let err = home.steady(&said.err);
    format!("$ vade {}\n{err}[exit {}]\n", words.join(" "), said.code)
}

fn all(home: &Home, lines: &[&[&str]]) -> String {
    lines.iter().fold(String::new(), |mut text, words| {
        writeln!(text, "{}", shown(home, words)).expect("memory");
        text
    })
}

#[test]
fn words_that_are_wrong_are_named() {
    let home = Home::new();
    let text = all(
        &home,
        &[
            &["nte"],
            &["note"],
            &["note", "ad"],
            &["note", "add", "--tga", "x"],
            &["note", "add", "one", "two"],
            &["note", "add"],
            &["note", "add", "one", "--tag"],
            &["note", "list", "--limit", "ten"],
            &["note", "list", "--limit", "1", "--limit", "2"],
            &["note", "scratch", "note_1", "maybe"],
            &["notepad", "restore"],
            &["--json", "note", "ad"],
            &["--write-id", "", "note", "add", "one", "--tag", "t"],
            &["--project", "nowhere", "note", "list"],
            &["--session", "", "forget", "session", "--yes"],
            &["forget", "session", "nowhere", "--yes"],
            &["forget", "project", "nowhere", "--yes"],
            &["--store", "mongo://x", "note", "list"],
            &["completions", "tcsh"],
            &["call"],
            &["call", "add_note", "[1]"],
            &["--json", "mcp"],
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn each_kind_has_its_code_and_its_hint() {
    let home = Home::new();
    home.json(&["notepad", "write", "text"]);
    let mut text = all(
        &home,
        &[
            &["note", "add", "text", "--tags", "a,b,c,d,e,f"],
            &["note", "delete", "note_1"],
            &["note", "list", "--session", "abcd1234"],
            &["notepad", "show", "--session", "31b"],
            &["notepad", "write", "x", "--if-rev", "7"],
            &["call", "no_operation"],
        ],
    );
    home.text(&["off"]);
    text += &all(&home, &[&["notepad", "show"], &["--json", "notepad", "show"]]);
    home.text(&["on"]);
    fs::write(home.path("demo/no-store"), "text that is no database, and longer than a header")
        .expect("a file");
    text += &all(&home, &[&["--store", "no-store", "notepad", "show"]]);
    home.configure("[notes]\nlimit = 3\n");
    text += &all(&home, &[&["notepad", "show"]]);
    insta::assert_snapshot!(text);
}

#[test]
fn nothing_is_kept_for_a_folder_that_is_gone_or_in_a_home_that_is_none() {
    let home = Home::new();
    let said = home.in_a_deleted_folder(&["note", "add", "lost", "--tags", "a"]);
    let fault = "vade: the current folder is gone\n  hint: go to a folder that is there, or name one with --project\n";
    assert_eq!((said.code, said.err.as_str()), (3, fault));
    let project = home.path("demo");
    let project = project.to_str().expect("text");
    let words = ["--project", project, "note", "add", "kept", "--tags", "a"];
    assert_eq!(home.in_a_deleted_folder(&words).code, 0);

    let home = home.with("HOME", "").with("XDG_DATA_HOME", "").with("XDG_CONFIG_HOME", "");
    home.vade(&["note", "list"]);
    assert!(!home.path("demo/.local").exists());
}

#[test]
fn a_closed_output_ends_quietly_and_a_full_one_does_not() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(home.code(&["--help"], writer.into()), 0);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    assert_eq!(home.code(&["--help"], full.into()), 1);
    assert_eq!(home.code(&["--help"], Stdio::null()), 0);
}
