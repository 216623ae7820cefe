//! The notepad as it is typed; what it does is in the shared cases.

use super::home::Home;

const UPDATE: [&str; 2] = ["notepad", "update"];

#[track_caller]
fn write(home: &Home, text: &str) {
    home.json(&["notepad", "write", text]);
}

/// Writes `before`, updates with `words`, and looks at the page.
#[track_caller]
fn check(before: &str, words: &[&str], after: &str) {
    let home = Home::new();
    write(&home, before);
    home.json(&[&UPDATE, words].concat());
    assert_eq!(home.page(), after, "{words:?}");
}

/// Writes `before`, updates with `words` in vain, and looks at the page.
#[track_caller]
fn refuses(before: &str, words: &[&str], error: &str) {
    let home = Home::new();
    write(&home, before);
    assert_eq!(home.error(&[&UPDATE, words].concat()), error, "{words:?}");
    assert_eq!(home.page(), before, "{words:?}");
}

#[test]
fn a_new_session_has_an_empty_page() {
    let home = Home::new();
    assert_eq!(home.vade(&["notepad", "show", "--json"]).out, "{\"content\":\"\"}\n");
    assert_eq!(home.text(&["notepad", "show"]), "");
    assert!(!home.path("data").exists(), "reading makes no file");
}

#[test]
fn each_edit_does_what_it_says() {
    let home = Home::new();
    write(&home, "A");
    assert_eq!(home.page(), "A");

    check("A", &["append", "B"], "A\nB");
    check("AB", &["prepend", "C"], "CAB");
    check("x x", &["find_replace", "--find", "x", "--replace", "y"], "y x");
    check("x x", &["find_replace", "--find", "x", "--replace", "y", "--replace-all"], "y y");
    check("x x", &["find_replace", "--find=x", "--replace=y", "--replace-all=false"], "y x");
    check("a", &["find_replace", "--find", "a", "--replace", "$& $1 $$\n😀"], "$& $1 $$\n😀");
    check("- a", &["find_replace", "--find", "- a", "--replace", "- [ ] a"], "- [ ] a");
    check("A\n", &["append", "- b"], "A\n- b");
    check("A", &["append", "--", "--b"], "A\n--b");
}

#[test]
fn an_impossible_edit_changes_nothing() {
    let absent = "missing: text to find is not in the notepad";
    refuses("text", &["find_replace", "--find", "z", "--replace", "y"], absent);
    check("xx", &["delete", "x"], "x");
    refuses("text", &["delete", "z"], "missing: text to delete is not in the notepad");
    refuses("text", &["append", ""], "usage: append needs content, none given");
    refuses("text", &["append"], "usage: append needs content, none given");
    let unknown = "usage: unknown operation \"x\": use find_replace, append, prepend or delete";
    refuses("text", &["x", "y"], unknown);
}

#[test]
fn an_ended_session_is_readable() {
    let home = Home::new().with("VADE_SESSION_ID", "test:one");
    write(&home, "kept");
    home.text(&["session", "archive"]);
    assert_eq!(home.page(), "kept");
    assert_eq!(home.json(&["session", "show", "test:one"])["notepad"], "kept");
}

#[test]
fn text_comes_from_standard_input() {
    let home = Home::new();
    let read = |input: &str, words: &[&str]| home.vade_reading(input, words);
    for (input, words, page) in [
        ("A\n", &["notepad", "write"][..], "A\n"),
        ("B", &["notepad", "update", "append"], "A\nB"),
        ("C", &["notepad", "write", "-"], "C"),
        // What is given says all: standard input is left to others.
        ("ignored", &["notepad", "update", "find_replace", "--find", "C", "--replace", "D"], "D"),
        ("", &["notepad", "write", "-"], ""),
    ] {
        let said = read(input, words);
        assert_eq!((said.code, home.page().as_str()), (0, page), "{words:?} {}", said.err);
    }
    home.json(&["notepad", "write", "kept"]);
    assert_eq!(home.error(&["notepad", "write"]), "usage: notepad write needs CONTENT, none given");
    assert_eq!(home.page(), "kept");
}

#[test]
fn what_was_written_can_be_had_again() {
    let home = Home::new();
    write(&home, "one");
    write(&home, "two");
    assert_eq!(home.text(&["notepad", "history", "1"]), "one");
    home.json(&["notepad", "restore", "1"]);
    assert_eq!(home.page(), "one");
}

#[test]
fn a_named_write_is_made_once() {
    let home = Home::new();
    let append = |text| ["--write-id", "call-1", "notepad", "update", "append", text];
    let first = home.json(&append("A"));
    assert_eq!(home.json(&append("A")), first);
    assert_eq!(home.page(), "A");
    let other = home.error(&append("B"));
    assert_eq!(other, "conflict: write id \"call-1\" was used before with other arguments");
}
