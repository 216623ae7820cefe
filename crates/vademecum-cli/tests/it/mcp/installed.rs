//! What a running server says and does once vade is taken out of its harness, and what it takes in meanwhile.
#![expect(clippy::disallowed_methods, reason = "the program under test is a process")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Home, vade};

#[track_caller]
fn run(home: &Home, words: &[&str]) {
    let mut command = Command::new(vade());
    home.settle(command.args(words));
    let said = command.output().expect("a run");
    assert!(said.status.success(), "{said:?}");
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

#[test]
fn after_an_uninstall_nothing_is_said_to_come_back() {
    let home = Home::new();
    run(&home, &["install", "claude-code", "--yes"]);
    let mut client = home.session("752d4c1e-aa");
    let note = json!({"content": "one", "tags": ["todo"]});
    let before = client.call("add_note", note.clone());
    assert!(text(&before).contains("back after compaction"), "{before}");
    run(&home, &["uninstall", "claude-code", "--yes"]);
    let after = client.call("add_note", note);
    assert!(text(&after).contains("2 open)"), "{after}");
    let page = client.call("write_notepad", json!({"content": "# Plan"}));
    assert!(text(&page).contains("not shown after compaction"), "{page}");
}

#[test]
fn a_purged_store_is_not_made_anew() {
    let home = Home::new();
    run(&home, &["install", "claude-code", "--yes"]);
    let mut client = home.session("752d4c1e-aa");
    client.object("write_notepad", json!({"content": "# Plan"}));
    run(&home, &["uninstall", "--purge", "--yes"]);
    for (tool, arguments) in [
        ("add_note", json!({"content": "one", "tags": ["todo"]})),
        ("list_notes", json!({})),
        ("read_notepad", json!({})),
    ] {
        let refused = client.call(tool, arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(text(&refused).contains("the user has removed vade"), "{refused}");
    }
    assert!(!home.path("data/vademecum").exists());
}

/// Whoever deletes the files of a store may not know that a server has it open.
#[test]
fn that_a_store_is_gone_is_said_once_before_a_new_one_begins() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    client.object("write_notepad", json!({"content": "# Plan"}));
    for entry in fs::read_dir(home.path("data/vademecum")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_stem().is_some_and(|stem| stem == "vade") {
            fs::remove_file(path).expect("removed");
        }
    }
    let note = json!({"content": "one", "tags": ["todo"]});
    let refused = client.call("add_note", note.clone());
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(
        text(&refused).contains("the store is gone, with all that was kept in it"),
        "{refused}"
    );
    client.object("add_note", note);
    assert_eq!(client.object("list_notes", json!({}))["notes"].as_array().map(Vec::len), Some(1));
}

/// What hooks queue while a server runs waits for no other start.
#[test]
fn what_is_queued_later_is_taken_in_too() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    client.object("write_notepad", json!({"content": "# Plan"}));
    std::thread::sleep(Duration::from_millis(2_100));
    let spool = home.path("data/vademecum/spool");
    let key = json!({"harness": "claude-code", "external": "752d4c1e-aa", "agent": null});
    let place = json!({"model": null, "cwd": null, "transcript": null, "host_pid": null});
    let told = json!({"key": key, "at": 1_795_306_351_893_i64, "what": {"compacted": null}, "place": place});
    let queued = json!({"at": 1_795_306_351_893_i64, "fault": "the store is busy", "told": told});
    fs::create_dir_all(&spool).expect("a folder");
    fs::write(spool.join("0000000000000001-a.jsonl"), format!("{queued}\n")).expect("a file");
    client.object("read_notepad", json!({}));
    let until = Instant::now() + Duration::from_secs(20);
    while spool.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!spool.exists());
}
