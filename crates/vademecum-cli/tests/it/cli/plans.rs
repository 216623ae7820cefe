//! Plans at the command line: many processes at once, and the words of the commands.

use std::fs;
use std::io::Write as _;
use std::thread;

use serde_json::{Value, json};

use super::home::Home;

const N_WRITERS: usize = 8;
const N_EACH: usize = 5;

fn object(home: &Home, words: &[&str]) -> Value {
    let said = home.vade(&[&["--json"], words].concat());
    assert_eq!(said.code, 0, "{words:?}: {}", said.err);
    serde_json::from_str(&said.out).expect("JSON")
}

#[test]
fn c3_10_eight_processes_and_a_shell_lose_nothing() {
    let home = Home::new();
    object(&home, &["plan", "init", "a"]);
    let file = home.path("demo/.planning/notepads/a/learnings.md");
    thread::scope(|scope| {
        for writer in 0..N_WRITERS {
            let home = &home;
            scope.spawn(move || {
                for n in 0..N_EACH {
                    let content = format!("writer {writer} entry {n}");
                    let added = object(home, &["learning", "add", &content, "--task", "03-01"]);
                    assert_eq!(added.get("problems"), None, "{added}");
                }
            });
        }
        scope.spawn(|| {
            for n in 0..N_EACH {
                let entry = format!("\n## 2026-01-27T14:30:00Z | Task: x\n\nby hand {n}\n\n---\n");
                let opened = fs::OpenOptions::new().append(true).open(&file);
                opened.expect("a file").write_all(entry.as_bytes()).expect("appended");
            }
        });
    });
    let shown = object(&home, &["plan", "show", "a", "--limit", "0", "--all"]);
    assert_eq!(shown["total"], (N_WRITERS + 1) * N_EACH);
    let text = fs::read_to_string(&file).expect("a file");
    for entry in shown["entries"].as_array().expect("entries") {
        let content = entry["content"].as_str().expect("a text");
        assert_eq!(text.matches(&format!("\n{content}\n")).count(), 1, "{content}");
    }
    let checked = object(&home, &["plan", "check"]);
    assert_eq!(checked["problems"], json!([]));
}

#[test]
fn status_counts_the_entries_of_the_plan() {
    let home = Home::new();
    let plan = || {
        let status = home.text(&["status"]);
        status.lines().find(|line| line.starts_with("plan")).map(str::to_owned).unwrap_or_default()
    };
    home.text(&["learning", "add", "the queue is slow"]);
    assert_eq!(plan(), "plan     none, 1 entry of the project in force");
    home.text(&["plan", "use", "_project"]);
    assert_eq!(plan(), "plan     _project, 1 entry in force");
    home.text(&["plan", "init", "refunds"]);
    home.text(&["plan", "use", "refunds"]);
    assert_eq!(plan(), "plan     refunds, 0 entries in force");
    home.text(&["learning", "add", "the bank compares keys"]);
    assert_eq!(plan(), "plan     refunds, 1 entry in force");
}

#[test]
fn a_plan_from_its_beginning_to_its_end() {
    let home = Home::new();
    let mut said = String::new();
    for words in [
        &["plan", "init", "refunds"][..],
        &["plan", "init", "Refunds"],
        &["learning", "add", "Dedupe on the event id", "--pattern", "src/webhook.rs:45-60"],
        &["decision", "add", "A unique index", "--rationale", "the lock is lost at failover"],
        &[
            "issue",
            "add",
            "The first run fails",
            "--severity",
            "high",
            "--workaround",
            "run it twice",
        ],
        &["learning", "add", "dedupe on the event id", "--pattern", "src/webhook.rs:45-60"],
        &["plan", "list"],
        &["plan", "wisdom"],
        &["plan", "wisdom", "--max-tokens", "20"],
        &["plan", "wisdom", "nowhere"],
        &["plan", "complete", "refunds"],
        &["plan", "merge", "refunds"],
        &["plan", "check"],
        &["plan", "show", "_project", "--category", "issue"],
    ] {
        let ran = home.vade(words);
        let text = home.steady(&format!("{}{}", ran.out, ran.err));
        said.extend(["$ vade ", &words.join(" "), "\n", &text, "\n"]);
    }
    // The day is the only thing left that differs from run to run.
    let today = object(&home, &["plan", "show", "_project"])["entries"][0]["at"].clone();
    insta::assert_snapshot!(said.replace(&today.as_str().expect("a time")[..10], "DAY"));
}

#[test]
fn c2_10_a_damaged_last_line_is_ignored_and_counted() {
    let home = Home::new();
    let line = "{\"customType\":\"openclaw:scratchpad\",\"data\":\"## Plan\"}\n";
    fs::write(home.path("demo/session.jsonl"), format!("{line}{}", &line[..20])).expect("a file");
    let said = home.vade(&["adopt", "openclaw", "session.jsonl"]);
    assert!(
        said.out.starts_with(
            "took in 1 notepad, 0 entries and 0 notes; already there: 0, left out as damaged: 1"
        ),
        "{}",
        said.out
    );
    assert_eq!(object(&home, &["notepad", "show"])["content"], "## Plan");
}

/// Each kind of entry has a command that lists it, as `vade plan show` does.
#[test]
fn a_kind_of_entry_is_listed_by_its_own_command() {
    let home = Home::new();
    for (kind, says) in
        [("decision", "SQLite it is"), ("issue", "It is slow"), ("learning", "Warm it up")]
    {
        home.vade(&[kind, "add", says]);
        home.vade(&[kind, "add", &format!("{says}, still")]);
        let listed = home.vade(&[kind, "list", "--limit", "1"]).out;
        assert!(listed.contains(&format!("{says}, still")), "{listed}");
        let shown = home.vade(&["plan", "show", "--category", kind, "--limit", "1"]).out;
        assert_eq!(listed, shown);
    }
}

/// Sessions from before vade was there are taken in as their own, and not as notes of the desk.
#[test]
fn what_lay_there_before_is_taken_in_and_found() {
    let home = Home::new();
    let record = |role: &str, text: &str| {
        let content = if role == "user" {
            serde_json::json!(text)
        } else {
            serde_json::json!([{"type": "text", "text": text}])
        };
        serde_json::json!({"type": role, "uuid": role, "cwd": "/home/dev/gone", "sessionId": "old-one",
                           "timestamp": "2025-10-11T08:00:00.000Z",
                           "message": {"role": role, "content": content}})
    };
    let asked = record("user", "Find out why the webhook is sent twice.");
    let said =
        record("assistant", "The cause is a retry without an idempotency key in gateway.rs.");
    fs::write(home.path("demo/old.jsonl"), format!("{asked}\n{said}\n")).expect("a file");
    let taken = home.vade(&["adopt", "transcripts", "old.jsonl"]);
    assert_eq!(taken.err, "");
    assert!(taken.out.starts_with("took in 1 session of transcripts; "), "{}", taken.out);
    let found = home.vade(&["search", "idempotency key"]).out;
    let line = "recap (2025-10-11, session old-one): The cause is a retry without an idempotency key in gateway.rs.";
    assert!(found.contains(line), "{found}");
}
