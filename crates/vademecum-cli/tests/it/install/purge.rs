//! What is left after `vade uninstall --purge`: nothing of ours, everything of others.

use std::fs;

use crate::home::Home;

#[test]
fn nothing_is_left() {
    let home = Home::new();
    home.write(".claude/settings.json", "{\"model\":\"opus\"}");
    home.write(".config/vademecum/config.toml", "[notes]\nsearch_limit = 5\n");
    home.write("work/file", "mine");
    let before = home.tree();

    home.vade(&["install", "--yes"]).success();
    let note = home.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(note.code, Some(0), "{note:?}");
    home.write(".local/share/vademecum/spool/1763700000000-s.jsonl", "{}");
    let said = home.vade(&["uninstall", "--yes", "--purge"]).success();
    assert!(said.contains("~/.local/share/vademecum/vade.db: erased\n"), "{said}");
    assert!(said.contains("~/.config/vademecum/config.toml: stays: it is yours\n"), "{said}");
    let theirs = "\nthe transcripts of Claude Code and Codex are theirs and stay, with what vade told in them\n";
    assert!(said.ends_with(theirs), "{said}");
    assert_eq!(home.tree(), before);
}

#[test]
fn a_store_elsewhere_goes_too() {
    let home = Home::with_program();
    let run = |words: &[&str]| {
        let mut command = home.command(&home.program());
        command.env("VADE_STORE", home.path("notes/mine.db"));
        home.said(&command.args(words).output().expect("a run"))
    };
    home.write("notes/other.txt", "mine");
    run(&["install", "--yes"]).success();
    let note = run(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(note.code, Some(0), "{note:?}");
    assert!(home.path("notes/mine.db").exists() && home.path("notes/mine.key").exists());
    run(&["uninstall", "--yes", "--purge"]).success();
    let left: Vec<_> = fs::read_dir(home.path("notes")).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// Where the data folder should lie is somebody's own, by a link or a variable.
#[test]
fn what_is_not_ours_is_not_erased() {
    let home = Home::new();
    home.write("Documents/thesis.txt", "mine");
    home.write("Documents/photos/1.jpg", "mine");
    home.write("Documents/vade.pdf", "mine");
    home.write(".local/share/x", "");
    let link = home.path(".local/share/vademecum");
    std::os::unix::fs::symlink(home.path("Documents"), link).expect("a link");
    let before = home.tree();
    home.vade(&["install", "--yes"]).success();
    let note = home.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert!(note.code == Some(0) && home.path("Documents/vade.db").exists(), "{note:?}");
    home.write("Documents/spool/1763700000000-s.jsonl", "{}");
    let said = home.vade(&["uninstall", "--yes", "--purge"]).success();
    assert!(said.contains("~/.local/share/vademecum/thesis.txt: stays: not vade's\n"), "{said}");
    assert_eq!(home.tree(), before);
}

/// A link that leads elsewhere is no sign that anything is kept there.
#[test]
fn nothing_is_erased_where_nothing_was_kept() {
    let home = Home::new();
    home.write("Documents/drafts/novel.txt", "mine");
    home.write("Documents/vade.pdf", "mine");
    home.write(".local/share/x", "");
    let link = home.path(".local/share/vademecum");
    std::os::unix::fs::symlink(home.path("Documents"), link).expect("a link");
    let before = home.tree();
    let said = home.vade(&["uninstall", "--yes", "--purge"]).success();
    assert!(!said.contains("Documents") && !said.contains("drafts"), "{said}");
    assert_eq!(home.tree(), before);
}

/// A store may bear another name where ours lies.
#[test]
fn a_store_of_another_name_goes_too() {
    let home = Home::with_program();
    let run = |words: &[&str]| {
        let mut command = home.command(&home.program());
        command.env("VADE_STORE", home.path(".local/share/vademecum/work.db"));
        home.said(&command.args(words).output().expect("a run"))
    };
    run(&["install", "--yes"]).success();
    let note = run(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(note.code, Some(0), "{note:?}");
    home.write(".local/share/vademecum/receipts.jsonl.0011223344556677.new", "");
    run(&["uninstall", "--yes", "--purge"]).success();
    assert!(!home.path(".local/share/vademecum").exists());
}

/// In a folder that is not ours, too: there the store alone goes.
#[test]
fn a_store_in_a_folder_below_goes_too() {
    let home = Home::with_program();
    let run = |words: &[&str]| {
        let mut command = home.command(&home.program());
        command.env("VADE_STORE", home.path(".local/share/vademecum/nest/n.db"));
        home.said(&command.args(words).output().expect("a run"))
    };
    home.write(".local/share/vademecum/nest/theirs.txt", "mine");
    let note = run(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(note.code, Some(0), "{note:?}");
    run(&["uninstall", "--yes", "--purge"]).success();
    let left = fs::read_dir(home.path(".local/share/vademecum/nest")).expect("a folder");
    let left: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["theirs.txt"]);
}

/// A store is named by a variable, and what it names may be anything.
#[test]
fn what_only_was_named_as_the_store_stays() {
    let home = Home::with_program();
    for name in ["thesis.txt", "thesis.key", "thesis.lock"] {
        home.write(name, "mine");
    }
    let mut command = home.command(&home.program());
    command.env("VADE_STORE", home.path("thesis.txt"));
    let said = home.said(&command.args(["uninstall", "--yes", "--purge"]).output().expect("a run"));
    assert!(!said.success().contains("thesis"));
    assert!(["thesis.txt", "thesis.key", "thesis.lock"].iter().all(|it| home.path(it).exists()));
}

#[test]
fn without_purge_the_notes_stay() {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    home.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    home.vade(&["uninstall", "--yes"]).success();
    let notes = home.vade(&["note", "list"]);
    assert!(notes.stdout.contains("the token is in the vault"), "{notes:?}");
}

#[test]
fn the_status_knows_that_it_was_taken_out() {
    let home = Home::with_program();
    let told = || {
        let said = home.vade(&["status"]).success();
        let first = said.lines().next().and_then(|line| line.split_once(", ")).expect("a state");
        let problem = said.lines().find(|line| line.starts_with("problem")).map(str::to_owned);
        (first.1.to_owned(), problem)
    };
    // Who never installed it works by hand.
    assert_eq!(told(), ("vade is on".to_owned(), None));
    for (words, problem) in [
        (["install", "claude-code", "--yes"], None),
        (["install", "codex", "--yes"], None),
        (["uninstall", "claude-code", "--yes"], None),
        (
            ["uninstall", "codex", "--yes"],
            Some("problem  vade was uninstalled: no harness starts it; vade install puts it back"),
        ),
        (["install", "codex", "--yes"], None),
    ] {
        home.vade(&words).success();
        let state = if problem.is_some() { "vade is uninstalled" } else { "vade is on" };
        assert_eq!(told(), (state.to_owned(), problem.map(str::to_owned)), "{words:?}");
    }
}

#[test]
fn the_files_of_plans_are_named_and_stay() {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    let plan = home.vade(&["plan", "init", "03-01"]);
    assert_eq!(plan.code, Some(0), "{plan:?}");
    for words in [&["uninstall", "--dry-run"][..], &["uninstall", "--yes", "--purge"]] {
        let said = home.vade(words).success();
        let line = "PROJECT/.planning/notepads: stays: it belongs to the project\n";
        assert!(said.contains(line), "{said}");
        assert!(!said.contains("stays: not vade's"), "{said}");
    }
    let files = home.path.parent().expect("the project").join(".planning/notepads/03-01");
    assert!(files.join("learnings.md").is_file());
}

/// What bears no name that we give is somebody else's, wherever it lies.
#[test]
fn names_that_only_begin_as_ours_stay() {
    let home = Home::with_program();
    let data = ".local/share/vademecum";
    let note = home.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(note.code, Some(0), "{note:?}");
    let theirs = [
        "vade.key.mine",
        "vade.db.old.sql",
        "backups/photos.tar",
        "backups/vade-photos.tar",
        "backups/2019/letter.txt",
        "spool/print-job.ps",
        "drafts/novel.txt",
    ];
    let ours = [
        "spool/1763700000000-s.jsonl",
        "owed/00112233445566778899aabbccddeeff.json",
        "handoffs/claude-code=s1.md",
        "drafts/claude-code=s1/.notepad-1.md.swp",
        "backups/vade-damaged-1.db",
        "receipts.jsonl.0011223344556677.new",
    ];
    for name in theirs.iter().chain(&ours) {
        home.write(&format!("{data}/{name}"), "mine");
    }
    let said = home.vade(&["uninstall", "--yes", "--purge"]).success();
    for name in theirs {
        assert_eq!(home.read(&format!("{data}/{name}")).as_deref(), Some("mine"), "{name}: {said}");
        let stays = format!("~/{data}/{name}: stays: not vade's\n");
        assert!(said.contains(&stays), "{stays}{said}");
    }
    for name in ours {
        assert_eq!(home.read(&format!("{data}/{name}")), None, "{name}: {said}");
    }
}

/// A store was named, and none was made there.
#[test]
fn a_key_beside_no_store_stays() {
    let home = Home::with_program();
    let data = ".local/share/vademecum";
    for (folder, name) in [("keys", "work"), (data, "work"), (data, "vade")] {
        let key = format!("{folder}/{name}.key");
        home.write(&key, [7; 32]);
        let run = |words: &[&str]| {
            let mut command = home.command(&home.program());
            command.env("VADE_STORE", home.path(&format!("{folder}/{name}.db")));
            home.said(&command.args(words).output().expect("a run"))
        };
        run(&["status"]);
        run(&["uninstall", "--yes", "--purge"]).success();
        assert!(home.path(&key).exists(), "{key}");
    }
}

#[test]
fn a_folder_of_empty_folders_goes() {
    let home = Home::with_program();
    for name in ["spool", "owed", "backups"] {
        fs::create_dir_all(home.path(&format!(".local/share/vademecum/{name}"))).expect("a folder");
    }
    home.vade(&["uninstall", "--yes", "--purge"]).success();
    assert!(!home.path(".local/share/vademecum").exists());
}
