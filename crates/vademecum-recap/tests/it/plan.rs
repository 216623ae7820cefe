//! What is open and what is done, however a harness tells it.

use vademecum_core::turn::{Action, Item, Progress, Turn};
use vademecum_recap::Part;

use crate::turns::{called, digest, planned};
use Progress::{Active, Done, Dropped, Pending};

/// One item made or changed by a call of its own.
fn changed((id, text, state): &(&str, &str, Progress)) -> Turn {
    let item = Item { id: (*id).to_owned(), text: (*text).to_owned(), state: *state };
    called("plan", Action::Planned { items: vec![item], is_whole: false }, "")
}

#[track_caller]
fn check(turns: &[Turn], open: &[&str], done: &[&str]) {
    let recap = digest(turns).recap(1_000);
    let lines = |parts: &[Part]| -> Vec<&str> {
        let sections = recap.sections.iter().filter(|section| parts.contains(&section.part));
        sections.flat_map(|section| &section.lines).map(String::as_str).collect()
    };
    let done = Some(format!("By the to-do list: {}", done.join("; "))).filter(|_| !done.is_empty());
    let done: Vec<&str> = done.as_deref().into_iter().collect();
    assert_eq!((lines(&[Part::Now, Part::Next]), lines(&[Part::Done])), (open.into(), done));
}

#[track_caller]
fn check_changes(changes: &[(&str, &str, Progress)], open: &[&str], done: &[&str]) {
    check(&changes.iter().map(changed).collect::<Vec<_>>(), open, done);
}

#[test]
fn an_item_gets_its_id_with_its_first_change() {
    check_changes(
        &[
            ("", "write it", Pending),
            ("", "test it", Pending),
            ("1", "write it", Active),
            ("1", "write it", Done),
            ("2", "", Active),
            ("2", "test it", Active),
        ],
        &["Doing: test it"],
        &["write it"],
    );
}

#[test]
fn an_item_made_again_is_open_once_and_done_in_the_end() {
    let again = [
        ("", "test it", Pending),
        ("1", "test it", Done),
        ("", "test it", Pending),
        ("2", "test it", Done),
    ];
    check_changes(&again[..3], &["test it"], &[]);
    check_changes(&again, &[], &["test it", "test it"]);
}

#[test]
fn an_item_may_change_its_words_and_be_dropped() {
    check_changes(
        &[("1", "write it", Pending), ("1", "write it well", Active), ("2", "rest", Pending)],
        &["Doing: write it well", "rest"],
        &[],
    );
    check_changes(&[("1", "write it", Pending), ("1", "", Dropped)], &[], &[]);
}

#[test]
fn a_new_list_takes_the_place_of_the_old() {
    let lists = [
        planned(&[("write it", Done), ("test it", Pending)]),
        planned(&[("test it", Done), ("ship it", Pending)]),
    ];
    check(&lists, &["ship it"], &["test it"]);
}

#[test]
fn nothing_is_open_and_done_at_once() {
    check(&[planned(&[("test it", Done), ("test it", Pending)])], &["test it"], &[]);
}
