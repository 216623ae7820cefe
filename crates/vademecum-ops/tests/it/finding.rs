//! What a project keeps is found from any session of it, and from no other project.

use serde_json::json;

use crate::desk::Desk;

/// A desk of a project in which two sessions worked.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.session = Some("claude-code:aa-october".to_owned());
    let page = "# Plan\nMove the retry queue to Redis streams.\n\n## Failed\nA lock per worker: deadlocks under load.";
    desk.object("write_notepad", json!({ "content": page }));
    desk.object(
        "add_note",
        json!({ "content": "flaky: the deploy test needs port 8443 free", "tags": ["ci"] }),
    );
    desk.object(
        "write_handoff",
        json!({ "content": "Next: drain the retry queue before the deploy." }),
    );
    desk.object("add_decision", json!({ "content": "Retries are idempotent by request id", "rationale": "the gateway repeats a webhook after 30 s" }));
    desk.session = Some("claude-code:bb-november".to_owned());
    desk.object("add_note", json!({ "content": "unrelated to all of that", "tags": ["ci"] }));
    desk
}

/// What is said, without ids and days.
fn said(desk: &Desk, arguments: serde_json::Value) -> String {
    let reply = desk.call("search_project", arguments).expect("an answer");
    let plain = |line: &str| {
        let words = line.split(' ').map(|word| {
            let is_id = ["note_", "entry_"].iter().any(|id| word.starts_with(id));
            if is_id { "ID" } else { word }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    reply.text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_another_session_kept_is_found() {
    let desk = desk();
    for (query, found) in [
        ("retry queue", vec!["page", "handoff"]),
        ("deadlocks", vec!["page"]),
        ("port 8443", vec!["note"]),
        ("gateway repeats", vec!["decision"]),
        ("idempotent retries", vec!["decision"]),
        ("kubernetes", vec![]),
    ] {
        let object = desk.object("search_project", json!({ "query": query }));
        let whole = object["matched"].as_u64().expect("a number");
        let kinds = object["found"].as_array().expect("a list").iter();
        let mut kinds: Vec<&str> = kinds.filter_map(|it| it["kind"].as_str()).collect();
        kinds.truncate(usize::try_from(whole).expect("few"));
        kinds.sort_unstable();
        let mut found = found;
        found.sort_unstable();
        assert_eq!(kinds, found, "{query}: {object}");
    }
    insta::assert_snapshot!(said(&desk, json!({ "query": "retry queue deploy" })), @r"
    1 found; 3 hold a part
    handoff (2025-11-21, session aa-octob): Next: drain the retry queue before the deploy.
    page (2025-11-21, session aa-octob): # Plan · Move the retry queue to Redis streams.
    ID (2025-11-21, session aa-octob): [ci] flaky: the deploy test needs port 8443 free
    decision ID (2025-11-21, session aa-octob): Retries are idempotent by request id · why: the gateway repeats a webhook after 30 s
    ");
}

#[test]
fn it_is_narrowed_by_kind_tag_and_time() {
    let desk = desk();
    let n = |arguments| desk.object("search_project", arguments)["found"].as_array().map(Vec::len);
    assert_eq!(n(json!({ "query": "retry", "kinds": ["decision"] })), Some(1));
    assert_eq!(n(json!({ "query": "retry", "kinds": ["page", "note"] })), Some(1));
    assert_eq!(n(json!({ "query": "unrelated deploy", "tags": ["ci"] })), Some(2));
    assert_eq!(n(json!({ "query": "retry", "since": "1h" })), Some(3));
    assert_eq!(n(json!({ "query": "retry", "since": "2200-01-01" })), Some(0));
    assert_eq!(n(json!({ "query": "retry", "kinds": ["decisions, notes"] })), Some(1));
    for (since, until, found) in [
        ("2025-11", "2025-11", 3),
        ("2025-11-21", "2025-11-21", 3),
        ("2025-11-22", "2025-11-30", 0),
        ("2025-10", "2025-10", 0),
        ("2025-01", "2025-12", 3),
    ] {
        let arguments = json!({ "query": "retry", "since": since, "until": until });
        assert_eq!(n(arguments), Some(found), "{since} {until}");
    }
    for (arguments, error) in [
        (
            json!({ "query": "x", "kinds": ["plan"] }),
            "kind \"plan\" is not known: use note, page, handoff, recap, decision, issue, learning",
        ),
        (
            json!({ "query": "x", "since": "soon" }),
            "since takes a day such as 2026-10-01, a month such as 2026-10, or an age such as 12h, 7d or 8w; \"soon\" given",
        ),
        (json!({ "query": " " }), "there is nothing to search for: give words, a name or a path"),
    ] {
        let refused = desk.call("search_project", arguments).expect_err("an error");
        assert_eq!(refused.message, error);
    }
}

#[test]
fn what_holds_no_longer_says_so() {
    let desk = desk();
    let note =
        desk.object("add_note", json!({ "content": "the gateway has a bug", "tags": ["ci"] }));
    desk.object("scratch_note", json!({ "id": note["id"], "scratched": true }));
    let issue = desk.object("add_issue", json!({ "content": "gateway times out" }));
    let later =
        json!({ "content": "gateway is fixed", "status": "resolved", "supersedes": issue["id"] });
    desk.object("add_issue", later);
    let said = said(&desk, json!({ "query": "gateway" }));
    insta::assert_snapshot!(said, @r"
    4 found
    decision ID (2025-11-21, session aa-octob): Retries are idempotent by request id · why: the gateway repeats a webhook after 30 s
    issue ID (2025-11-21, session bb-novem, resolved): gateway is fixed
    issue ID (2025-11-21, session bb-novem, superseded by ID gateway times out
    ID (2025-11-21, session bb-novem, crossed out): [ci] the gateway has a bug
    ");
}

/// Adds an old note on orders, and many newer ones.
fn many(desk: &Desk) {
    let add = |content: &str, tag: &str| {
        desk.object("add_note", json!({ "content": content, "tags": [tag] }))
    };
    add("order service: renew the lease before the order is locked", "gem");
    for n in 0..600 {
        add(&format!("order {n} of the day"), "bulk");
    }
}

/// A word that many newer notes have finds an old one by its tag, and by a rarer word.
#[test]
fn an_old_note_is_found_among_many_newer_ones() {
    let mut desk = desk();
    many(&desk);
    let first = |arguments| said(&desk, arguments).lines().next().map(str::to_owned);
    let unseen = "; older ones were not all looked at: a whole, rarer word or a tag finds them";
    for (arguments, head) in [
        (json!({ "query": "order", "limit": 3 }), format!("3 of 500 found{unseen}")),
        (json!({ "query": "order", "tags": ["gem"] }), "1 found".to_owned()),
        (json!({ "query": "order lease" }), "1 found; 9 hold a part".to_owned()),
        (json!({ "query": "order 8443" }), "nothing holds all of it; 10 a part".to_owned()),
        (
            json!({ "query": "orders", "tags": ["nobody"] }),
            "nothing that the project keeps matches".to_owned(),
        ),
    ] {
        assert_eq!(first(arguments.clone()), Some(head), "{arguments}");
    }
    // Where nothing has both words the rarer one tells more, crossed out or not.
    let note = desk.object("search_project", json!({ "query": "8443" }))["found"][0]["id"].clone();
    desk.session = Some("claude-code:aa-october".to_owned());
    desk.object("scratch_note", json!({ "id": note, "scratched": true }));
    let found = desk.object("search_project", json!({ "query": "order 8443" }));
    assert_eq!(found["found"][0]["text"], "flaky: the deploy test needs port 8443 free");
    let long = "word ".repeat(1000);
    let refused = desk.call("search_project", json!({ "query": long })).expect_err("an error");
    assert_eq!(refused.message, "the query has 4999 bytes, 4096 are allowed");
}
