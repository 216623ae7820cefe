//! The notes' operations: conformance cases of group C1.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_ops::Config;
use vademecum_ops::config::Profile;

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
        assert_eq!(reply["total"], 12);
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
    let of = |tag: &str, count: u32, open: u32| json!({"tag": tag, "count": count, "open": open});
    assert_eq!(tags, json!({"tags": [of("a", 2, 1), of("b", 1, 0)]}));
    let said = |name, arguments| desk.call(name, arguments).expect("an answer").text;
    assert_eq!(said("list_tags", json!({})), "a 1, and 1 scratched\nb 0, and 1 scratched");
    assert_eq!(said("list_tags", json!({"include_scratched": false})), "a 1");
    let again = said("scratch_note", json!({"id": id, "scratched": true}));
    assert_eq!(again, format!("already scratched: {id} (this session only; 1 open)"));
    let back = desk.object("scratch_note", json!({"id": id, "scratched": false}));
    assert_eq!(
        (&back["updated_at"], &back["scratched"], &back["open"]),
        (&was["updated_at"], &json!(false), &json!(2))
    );
    let again = said("scratch_note", json!({"id": id, "scratched": false}));
    assert!(again.starts_with(&format!("not scratched: {id} (")), "{again}");
}

/// A sigma is one letter, whatever it looks like at the end of a word.
#[test]
fn a_word_is_found_in_capitals_and_in_small_letters() {
    let desk = Desk::new();
    let spelt = ["κλείδωμα ΔΊΣΚΟΣ", "κλείδωμα δίσκος", "κλείδωμα δίσκοσ"];
    for content in spelt {
        desk.object("add_note", json!({"content": content, "tags": ["a"]}));
    }
    for query in ["δίσκος", "ΔΊΣΚΟΣ", "δίσκοσ", "κλείδωμα ΔΊΣΚΟΣ", "ίσκος", "\"δίσκος\""]
    {
        let reply = desk.object("search_notes", json!({"query": query}));
        let mut found = contents(&reply);
        found.sort_by_key(|content| spelt.iter().position(|spelt| spelt == content));
        assert_eq!(found, spelt, "{query}");
    }
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

#[test]
fn a_list_counts_the_notes_that_match() {
    let desk = Desk::new();
    for n in 0..12 {
        let tags = if n < 7 { &["todo", "x"][..] } else { &["bug"] };
        let id = add(&desk, &format!("note {n}"), tags);
        if n == 0 {
            desk.object("scratch_note", json!({"id": id, "scratched": true}));
        }
    }
    for (arguments, said) in [
        (json!({"tags": ["todo"], "limit": 5}), "5 of 6 notes"),
        (json!({"tags": ["todo"], "limit": 5, "include_scratched": true}), "5 of 7 notes"),
        (json!({"tags": ["todo", "x"], "limit": 5}), "5 of 6 notes"),
        (json!({"tags": ["todo"]}), "6 notes"),
        (json!({"limit": 5}), "5 of 11 notes"),
        (json!({"limit": 20, "include_scratched": true}), "12 notes"),
        (json!({"tags": ["none"]}), "no notes match"),
    ] {
        let text = desk.call("list_notes", arguments.clone()).expect("a list").text;
        assert_eq!(text.lines().next(), Some(said), "{arguments}");
    }
}

#[test]
fn a_note_without_tags_gets_likely_ones_and_an_empty_list_is_refused() {
    let desk = Desk::new();
    add(&desk, "about it", &["payments"]);
    let kept = desk.call("add_note", json!({"content": "Decided: payments retry"})).expect("kept");
    assert_eq!(kept.object["tags"], json!(["payments", "decision"]));
    assert_eq!(
        kept.text,
        "added note_1763700000002 (this session only; 2 open; back after compaction); no tags given, taken from its words: payments, decision"
    );
    let none = "usage: a note takes 1 to 5 tags, 0 given";
    assert_eq!(desk.error("add_note", json!({"content": "x", "tags": []})), none);
    let seed1 = Desk::with(Config::of(Profile::Seed1));
    assert_eq!(seed1.error("add_note", json!({"content": "x"})), none);
    assert_eq!(seed1.error("add_note", json!({"content": "x", "tags": []})), none);
}

/// Nobody compacts what a person keeps at a desk, and nobody puts back what a client keeps that has no hooks.
#[test]
fn only_what_is_put_back_is_said_to_come_back() {
    let note = json!({"content": "x", "tags": ["a"]});
    let page = json!({"content": "the page"});
    for (session, noted, written) in [
        (
            "claude-code:752d4c1e",
            "(this session only; 1 open; back after compaction)",
            "notepad rev 1, 4 tokens, shown whole after compaction (this session only)",
        ),
        (
            "mcp:752d4c1e",
            "(this session only; 1 open)",
            "notepad rev 1, 4 tokens, not shown: read_notepad gives it (this session only)",
        ),
        ("person:1", "(this session only; 1 open)", "notepad rev 1, 4 tokens (this session only)"),
        ("desk:1", "(this session only; 1 open)", "notepad rev 1, 4 tokens (this session only)"),
    ] {
        let mut desk = Desk::new();
        desk.session = Some(session.to_owned());
        let said = |name, arguments: &Value| desk.call(name, arguments.clone()).expect("kept").text;
        let added = said("add_note", &note);
        assert!(added.ends_with(noted), "{session}: {added}");
        assert_eq!(said("write_notepad", &page), written, "{session}");
        let id = added.split(' ').nth(1).expect("an id").to_owned();
        let scratched = said("scratch_note", &json!({"id": id, "scratched": true}));
        assert!(scratched.ends_with("(this session only; 0 open)"), "{session}: {scratched}");
    }
}

#[test]
fn an_id_in_a_text_links_two_notes_both_ways() {
    let desk = Desk::new();
    let first = add(&desk, "the cause", &["bug"]);
    let second = add(&desk, &format!("see {first} and note_1, not {first}7"), &["todo"]);
    let lines = |name, arguments| desk.call(name, arguments).expect("a list").text;
    let wanted = [
        format!("{second} [todo] see {first} and note_1, not {first}7 (links to {first})"),
        format!("{first} [bug] the cause (linked from {second})"),
    ];
    let list = lines("list_notes", json!({}));
    assert_eq!(list.lines().skip(1).collect::<Vec<_>>(), wanted);
    assert_eq!(
        lines("search_notes", json!({"query": "the cause"})).lines().nth(1),
        Some(&*wanted[1])
    );
    let export = lines("export", json!({}));
    for linked in [format!("(links to {first})"), format!("(linked from {second})")] {
        assert!(export.contains(&linked), "{export}");
    }
    for n in 0..60 {
        add(&desk, &format!("another {n}"), &["x"]);
    }
    let all = lines("list_notes", json!({"limit": 100}));
    assert!(all.ends_with(&wanted.join("\n")), "{all}");

    desk.object("delete_note", json!({"id": first}));
    assert!(!lines("list_notes", json!({"tags": ["todo"]})).contains("links to"));
}

#[test]
fn a_note_has_a_history_and_every_revision_of_it_can_be_brought_back() {
    let desk = Desk::new();
    let id = add(&desk, "one", &["a"]);
    let other = add(&desk, "another", &["a"]);
    let tick = || desk.clock.fetch_add(1, Ordering::SeqCst);
    tick();
    desk.object("update_note", json!({"id": id, "content": "two", "tags": ["b"]}));
    tick();
    desk.object("scratch_note", json!({"id": id, "scratched": true}));
    tick();
    desk.object("delete_note", json!({"id": id}));
    let history = desk.call("note_history", json!({"id": id})).expect("a history").text;
    insta::assert_snapshot!(history, @r"
    rev 4  2025-11-21T04:40:00.005Z  delete_note (mcp/agent)  (deleted)
    rev 3  2025-11-21T04:40:00.004Z  scratch_note (mcp/agent)  (scratched) [b] two
    rev 2  2025-11-21T04:40:00.003Z  update_note (mcp/agent)  [b] two
    rev 1  2025-11-21T04:40:00.001Z  add_note (mcp/agent)  [a] one
    ");

    let back = desk.call("restore_note", json!({"id": id})).expect("a note");
    assert_eq!((&back.object["content"], &back.object["scratched"]), (&json!("two"), &json!(true)));
    let back = desk.object("restore_note", json!({"id": id, "rev": 1}));
    assert_eq!(
        (&back["content"], &back["tags"], &back["open"]),
        (&json!("one"), &json!(["a"]), &json!(2))
    );
    assert_eq!(contents(&desk.object("list_notes", json!({}))), ["one", "another"]);
    // Undone once more, it is as it was before it was brought back.
    assert_eq!(desk.object("restore_note", json!({"id": id}))["content"], "two");
    for (arguments, error) in [
        (json!({"id": id, "rev": 4}), "usage: rev 4 is its deletion: name an earlier one"),
        (json!({"id": id, "rev": 0}), "missing: the note has no rev 0: 1 to 7 are known"),
        (json!({"id": other}), "missing: the note was never changed: nothing to bring back"),
        (json!({"id": "note_1"}), "missing: no note \"note_1\" in this session"),
    ] {
        assert_eq!(desk.error("restore_note", arguments), error);
    }
    desk.object("forget", json!({"what": "note", "id": id, "yes": true}));
    let gone = desk.error("note_history", json!({"id": id}));
    assert_eq!(gone, format!("missing: no note \"{id}\" in this session"));
}

#[test]
fn a_note_without_a_word_to_tag_it_by_says_one_thing() {
    let desk = Desk::new();
    let said = desk.call("add_note", json!({"content": "is it?"})).expect("an answer").text;
    assert!(said.ends_with("; no tags given: untagged"), "{said}");
}

#[test]
fn what_was_deleted_is_told_as_deleted() {
    let desk = Desk::new();
    let id = add(&desk, "first", &["a"]);
    let said = desk.person("delete_note", json!({"id": id})).expect("an answer").text;
    assert!(said.ends_with(&format!("; vade note restore {id} brings it back")), "{said}");
    let again = desk.person("delete_note", json!({"id": id})).expect_err("an error");
    assert_eq!(again.hint, Some(format!("it was deleted: restore_note {id} brings it back")));
    let model = desk.call("delete_note", json!({"id": id})).expect_err("an error");
    assert_eq!(
        model.hint.as_deref(),
        Some("it was deleted; list_notes or search_notes shows what is there")
    );
}

/// What a repeat alone could ask for is kept of a call that can be repeated, and of no other.
#[test]
fn a_reply_is_kept_for_a_repeat_that_can_be_made() {
    let mut desk = Desk::new();
    let mut add = |write_id, text: &str| {
        desk.write_id = write_id;
        let reply = add(&desk, text, &["a"]);
        let kept = vademecum_store::read(&desk.store, |view| {
            let newest = vademecum_store::JournalFilter { limit: 1, ..Default::default() };
            let record = view.records_by(&newest)?.remove(0);
            let body = view.body(record.seq)?.expect("a body");
            let found = vademecum_core::id::WriteId::new(record.write_id).expect("a legal id");
            let found = view.record_of(&record.scope, &found)?.is_some();
            Ok((!body.reply.is_empty(), body.arguments != [0; 32], found))
        });
        (reply, kept.expect("a read"))
    };
    add(None, "the first, which makes the session known");
    assert_eq!(add(None, "nobody knows its name").1, (false, false, false));
    let (reply, kept) = add(Some("mine"), "somebody does");
    assert_eq!(kept, (true, true, true));
    assert_eq!(add(Some("mine"), "somebody does").0, reply);
}

/// In a long session not every old note is looked at for a piece of a word, and that is said.
#[test]
fn a_search_that_did_not_look_at_all_notes_says_so() {
    let desk = crate::desk::Desk::new();
    let add = |content: &str| desk.object("add_note", json!({"content": content, "tags": ["a"]}));
    add("built apiv2 with 50% less");
    for n in 0..640 {
        add(&format!("a common note {n}"));
    }
    let search = |query: &str| {
        let reply = desk.call("search_notes", json!({"query": query})).expect("an answer");
        reply.text.lines().next().expect("a line").to_owned()
    };
    let unseen = "; older ones were not all looked at: a whole, rarer word finds them";
    for (query, said) in [
        ("%", format!("no notes match{unseen}")),
        ("v2", format!("no notes match{unseen}")),
        ("apiv2", "1 note".to_owned()),
        ("qqqq", "no notes match; scope project searches all sessions".to_owned()),
        ("common", "20 of 600 or more notes".to_owned()),
    ] {
        assert_eq!(search(query), said, "{query}");
    }
}

#[test]
fn a_note_that_said_so_before_stays_where_it_is() {
    let desk = crate::desk::Desk::new();
    let id = desk.object("add_note", json!({"content": "x", "tags": ["a"]}))["id"].clone();
    desk.object("add_note", json!({"content": "the newest", "tags": ["a"]}));
    let list = || desk.object("list_notes", json!({}));
    let before = list();
    let same = json!({"id": id, "content": "x", "tags": ["a"]});
    let said = desk.call("update_note", same).expect("an answer").text;
    assert!(said.starts_with("said so before: note_"), "{said}");
    assert_eq!(list(), before);
    let tagged = json!({"id": id, "content": "x", "tags": ["b"]});
    let said = desk.call("update_note", tagged).expect("an answer").text;
    assert!(said.starts_with("updated (tags) note_"), "{said}");
    assert_ne!(list(), before);
}
