//! Forks that kept something of their own before they got the copies of what their parent keeps.

use serde_json::{Value, json};
use vademecum_core::id::NoteId;
use vademecum_core::session::SessionKey;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::children::{Given, begin};
use vademecum_ops::moments::answer;
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller};
use vademecum_store::{Author, Memory, NoteFilter, Origin, Scope, Store, Surface, View, read};

use crate::desk::Desk;

const PARENT: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const FORK: &str = "bbbbbbbb-0000-4000-8000-000000000002";

/// What a session keeps: its page, and its notes by their ids.
type Kept = (Option<String>, Vec<(NoteId, String)>);

fn kept(store: &dyn Store, key: &SessionKey) -> Kept {
    let filter = NoteFilter { by_id: true, ..NoteFilter::ALL };
    let look = |view: &dyn View| {
        let notes = view.notes(key, &filter, 0)?;
        let notes = notes.iter().map(|note| (note.id, note.content.as_str().to_owned())).collect();
        Ok((view.notepad(key)?.map(|page| page.text), notes))
    };
    read(store, look).expect("a read")
}

fn key(harness: &str, external: &str) -> SessionKey {
    SessionKey { harness: harness.to_owned(), external: external.to_owned(), agent: None }
}

/// Keeps words of a session by operations, as its model does.
fn keep(store: &dyn Store, desk: &Desk, key: &SessionKey, words: &[(&str, Value)]) {
    for (name, arguments) in words {
        let call = Call::new(store, &desk.world, &desk.config, caller(key));
        let op = vademecum_ops::registry::find(name).expect("an operation");
        op.run(&call, arguments.clone()).expect("an answer");
    }
}

fn caller(key: &SessionKey) -> Caller {
    let clues = Clues { told: Some(key.to_string()), ..Clues::default() };
    let origin = Origin { surface: Surface::Mcp, author: Author::Agent };
    Caller { origin, clues, write_id: None }
}

fn note(text: &str) -> (&'static str, Value) {
    ("add_note", json!({ "content": text, "tags": ["finding"] }))
}

/// Undoes the newest write of a session.
fn undo(store: &dyn Store, desk: &Desk, key: &SessionKey) {
    let scope = Scope::Session(key.clone());
    let undo = read(store, |view| {
        let newest = view.records(&scope, 1)?.pop().expect("a write");
        view.body(newest.seq)
    });
    let undo = undo.expect("a read").expect("a body").undo;
    let call = Call::new(store, &desk.world, &desk.config, caller(key));
    call.write(scope, "undo", &(), |_| Ok((undo.clone(), ()))).expect("undone");
}

/// The clock stands still: each session's first note has the same id.
#[test]
fn a_fork_keeps_its_own_and_gets_the_notes_of_its_parent() {
    let desk = Desk::new();
    let memory = Memory::new(vademecum_core::hash::Key([7; 32]));
    for store in [&desk.store as &dyn Store, &memory] {
        let (parent, fork) = (key("test", PARENT), key("test", FORK));
        let page = ("write_notepad", json!({ "content": "the parent's page" }));
        keep(store, &desk, &parent, &[page, note("one"), note("two"), note("three")]);
        let page = ("write_notepad", json!({ "content": "the fork's page" }));
        keep(store, &desk, &fork, &[page, note("own")]);
        let (own, of) = (kept(store, &fork), kept(store, &parent));
        let [one, two, three] = of.1.as_slice() else { panic!("three notes") };
        assert_eq!(own.1, [(one.0, "own".to_owned())]);

        let call = Call::new(store, &desk.world, &desk.config, caller(&fork));
        begin(&call, &fork, &parent, Given::Everything).expect("begun");
        let moved = (NoteId(three.0.0 + 1), "one".to_owned());
        let all = vec![own.1[0].clone(), two.clone(), three.clone(), moved];
        assert_eq!(kept(store, &fork), (own.0.clone(), all));
        assert_eq!(kept(store, &parent), of);
        undo(store, &desk, &fork);
        assert_eq!(kept(store, &fork), own);
    }
}

