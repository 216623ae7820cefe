//! The files of plans: made once, only appended to, read once.

use std::fs;

use serde_json::json;

use super::{add, append, contents, path, planned, text, tick};
use crate::desk::Desk;

/// Every file below the plans' folder with its bytes.
fn all(desk: &Desk) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for plan in fs::read_dir(desk.world.folders.work.join(".planning/notepads")).expect("plans") {
        for file in fs::read_dir(plan.expect("a plan").path()).expect("files") {
            let path = file.expect("a file").path();
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
        }
    }
    found.sort();
    found
}

#[test]
fn c3_1_the_first_init_makes_three_files() {
    let desk = planned();
    for (file, title) in [
        ("learnings.md", "# Learnings\n\n"),
        ("decisions.md", "# Decisions\n\n"),
        ("issues.md", "# Issues\n\n"),
        (".gitignore", "*\n"),
    ] {
        assert_eq!(text(&desk, "a", file), title);
    }
    assert_eq!(all(&desk).len(), 4);
}

#[test]
fn c3_2_the_second_init_changes_nothing() {
    let desk = planned();
    add(&desk, "one");
    append(&desk, "a", "issues.md", "by hand\n");
    let before = all(&desk);
    let again = desk.object("init_plan", json!({"name": "a"}));
    assert_eq!((&again["new"], &again["taken_in"]), (&json!(false), &json!(1)));
    assert_eq!(all(&desk), before);
}

#[test]
fn c3_3_every_add_keeps_the_old_bytes_as_prefix() {
    let desk = planned();
    let mut old = text(&desk, "a", "learnings.md");
    for n in 0..5 {
        if n % 2 == 0 {
            let by_hand = format!("- by hand {n}");
            append(&desk, "a", "learnings.md", &by_hand);
            old.push_str(&by_hand);
        }
        add(&desk, &format!("## 2026-01-01T00:00:00Z | Task: x\nnumber {n}"));
        let new = text(&desk, "a", "learnings.md");
        assert!(new.starts_with(&old) && old.len() < new.len(), "{new}");
        old = new;
    }
    assert_eq!(contents(&desk, "a").len(), 8);
}

#[test]
fn an_entry_is_mirrored_in_the_published_form() {
    let desk = planned();
    desk.object(
        "add_learning",
        json!({"content": "Use .pipe()", "task": "03-01", "pattern": "src/a.rs:45-60", "tags": ["Zod"]}),
    );
    assert_eq!(
        text(&desk, "a", "learnings.md"),
        "# Learnings\n\n\n## 2025-11-21T04:40:00.000Z | Task: 03-01\n\nUse .pipe()\n\n\
         **Pattern found:** `src/a.rs:45-60`\n\n**Tags:** zod\n\n---\n"
    );
}

#[test]
fn c3_4_four_header_dialects_are_taken_in_once() {
    let desk = planned();
    for header in [
        "## 2026-01-27T14:30:00Z | Task: x",
        "## 2026-01-27T14:30:01.000Z | Task: x",
        "## [2026-01-27T14:30:02Z] Task: x",
        "## 2026-01-27 14:30:03",
    ] {
        append(&desk, "a", "learnings.md", &format!("\n{header}\n\nfrom {header}\n"));
    }
    let expected = [
        "from ## 2026-01-27T14:30:00Z | Task: x",
        "from ## 2026-01-27T14:30:01.000Z | Task: x",
        "from ## [2026-01-27T14:30:02Z] Task: x",
        "from ## 2026-01-27 14:30:03",
    ];
    for _ in 0..3 {
        assert_eq!(contents(&desk, "a"), expected);
    }
    add(&desk, "more");
    assert_eq!(contents(&desk, "a").len(), 5);
}

#[test]
fn c3_5_content_that_looks_like_a_header_is_one_entry() {
    let desk = planned();
    let content = "## 2026-01-01T00:00:00Z | Task: x\n\n**Tags:** a\n---\nend";
    add(&desk, content);
    append(&desk, "a", "learnings.md", "- so that the file is read again\n");
    assert_eq!(contents(&desk, "a"), [content, "- so that the file is read again"]);
}

#[test]
fn c3_16_a_file_with_a_header_only_has_no_entry() {
    let desk = planned();
    append(&desk, "a", "learnings.md", "\n# Learnings\n\n\n");
    let shown = desk.object("show_plan", json!({"plan": "a"}));
    assert_eq!((&shown["total"], shown.get("problems")), (&json!(0), None));
}

#[test]
fn without_a_plan_no_file_is_made() {
    let desk = Desk::new();
    add(&desk, "for the project");
    assert_eq!(contents(&desk, "_project"), ["for the project"]);
    assert!(!desk.world.folders.work.join(".planning").exists());
    desk.object("init_plan", json!({"name": "a"}));
    desk.object("add_learning", json!({"content": "more", "plan": "_project"}));
    assert!(text(&desk, "_project", "learnings.md").contains("\nfor the project\n"));
}

