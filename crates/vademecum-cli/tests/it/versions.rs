//! A store of another major version: every command, hook and tool says so, and not a byte of it changes.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::home::{Home, Said};

const DATA: &str = ".local/share/vademecum";

/// A home whose store says that it is of `version`.
fn home(version: i32) -> Home {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    assert_eq!(home.vade(&["note", "add", "kept", "--tags", "a"]).code, Some(0));
    home.vade(&["backup", "other.db"]).success();
    let database = home.path(&format!("{DATA}/vade.db"));
    let file = OpenOptions::new().write(true).open(&database).expect("a store");
    file.write_all_at(&version.to_be_bytes(), 60).expect("a version");
    assert_eq!(fs::read(&database).expect("a file")[68..72], *b"vade");
    home
}

/// The store and all that lies beside it; what a hook was told, and owes its model, waits in files of their own.
fn data(home: &Home) -> BTreeMap<PathBuf, String> {
    let folder = home.path(DATA);
    let waiting = ["spool", "owed"].map(|name| folder.join(name));
    let waits = |path: &PathBuf| waiting.iter().any(|waiting| path.starts_with(waiting));
    let is_of_it = |path: &PathBuf| path.starts_with(&folder) && !waits(path);
    home.tree().into_iter().filter(|(path, _)| is_of_it(path)).collect()
}

fn with_input(home: &Home, words: &[&str], input: &str) -> Said {
    let mut command = home.command(&home.program());
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that refuses at once reads nothing.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    home.said(&child.wait_with_output().expect("an answer"))
}

/// What each operation says, called with its own example.
fn check_operations(home: &Home, refused: &str) {
    // These need no store.
    const WITHOUT: [&str; 5] =
        ["format_directive", "recap", "session_scratchpad", "show_config", "why"];
    for op in vademecum::ops::registry::ALL {
        let name = op.declaration.name;
        let before = data(home);
        let said = home.vade(&["call", name, op.declaration.example]);
        let is_said = said.stderr.contains(refused) && said.code != Some(0);
        assert!(
            is_said || WITHOUT.contains(&name) || said.stdout.contains(refused),
            "{name}: {said:?}"
        );
        assert_eq!(data(home), before, "{name}");
    }
}

#[test]
fn a_store_of_another_major_version_is_left_as_it_is() {
    for (version, refused) in [
        (1006, "the store is of version 1.6, this vade needs 2.1"),
        (3001, "the store has schema 3.1, this program knows 2.1"),
    ] {
        let home = home(version);
        let before = data(&home);
        check_operations(&home, refused);
        for words in [
            &["status"][..],
            &["note", "add", "x", "--tags", "a"],
            &["search", "x"],
            &["export", "--all"],
            &["backup", "copy.db"],
            &["store", "status"],
            &["store", "check", ".local/share/vademecum/vade.db", "other.db"],
            &["store", "copy", ".local/share/vademecum/vade.db", "other.db"],
            &["store", "copy", "other.db", ".local/share/vademecum/vade.db"],
            &["forget", "project", "--yes"],
            &["prune", "--older", "1h"],
            &["doctor"],
            &["doctor", "--repair"],
        ] {
            let said = home.vade(words);
            assert!(said.code != Some(0), "{words:?}: {said:?}");
            let all = format!("{}{}", said.stdout, said.stderr);
            assert!(all.contains(refused), "{words:?}: {said:?}");
            assert_eq!(data(&home), before, "{words:?}");
        }
        for event in [
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PreCompact",
            "Stop",
            "SessionEnd",
        ] {
            let input = json!({
                "session_id": "s-1", "transcript_path": home.path("t.jsonl"), "cwd": home.path,
                "hook_event_name": event, "source": "compact", "prompt": "go on", "tool_name": "Bash",
                "tool_input": {"command": "ls"}, "trigger": "auto", "reason": "clear",
            });
            let said = with_input(&home, &["hook", "claude-code", event], &input.to_string());
            assert_eq!(said.code, Some(0), "{event}: {said:?}");
            assert_eq!(data(&home), before, "{event}");
            if event == "SessionStart" {
                let context = said.stdout.replace("\\\"", "\"");
                assert!(context.contains(refused), "{event}: {said:?}");
            }
        }
        let call = |id, name: &str, arguments: Value| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                   "params": {"name": name, "arguments": arguments}})
        };
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let lines = [
            hello,
            ready,
            call(1, "add_note", json!({"content": "x", "tags": ["a"]})),
            call(2, "read_notepad", json!({})),
        ];
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let input = lines.join("\n") + "\n";
        let said = with_input(&home, &["mcp"], &input);
        let refusals =
            said.stdout.lines().filter(|line| line.contains(refused) && line.contains("isError"));
        assert_eq!(refusals.count(), 2, "{said:?}");
        assert_eq!(data(&home), before, "mcp");
    }
}
