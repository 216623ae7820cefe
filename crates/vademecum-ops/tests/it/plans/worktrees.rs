//! Two work trees of one repository: one plan, files in each, every entry in both once.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::{add, append, contents, text, tick};
use crate::desk::Desk;
use crate::keeping::files_with;

/// A desk in a repository with a second work tree, and the path of that.
fn two() -> (Desk, PathBuf) {
    let desk = Desk::new();
    let main = desk.world.folders.work.clone();
    let side = main.parent().expect("a folder").join("side");
    let own = main.join(".git/worktrees/side");
    fs::create_dir_all(&own).expect("a folder");
    fs::create_dir_all(&side).expect("a folder");
    fs::write(main.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    fs::write(own.join("gitdir"), side.join(".git").as_os_str().as_encoded_bytes())
        .expect("a file");
    fs::write(side.join(".git"), format!("gitdir: {}\n", own.display())).expect("a file");
    (desk, side)
}

#[test]
fn what_is_written_in_one_is_told_and_mirrored_in_the_other() {
    let (mut desk, side) = two();
    let main = desk.world.folders.work.clone();
    desk.object("init_plan", json!({"name": "a"}));
    add(&desk, "from the main one");
    desk.world.folders.work = side.clone();
    assert_eq!(contents(&desk, "a"), ["from the main one"]);
    add(&desk, "from the side");
    append(&desk, "a", "learnings.md", "- by hand on the side\n");
    desk.world.folders.work = main.clone();
    tick(&desk);
    assert_eq!(
        contents(&desk, "a"),
        ["from the main one", "from the side", "- by hand on the side"]
    );
    add(&desk, "again from the main one");
    desk.world.folders.work = side;
    add(&desk, "again from the side");
    let (here, all) = (text(&desk, "a", "learnings.md"), contents(&desk, "a"));
    desk.world.folders.work = main;
    add(&desk, "last");
    let there = text(&desk, "a", "learnings.md");
    assert_eq!(all.len(), 5);
    for content in &all {
        assert!(here.contains(content.as_str()) && there.contains(content.as_str()), "{content}");
    }
    assert_eq!((here.matches("\n---\n").count(), there.matches("\n---\n").count()), (4, 6));
    assert_eq!(desk.object("check_plan", json!({}))["problems"], json!([]));
}

#[test]
fn a_work_tree_that_is_gone_is_in_nobodys_way() {
    let (mut desk, side) = two();
    let main = desk.world.folders.work.clone();
    desk.world.folders.work = side.clone();
    desk.object("init_plan", json!({"name": "a"}));
    add(&desk, "from the side");
    desk.world.folders.work = main;
    fs::remove_dir_all(side).expect("removed");
    add(&desk, "from the main one");
    assert_eq!(contents(&desk, "a"), ["from the side", "from the main one"]);
    assert!(text(&desk, "a", "learnings.md").contains("from the side"));
}

/// A clone that was put where a work tree lay is another project, whatever its files are called.
#[test]
fn files_of_a_repository_where_a_work_tree_lay_are_left_alone() {
    let (mut desk, side) = two();
    let main = desk.world.folders.work.clone();
    desk.world.folders.work = side.clone();
    desk.object("init_plan", json!({"name": "a"}));
    add(&desk, "from the side");
    desk.world.folders.work = main;
    fs::remove_dir_all(&side).expect("removed");
    let learnings = side.join(".planning/notepads/a/learnings.md");
    fs::create_dir_all(side.join(".git")).expect("a folder");
    fs::create_dir_all(learnings.parent().expect("a folder")).expect("a folder");
    fs::write(side.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    let others = "# Learnings\n\n- of another project\n";
    fs::write(&learnings, others).expect("a file");
    tick(&desk);
    assert_eq!(contents(&desk, "a"), ["from the side"]);
    desk.object("forget", json!({"what": "project", "yes": true}));
    assert_eq!(fs::read_to_string(learnings).expect("a file"), others);
}

#[test]
fn headers_of_the_same_second_do_not_correct_each_other() {
    let (mut desk, side) = two();
    let main = desk.world.folders.work.clone();
    desk.object("init_plan", json!({"name": "a"}));
    let header = "\n## 2026-01-27T14:30:00Z | Task: x\n\n";
    for n in 0..4 {
        desk.world.folders.work = if n % 2 == 0 { main.clone() } else { side.clone() };
        desk.object("init_plan", json!({"name": "a"}));
        append(&desk, "a", "learnings.md", &format!("{header}number {n}\n\n---\n"));
        contents(&desk, "a");
    }
    assert_eq!(desk.object("show_plan", json!({"plan": "a"}))["total"], 4);
}

#[test]
fn what_is_forgotten_goes_from_the_files_of_both() {
    let (mut desk, side) = two();
    let main = desk.world.folders.work.clone();
    desk.object("init_plan", json!({"name": "a"}));
    let entry = add(&desk, "a planted secret");
    desk.world.folders.work = side;
    add(&desk, "from the side");
    assert!(text(&desk, "a", "learnings.md").contains("a planted secret"));
    desk.world.folders.work = main;
    desk.object("merge_plan", json!({"plan": "a"}));
    desk.object("forget", json!({"what": "entry", "id": entry["id"], "yes": true}));
    assert_eq!(files_with(desk.folder(), "planted secret"), [""; 0]);
    assert_eq!(contents(&desk, "a"), ["from the side"]);
}
