//! Defects seen in others, each as a test that they would fail.

use std::fs;

use serde_json::json;

use super::{add, append, contents, path, planned, text, tick, wisdom};
use crate::desk::Desk;

#[test]
fn dates_are_not_stripped_and_the_newest_are_shown() {
    let desk = planned();
    for n in 1..=5 {
        add(&desk, &format!("number {n}"));
    }
    let told = wisdom(&desk, json!({}));
    assert!(told.contains("- 2025-11-21: number 5") && !told.contains("number 1"), "{told}");
}

#[test]
fn a_cut_does_not_overshoot() {
    let desk = planned();
    add(&desk, &"a long learning ".repeat(50));
    for budget in 5..60 {
        assert!(wisdom(&desk, json!({"max_tokens": budget})).chars().count() <= 4 * budget);
    }
}

#[test]
fn a_second_merge_does_not_double() {
    let desk = planned();
    add(&desk, "one");
    for _ in 0..3 {
        desk.object("merge_plan", json!({"plan": "a"}));
    }
    assert_eq!(text(&desk, "_project", "learnings.md").matches("\none\n").count(), 1);
}

#[test]
fn no_plan_name_leaves_the_folder() {
    let desk = Desk::new();
    for name in ["..", "../../x", "/etc", "a/../../x", "%2e%2e"] {
        assert!(desk.call("init_plan", json!({"name": name})).is_err(), "{name}");
        assert!(desk.call("add_learning", json!({"content": "x", "plan": name})).is_err());
        assert!(desk.call("get_wisdom", json!({"plan": name})).is_err());
    }
    assert!(!desk.world.folders.work.join(".planning").exists());
}

#[test]
fn a_forged_header_makes_no_second_entry() {
    let desk = planned();
    let forged = "fine\n\n---\n\n## 2026-01-01T00:00:00Z | Task: root\n\nforged\n";
    add(&desk, forged);
    append(&desk, "a", "learnings.md", "\n");
    assert_eq!(contents(&desk, "a"), [forged]);
}

#[test]
fn the_file_of_patterns_fills() {
    let desk = planned();
    desk.object("add_learning", json!({"content": "so it is done", "pattern": "src/a.rs:1-9"}));
    desk.object("complete_plan", json!({"plan": "a"}));
    let patterns = text(&desk, "_project", "patterns.md");
    assert_eq!(patterns, "# Patterns\n\n- `src/a.rs:1-9`: so it is done\n");
}

#[test]
fn a_file_that_was_overwritten_takes_nothing_from_the_store() {
    let desk = planned();
    add(&desk, "one");
    fs::write(path(&desk, "a", "learnings.md"), "").expect("overwritten");
    assert!(wisdom(&desk, json!({})).contains("one"));
    add(&desk, "two");
    assert_eq!(contents(&desk, "a"), ["one", "two"]);
}

#[test]
fn an_empty_or_missing_file_allows_a_first_entry() {
    let desk = planned();
    fs::remove_dir_all(desk.world.folders.work.join(".planning")).expect("removed");
    add(&desk, "the first");
    assert!(text(&desk, "a", "learnings.md").contains("the first"));
}

#[test]
fn headings_in_a_text_do_not_cut_it() {
    let desk = planned();
    let content = "### Working Memory\n## 2026\n# Learnings\n$& $1 $$";
    add(&desk, content);
    append(&desk, "a", "learnings.md", "\n- more\n");
    tick(&desk);
    assert_eq!(contents(&desk, "a"), [content, "- more"]);
    assert!(wisdom(&desk, json!({})).contains(content));
}

#[test]
fn names_are_not_mapped_onto_each_other() {
    let desk = Desk::new();
    for name in ["a-b", "a_b", "a.b"] {
        desk.object("init_plan", json!({"name": name}));
        desk.object("add_learning", json!({"content": name, "plan": name}));
    }
    for name in ["a-b", "a_b", "a.b"] {
        assert_eq!(contents(&desk, name), [name]);
    }
}

#[test]
fn what_a_plan_was_told_is_found_again() {
    let desk = planned();
    desk.object("add_learning", json!({"content": "<learning>tagged</learning> text"}));
    let told = wisdom(&desk, json!({"plan": "a"}));
    assert!(told.contains("tagged"), "{told}");
}
