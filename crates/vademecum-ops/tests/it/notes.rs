//! The notes' operations: conformance cases of group C1.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::desk::Desk;

#[test]
fn ids_rise_when_the_clock_goes_back() {
    let desk = Desk::new();
    let add = || {
        let note = desk.object("add_note", json!({"content": "text", "tags": ["a"]}));
        note["id"].as_str().expect("an id").to_owned()
    };
    let first = add();
    desk.clock.fetch_sub(3_600_000, Ordering::SeqCst);
    assert_eq!((first.as_str(), add().as_str()), ("note_1763700000000", "note_1763700000001"));
}

#[test]
fn nothing_is_kept_of_a_note_that_is_too_long() {
    let desk = Desk::new();
    let add = |content: String| desk.error("add_note", json!({"content": content, "tags": ["a"]}));
    assert_eq!(add("😀".repeat(801)), "usage: a note takes at most 800 characters, 801 given");
    assert_eq!(add(" ".to_owned()), "usage: a note needs content, none given");
    assert!(!desk.folder().join("data").exists());
}
