//! What would be put in front of the model.

use serde_json::json;

use crate::desk::Desk;

#[test]
fn a_context_holds_page_and_notes_and_says_why() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "## Plan\n- [ ] step"}));
    desk.object("add_note", json!({"content": "keep the order", "tags": ["decision"]}));
    let context = desk.object("get_context", json!({"explain": true}));
    let text = context["context"].as_str().expect("text");
    assert!(text.contains("\n## Session Notepad\n## Plan\n- [ ] step\n"), "{text}");
    assert!(text.contains("keep the order"), "{text}");
    assert!(
        text.ends_with(&format!(
            "[vade receipt {}]",
            context["receipt"].as_str().expect("a receipt")
        )),
        "{text}"
    );
    assert_eq!(desk.object("get_context", json!({}))["context"], context["context"]);
}

#[test]
fn a_session_that_was_never_written_has_none() {
    assert_eq!(Desk::new().object("get_context", json!({})), json!({"context": "", "tokens": 0}));
}
