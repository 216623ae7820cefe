//! A fork of a session that keeps much: its hook has it whole, within the time that a hook has.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::claude::{Claude, SESSION};

const FORK: &str = "99999999-0000-4000-8000-00000000f04c";

/// More than a hook could write one by one.
const N_NOTES: usize = 8_000;

/// Lets the session keep a page and so many notes.
fn keep(claude: &Claude) {
    let at = "2026-11-22T09:00:00Z";
    let note = |n: usize| {
        json!({
            "id": format!("note_{}", 1_763_700_000_000 + n), "content": format!("finding number {n}"),
            "tags": ["finding"], "created_at": at, "updated_at": at, "scratched": false,
        })
    };
    let session = json!({
        "name": format!("claude-code:{SESSION}"), "started_at": at, "notepad": "## Plan of many",
        "notes": (0..N_NOTES).map(note).collect::<Vec<_>>(),
    });
    let package = json!({ "vademecum": 1, "project": "p", "sessions": [session] });
    claude.home.write("export.json", package.to_string());
    let file = std::fs::File::open(claude.home.path("export.json")).expect("a file");
    let mut command = claude.home.command(Path::new(crate::home::VADE));
    let said =
        claude.home.said(&command.arg("import").arg("-").stdin(file).output().expect("a run"));
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// What a session keeps, as its list and its page say.
fn kept(claude: &Claude, session: &str) -> (usize, String) {
    let session = format!("claude-code:{session}");
    let vade = |words: &[&str]| claude.home.vade(&[words, &["--session", &session]].concat());
    let notes: Value =
        serde_json::from_str(&vade(&["note", "list", "--limit", "100000", "--json"]).success())
            .expect("JSON");
    let n_notes = notes["notes"].as_array().map_or(0, Vec::len);
    (n_notes, vade(&["notepad", "show"]).success())
}

#[test]
fn a_fork_has_the_copies_of_thousands_of_notes_at_once() {
    let mut claude = Claude::new();
    claude.starts("startup");
    keep(&claude);
    // The harness that forks, by its arguments.
    let mut host = claude.home.command(Path::new("/bin/sh"));
    let host = host.args(["-c", "read wait", "claude", "--resume", SESSION, "--fork-session"]);
    let mut host = host.stdin(Stdio::piped()).spawn().expect("a process");
    claude.host_pid = Some(host.id());
    let more = json!({ "source": "fork", "session_id": FORK });
    let hooked = claude.hook("SessionStart", &more);
    drop(host.stdin.take());
    host.wait().expect("an end");

    assert_eq!(hooked.stderr, "");
    assert!(hooked.context.contains("## Plan of many"), "{}", hooked.context);
    assert!(hooked.context.contains(&format!("finding number {}", N_NOTES - 1)));
    assert_eq!(kept(&claude, FORK), kept(&claude, SESSION));
    assert_eq!(kept(&claude, FORK).0, N_NOTES);
    let fork = format!("claude-code:{FORK}");
    let history = claude.home.vade(&["notepad", "history", "--json", "--session", &fork]).success();
    let history: Value = serde_json::from_str(&history).expect("JSON");
    let revisions = history["revisions"].as_array().expect("a list");
    let first =
        [revisions.len().into(), revisions[0]["rev"].clone(), revisions[0]["first_line"].clone()];
    assert_eq!(first, [json!(1), json!(1), json!("## Plan of many")]);
}
