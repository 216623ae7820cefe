//! The cases of the scratchpad (C2), under its published design.

use serde_json::{Value, json};

use super::{Case, Surface};

const TEN: &str = "profile = 'seed2'\n[scratchpad]\nmaxTokens = 10";
const SEED2: &str = "profile = 'seed2'";

pub(super) const CASES: &[Case] = &[
    Case::new("C2.1", |on| {
        put(on, &"a".repeat(36), "replace");
        let refused = put(on, &"b".repeat(20), "append");
        let said = "Append would exceed 10 token budget (current: 9, append: 5). Use mode 'replace' to rewrite, or reduce content.";
        assert_eq!(refused["message"], said);
        assert_eq!((&refused["saved"], &refused["tokens"]), (&json!(false), &json!(9)));
        // Unchanged: four more characters still fit, with their line end.
        assert_eq!(put(on, "bbb", "append")["tokens"], 10);
    })
    .with(TEN),
    Case::new("C2.2", |on| {
        put(on, &"a".repeat(20), "replace");
        assert_eq!(put(on, &"b".repeat(20), "append")["saved"], false);
    })
    .with(TEN),
    Case::new("C2.3", |on| {
        let cut = put(on, &"字".repeat(100), "replace");
        let said = "Scratchpad truncated to 10 tokens (original: 25). Consider summarizing.";
        assert_eq!((&cut["message"], &cut["tokens"]), (&json!(said), &json!(10)));
    })
    .with(TEN),
    Case::new("C2.4", |on| {
        put(on, "a", "append");
        put(on, "b", "append");
        // Three characters: one line end between the two, none before.
        assert_eq!(put(on, "c", "append")["message"], "Scratchpad updated (2 tokens / 2000 budget)");
    })
    .with(SEED2),
    Case::new("C2.7, C2.8 and C2.9", |on| {
        for text in ["one", "two", "three"] {
            put(on, text, "replace");
        }
        on.kill();
        assert_eq!(put(on, "x", "append")["tokens"], 2, "three, a line end, x");
        put(on, "", "replace");
        on.kill();
        assert_eq!(put(on, "abcd", "append")["tokens"], 1, "nothing older has come back");
    })
    .with(SEED2),
    Case::new("C2.11", absent),
    Case::new("C2.11", absent).with("[scratchpad]\nenabled = false"),
    Case::new("C2.12", |on| {
        put(on, "plan", "replace");
        assert_eq!(on.object("read_notepad", json!({}))["content"], "plan");
    })
    .with("[scratchpad]\nmaxTokens = 10"),
    Case::new("an unknown mode is refused", |on| {
        let said = on.error("session_scratchpad", json!({"content": "x", "mode": "prepend"}));
        assert!(said.starts_with("usage: "), "{said}");
    })
    .with(SEED2),
];

#[track_caller]
fn put(on: &mut dyn Surface, content: &str, mode: &str) -> Value {
    on.object("session_scratchpad", json!({"content": content, "mode": mode}))
}

/// What a surface says of an operation that is not there is its own affair; that it refuses is not.
fn absent(on: &mut dyn Surface) {
    let answer = on.call("session_scratchpad", json!({"content": "x"}));
    assert!(answer.is_err(), "{answer:?}");
}
