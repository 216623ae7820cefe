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

fn add(desk: &Desk, content: &str, tags: &[&str]) -> String {
    desk.clock.fetch_add(1, Ordering::SeqCst);
    let note = desk.object("add_note", json!({"content": content, "tags": tags}));
    note["id"].as_str().expect("an id").to_owned()
}

fn contents(reply: &serde_json::Value) -> Vec<&str> {
    let notes = reply["notes"].as_array().expect("notes");
    notes.iter().map(|note| note["content"].as_str().expect("text")).collect()
}

#[test]
fn lists_are_newest_first_and_short() {
    let desk = Desk::new();
    for n in 0..12 {
        add(&desk, &format!("note {n}"), &["a"]);
    }
    for limit in [json!({}), json!({"limit": 0}), json!({"limit": -1})] {
        let reply = desk.object("list_notes", limit);
        assert_eq!((contents(&reply).len(), contents(&reply)[0]), (10, "note 11"));
    }
    assert_eq!(contents(&desk.object("search_notes", json!({}))).len(), 12);
}

#[test]
fn scratching_hides_from_lists_and_not_from_search() {
    let desk = Desk::new();
    let (id, _) = (add(&desk, "first", &["b", "a"]), add(&desk, "second", &["a"]));
    desk.clock.fetch_add(5, Ordering::SeqCst);
    let was = desk.object("search_notes", json!({"query": "first"}))["notes"][0].clone();
    let now = desk.object("scratch_note", json!({"id": id, "scratched": true}));
    assert_eq!((&now["updated_at"], &now["scratched"]), (&was["updated_at"], &json!(true)));
    assert_eq!(contents(&desk.object("list_notes", json!({}))), ["second"]);
    assert_eq!(contents(&desk.object("search_notes", json!({"query": "FIRST"}))), ["first"]);
    let tags = desk.object("list_tags", json!({}));
    assert_eq!(tags, json!({"tags": [{"tag": "a", "count": 2}, {"tag": "b", "count": 1}]}));
    let back = desk.object("scratch_note", json!({"id": id, "scratched": false}));
    assert_eq!(
        (&back["updated_at"], &back["scratched"], &back["open"]),
        (&was["updated_at"], &json!(false), &json!(2))
    );
}

#[test]
fn wrong_calls_are_refused_in_words() {
    let desk = Desk::new();
    let id = add(&desk, "text", &["a"]);
    for (name, arguments, error) in [
        (
            "update_note",
            json!({"id": id}),
            "usage: update_note needs content or tags, neither given",
        ),
        (
            "update_note",
            json!({"id": id, "content": ""}),
            "usage: a note needs content, none given",
        ),
        (
            "update_note",
            json!({"id": "note_1", "content": "x"}),
            "missing: no note \"note_1\" in this session",
        ),
        ("delete_note", json!({"id": "x"}), "missing: no note \"x\" in this session"),
        ("scratch_note", json!({"id": id}), "usage: scratch_note needs scratched, true or false"),
        (
            "add_note",
            json!({"content": "x", "tags": []}),
            "usage: a note takes 1 to 5 tags, 0 given",
        ),
        ("add_note", json!({"content": "x", "tags": ["a", " "]}), "usage: tag 2 is blank"),
    ] {
        assert_eq!(desk.error(name, arguments), error);
    }
    desk.object("delete_note", json!({"id": id}));
    let gone = desk.error("update_note", json!({"id": id, "content": "x"}));
    assert_eq!(gone, format!("missing: no note \"{id}\" in this session"));
}

#[test]
fn another_session_sees_nothing() {
    let mut desk = Desk::new();
    add(&desk, "mine", &["a"]);
    desk.session = Some("test:session-2".to_owned());
    assert_eq!(desk.object("list_notes", json!({})), json!({"notes": [], "total": 0}));
    add(&desk, "yours", &["a"]);
    desk.session = Some("test:session-1".to_owned());
    assert_eq!(contents(&desk.object("list_notes", json!({}))), ["mine"]);
}