#[test]
fn a_tracked_plan_is_left_to_version_control() {
    let desk = Desk::new();
    desk.object("init_plan", json!({"name": "a", "track": true}));
    assert!(!path(&desk, "a", ".gitignore").exists());
}

#[test]
fn the_folders_of_others_are_left_alone() {
    let desk = Desk::new();
    let other = desk.world.folders.work.join(".planning/notepads/theirs");
    fs::create_dir_all(&other).expect("a folder");
    fs::write(other.join("learnings.md"), "## 2026-01-27 14:30:00\ntheirs\n").expect("a file");
    desk.object("init_plan", json!({"name": "a"}));
    add(&desk, "ours");
    desk.object("complete_plan", json!({"plan": "a"}));
    desk.object("forget", json!({"what": "project", "yes": true}));
    let left = all(&desk);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].1.ends_with("theirs\n"));
}

#[test]
fn a_file_that_lost_entries_is_reported_and_mended_only_when_asked() {
    let desk = planned();
    for n in 1..=3 {
        add(&desk, &format!("number {n}"));
    }
    fs::write(path(&desk, "a", "learnings.md"), "# Learnings\n\n").expect("overwritten");
    tick(&desk);
    let lost = "a/learnings.md lost 3 of its entries: vade plan check --heal appends them again";
    assert_eq!(desk.object("show_plan", json!({"plan": "a"}))["problems"], json!([lost]));
    add(&desk, "number 4");
    assert_eq!(text(&desk, "a", "learnings.md").matches("number").count(), 1);
    assert_eq!(contents(&desk, "a").len(), 4);

    let found = desk.object("check_plan", json!({}));
    assert_eq!((&found["problems"], &found["healed"]), (&json!([lost]), &json!(0)));
    let healed = desk.object("check_plan", json!({"heal": true}));
    assert_eq!((&healed["problems"], &healed["healed"]), (&json!([]), &json!(3)));
    assert_eq!(text(&desk, "a", "learnings.md").matches("number").count(), 4);
    let again = desk.object("check_plan", json!({"heal": true}));
    assert_eq!((&again["healed"], &again["taken_in"]), (&json!(0), &json!(0)));
}

#[test]
fn an_entry_by_hand_that_its_file_lost_is_reported_like_any_other() {
    let desk = planned();
    add(&desk, "number 1");
    append(&desk, "a", "learnings.md", "- by hand\n");
    assert_eq!(contents(&desk, "a").len(), 2);

    let lost = "a/learnings.md lost 2 of its entries: vade plan check --heal appends them again";
    fs::write(path(&desk, "a", "learnings.md"), "# Learnings\n\n").expect("overwritten");
    for _ in 0..2 {
        assert_eq!(desk.object("check_plan", json!({}))["problems"], json!([lost]));
    }
    add(&desk, "number 2");
    assert!(!text(&desk, "a", "learnings.md").contains("by hand"), "not unasked");
    let healed = desk.object("check_plan", json!({"heal": true}));
    assert_eq!((&healed["problems"], &healed["healed"]), (&json!([]), &json!(2)));
    assert_eq!(text(&desk, "a", "learnings.md").matches("by hand").count(), 1);
    assert_eq!(contents(&desk, "a").len(), 3);
}

#[test]
fn an_entry_that_was_edited_by_hand_is_corrected_not_doubled() {
    let desk = planned();
    add(&desk, "uses pipe");
    let edited = text(&desk, "a", "learnings.md").replace("uses pipe", "uses map");
    fs::write(path(&desk, "a", "learnings.md"), edited).expect("edited");
    let shown = desk.object("show_plan", json!({"plan": "a"}));
    assert_eq!((&shown["total"], shown.get("problems")), (&json!(1), None));
    assert_eq!(shown["entries"][0]["content"], "uses map");
    assert_eq!(contents(&desk, "a"), ["uses pipe", "uses map"]);
}

#[test]
fn forgetting_the_project_leaves_no_byte_of_a_plan() {
    let desk = planned();
    add(&desk, "a secret learning");
    desk.object("complete_plan", json!({"plan": "a"}));
    let notepads = desk.world.folders.work.join(".planning/notepads");
    let plans = notepads.display();
    let list = format!("{plans}/_project (2 files)\n- {plans}/a (3 files)");
    let refused = desk.error("forget", json!({"what": "project"}));
    let warning = "forgetting a project cannot be undone; it removes the files of its plans too:";
    assert_eq!(refused, format!("usage: {warning}\n- {list}"));
    let forgot = desk.call("forget", json!({"what": "project", "yes": true}));
    let text = forgot.expect("an answer").text;
    assert!(text.ends_with(&format!("\nremoved the files of its plans:\n- {list}")), "{text}");
    assert!(!desk.world.folders.work.join(".planning").exists());
    assert!(!desk.folder().join("data/mirrors").read_dir().is_ok_and(|mut it| it.next().is_some()));
    assert_eq!(desk.object("list_plans", json!({})), json!({"plans": []}));
}
