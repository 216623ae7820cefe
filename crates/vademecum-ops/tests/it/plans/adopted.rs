//! What other tools kept is taken in: reported first, once, and their files stay as they are.

use std::fs;

use serde_json::{Value, json};

use super::contents;
use crate::desk::Desk;

fn put(desk: &Desk, name: &str, text: &str) {
    let path = desk.world.folders.work.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

/// What a dry run, the run and a repeat say of entries, pages and what was there.
#[track_caller]
fn check(desk: &Desk, arguments: &Value, expected: &Value) {
    let mut dry = arguments.clone();
    dry["dry_run"] = json!(true);
    let part = |reply: &Value| json!([reply["notepads"], reply["entries"], reply["damaged"]]);
    assert_eq!(&part(&desk.object("adopt", dry)), expected);
    assert_eq!(&part(&desk.object("adopt", arguments.clone())), expected);
    let again = desk.object("adopt", arguments.clone());
    assert_eq!((&again["notepads"], &again["entries"]), (&json!(0), &json!(0)), "{again}");
}

#[test]
fn c2_10_a_damaged_last_line_is_ignored_and_counted() {
    let desk = Desk::new();
    let entry = |data: &str| {
        format!(
            "{{\"type\":\"custom\",\"customType\":\"openclaw:scratchpad\",\"data\":\"{data}\"}}\n"
        )
    };
    let text = format!("{}{}{}", entry("## Plan old"), entry("## Plan new"), &entry("torn")[..40]);
    put(&desk, "session.jsonl", &text);
    check(&desk, &json!({"from": "openclaw", "path": "session.jsonl"}), &json!([1, 0, 1]));
    assert_eq!(desk.object("read_notepad", json!({}))["content"], "## Plan new");
    let left = fs::read_to_string(desk.world.folders.work.join("session.jsonl")).expect("a file");
    assert_eq!(left, text);
    let missing = desk.error("adopt", json!({"from": "openclaw", "path": "nowhere.jsonl"}));
    assert_eq!(missing, "missing: no file \"nowhere.jsonl\"");
}

#[test]
fn a_page_that_is_there_is_added_to() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "mine"}));
    put(&desk, "s.jsonl", "{\"customType\":\"openclaw:scratchpad:plan\",\"data\":\"theirs\"}");
    check(&desk, &json!({"from": "openclaw", "path": "s.jsonl"}), &json!([1, 0, 0]));
    assert_eq!(desk.object("read_notepad", json!({}))["content"], "mine\n\ntheirs");
}

#[test]
fn notepads_of_oh_my_claudecode_are_repaired() {
    let desk = Desk::new();
    put(
        &desk,
        ".omc/notepad.md",
        "# Notepad\n\n## Working Memory\n### 2026-01-27 14:30\nfirst\n\n## 2026-01-27 14:30\nfirst\n\n## 2026-01-27 14:31\nsecond\n",
    );
    put(
        &desk,
        ".omc/notepads/auth/learnings.md",
        "# Learnings\n\n## 2026-01-27 15:00:00\n\ntokens expire\n",
    );
    put(&desk, ".omc/notepads/a b/learnings.md", "- lost\n");
    check(&desk, &json!({"from": "omc", "path": ".omc"}), &json!([0, 3, 0]));
    assert_eq!(contents(&desk, "_project"), ["first", "second"]);
    assert_eq!(contents(&desk, "auth"), ["tokens expire"]);
    let skipped = desk.object("adopt", json!({"from": "omc", "path": ".omc"}))["skipped"].clone();
    assert!(
        skipped[0].as_str().is_some_and(|line| line.starts_with("plan name \"a b\"")),
        "{skipped}"
    );
}

#[test]
fn scaffold_text_is_no_entry() {
    let desk = Desk::new();
    let text = "# Learnings\n\n<!-- append below -->\n\n_No learnings yet_\n\n## [2026-01-27T14:30:00Z] Task: 2\n\nuse pipe\n";
    put(&desk, ".sisyphus/notepads/work/learnings.md", text);
    put(&desk, ".sisyphus/notepads/work/problems.md", "# Problems\n\n- the port is taken\n");
    check(&desk, &json!({"from": "omo", "path": ".sisyphus"}), &json!([0, 2, 0]));
    let shown = desk.object("show_plan", json!({"plan": "work", "category": "issue"}));
    assert_eq!(shown["entries"][0]["content"], "- the port is taken");
    let error = desk.error("adopt", json!({"from": "them", "path": "x"}));
    assert_eq!(
        error,
        "usage: \"them\" is not known: use transcripts, openclaw, forge, omc, omo or planning"
    );
}

