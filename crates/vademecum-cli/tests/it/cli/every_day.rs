//! What people type every day, and what they are told.

use std::fmt::Write;
use std::fs;

use serde_json::json;

use super::home::Home;

#[test]
fn a_note_is_crossed_out_by_its_id_alone() {
    let home = Home::new();
    let id = home.add("done soon", "todo");
    assert_eq!(home.json(&["note", "scratch", &id])["scratched"], true);
    assert_eq!(home.json(&["note", "scratch", &id, "false"])["scratched"], false);
    assert_eq!(home.json(&["note", "rm", &id])["id"], id.as_str());
    assert_eq!(home.json(&["note", "list"])["total"], 0);
}

#[test]
fn the_line_end_of_a_pipe_is_no_part_of_a_note() {
    let home = Home::new();
    home.vade_reading("from a pipe\n", &["note", "add", "--tag", "t"]);
    home.vade_reading("from a dash\r\n", &["note", "add", "-", "--tag", "t"]);
    home.vade_reading("Money is in cents.\n", &["learning", "add"]);
    let notes = home.json(&["note", "list"]);
    let contents = [0, 1].map(|at| notes["notes"][at]["content"].clone());
    assert_eq!(contents, ["from a dash", "from a pipe"]);
    assert_eq!(
        home.json(&["plan", "show", "_project"])["entries"][0]["content"],
        "Money is in cents."
    );
}

#[test]
fn what_a_person_appends_to_the_page_begins_a_line() {
    let home = Home::new();
    home.text(&["notepad", "write", "- [x] two"]);
    home.text(&["notepad", "update", "append", "- x"]);
    assert_eq!(home.text(&["notepad", "show"]), "- [x] two\n- x");
}

#[test]
fn a_list_of_all_sessions_says_whose_they_are() {
    let home = Home::new();
    home.text(&["--session", "test:12345678-aa", "notepad", "write", "the page"]);
    let listed = home.text(&["session", "list", "--all"]);
    let head = listed.lines().next().expect("a line");
    assert!(head.starts_with("PROJECT ") && head.contains("STATE"), "{listed}");
    let (all, log) = (home.json(&["session", "list", "--all"]), home.json(&["session", "log"]));
    let [project, state] = ["project", "state"].map(|name| all["sessions"][0][name].as_str());
    assert!(project.is_some() && state.is_some(), "{all}");
    assert_eq!(state, log["instances"][0]["state"].as_str(), "{all} {log}");
}

#[test]
fn an_export_goes_into_a_file_and_comes_back() {
    let home = Home::new();
    home.add("kept", "t");
    for (file, lines) in [("all.json", false), ("all.jsonl", true), ("all.md", false)] {
        let said = home.json(&["export", "-o", file]);
        assert_eq!(said, json!({"file": home.path("demo").join(file), "sessions": 1}));
        let text = fs::read_to_string(home.path("demo").join(file)).expect("a file");
        assert!(text.contains("kept"), "{file}: {text}");
        assert_eq!(text.lines().all(|line| line.starts_with('{')), lines, "{file}");
    }
    let before = fs::read(home.path("demo/all.json")).expect("a file");
    let refused = home.vade(&["export", "--all", "-o", "all.json"]);
    assert_eq!(
        (refused.code, refused.err.as_str()),
        (
            4,
            "vade: all.json is there already\n  hint: name another file: an export overwrites nothing\n"
        )
    );
    assert_eq!(fs::read(home.path("demo/all.json")).expect("a file"), before);
    // One that fails leaves nothing that stands in the way of the next.
    assert_ne!(home.vade(&["export", "-s", "nobody", "-o", "new.json"]).code, 0);
    assert!(!home.path("demo/new.json").exists());
    assert!(home.text(&["export", "--format", "json", "-o", "/dev/stdout"]).contains("kept"));
    for file in ["all.json", "all.jsonl"] {
        home.json(&["--store", "other.db", "import", file]);
    }
    let said = home.text(&["--store", "other.db", "import", "all.json"]);
    assert_eq!(said, "took in 0 notepads and 0 notes of 1 session; already there: 1\n");
    assert_eq!(home.json(&["--store", "other.db", "note", "list"])["total"], 1);
}

#[test]
fn a_plan_whose_files_cannot_be_made_is_not_begun() {
    let home = Home::new();
    fs::write(home.path("demo/.planning"), "a file where the folder would be").expect("a file");
    let said = home.vade(&["plan", "init", "z"]);
    assert_ne!(said.code, 0, "{said:?}");
    assert!(said.err.starts_with("vade: the files of plan z cannot be made: "), "{said:?}");
    assert_eq!(home.json(&["plan", "list"])["plans"], json!([]));
}

