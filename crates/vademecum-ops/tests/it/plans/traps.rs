//! Defects seen in others, each as a test that they would fail.

use std::fs;

use serde_json::json;

use super::{add, append, contents, path, planned, text, tick, wisdom};
use crate::desk::Desk;

/// What is said arrives byte for byte: in file, wisdom, merged plan and prompt, and when it is taken in.
#[track_caller]
fn check_arrives(content: &str) {
    let desk = planned();
    add(&desk, content);
    let entry = format!("\n\n{content}\n\n");
    assert_eq!(text(&desk, "a", "learnings.md").matches(&entry).count(), 1);
    let told = desk.object("get_wisdom", json!({}));
    assert_eq!(told["wisdom"]["learnings"][0]["content"], content);

    desk.object("merge_plan", json!({"plan": "a"}));
    assert_eq!(text(&desk, "_project", "learnings.md").matches(&entry).count(), 1);
    assert_eq!(contents(&desk, "_project"), [content]);
    let given = desk.object("format_directive", json!({"prompt": content}));
    let prompt = given["prompt"].as_str().expect("a prompt");
    assert!(prompt.contains(&format!("</wisdom>\n\n{content}\n<Work_Context>")), "{prompt}");

    let theirs = desk.world.folders.work.join(".omc/notepads/theirs");
    fs::create_dir_all(&theirs).expect("folders");
    let written = format!("# Learnings\n\n## 2026-01-27 15:00:00\n\n{content}\n");
    fs::write(theirs.join("learnings.md"), &written).expect("a file");
    append(&desk, "a", "decisions.md", &written);
    desk.object("adopt", json!({"from": "omc", "path": ".omc"}));
    assert_eq!(contents(&desk, "theirs"), [content]);
    let decision = desk.object("show_plan", json!({"plan": "a", "category": "decision"}));
    assert_eq!(decision["entries"][0]["content"], content);
}

#[test]
fn signs_of_a_replacement_are_not_expanded() {
    check_arrives("$& $1 $$ $` $' ${name} $<name> \\1 \\& %s {}");
}

#[test]
fn tags_of_learnings_are_text_and_reach_the_next_reader() {
    check_arrives(
        "<learning>use .pipe()</learning> <learning category=\"zod\">as above</learning>",
    );
}

#[test]
fn a_file_grows_by_what_is_added_to_it() {
    let desk = planned();
    let grown: Vec<u64> = (0..6)
        .map(|n| {
            add(&desk, &format!("### Working Memory\n## Manual\nnumber {n}"));
            path(&desk, "a", "learnings.md").metadata().expect("a file").len()
        })
        .collect();
    let steps: Vec<u64> = grown.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps, vec![steps[0]; 5]);
}

#[test]
fn a_text_that_is_too_long_is_refused_and_nothing_is_cut() {
    let desk = planned();
    let error = desk.error("add_learning", json!({"content": "漢".repeat(20_001)}));
    assert_eq!(error, "usage: an entry takes at most 20000 characters, 20001 given");
    let most = "漢".repeat(20_000);
    add(&desk, &most);
    assert_eq!(contents(&desk, "a"), [most]);
}

#[test]
fn reading_everything_again_changes_nothing() {
    let desk = planned();
    add(&desk, "one");
    append(&desk, "a", "learnings.md", "- by hand\n");
    let before = (contents(&desk, "a"), text(&desk, "a", "learnings.md"));
    fs::remove_dir_all(desk.folder().join("data/mirrors")).expect("what was known of the files");
    desk.object("check_plan", json!({}));
    assert_eq!((contents(&desk, "a"), text(&desk, "a", "learnings.md")), before);
}

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