#[test]
fn notes_of_forge_become_notes_of_the_session() {
    let desk = Desk::new();
    let cjk = "漢".repeat(800);
    let note = |content: &str, tags: &Value, scratched: bool| {
        json!({"id": "note_1", "content": content, "tags": tags, "scratched": scratched,
            "created_at": "2024-12-19T10:30:00Z", "updated_at": "2024-12-19T10:31:00Z"})
    };
    let notes = json!([
        note(&cjk, &json!(["location", "auth"]), false),
        note("done", &json!(["todo"]), true),
        note("done", &json!(["todo"]), true),
        note("no tag", &json!([]), false),
        note(&format!("{cjk}漢"), &json!(["a"]), false),
        {"id": "note_2"},
    ]);
    put(&desk, "notes.json", &notes.to_string());
    let arguments = json!({"from": "forge", "path": "notes.json"});
    let mut dry = arguments.clone();
    dry["dry_run"] = json!(true);
    let before = desk.object("list_notes", json!({}));
    assert_eq!(desk.object("adopt", dry.clone())["damaged"], 1);
    assert_eq!(desk.object("list_notes", json!({})), before);
    let done = desk.object("adopt", arguments.clone());
    assert_eq!((&done["notes"], &done["kept"]), (&json!(2), &json!(1)), "{done}");
    assert_eq!(
        done["skipped"],
        json!([
            "note 4: a note takes 1 to 5 tags, 0 given",
            "note 5: a note takes at most 800 characters, 801 given"
        ])
    );
    let kept = desk.object("search_notes", json!({"limit": 0}));
    let kept = kept["notes"].as_array().expect("notes");
    assert_eq!((kept.len(), &kept[0]["created_at"]), (2, &json!("2024-12-19T10:30:00.000Z")));
    assert!(kept.iter().any(|note| note["content"] == cjk && note["scratched"] == false));
    assert!(kept.iter().any(|note| note["content"] == "done" && note["scratched"] == true));
    let again = desk.object("adopt", arguments);
    assert_eq!((&again["notes"], &again["kept"]), (&Value::Null, &json!(3)), "{again}");
    let left = fs::read_to_string(desk.world.folders.work.join("notes.json")).expect("a file");
    assert_eq!(left, notes.to_string());
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let desk = Desk::new();
    for from in ["omc", "omo", "planning"] {
        let error = desk.error("adopt", json!({"from": from, "path": ".typo"}));
        let folder = desk.world.folders.work.join(".typo");
        assert_eq!(error, format!("missing: no folder \"{}\"", folder.display()));
    }
}

#[test]
fn a_link_in_the_work_tree_is_not_followed_for_it_may_be_the_repositorys() {
    let desk = Desk::new();
    let work = desk.world.folders.work.clone();
    let outside = work.parent().expect("a folder").join("outside");
    put(&desk, "../outside/notepad.md", "## [2025-01-01 00:00] theirs\n");
    put(&desk, "../outside/notepads/beta/learnings.md", "## [2025-01-01 00:00]\ntheirs\n");
    put(
        &desk,
        "../outside/s.jsonl",
        "{\"customType\":\"openclaw:scratchpad\",\"data\":\"theirs\"}",
    );
    put(&desk, "../outside/n.json", "[]");
    for name in [".omc", "deep"] {
        std::os::unix::fs::symlink(&outside, work.join(name)).expect("a link");
    }
    std::os::unix::fs::symlink(outside.join("s.jsonl"), work.join("s.jsonl")).expect("a link");
    std::os::unix::fs::symlink(outside.join("n.json"), work.join("n.json")).expect("a link");
    let absolute = work.join(".omc").display().to_string();
    let cases = [
        ("omc", ".omc"),
        ("omc", "./.omc"),
        ("omc", &absolute),
        ("omo", ".omc"),
        ("planning", "deep"),
        ("openclaw", "s.jsonl"),
        ("openclaw", "deep/s.jsonl"),
        ("forge", "n.json"),
    ];
    for (from, path) in cases {
        let error = desk.error("adopt", json!({"from": from, "path": path}));
        assert!(error.starts_with("denied: "), "{from} {path}: {error}");
        assert!(error.contains("link"), "{from} {path}: {error}");
    }
    // What a person names outside is the person's, whatever leads to it.
    let taken = desk.object("adopt", json!({"from": "omc", "path": outside.display().to_string()}));
    assert_ne!(taken["entries"], json!(0), "{taken}");
}
