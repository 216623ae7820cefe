//! The cases of the notes (C1).

use serde_json::{Value, json};

use super::{Case, Surface};

pub(super) const CASES: &[Case] = &[
    Case::new("C1.1", |on| {
        for text in ["a".repeat(800), "字".repeat(800), "🦀".repeat(800)] {
            let note = on.object("add_note", json!({"content": text, "tags": ["t"]}));
            assert_eq!(note["content"], text);
        }
    }),
    Case::new("C1.2", |on| {
        let long = json!({"content": "a".repeat(801), "tags": ["t"]});
        let said = "usage: a note takes at most 800 characters, 801 given";
        assert_eq!(on.error("add_note", long), said);
        assert_eq!(listed(on, json!({})), [""; 0]);
    }),
    Case::new("C1.3", |on| {
        let mut said = |tags: Value| on.error("add_note", json!({"content": "x", "tags": tags}));
        assert_eq!(said(json!([])), "usage: a note takes 1 to 5 tags, 0 given");
        let six = json!(["a", "b", "c", "d", "e", "f"]);
        assert_eq!(said(six), "usage: a note takes 1 to 5 tags, 6 given");
        assert_eq!(said(json!(["a", " "])), "usage: tag 2 is blank");
        let bad = "usage: tag 1 holds a comma, line break or control character";
        assert_eq!(said(json!(["a,b"])), bad);
        assert_eq!(listed(on, json!({})), [""; 0]);
    })
    // Ours takes a note without any, and no command line can tell an empty list from none.
    .with("profile = 'seed1'"),
    Case::new("C1.4", |on| {
        let note = on.object("add_note", json!({"content": "x", "tags": [" Auth ", "auth"]}));
        assert_eq!(note["tags"], json!(["auth"]));
        let tags = json!(["a", "b", "c", "d", "e", "A"]);
        let note = on.object("add_note", json!({"content": "x", "tags": tags}));
        assert_eq!(note["tags"], json!(["a", "b", "c", "d", "e"]));
    }),
    Case::new("C1.5", |on| {
        let id = add(on, "x", &["t"]);
        let digits = id.strip_prefix("note_").unwrap_or_default();
        assert!(!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()), "{id}");
    }),
    Case::new("C1.7", finds_by_words_and_tags),
    Case::new("C1.7", finds_by_words_and_tags).with("profile = 'seed1'"),
    Case::new("C1.8", |on| {
        let id = add(on, "done", &["t"]);
        on.object("scratch_note", json!({"id": id, "scratched": true}));
        assert_eq!(found(on, json!({"query": "done"})), ["done"]);
        assert_eq!(found(on, json!({"query": "done", "include_scratched": false})), [""; 0]);
        assert_eq!(listed(on, json!({})), [""; 0]);
        assert_eq!(listed(on, json!({"include_scratched": true})), ["done"]);
    }),
    Case::new("C1.9", |on| {
        let id = add(on, "x", &["t"]);
        let before = on.object("list_notes", json!({}))["notes"].take();
        let scratched = on.object("scratch_note", json!({"id": id, "scratched": true}));
        assert_eq!(scratched["scratched"], true);
        assert_eq!(scratched["updated_at"], before[0]["updated_at"]);
        on.object("scratch_note", json!({"id": id, "scratched": false}));
        assert_eq!(on.object("list_notes", json!({}))["notes"], before);
        let said = on.error("scratch_note", json!({ "id": id }));
        assert_eq!(said, "usage: scratch_note needs scratched, true or false");
    }),
    Case::new("C1.10", |on| {
        let before = on.object("add_note", json!({"content": "x", "tags": ["b", "a"]}));
        let after = on.object("update_note", json!({"id": before["id"], "content": "y"}));
        assert_eq!(after["content"], "y");
        assert_eq!(
            (&after["tags"], &after["created_at"]),
            (&before["tags"], &before["created_at"])
        );
    }),
    Case::new("C1.11 and C1.12", |on| {
        let id = add(on, "x", &["t"]);
        let said = on.error("update_note", json!({ "id": id }));
        assert_eq!(said, "usage: update_note needs content or tags, neither given");
        for empty in ["", " \n"] {
            let said = on.error("update_note", json!({"id": id, "content": empty}));
            assert_eq!(said, "usage: a note needs content, none given");
        }
        assert_eq!(listed(on, json!({})), ["x"]);
    }),
    Case::new("C1.13", |on| {
        let said = "missing: no note \"note_1\" in this session";
        assert_eq!(on.error("update_note", json!({"id": "note_1", "content": "x"})), said);
        assert_eq!(on.error("delete_note", json!({"id": "note_1"})), said);
        assert_eq!(on.error("scratch_note", json!({"id": "note_1", "scratched": true})), said);
    }),
    Case::new("C1.14", |on| {
        (0..12).for_each(|n| drop(add(on, &format!("{n}"), &["t"])));
        let newest: Vec<String> = (2..12).rev().map(|n| n.to_string()).collect();
        for limit in [json!({}), json!({"limit": 0}), json!({"limit": -1})] {
            assert_eq!(listed(on, limit), newest);
        }
        assert_eq!(listed(on, json!({"limit": 2})), ["11", "10"]);
    }),
    Case::new("C1.15", |on| {
        add(on, "1", &["b", "a"]);
        let id = add(on, "2", &["c", "b"]);
        on.object("scratch_note", json!({"id": id, "scratched": true}));
        let of =
            |tag: &str, count: u32, open: u32| json!({"tag": tag, "count": count, "open": open});
        let tags = on.object("list_tags", json!({}))["tags"].take();
        assert_eq!(tags, json!([of("b", 2, 1), of("a", 1, 1), of("c", 1, 0)]));
    }),
    Case::new("C1.16", |on| {
        let id = add(on, "x", &["t"]);
        on.object("delete_note", json!({ "id": id }));
        let said = on.error("update_note", json!({"id": id, "content": "y"}));
        assert_eq!(said, format!("missing: no note \"{id}\" in this session"));
    }),
    Case::new("C1.17 and C1.18", |on| {
        add(on, "x", &["t"]);
        on.enter("another-1");
        assert_eq!(listed(on, json!({})), [""; 0]);
        assert_eq!(found(on, json!({"query": "x"})), [""; 0]);
        on.enter("session-1");
        on.kill();
        assert_eq!(listed(on, json!({})), ["x"]);
    }),
    Case::new("C1.19", |on| {
        (0..25).for_each(|n| drop(add(on, &format!("needle {n}"), &["t"])));
        assert_eq!(found(on, json!({"query": "needle"})).len(), 25);
    })
    .with("profile = 'seed1'"),
    Case::new("C7.6", |on| {
        let id = add(on, "x", &["t"]);
        let state = |on: &mut dyn Surface| {
            let listed = on.object("list_notes", json!({"include_scratched": true}));
            (listed, on.object("list_tags", json!({})), on.context())
        };
        let before = state(on);
        for (operation, arguments) in [
            ("add_note", json!({"content": "", "tags": ["t"]})),
            ("add_note", json!({"content": "y", "tags": ["a", "b", "c", "d", "e", "f"]})),
            ("update_note", json!({"id": id, "content": "y".repeat(801)})),
            ("update_note", json!({"id": id, "content": "y", "tags": ["a,b"]})),
            ("scratch_note", json!({ "id": id })),
            ("delete_note", json!({"id": "note_1"})),
        ] {
            on.error(operation, arguments);
            assert_eq!(state(on), before, "{operation}");
        }
    }),
    Case::new("a search shows 20 and says of how many", |on| {
        (0..25).for_each(|n| drop(add(on, &format!("needle {n}"), &["t"])));
        let shown = on.object("search_notes", json!({"query": "needle"}));
        assert_eq!(shown["notes"].as_array().map(Vec::len), Some(20));
        assert_eq!(shown["matched"], 25);
        assert_eq!(found(on, json!({"query": "needle", "limit": 0})).len(), 25);
    }),
];

