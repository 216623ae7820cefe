//! A store in which a later program wrote in words of its own: everything goes on, and passes them on.

use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_core::session::SessionKey;
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, registry};
use vademecum_sqlite::later;
use vademecum_store::{
    Author, Change, Decision, JournalFilter, Origin, Record, Scope, Store, Surface, Write, Writer,
    read,
};

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
        is_fresh: false,
        id: WriteId::new("later").expect("an id"),
        arguments: [0; 32],
        kind: "later",
        origin: Origin::parse("http/robot").expect("an origin"),
        by: Writer::NONE,
        at: known.started_at,
    };
    let add = Change::AddSession {
        project: known.project,
        key: key("handed"),
        parent: Some(known.key.clone()),
        began: "handover".into(),
        instance: 2,
        host_name: known.host_name,
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

/// A change that only a later program can undo.
const WEAVE: &str = r#"{"change":"weave_page","thread":[1, 2.50]}"#;

/// The newest write of the session.
fn newest(talk: &Conversation) -> Record {
    let Desk { store, .. } = &talk.claude.desk;
    let all = read(store, |view| view.records_by(&JournalFilter::default())).expect("a read");
    let of = |record: &Record| matches!(record.scope, Scope::Session(_));
    all.into_iter().find(of).expect("a write")
}

/// A later program had this to undo of the newest write: its own change, and what is known of it or nothing.
fn weaves(talk: &Conversation, has_known: bool) {
    let (Desk { store, .. }, record) = (&talk.claude.desk, newest(talk));
    let body = read(store, |view| view.body(record.seq)).expect("a read").expect("a body");
    let known = serde_json::to_string(&body.undo).expect("JSON");
    let undo = if has_known { format!("[{WEAVE},{}", &known[1..]) } else { format!("[{WEAVE}]") };
    let path = talk.claude.desk.folder().join("data/vade.db");
    later::put_undo(&path, record.seq, &undo).expect("a list of changes");
}

fn writes(talk: &mut Conversation, text: &str) {
    talk.calls("write_notepad", &json!({ "content": text }));
}

fn restores(talk: &Conversation, rev: u32) -> Result<String, String> {
    let Desk { store, world, config, .. } = &talk.claude.desk;
    let told = Some(format!("claude-code:{}", talk.claude.session));
    let clues = Clues { told, ..Clues::default() };
    let origin = Origin { surface: Surface::Cli, author: Author::User };
    let caller = Caller { origin, clues, write_id: None };
    let call = Call::new(store, world, config, caller);
    let op = registry::find("restore_notepad").expect("an operation");
    let done = op.run(&call, json!({ "rev": rev }));
    done.map(|_| talk.person("read_notepad", &json!({}))["content"].to_string())
        .map_err(|error| format!("{}: {}", error.kind.word(), error.message))
}

#[test]
fn ones_own_changes_are_undone_past_a_change_of_a_later_program() {
    let mut talk = talk();
    let id = talk.calls("add_note", &json!({ "content": "One.", "tags": ["rule"] }))["id"].clone();
    weaves(&talk, true);
    writes(&mut talk, "second\n");
    talk.calls("update_note", &json!({ "id": id, "content": "Two." }));
    weaves(&talk, true);
    let history = talk.person("notepad_history", &json!({}));
    assert_eq!(history["revisions"].as_array().map(Vec::len), Some(2), "{history}");
    assert_eq!(restores(&talk, 1), Ok("\"## Plan\\nfirst\\n\"".to_owned()));
    let history = talk.person("note_history", &json!({ "id": id }));
    assert_eq!(history["revisions"].as_array().map(Vec::len), Some(2), "{history}");
    talk.person("restore_note", &json!({ "id": id }));
    assert!(talk.person("list_notes", &json!({})).to_string().contains("One."));
    let told = talk.prompt();
    assert!(told.contains("One.") && told.contains("first"), "{told}");
    let exported = talk.person("export", &json!({ "format": "json" }));
    assert!(exported["content"].as_str().expect("a text").contains("One."), "{exported}");
}

#[test]
fn what_only_a_later_program_can_undo_is_refused_in_one_sentence() {
    let mut talk = talk();
    writes(&mut talk, "woven\n");
    weaves(&talk, false);
    let write_id = newest(&talk).write_id;
    writes(&mut talk, "third\n");
    let history = talk.person("notepad_history", &json!({}));
    let revs: Vec<_> = history["revisions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["rev"].clone())
        .collect();
    assert_eq!(revs, [3, 2], "{history}");
    let refusal = format!(
        "conflict: write {write_id} holds what a later vade did (\"weave_page\"): undo it with that version"
    );
    assert_eq!(restores(&talk, 1), Err(refusal));
    assert_eq!(restores(&talk, 2), Ok("\"woven\\n\"".to_owned()));
    assert!(talk.prompt().contains("woven"));
    assert!(talk.starts("compact").contains("woven"));
    assert_eq!(talk.prompt(), "");
}

#[test]
fn what_a_later_program_did_to_a_note_is_forgotten_with_it() {
    let mut talk = talk();
    let id = talk.calls("add_note", &json!({ "content": "Secret plan.", "tags": ["rule"] }))["id"]
        .clone();
    let number = id.as_str().expect("an id").trim_start_matches("note_").to_owned();
    writes(&mut talk, "second\n");
    let record = newest(&talk);
    let path = talk.claude.desk.folder().join("data/vade.db");
    let undo = format!(r#"[{{"change":"fold_note","id":{number},"was":"Secret plan."}}]"#);
    later::put_undo(&path, record.seq, &undo).expect("a list of changes");
    talk.person("forget", &json!({ "what": "note", "id": id, "yes": true }));
    let Desk { store, .. } = &talk.claude.desk;
    assert_eq!(read(store, |view| view.body(record.seq)).expect("a read"), None);
}