#[test]
fn refusals_are_in_the_words_of_the_command_line() {
    let home = Home::new();
    home.json(&["notepad", "write", "x"]);
    let mut text = String::new();
    for words in [
        &["notepad", "restore", "abc"][..],
        &["notepad", "restore", "-1"],
        &["notepad", "restore", "99"],
        &["notepad", "restore"],
        &["note", "edit"],
        &["completions"],
        &["note", "delete", "note_1"],
        &["call", "add_note", r#"{"content": "a", "tags": "bug"}"#],
        &["call", "add_note", r#"{"content": 5, "tags": ["bug"]}"#],
        &["call", "restore_notepad", r#"{"rev": -1}"#],
        &["notepad", "write", "x", "--if-rev", "7"],
    ] {
        let said = home.vade(words);
        write!(text, "$ vade {}\n{}", words.join(" "), said.err).expect("memory");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_recap_is_never_of_another_project() {
    let home = crate::home::Home::new();
    let line = |cwd: &str, wish: &str| {
        json!({
            "type": "user", "message": {"role": "user", "content": wish}, "uuid": "a", "parentUuid": null,
            "sessionId": "s", "cwd": cwd, "timestamp": "2026-11-20T10:00:00.000Z",
        })
    };
    home.write(".claude/projects/-x/s.jsonl", format!("{}\n", line("/x", "Somebody else's.")));
    let said = home.vade(&["recap"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(3), ""), "{said:?}");
    assert!(
        said.stderr.starts_with("vade: no transcript of PROJECT was found in ~/.claude/projects"),
        "{said:?}"
    );
    assert!(!said.stderr.contains("s.jsonl"), "{said:?}");
}

#[test]
fn a_rollout_of_codex_is_of_the_folder_that_it_says() {
    let home = crate::home::Home::new();
    for (name, cwd, wish) in [
        ("a", home.path.clone(), "Make refunds idempotent."),
        ("b", "/x".into(), "Somebody else's."),
    ] {
        let meta = json!({"timestamp": "2026-11-20T10:00:00.000Z", "type": "session_meta",
            "payload": {"id": name, "timestamp": "2026-11-20T10:00:00.000Z", "cwd": cwd}});
        let said = json!({"timestamp": "2026-11-20T10:00:01.000Z", "type": "response_item", "payload": {
            "type": "message", "role": "user", "content": [{"type": "input_text", "text": wish}]}});
        let file = format!(".codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-{name}.jsonl");
        home.write(&file, format!("{meta}\n{said}\n"));
    }
    let said = home.vade(&["recap", "--format", "text"]);
    assert_eq!(
        said.stdout, "Now:\n- Asked last: \"Make refunds idempotent.\"\n",
        "{}",
        said.stderr
    );
}

#[test]
fn a_note_is_named_by_a_part_of_its_id() {
    let home = Home::new();
    let ids = ["one", "two"].map(|text| home.add(text, "t"));
    let last = |id: &str| id[id.len() - 6..].to_owned();
    assert_eq!(home.json(&["note", "scratch", &last(&ids[0])])["id"], ids[0].as_str());
    let alike = ids[0].bytes().zip(ids[1].bytes()).take_while(|(one, other)| one == other).count();
    let enough = &ids[1][..=alike];
    assert_eq!(home.json(&["note", "update", enough, "two again"])["id"], ids[1].as_str());
    let refused = home.error(&["note", "delete", &ids[0][..8]]);
    assert_eq!(
        refused,
        format!("usage: \"{}\" may be any of {}, {}", &ids[0][..8], ids[0], ids[1])
    );
    home.json(&["forget", "note", &last(&ids[1]), "--yes"]);
    assert_eq!(home.json(&["note", "list", "--include-scratched"])["total"], 1);
}

#[test]
fn revisions_are_shown_and_compared() {
    let home = Home::new();
    for page in ["one\ntwo\n", "one\nthree\n", "one\nthree\nfour\n"] {
        home.json(&["notepad", "write", page]);
    }
    assert_eq!(home.text(&["notepad", "show", "--rev", "1"]), "one\ntwo\n");
    assert_eq!(
        home.json(&["notepad", "show", "--rev", "2"]),
        json!({"content": "one\nthree\n", "rev": 2})
    );
    let newest = "--- rev 2\n+++ rev 3\n@@ -1,2 +1,3 @@\n one\n three\n+four\n";
    assert_eq!(home.text(&["notepad", "diff"]), newest);
    let both = "--- rev 1\n+++ rev 3\n@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n";
    assert_eq!(home.text(&["notepad", "diff", "1", "3"]), both);
    assert_eq!(home.text(&["notepad", "diff", "1", "1"]), "rev 1 and rev 1 have the same lines\n");
    assert_eq!(
        home.error(&["notepad", "diff", "1", "9"]),
        "missing: the notepad has no rev 9: the newest is 3"
    );
}
