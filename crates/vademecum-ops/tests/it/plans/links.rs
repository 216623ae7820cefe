//! What a repository puts where the files of plans are: nothing outside the work tree is read or written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use super::{add, contents, path, planned, tick, wisdom};
use crate::desk::Desk;

/// What nobody may read, and what stands in the file of it.
const SECRET: &str = "canary-3f1b: a private key";

/// A file of the person's own, outside every work tree.
fn canary(desk: &Desk) -> PathBuf {
    let canary = desk.folder().join("canary");
    fs::write(&canary, SECRET).expect("a file");
    canary
}

/// Puts something else in the place of a plan's file.
fn put(desk: &Desk, file: &str, put: impl FnOnce(&Path)) -> PathBuf {
    let path = path(desk, "a", file);
    fs::remove_file(&path).expect("a file");
    put(&path);
    tick(desk);
    path
}

fn fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
}

/// Nothing of the secret is kept or told, in any way that there is.
#[track_caller]
fn check_untold(desk: &Desk) {
    for (name, arguments) in [
        ("show_plan", json!({"plan": "a", "all": true, "limit": 0})),
        ("get_wisdom", json!({"plan": "a"})),
        ("check_plan", json!({"heal": true})),
        ("list_plans", json!({})),
        ("complete_plan", json!({"plan": "a"})),
        ("get_wisdom", json!({})),
        ("export", json!({})),
    ] {
        let said = desk.object(name, arguments).to_string();
        assert!(!said.contains("canary-3f1b"), "{name}: {said}");
    }
    let kept = crate::keeping::files_with(&desk.folder().join("data"), "canary-3f1b");
    assert_eq!(kept, Vec::<String>::new());
}

/// A-S1: the model's words were appended to the person's own file, as `~/.bashrc`.
#[test]
fn nothing_is_appended_through_a_link() {
    let desk = planned();
    let canary = canary(&desk);
    put(&desk, "learnings.md", |path| symlink(&canary, path).expect("a link"));
    let added = desk.object("add_learning", json!({"content": "Build first:\ntouch PWNED"}));
    let refused =
        "left alone: .planning/notepads/a/learnings.md is a symbolic link, not a regular file";
    assert_eq!(added["problems"], json!([refused]), "once, and with no path of the machine");
    assert_eq!(fs::read_to_string(&canary).expect("a file"), SECRET);
    assert_eq!(contents(&desk, "a"), ["Build first:\ntouch PWNED"], "what was said is kept");
    check_untold(&desk);
    assert_eq!(fs::read_to_string(&canary).expect("a file"), SECRET);
}

/// A-S1, in the place of each folder on the way.
#[test]
fn nothing_is_made_beyond_a_link() {
    for link in [".planning", ".planning/notepads", ".planning/notepads/a"] {
        let desk = Desk::new();
        let (top, away) = (desk.world.folders.work.join(link), desk.folder().join("away"));
        desk.object("init_plan", json!({"name": "a"}));
        fs::remove_dir_all(desk.world.folders.work.join(".planning"))
            .expect("the files of the plan");
        fs::create_dir_all(top.parent().expect("a folder")).expect("a folder");
        fs::create_dir(&away).expect("a folder");
        symlink(&away, &top).expect("a link");
        let error = desk.error("init_plan", json!({"name": "a"}));
        let refused = format!("{} is a symbolic link, not a folder", top.display());
        assert!(error.starts_with("denied: ") && error.ends_with(&refused), "{error}");
        add(&desk, "said all the same");
        desk.object("complete_plan", json!({"plan": "a"}));
        assert_eq!(fs::read_dir(&away).expect("a folder").count(), 0, "{link}");
        desk.object("forget", json!({"what": "project", "yes": true}));
        assert!(away.exists());
    }
}

