//! What is said where nothing is there, or nothing is done: it is so, and it makes nothing.

use serde_json::{Value, json};

use crate::desk::Desk;

/// What the operation answers, be it an error with its hint.
fn said(desk: &Desk, name: &str, arguments: Value) -> String {
    match desk.call(name, arguments) {
        Ok(reply) => reply.text,
        Err(error) => format!("{}: {}", error.message, error.hint.unwrap_or_default()),
    }
}

#[test]
fn where_nothing_is_there_it_is_said_and_nothing_is_made() {
    let desk = Desk::new();
    for (name, arguments, expected) in [
        ("notepad_history", json!({}), "the notepad was never written"),
        ("show_session", json!({}), "nothing was written in it yet"),
        ("forget", json!({"what": "session", "yes": true}), "nothing is kept for this session"),
        ("forget", json!({"what": "project", "yes": true}), "nothing is kept for this project"),
        ("prune", json!({"older": "7d"}), "nothing is that old"),
        ("new_session", json!({"harness": "desk"}), "is kept for a project's own session"),
        ("get_context", json!({}), "nothing to show yet"),
        ("check_plan", json!({}), "nothing is wrong"),
    ] {
        let said = said(&desk, name, arguments);
        assert!(said.contains(expected), "{name}: {said}");
    }
    assert_eq!(desk.object("list_sessions", json!({}))["sessions"], json!([]));
}
