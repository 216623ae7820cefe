//! Where the program goes, and what is said about it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::home::{Home, VADE};

/// The program that the settings start.
#[track_caller]
fn wired(home: &Home) -> String {
    let settings = home.read(".claude/settings.json").expect("settings");
    let servers = home.read(".claude.json").expect("servers");
    let command = |text: &str| {
        let at = text.find("\"command\": \"").expect("a command") + 12;
        text[at..].split('"').next().expect("an end").to_owned()
    };
    assert_eq!(command(&settings), command(&servers));
    // Nine hooks and the status line.
    assert_eq!(settings.matches("\"command\": \"").count(), 10, "{settings}");
    command(&settings).replace(home.path.to_str().expect("text"), "~")
}

/// The bytes of an older program of ours.
fn older() -> Vec<u8> {
    let mark = |version: &str| format!("dev.vademecum/binary {version};");
    format!("#!/bin/sh\n# {}\n", mark("0.0.9")).into_bytes()
}

/// What is said, without the names of the tools: there will be more of them.
fn told(said: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines() {
        let line = if line.starts_with("  allow mcp__vade__") { "  allow …" } else { line };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

#[test]
fn the_first_time_all_is_said() {
    let home = Home::new();
    let before = home.tree();
    let shown = home.vade(&["install", "claude-code", "--dry-run"]).success();
    assert_eq!(home.tree(), before);
    insta::assert_snapshot!("dry", told(&shown));
    let done = home.vade(&["install", "claude-code", "--yes"]).success();
    insta::assert_snapshot!("installed", told(&done));
    assert_eq!(wired(&home), "~/.local/bin/vade");
    assert_eq!(fs::metadata(home.program()).expect("a file").permissions().mode(), 0o100_755);

    let before = home.tree();
    insta::assert_snapshot!("dry_out", home.vade(&["uninstall", "--dry-run"]).success());
    assert_eq!(home.tree(), before);
    insta::assert_snapshot!("out", home.vade(&["uninstall", "--yes"]).success());
    insta::assert_snapshot!("out_again", home.vade(&["uninstall", "--yes"]).success());
}

#[test]
fn an_upgrade_is_wired_once() {
    let home = Home::with_program();
    let settings = "{\"model\":\"opus\"}";
    home.write(".claude/settings.json", settings);
    home.vade(&["install", "--yes"]).success();
    assert_eq!(wired(&home), "~/.local/bin/vade");

    let folder = home.path("bin two");
    let folder = folder.to_str().expect("text");
    insta::assert_snapshot!(home.vade(&["install", "--yes", "--bin-dir", folder]).success());
    assert_eq!(wired(&home), "~/bin two/vade");
    home.vade(&["uninstall", "--yes"]).success();
    assert_eq!(home.read(".claude/settings.json").as_deref(), Some(settings));
}

#[test]
fn an_older_program_of_ours_gives_way() {
    let home = Home::new();
    home.write(".local/bin/vade", older());
    let output = home.command(Path::new(VADE)).args(["install", "--yes"]).output();
    let said = home.said(&output.expect("a run")).success();
    assert!(said.contains("replace vade 0.0.9 by vade "), "{said}");
    assert!(1_000_000 < fs::metadata(home.program()).expect("a file").len());
}

#[test]
fn a_link_to_what_is_built_gives_way() {
    let home = Home::new();
    home.write(".local/bin/README", "");
    symlink(VADE, home.program()).expect("a link");
    home.vade(&["install", "--yes"]).success();
    assert!(!home.program().is_symlink());
    assert!(Path::new(VADE).exists());
    assert_eq!(wired(&home), "~/.local/bin/vade");
}

#[test]
fn a_program_of_somebody_else_stays() {
    let home = Home::new();
    home.write(".local/bin/vade", "#!/bin/sh\necho other\n");
    let before = home.tree();
    let output = home.command(Path::new(VADE)).args(["install", "--yes"]).output();
    insta::assert_snapshot!("foreign", home.said(&output.expect("a run")).failure());
    let built = Path::new(VADE).parent().and_then(Path::to_str).expect("a folder");
    let output =
        home.command(Path::new(VADE)).args(["install", "--yes", "--bin-dir", built]).output();
    insta::assert_snapshot!("built", home.said(&output.expect("a run")).failure());
    assert_eq!(home.tree(), before);
}

#[test]
fn a_folder_on_path_is_taken_before_one_that_is_not() {
    let home = Home::new();
    home.write("bin/README", "");
    let mut command = home.command(Path::new(VADE));
    command.env("PATH", format!("/usr/bin:{}", home.path("bin").display()));
    let output = command.args(["install", "--yes"]).output().expect("a run");
    let said = home.said(&output).success();
    assert!(!said.contains("not on PATH"), "{said}");
    assert_eq!(wired(&home), "~/bin/vade");
}

/// Installs in a home of its own, lets `change` happen, and says what becomes of the program and whether it is there.
#[track_caller]
fn check_program(change: impl FnOnce(&Home), fate: &str, is_there: bool) {
    let home = Home::new();
    home.command(Path::new(VADE)).args(["install", "claude-code", "--yes"]).output().expect("run");
    change(&home);
    let output = home.command(Path::new(VADE)).args(["uninstall", "claude-code", "--yes"]).output();
    let said = home.said(&output.expect("a run")).success();
    let row = said.lines().find_map(|line| line.strip_prefix("~/.local/bin/vade: "));
    assert_eq!((row, home.program().exists()), (Some(fate), is_there), "{said}");
}

#[test]
fn the_copy_goes_where_nobody_needs_it_and_nobody_changed_it() {
    check_program(|_| {}, "removed: vade made it", false);
    check_program(
        |home| {
            home.vade(&["install", "codex", "--yes"]).success();
        },
        "stays: Codex starts it",
        true,
    );
    check_program(
        |home| {
            fs::remove_file(home.program()).expect("a file");
            home.write(".local/bin/vade", older());
        },
        "stays: it is not the copy that vade made",
        true,
    );
    // Of a pipe in its place nothing is read, which would never end.
    check_program(
        |home| {
            fs::remove_file(home.program()).expect("a file");
            let mode = Mode::RUSR | Mode::WUSR;
            mknodat(CWD, home.program(), FileType::Fifo, mode, 0).expect("a pipe");
        },
        "stays: not vade any more",
        true,
    );
}

#[test]
fn a_program_that_took_the_place_of_one_stays() {
    let home = Home::new();
    home.write(".local/bin/vade", older());
    for words in [["install", "claude-code", "--yes"], ["uninstall", "claude-code", "--yes"]] {
        let output = home.command(Path::new(VADE)).args(words).output();
        home.said(&output.expect("a run")).success();
    }
    assert!(home.program().is_file());
}

/// What all is known of needs no advice to take it in.
#[test]
fn transcripts_from_before_are_named_until_they_are_taken_in() {
    // To copy a program that was built to be debugged takes half a minute, and is another test.
    let home = Home::with_program();
    let folder = home.path("demo").display().to_string().replace(['/', '.'], "-");
    let record = |session: &str, said: &str| {
        let record = serde_json::json!({"type": "user", "uuid": "u", "cwd": home.path("demo"),
            "sessionId": session, "timestamp": "2025-10-11T08:00:00.000Z",
            "message": {"role": "user", "content": said}});
        let file = format!(".claude/projects/{folder}/{session}.jsonl");
        home.write(&file, format!("{record}\n"));
        // What was written just now is not taken in yet.
        let file = std::fs::File::options().append(true).open(home.path(&file)).expect("a file");
        file.set_modified(std::time::UNIX_EPOCH).expect("a time");
    };
    record("old-one", "Find out why the webhook is sent twice.");
    record("old-two", "Find out why the lease expires before the job ends.");
    for (taken, named) in [("old-one", Some("1 transcript")), ("old-two", None)] {
        let file = home.path(&format!(".claude/projects/{folder}/{taken}.jsonl"));
        home.vade(&["adopt", "transcripts", file.to_str().expect("text")]).success();
        let said = home.vade(&["install", "claude-code", "--yes"]).success();
        home.vade(&["uninstall", "--yes"]).success();
        let line = said.lines().find(|line| line.contains("adopt transcripts"));
        let told = named.map(|n| format!("  vade adopt transcripts takes in what this project's sessions said before ({n}), for vade search"));
        assert_eq!(line.map(str::to_owned), told);
    }
}