fn finds_by_words_and_tags(on: &mut dyn Surface) {
    add(on, "Login TOKENS expire", &["auth", "bug"]);
    add(on, "Tokens are opaque", &["auth"]);
    add(on, "Rate limits", &["api"]);
    let mut sorted = |arguments: Value| {
        let mut found = found(on, arguments);
        found.sort();
        found
    };
    let (login, opaque) = ("Login TOKENS expire", "Tokens are opaque");
    assert_eq!(sorted(json!({"query": "tokens"})), [login, opaque]);
    assert_eq!(sorted(json!({"tags": ["bug", "auth"]})), [login]);
    assert_eq!(sorted(json!({"query": "TOKENS", "tags": ["auth"]})), [login, opaque]);
    assert_eq!(sorted(json!({"query": "tokens", "tags": ["api"]})), [""; 0]);
    assert_eq!(sorted(json!({})), [login, "Rate limits", opaque]);
}

/// Adds a note and gives its id.
#[track_caller]
fn add(on: &mut dyn Surface, content: &str, tags: &[&str]) -> String {
    let note = on.object("add_note", json!({"content": content, "tags": tags}));
    note["id"].as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn listed(on: &mut dyn Surface, arguments: Value) -> Vec<String> {
    contents(&on.object("list_notes", arguments))
}

#[track_caller]
fn found(on: &mut dyn Surface, arguments: Value) -> Vec<String> {
    contents(&on.object("search_notes", arguments))
}

fn contents(answer: &Value) -> Vec<String> {
    let notes = answer["notes"].as_array().cloned().unwrap_or_default();
    notes.iter().filter_map(|note| note["content"].as_str()).map(str::to_owned).collect()
}