/// To forget one copy takes its words away, and not what the other copies and the page were made by.
#[test]
fn a_forgotten_copy_leaves_the_history_of_the_copied_page() {
    let mut desk = Desk::new();
    let (parent, fork) = (key("test", PARENT), key("test", FORK));
    let page = ("write_notepad", json!({ "content": "the parent's page" }));
    keep(&desk.store, &desk, &parent, &[page, note("one"), note("two")]);
    desk.clock.fetch_add(10, std::sync::atomic::Ordering::SeqCst);
    keep(&desk.store, &desk, &fork, &[note("own")]);
    let call = Call::new(&desk.store, &desk.world, &desk.config, caller(&fork));
    begin(&call, &fork, &parent, Given::Everything).expect("begun");
    let copied = kept(&desk.store, &fork).1[0].clone();
    assert_eq!(copied.1, "one");
    desk.named = Some(fork.to_string());
    desk.person("forget", json!({ "what": "note", "id": copied.0.to_string(), "yes": true }))
        .expect("forgotten");
    desk.person("write_notepad", json!({ "content": "new" })).expect("written");
    desk.person("restore_notepad", json!({ "rev": 1 })).expect("restored");
    let (page, notes) = kept(&desk.store, &fork);
    assert_eq!(page.as_deref(), Some("the parent's page"));
    let words: Vec<&str> = notes.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(words, ["two", "own"]);
}

/// Answers an event of a session whose record is at `record`.
fn event(desk: &Desk, harness: Harness, session: &str, name: &str, more: &Value) {
    let mut payload = json!({
        "session_id": session, "transcript_path": desk.folder().join(format!("{session}.jsonl")),
        "cwd": desk.world.folders.work, "hook_event_name": name,
    });
    let object = payload.as_object_mut().expect("an object");
    object.extend(more.as_object().expect("an object").clone());
    let stdin = payload.to_string();
    let event = Event::parse(harness, name, stdin.as_bytes()).expect("an event");
    let Desk { store, world, config, .. } = desk;
    let hook = crate::moments::hook((store, None), world, config, harness);
    assert_eq!(answer(&hook, &event).fault, None, "{name}");
    hook.finish();
}

/// A fork whose record names its parent late: after `work` of its model and before its first prompt.
#[track_caller]
fn check_late(harness: Harness, record: &Value, is_linked: bool, work: impl Fn(&Desk)) {
    let desk = Desk::new();
    let [parent, fork] = [PARENT, FORK].map(|session| key(harness.id(), session));
    event(&desk, harness, PARENT, "SessionStart", &json!({ "source": "startup" }));
    let page = ("write_notepad", json!({ "content": "the parent's page" }));
    keep(&desk.store, &desk, &parent, &[page, note("one"), note("two")]);
    event(&desk, harness, PARENT, "SessionEnd", &json!({ "reason": "other" }));
    let file = |text: String| {
        std::fs::write(desk.folder().join(format!("{FORK}.jsonl")), text).expect("a file");
    };
    file(String::new());
    event(&desk, harness, FORK, "SessionStart", &json!({ "source": "fork" }));
    work(&desk);
    let own = kept(&desk.store, &fork);
    file(format!("{record}\n"));
    event(&desk, harness, FORK, "UserPromptSubmit", &json!({ "prompt": "go on" }));
    let of = kept(&desk.store, &parent);
    let both = if is_linked { of.1.len() + own.1.len() } else { own.1.len() };
    let now = kept(&desk.store, &fork);
    assert_eq!((now.1.len(), now.0.is_some()), (both, is_linked), "{harness:?}");
}

#[test]
fn a_fork_that_wrote_first_is_linked_at_its_first_prompt() {
    let claude = json!({ "type": "user", "forkedFrom": { "sessionId": PARENT } });
    let payload = json!({ "id": FORK, "forked_from_id": PARENT });
    let codex = json!({ "type": "session_meta", "payload": payload });
    for (harness, record) in [(Harness::ClaudeCode, claude), (Harness::Codex, codex)] {
        let fork = key(harness.id(), FORK);
        let writes = |desk: &Desk| keep(&desk.store, desk, &fork, &[note("own")]);
        check_late(harness, &record, true, |_| {});
        check_late(harness, &record, true, writes);
        // What its hooks saw it do is work: a record that tells nothing until then is looked at no more.
        let works = |desk: &Desk| {
            event(
                desk,
                harness,
                FORK,
                "PostToolUse",
                &json!({ "tool_name": "Read", "tool_input": {} }),
            );
        };
        check_late(harness, &record, false, works);
    }
}
