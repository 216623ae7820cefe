//! Editing in an editor: what was typed is kept in the store, or in a file that the error names.

use std::fs;
use std::path::{Path, PathBuf};

use super::home::Home;

/// The texts of all drafts, each in the folder of its session.
fn drafts(home: &Home) -> Vec<String> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("an entry").path())
            .collect()
    };
    let files =
        below(&home.path("data/vademecum/drafts")).into_iter().flat_map(|folder| below(&folder));
    files.map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// A home whose editor is a shell script that gets the file as `$1`.
fn edited_by(script: &str) -> Home {
    Home::new().with("VISUAL", format!("sh -c '{script}' --"))
}

#[test]
fn a_page_is_opened_changed_and_written() {
    let home = edited_by("cat \"$1\" > seen; echo more >> \"$1\"");
    home.json(&["notepad", "edit"]);
    assert_eq!(home.page(), "more\n");
    home.json(&["notepad", "write", "no line end"]);
    assert_eq!(home.json(&["notepad", "edit"])["rev"], 3);
    assert_eq!(fs::read_to_string(home.path("demo/seen")).expect("text"), "no line end\n");
    assert_eq!(home.page(), "no line end\nmore");
    assert_eq!(drafts(&home), [""; 0]);
}

#[test]
fn the_file_is_nobody_elses() {
    let home = edited_by("stat -c %a \"$1\" \"$(dirname \"$1\")\" > modes");
    home.text(&["notepad", "edit"]);
    assert_eq!(fs::read_to_string(home.path("demo/modes")).expect("text"), "600\n700\n");
}

#[test]
fn nothing_is_written_without_a_change() {
    let home = edited_by("true");
    home.json(&["notepad", "write", "text"]);
    assert_eq!(home.text(&["notepad", "edit"]), "the notepad is unchanged\n");
    assert_eq!(home.json(&["status"])["notepad_rev"], 1);

    let home = edited_by("echo > \"$1\"");
    home.json(&["notepad", "write", "text"]);
    let error = "usage: the notepad was left empty: nothing was written";
    assert_eq!(home.error(&["notepad", "edit"]).lines().last(), Some(error));
    assert_eq!((home.page().as_str(), drafts(&home).len()), ("text", 0));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "an editor that nobody waits for writes late")]
fn what_was_typed_outlives_a_conflict_and_a_broken_editor() {
    let vade = env!("CARGO_BIN_EXE_vade");
    assert!(Path::new(vade).is_absolute());
    let home =
        edited_by(&format!("echo mine >> \"$1\"; \"{vade}\" notepad write theirs > log 2>&1"));
    let said = home.vade(&["notepad", "edit"]);
    assert_eq!((said.code, home.page().as_str()), (4, "theirs"));
    let err = home.steady(&said.err);
    assert!(
        err.contains(
            "hint: your text is in ~/data/vademecum/drafts/desk=PROJECT/notepad-UUID.md; "
        ),
        "{err}"
    );
    assert_eq!(drafts(&home), ["mine\n"]);

    let home = edited_by("echo mine >> \"$1\"; exit 3");
    let said = home.vade(&["notepad", "edit"]);
    assert_eq!((said.code, home.page().as_str()), (2, ""), "{}", said.err);
    assert_eq!(drafts(&home), ["mine\n"]);

    let home = edited_by("exit 3");
    assert_eq!(home.vade(&["notepad", "edit"]).code, 2);
    assert_eq!(drafts(&home), [""; 0]);

    // Of one that a signal ended something may still write: its file stays where it was.
    let home = edited_by("(sleep 0.3; echo late > \"$1\") & kill -HUP $$");
    let said = home.vade(&["notepad", "edit"]);
    assert!(said.code == 2 && said.err.contains("your text is in "), "{}", said.err);
    let begin = std::time::Instant::now();
    while drafts(&home) != ["late\n"] {
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{:?}", drafts(&home));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_note_is_edited_alike() {
    let home = edited_by("sed -i s/old/new/ \"$1\"");
    let id = home.add("old text", "t");
    assert_eq!(home.json(&["note", "edit", &id])["content"], "new text");
    assert_eq!(home.steady(&home.text(&["note", "edit", &id])), "note_ID is unchanged\n");
    assert_eq!(
        home.error(&["note", "edit", "note_1"]),
        "missing: no note \"note_1\" in this session"
    );

    let vade = env!("CARGO_BIN_EXE_vade");
    let home = Home::new();
    let id = home.add("old", "t");
    let home = home.with(
        "VISUAL",
        format!("sh -c 'echo mine > \"$1\"; \"{vade}\" note update {id} theirs >log 2>&1' --"),
    );
    assert_eq!(home.error(&["note", "edit", &id]), format!("conflict: {id} was changed meanwhile"));
    assert_eq!(drafts(&home), ["mine\n"]);
}

#[test]
fn what_is_forgotten_has_no_draft_left() {
    for what in ["session", "project"] {
        let home = edited_by("echo mine >> \"$1\"; exit 3");
        assert_eq!(home.vade(&["notepad", "edit"]).code, 2);
        assert_eq!(drafts(&home), ["mine\n"]);
        home.text(&["forget", what, "--yes"]);
        assert_eq!(drafts(&home), [""; 0], "{what}");
    }
    let home = edited_by("echo mine > \"$1\"; exit 3");
    let (id, other) = (home.add("old", "t"), home.add("other", "t"));
    assert_eq!(home.vade(&["note", "edit", &id]).code, 2);
    assert_eq!(home.vade(&["note", "edit", &other]).code, 2);
    home.text(&["forget", "note", &id, "--yes"]);
    assert_eq!(drafts(&home), ["mine\n"], "the draft of the other note stays");
    home.text(&["forget", "note", &other, "--yes"]);
    assert_eq!(drafts(&home), [""; 0]);
}
