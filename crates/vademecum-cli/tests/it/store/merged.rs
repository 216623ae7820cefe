//! A copy into a store that has something: what is there stays, and what is alike in name alone is said.

use vademecum::core::id::NoteId;
use vademecum::port::{Change, Scope};

use super::scene::{Scene, key, note};

/// Both stores have the same session, which went on in each.
fn parted() -> Scene {
    let scene = Scene::small();
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    for (store, word) in [("one.db", "one"), ("two.db", "two")] {
        let of = |words: &[&str]| scene.of_store(store, "a", "s-a-1", words);
        of(&["notepad", "write", &format!("page of {word}")]);
        of(&["notepad", "update", "prepend", &format!("more of {word}\n")]);
        of(&["handoff", "write", &format!("words of {word}")]);
        let add = Change::AddNote { session: key("s-a-1"), note: note(7, word, &["x"]) };
        scene.write(store, Scope::Session(key("s-a-1")), &format!("seven-{word}"), &[add]);
    }
    scene
}

#[test]
fn of_two_pages_both_are_kept_and_a_note_gets_the_next_free_id() {
    let scene = parted();
    let of = |words: &[&str]| scene.of_store("two.db", "a", "s-a-1", words);
    let history = |store: &str| scene.of_store(store, "a", "s-a-1", &["notepad", "history"]);
    let theirs = history("two.db");
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    insta::assert_snapshot!(said, @r"
    copied ~/one.db into ~/two.db: 1 page, 1 note, 1 handoff, 4 journal writes
    - note_7 of session claude-code:s-a-1 is another one there: it is kept as note_8
    - session claude-code:s-a-1 has other words for the next one there: they stay, and those that were copied stand in its journal
    - session claude-code:s-a-1 has another page there: it stays, and the one that was copied stands before it in vade notepad history
    ");
    assert_eq!(of(&["notepad", "show"]), "more of two\npage of two");
    let lines = history("two.db");
    let firsts: Vec<&str> =
        lines.lines().map(|line| line.rsplit("characters  ").next().unwrap_or(line)).collect();
    assert_eq!(
        firsts,
        ["more of two", "more of one", "page of one", "more of two", "page of two", "first page"],
        "{lines} {theirs}"
    );
    for (rev, text) in [("5", "more of one"), ("2", "page of two"), ("1", "first page")] {
        of(&["notepad", "restore", rev]);
        assert_eq!(of(&["notepad", "show"]).lines().next(), Some(text));
    }
    let notes = scene.read("two.db", |view| view.notes_after(&key("s-a-1"), None, 0));
    let texts: Vec<_> = notes.iter().map(|it| (it.id, it.content.as_str())).collect();
    assert_eq!(texts[..2], [(NoteId(7), "two"), (NoteId(8), "one")]);
    let said = of(&["note", "history", "note_8"]);
    assert!(said.contains("one") && !said.contains("two"), "{said}");
    assert_eq!(
        scene.read("two.db", |view| view.handoff(&key("s-a-1"))).expect("words").text,
        "words of two"
    );
    scene.sound("two.db");
    let at = scene.seq("two.db");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert_eq!(scene.seq("two.db"), at, "twice is not once");
}

#[test]
fn what_only_one_of_two_changed_is_taken_over() {
    let scene = Scene::small();
    let first = scene.add("s-a-1", "changed later");
    let second = scene.add("s-a-1", "deleted later");
    let third = scene.add("s-a-1", "changed there");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.of("a", "s-a-1", &["note", "update", &first, "changed now"]);
    scene.of("a", "s-a-1", &["note", "delete", &second]);
    scene.of("a", "s-a-1", &["notepad", "update", "append", ", more"]);
    scene.of("a", "s-a-1", &["handoff", "write", "new words"]);
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.same("one.db", "two.db");
    let there = |words: &[&str]| scene.of_store("two.db", "a", "s-a-1", words);
    there(&["note", "update", &third, "another text there"]);
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert!(said.ends_with("nothing was copied\n"), "{said}");
    let notes = there(&["note", "list"]);
    assert!(notes.contains("another text there") && notes.contains("changed now"), "{notes}");
    let said = scene.vade(&["store", "check", "one.db", "two.db"]);
    assert_eq!(said.code, Some(1));
    insta::assert_snapshot!(said.stdout.replace(&third, "NOTE"), @r"
    ~/one.db and ~/two.db: 2 differences
    - NOTE of session claude-code:s-a-1 differs
    - the journal of session:claude-code:s-a-1 differs: 9 and 10 writes
    ");
    // And back: what only the copy has goes home, and then both are the same.
    scene.vade(&["store", "copy", "two.db", "one.db"]).success();
    scene.same("one.db", "two.db");
}

#[test]
fn a_folder_that_belongs_to_another_project_is_said_and_both_are_kept() {
    let scene = Scene::small();
    scene.of_store("two.db", "a", "s-z-1", &["note", "add", "of another store", "-t", "x"]);
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert!(said.contains("both are kept") && said.contains("vade project join"), "{said}");
    assert_eq!(scene.read("two.db", |view| Ok(view.projects(None)?.len())), 2);
    // One that only looked gives its folder away.
    let scene = Scene::small();
    scene.of_store("three.db", "a", "s-z-1", &["session", "new"]);
    let said = scene.vade(&["store", "copy", "one.db", "three.db"]).success();
    assert!(said.contains("was empty there"), "{said}");
    let notes = scene.of_store("three.db", "a", "s-a-1", &["note", "list"]);
    assert!(notes.contains("a small fact"), "{notes}");
    let here = scene.of_store(
        "three.db",
        "a",
        "s-new",
        &["note", "add", "in the same project", "-t", "x", "--json"],
    );
    assert!(here.contains("note_"), "{here}");
    let of =
        |key| scene.read("three.db", |view| Ok(view.session(&key)?.expect("a session").project));
    assert_eq!(of(key("s-new")), of(key("s-a-1")));
    // And one that only looked is left out where the folder has a project.
    scene.of_store("four.db", "a", "s-z-1", &["session", "new"]);
    let said = scene.vade(&["store", "copy", "four.db", "one.db"]).success();
    assert!(said.contains("it was left out"), "{said}");
    assert_eq!(scene.read("one.db", |view| Ok(view.projects(None)?.len())), 1);
}

/// A host that names its sessions itself may give a name in two projects.
#[test]
fn a_session_of_another_project_with_the_same_name_is_left_out() {
    let scene = Scene::small();
    scene.of_store("two.db", "b", "s-a-1", &["note", "add", "a fact of b", "-t", "fact"]);
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    insta::assert_snapshot!(said, @r"
    copied ~/one.db into ~/two.db: 1 project
    - session claude-code:s-a-1 is another one there, of another project: it is left out
    ");
    let there = |words: &[&str]| scene.of_store("two.db", "b", "s-a-1", words);
    let notes = there(&["note", "list"]);
    assert!(notes.contains("a fact of b") && !notes.contains("a small fact"), "{notes}");
    assert_eq!(there(&["notepad", "show"]), "");
    scene.sound("two.db");
    let at = scene.seq("two.db");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert_eq!(scene.seq("two.db"), at, "twice is not once");
}

#[test]
fn what_an_import_brought_alike_is_not_told_as_another() {
    let scene = Scene::small();
    let of = |store: &str, words: &[&str]| scene.of_store(store, "a", "s-a-1", words);
    of("one.db", &["handoff", "write", "go on"]);
    let file = scene.home.path("all.json").display().to_string();
    of("one.db", &["export", "--all", "-o", &file]);
    of("two.db", &["import", &file]);
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert!(!said.contains(" has another page") && !said.contains(" has other words"), "{said}");
    let notes = of("two.db", &["note", "list", "--json"]);
    assert_eq!(notes.matches("a small fact").count(), 1, "{notes}");
    assert_eq!(of("two.db", &["notepad", "show"]), "first page");
    scene.sound("two.db");
}
