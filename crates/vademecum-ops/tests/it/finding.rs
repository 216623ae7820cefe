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
    decision ID (2025-11-21, session aa-octob): Retries are idempotent by request id · the gateway repeats a webhook after 30 s
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
    for (arguments, error) in [
        (
            json!({ "query": "x", "kinds": ["plan"] }),
            "kind \"plan\" is not known: use note, page, handoff, recap, decision, issue, learning",
        ),
        (
            json!({ "query": "x", "since": "soon" }),
            "since takes a day such as 2026-10-01 or an age such as 12h, 7d or 8w; \"soon\" given",
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
    let object = desk.object("search_project", json!({ "query": "gateway" }));
    let over =
        |it: &serde_json::Value| (it["text"].as_str().map(str::to_owned), it["over"] == true);
    let mut found: Vec<_> = object["found"].as_array().expect("a list").iter().map(over).collect();
    found.sort();
    let expected = [
        ("Retries are idempotent by request id\nthe gateway repeats a webhook after 30 s", false),
        ("gateway is fixed", true),
        ("gateway times out", true),
        ("the gateway has a bug", true),
    ];
    assert_eq!(found, expected.map(|(text, over)| (Some(text.to_owned()), over)));
}