/// A-S1: the file has a second name, which may be that of any file of the person's.
#[test]
fn a_file_with_two_names_is_left_alone() {
    let desk = planned();
    let canary = canary(&desk);
    put(&desk, "learnings.md", |path| fs::hard_link(&canary, path).expect("a link"));
    let problems = add(&desk, "said")["problems"].to_string();
    assert!(problems.contains("a/learnings.md has 2 names (hard links)"), "{problems}");
    assert_eq!(fs::read_to_string(&canary).expect("a file"), SECRET);
    check_untold(&desk);
}

/// A-S2: private keys stood in the next sub-agent's prompt.
#[test]
fn nothing_is_read_through_a_link() {
    let desk = planned();
    let canary = canary(&desk);
    add(&desk, "said before");
    for file in ["learnings.md", "decisions.md", "issues.md"] {
        put(&desk, file, |path| symlink(&canary, path).expect("a link"));
    }
    assert!(wisdom(&desk, json!({"plan": "a"})).contains("said before"));
    let problems = desk.object("show_plan", json!({"plan": "a"}))["problems"].to_string();
    assert_eq!(problems.matches("is a symbolic link, not a regular file").count(), 3);
    check_untold(&desk);
}

/// A-S2: the whole folder of a plan that stood in the state, and of the project.
#[test]
fn nothing_is_read_in_a_folder_that_became_a_link() {
    for plan in ["a", "_project"] {
        let desk = planned();
        desk.object("complete_plan", json!({"plan": "a"}));
        desk.object("init_plan", json!({"name": "a"}));
        let away = desk.folder().join("away");
        fs::create_dir(&away).expect("a folder");
        fs::write(away.join("issues.md"), SECRET).expect("a file");
        let folder = desk.world.folders.work.join(".planning/notepads").join(plan);
        fs::remove_dir_all(&folder).expect("a folder");
        symlink(&away, &folder).expect("a link");
        tick(&desk);
        add(&desk, "said all the same");
        check_untold(&desk);
        assert_eq!(fs::read_dir(&away).expect("a folder").count(), 1);
    }
}

/// A-S2: devices and what is too long cost the memory, FIFOs the time.
#[test]
fn what_is_no_file_of_entries_is_left_alone() {
    for (puts, refused) in [
        ((|path| symlink("/dev/zero", path).expect("a link")) as fn(&Path), "is a symbolic link"),
        (|path| symlink("/proc/self/environ", path).expect("a link"), "is a symbolic link"),
        (fifo, "is a FIFO, not a regular file"),
        (|path| fs::create_dir(path).expect("a folder"), "is a folder, not a regular file"),
        (
            |path| fs::File::create(path).and_then(|file| file.set_len(3 << 30)).expect("a file"),
            "has 3072 MiB, at most 4096 KiB are read",
        ),
    ] {
        let desk = planned();
        add(&desk, "said before");
        put(&desk, "issues.md", puts);
        assert!(wisdom(&desk, json!({"plan": "a"})).contains("said before"));
        let problems = add(&desk, "said after")["problems"].to_string();
        assert!(problems.contains(refused), "{problems}");
        assert_eq!(contents(&desk, "a"), ["said before", "said after"]);
    }
}

/// A-S3 (b): the draft of a summary had a name that could be guessed.
#[test]
fn a_draft_is_written_through_no_link() {
    let desk = planned();
    let canary = canary(&desk);
    let folder = desk.world.folders.work.join(".planning/notepads/_project");
    fs::create_dir_all(&folder).expect("a folder");
    for name in [format!("summary.{}.draft", std::process::id()), "patterns.md".to_owned()] {
        symlink(&canary, folder.join(name)).expect("a link");
    }
    add(&desk, "said");
    desk.object("complete_plan", json!({"plan": "a"}));
    fs::remove_file(folder.join("patterns.md")).expect("a link");
    desk.object("merge_plan", json!({"plan": "a"}));
    assert_eq!(fs::read_to_string(&canary).expect("a file"), SECRET);
    let summary = fs::read_to_string(folder.join("summary.md")).expect("a file");
    assert!(summary.starts_with("# Summary"), "{summary}");
}
