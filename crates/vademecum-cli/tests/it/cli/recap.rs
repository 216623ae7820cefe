//! The command for recaps as a person meets it: nothing installed, a file, a sample, a transcript that grows.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use super::home::Home;
use crate::home::VADE;

#[test]
fn the_sample_reads_so() {
    let home = Home::new();
    insta::assert_snapshot!(home.text(&["recap", "--sample", "--budget", "300"]));
}

#[test]
fn where_nothing_is_found_it_says_where_it_looked() {
    let home = crate::home::Home::new();
    let said = home.vade(&["recap"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(3), ""), "{}", said.stderr);
    for place in ["~/.claude/projects", "~/.codex/sessions", "vade recap --sample"] {
        assert!(said.stderr.contains(place), "{}", said.stderr);
    }
}

#[test]
fn without_a_path_it_takes_the_latest_that_is_there() {
    let home = crate::home::Home::new();
    let line = r#"{"type":"user","message":{"role":"user","content":"Make refunds idempotent."},"uuid":"a","parentUuid":null,"sessionId":"s","cwd":"/x","timestamp":"2026-11-20T10:00:00.000Z"}"#;
    home.write(".claude/projects/-x/s.jsonl", format!("{line}\n"));
    let said = home.vade(&["recap", "--format", "text"]);
    assert_eq!(said.stdout, "Asked last: \"Make refunds idempotent.\"\n", "{}", said.stderr);
}

#[test]
fn a_watched_transcript_is_told_again_when_it_grows() {
    let home = crate::home::Home::new();
    home.write("log.jsonl", "{\"role\": \"user\", \"content\": \"first wish\"}\n");
    let mut command = home.command(Path::new(VADE));
    command.args(["recap", "log.jsonl", "--watch", "--format", "text"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("a start");
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines().map(|line| line.expect("a line"));
    assert!(lines.any(|line| line.contains("first wish")));
    let mut log = OpenOptions::new().append(true).open(home.path("log.jsonl")).expect("a file");
    writeln!(log, "{{\"role\": \"user\", \"content\": \"second wish\"}}").expect("a line");
    assert!(lines.any(|line| line.contains("second wish")));
    child.kill().expect("killed");
    child.wait().expect("an end");
}
