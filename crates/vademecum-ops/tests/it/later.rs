//! A store in which a later program wrote in words of its own: everything goes on, and passes them on.

use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_core::session::SessionKey;
use vademecum_store::{Author, Change, Decision, Scope, Store, Surface, Write, read};

use crate::conversation::Conversation;
use crate::desk::Desk;
use crate::moments::Claude;

/// A session that began in a way of a later program; a note by its page, over its surface, as its robot.
fn talk() -> Conversation {
    let mut talk = Conversation::new(Claude::new());
    talk.starts("startup");
    talk.prompt();
    talk.calls("write_notepad", &json!({ "content": "## Plan\nfirst\n" }));
    talk
}

fn robot(talk: &Conversation, name: &str, arguments: &Value) -> Value {
    talk.asks(Author::from("robot"), Surface::from("http"), None, name, arguments)
}

#[test]
fn what_somebody_of_a_later_program_wrote_is_told_at_the_next_prompt() {
    let mut talk = talk();
    let note = json!({ "content": "Port 8080 is taken.", "tags": ["rule"] });
    let id = robot(&talk, "add_note", &note)["id"].clone();
    robot(&talk, "write_notepad", &json!({ "content": "## Plan\nsecond\n" }));
    let told = talk.prompt();
    assert!(told.contains("Port 8080 is taken.") && told.contains("second"), "{told}");
    assert_eq!(talk.prompt(), "");
    for (operation, arguments) in
        [("notepad_history", json!({})), ("note_history", json!({ "id": id }))]
    {
        let history = talk.person(operation, &arguments);
        assert_eq!(history["revisions"][0]["origin"], "http/robot", "{history}");
    }
    talk.person("restore_notepad", &json!({ "rev": 1 }));
    let page = talk.person("read_notepad", &json!({}));
    assert_eq!(page["content"], "## Plan\nfirst\n", "{page}");
    talk.calls("delete_note", &json!({ "id": id }));
    assert_eq!(talk.person("restore_note", &json!({ "id": id }))["id"], id);
    assert!(talk.starts("compact").contains("Port 8080 is taken."));
}

#[test]
fn an_entry_of_a_later_program_is_listed_merged_and_passed_on() {
    let from = Desk::new();
    let risk = json!({ "id": "entry_1763600000000", "plan": "a", "category": "risk", "severity": "blocker",
        "at": "2025-11-20T00:00:00.000Z", "content": "The disk fills.", "rationale": "logs", "tags": ["disk"] });
    let issue = json!({ "id": "entry_1763600000001", "plan": "a", "category": "issue", "severity": "blocker",
        "status": "parked", "at": "2025-11-20T00:00:01.000Z", "content": "CI is slow." });
    let head =
        json!({ "name": "a", "created_at": "2025-11-20T00:00:00.000Z", "entries": [risk, issue] });
    let package = json!({ "vademecum": 2, "project": "p", "sessions": [], "plans": [head] });
    from.person("import", json!({ "content": package.to_string() })).expect("an import");
    let shown = |desk: &Desk| {
        let mut plan = desk.person("show_plan", json!({ "plan": "a" })).expect("a plan").object;
        plan["entries"].take()
    };
    let entries = shown(&from);
    for (nth, expected) in [&issue, &risk].into_iter().enumerate() {
        for (field, value) in expected.as_object().expect("an object") {
            assert_eq!(&entries[nth][field], value, "{entries}");
        }
    }
    let wisdom = from.object("get_wisdom", json!({ "plan": "a" }));
    let text = wisdom["wisdom"]["text"].as_str().expect("a text");
    assert!(text.contains("blocker: CI is slow.") && !text.contains("disk"), "{text}");
    from.person("add_learning", json!({ "content": "Mine.", "plan": "a" })).expect("an entry");
    from.person("merge_plan", json!({ "plan": "a" })).expect("a merge");
    let merged = from.person("show_plan", json!({ "plan": "_project" })).expect("a plan").object;
    let merged = merged["entries"].as_array().expect("entries");
    assert!(
        merged.iter().any(|it| it["category"] == "risk" && it["rationale"] == "logs"),
        "{merged:?}"
    );

    let package = from.person("export", json!({ "format": "json", "all": true })).expect("a text");
    let to = Desk::new();
    to.person("import", json!({ "content": package.object["content"] })).expect("an import");
    assert_eq!(shown(&to), shown(&from));
    let wild =
        package.object["content"].as_str().expect("a text").replace("\"risk\"", "\"no word\"");
    assert!(Desk::new().person("import", json!({ "content": wild })).is_err());
}

#[test]
fn a_session_that_began_in_a_way_of_a_later_program_goes_on() {
    let mut talk = talk();
    let key = |external: &str| SessionKey {
        harness: "claude-code".to_owned(),
        external: external.to_owned(),
        agent: None,
    };
    let store = &talk.claude.desk.store;
    let known = read(store, |view| view.session(&key(talk.claude.session))).expect("a read");
    let known = known.expect("a session");
    let request = Write {
        scope: Scope::Project(known.project),
        id: WriteId::new("later").expect("an id"),
        arguments: [0; 32],
        kind: "later",
        origin: vademecum_store::Origin::parse("http/robot").expect("an origin"),
        at: known.started_at,
    };
    let add = Change::AddSession {
        project: known.project,
        key: key("handed"),
        parent: Some(known.id),
        began: "handover".into(),
        instance: 2,
        machine: known.machine,
        place: known.place,
        at: known.started_at,
    };
    let commit = || Decision::Commit { changes: vec![add.clone()], reply: "1".to_owned() };
    store.write(&request, &mut |_| Ok(commit())).expect("a write");
    talk.becomes("handed");
    talk.starts("resume");
    talk.prompt();
    talk.calls("add_note", &json!({ "content": "Goes on.", "tags": ["rule"] }));
    assert!(talk.starts("compact").contains("Goes on."));
    let listed = talk.person("list_sessions", &json!({}));
    assert!(listed.to_string().contains("handed"), "{listed}");
}
