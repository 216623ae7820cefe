//! The notepad's operations: conformance cases C0.1 to C0.12, C0.22 to C0.25.

use serde_json::{Value, json};

use crate::desk::Desk;

fn content(desk: &Desk) -> String {
    desk.object("read_notepad", json!({}))["content"].as_str().expect("text").to_owned()
}

fn update(operation: &str, more: &Value) -> Value {
    let mut arguments = json!({"operation": operation});
    let object = arguments.as_object_mut().expect("an object");
    object.extend(more.as_object().expect("an object").clone());
    arguments
}

#[test]
fn a_new_session_has_an_empty_page() {
    assert_eq!(Desk::new().object("read_notepad", json!({})), json!({"content": ""}));
}

#[test]
fn each_edit_does_what_it_says() {
    for (before, operation, more, after) in [
        ("A", "append", json!({"content": "B"}), "AB"),
        ("AB", "prepend", json!({"content": "C"}), "CAB"),
        ("x x", "find_replace", json!({"find": "x", "replace": "y"}), "y x"),
        ("x x", "find_replace", json!({"find": "x", "replace": "y", "replace_all": true}), "y y"),
        ("a", "find_replace", json!({"find": "a", "replace": "$& $1 $$\n😀"}), "$& $1 $$\n😀"),
        ("xx", "delete", json!({"content": "x"}), "x"),
        ("ab", "find_replace", json!({"find": "b", "replace": ""}), "a"),
    ] {
        let desk = Desk::new();
        desk.object("write_notepad", json!({"content": before}));
        desk.object("update_notepad", update(operation, &more));
        assert_eq!(content(&desk), after, "{operation}");
    }
}

#[test]
fn an_impossible_edit_changes_nothing() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "text"}));
    for (operation, more, error) in [
        (
            "find_replace",
            json!({"find": "z", "replace": "y"}),
            "missing: text to find is not in the notepad",
        ),
        ("delete", json!({"content": "z"}), "missing: text to delete is not in the notepad"),
        ("append", json!({"content": ""}), "usage: append needs content, none given"),
        (
            "find_replace",
            json!({"find": "t"}),
            "usage: find_replace needs find and replace, replace not given",
        ),
        (
            "find_replace",
            json!({"replace": "t"}),
            "usage: find_replace needs find and replace, find not given",
        ),
        (
            "x",
            json!({}),
            "usage: unknown operation \"x\": use find_replace, append, prepend or delete",
        ),
    ] {
        assert_eq!(desk.error("update_notepad", update(operation, &more)), error);
        assert_eq!(content(&desk), "text");
    }
}

#[test]
fn an_old_rev_is_a_conflict() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "one"}));
    desk.object("write_notepad", json!({"content": "two", "if_rev": 1}));
    let error = desk.error("write_notepad", json!({"content": "three", "if_rev": 1}));
    assert_eq!(error, "conflict: the notepad is at rev 2, if_rev 1 given");
    assert_eq!(content(&desk), "two");
}

#[test]
fn a_page_of_five_megabytes_is_kept_whole() {
    let desk = Desk::new();
    let text = "漢字 and words\n".repeat(300_000);
    desk.object("write_notepad", json!({"content": text}));
    desk.object("update_notepad", json!({"operation": "append", "content": "end"}));
    assert_eq!(content(&desk), text + "end");
}

#[test]
fn a_repeated_write_is_made_once() {
    let mut desk = Desk::new();
    desk.write_id = Some("call-1");
    let append = json!({"operation": "append", "content": "A"});
    let first = desk.object("update_notepad", append.clone());
    assert_eq!(desk.object("update_notepad", append), first);
    assert_eq!(content(&desk), "A");
    let other = desk.error("update_notepad", json!({"operation": "append", "content": "B"}));
    assert_eq!(other, "conflict: write id \"call-1\" was used before with other arguments");
}

#[test]
fn every_revision_can_be_shown_and_written_again() {
    let desk = Desk::new();
    for content in ["one", "one\ntwo", "three"] {
        desk.object("write_notepad", json!({"content": content}));
    }
    let revisions = desk.object("notepad_history", json!({}));
    let revs: Vec<&Value> =
        revisions["revisions"].as_array().expect("a list").iter().map(|r| &r["rev"]).collect();
    assert_eq!(revs, [3, 2, 1]);
    assert_eq!(desk.object("notepad_history", json!({"rev": 2}))["content"], "one\ntwo");
    assert_eq!(desk.object("restore_notepad", json!({"rev": 1}))["rev"], 4);
    assert_eq!(content(&desk), "one");
    assert_eq!(
        desk.error("restore_notepad", json!({"rev": 9})),
        "missing: the notepad has no rev 9: the newest is 4"
    );
}

/// What the reply to a write says must be what a compaction shows.
#[test]
fn a_reply_warns_of_a_cut_where_there_may_be_one() {
    for (has_recaps, n_lines) in [150, 300, 420, 500, 900].map(|n| [(true, n), (false, n)]).concat()
    {
        let mut config = vademecum_ops::Config::default();
        config.recap.enabled = has_recaps;
        let claude = crate::moments::Claude::with(config);
        claude.starts("startup");
        let page = "one line of a page\n".repeat(n_lines);
        let said =
            claude.desk.call("write_notepad", json!({"content": page})).expect("an answer").text;
        let is_cut = claude.starts("compact").contains("the notepad is cut here");
        let is_promised = said.contains("shown whole after compaction");
        assert!(!(is_promised && is_cut), "{n_lines}: {said}");
        assert!(is_promised || said.contains("are sure to be shown"), "{n_lines}: {said}");
        // Nothing else can take its room here.
        assert!(has_recaps || is_promised != is_cut, "{n_lines}: {said}");
    }
}

/// Of an edit its reply says what whoever made it would take for granted and is not so.
#[test]
fn a_reply_says_what_an_edit_did_not_do() {
    let desk = Desk::new();
    let page = "- [ ] one\n- [ ] two\n- [ ] three\n";
    desk.object("write_notepad", json!({"content": page}));
    let tick = json!({"operation": "find_replace", "find": "[ ]", "replace": "[x]"});
    let all =
        json!({"operation": "find_replace", "find": "[x]", "replace": "[x]", "replace_all": true});
    let empty = json!({"content": ""});
    let revisions = || {
        let history = desk.object("notepad_history", json!({}));
        history["revisions"].as_array().expect("a list").len()
    };
    for (tool, arguments, came) in [
        ("update_notepad", &tick, "changed at the first of 3 places; "),
        ("update_notepad", &tick, "changed at the first of 2 places; "),
        ("update_notepad", &tick, ""),
        ("update_notepad", &all, "nothing changed: it said so before; "),
        ("write_notepad", &empty, "emptied; "),
    ] {
        let before = revisions();
        let text = desk.call(tool, arguments.clone()).expect("an edit").text;
        let is_changed = !came.starts_with("nothing");
        assert_eq!(revisions(), before + usize::from(is_changed), "{text}");
        let (_, said) = text.split_once(", ").expect("a reply");
        let is_plain = said.starts_with(|c: char| c.is_ascii_digit());
        assert!(if came.is_empty() { is_plain } else { said.starts_with(came) }, "{came}: {text}");
    }
}

#[test]
fn a_history_shows_the_beginning_of_a_long_line() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": format!("\n{}", "é".repeat(5_000))}));
    let history = desk.object("notepad_history", json!({}));
    let line = history["revisions"][0]["first_line"].as_str().expect("a line");
    assert_eq!(line, format!("{}…", "é".repeat(200)));
}
