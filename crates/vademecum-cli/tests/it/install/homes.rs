//! Homes with names that break what quotes badly.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;

use crate::home::{Home, VADE};

#[track_caller]
fn check(name: &str) {
    let home = Home::named(OsStr::new(name));
    home.vade(&["install", "claude-code", "--yes"]).success();
    let settings: Value =
        serde_json::from_str(&home.read(".claude/settings.json").expect("a file")).expect("JSON");
    let command = &settings["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    assert_eq!(command.as_str(), home.program().to_str());
    let again = home.vade(&["install", "claude-code", "--yes"]).success();
    assert_eq!(again, "nothing to change: vade is installed\n");
    home.vade(&["uninstall", "claude-code", "--yes", "--purge"]).success();
    assert!(home.tree().is_empty(), "{:?}", home.tree());
}

#[test]
fn any_name_will_do() {
    check("with a space");
    check("o'brien");
    check("größe 記憶");
    check(&format!("{0}/{0}/{0}", "long".repeat(25)));
}

#[test]
fn a_name_that_no_json_can_hold_is_refused() {
    let home = Home::named(OsStr::from_bytes(b"h\xffme"));
    let said = home.vade(&["install", "claude-code", "--yes"]).failure();
    assert!(said.starts_with("2: vade: ") && said.contains("--bin-dir"), "{said}");
    assert!(home.tree().is_empty(), "{:?}", home.tree());

    let link = home.path.with_file_name("link");
    symlink(&home.path, &link).expect("a link");
    let folder = link.join("bin");
    let folder = folder.to_str().expect("text");
    home.vade(&["install", "claude-code", "--yes", "--bin-dir", folder]).success();
    assert!(home.path(".claude/settings.json").exists() && home.path("bin/vade").exists());
    home.vade(&["uninstall", "--yes", "--purge"]).success();
    assert!(home.tree().is_empty(), "{:?}", home.tree());
}

/// A-D12: `~/.claude` was made for everybody to write in.
#[test]
fn what_is_made_is_for_its_owner_whatever_the_umask_is() {
    let home = Home::new();
    let script = format!("umask 0 && exec {VADE} install claude-code --yes");
    let run = home.command("/bin/sh".as_ref()).args(["-c", &script]).output().expect("a run");
    home.said(&run).success();
    for (path, meta) in home.tree() {
        let mode = u32::from_str_radix(meta.split(' ').next().expect("a mode"), 8).expect("a mode");
        let is_link = path.is_symlink();
        assert!(is_link || mode & 0o022 == 0, "{}: {mode:o}", path.display());
    }
}

#[test]
fn without_a_home_nothing_is_done() {
    let home = Home::new();
    let mut command = home.command(VADE.as_ref());
    let output = command.env_remove("HOME").args(["install", "claude-code", "--yes"]).output();
    insta::assert_snapshot!(home.said(&output.expect("a run")).failure());
}

#[test]
fn another_folder_of_the_harness_is_known_again() {
    let home = Home::with_program();
    let folder = home.path("other claude");
    let run = |words: &[&str]| {
        let mut command = home.command(&home.program());
        command.env("CLAUDE_CONFIG_DIR", &folder);
        home.said(&command.args(words).output().expect("a run")).success()
    };
    run(&["install", "claude-code", "--yes"]);
    assert!(folder.join("settings.json").exists() && folder.join(".claude.json").exists());
    // The variable may be gone by then.
    home.vade(&["uninstall", "claude-code", "--yes"]).success();
    assert!(!folder.exists());
}

/// The list of what installing changed is copied with a home, and tells of files of the first.
#[test]
fn what_is_taken_out_of_a_copied_home_stays_in_the_first() {
    let (first, copy) = (Home::new(), Home::new());
    first.vade(&["install", "claude-code", "--yes"]).success();
    let before = first.tree();
    for path in before.keys() {
        let to = copy.path.join(path.strip_prefix(&first.path).expect("a path of the home"));
        if path.is_dir() {
            std::fs::create_dir_all(&to).expect("a folder");
        } else {
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::copy(path, &to).expect("a copy");
        }
    }
    let said = copy.vade(&["uninstall", "--yes"]).success();
    assert!(!said.contains(first.path.to_str().expect("text")), "{said}");
    assert_eq!(first.tree(), before);
    copy.vade(&["install", "claude-code", "--yes"]).success();
    copy.vade(&["uninstall", "--yes"]).success();
    assert_eq!(first.tree(), before);
}

/// A pipe in the place of a file would be waited for.
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    for name in [".claude/settings.json", ".claude/commands/vade/handoff.md"] {
        let home = Home::with_program();
        let path = home.path.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
        for words in [
            &["install", "claude-code", "--dry-run"][..],
            &["uninstall", "claude-code", "--dry-run"],
        ] {
            let said = home.vade(words).failure();
            assert!(said.contains("is a FIFO, not a regular file"), "{said}");
        }
    }
}
