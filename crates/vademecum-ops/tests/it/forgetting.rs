//! What quotes a forgotten thing goes along or is named, and what was begun is ended by whoever comes next.

use std::path::Path;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_core::time::Time;
use vademecum_ops::upkeep::upkeep;
use vademecum_ops::who::{Clues, full_key};
use vademecum_ops::{Call, Caller, OpError, Reply, registry};
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::faulty::Point;
use vademecum_store::{Author, Change, Faulty, Origin, Scope, Store, Surface, read};

use crate::desk::Desk;
use crate::keeping::files_with;
use crate::meddled::Meddled;

const SECRET: &str = "planted-secret-91c4";

/// What the note says; what quotes it may say it in part.
const NOTE: &str = "The deploy key is planted-secret-91c4 and lies in the vault.";

/// Keeps a recap of the session of `desk` that quotes the note as a transcript showed it.
fn recapped(desk: &Desk) {
    let caller = Caller {
        origin: Origin { surface: Surface::Hook, author: Author::Tool },
        clues: Clues { told: desk.session.clone(), ..Clues::default() },
        write_id: None::<WriteId>,
    };
    let call = Call::new(&desk.store, &desk.world, &desk.config, caller);
    let (session, _) = call.open_session().expect("a session");
    let body =
        json!({"size": 1, "text": format!("kept: The deploy key is {SECRET} …"), "rest": []});
    let set =
        Change::SetRecap { session: session.key.clone(), body: body.to_string(), at: Time(1) };
    let kept = call.write(Scope::Session(session.key.clone()), "keep_recap", &1, |_| {
        Ok((vec![set.clone()], ()))
    });
    kept.expect("a write");
}

/// A session with a note that a recap, a handoff file, an entry and its files repeat; the ids of both.
fn quoted() -> (Desk, Value, String) {
    let desk = Desk::new();
    desk.object("add_note", json!({"content": "stays", "tags": ["a"]}));
    let note = desk.object("add_note", json!({"content": NOTE, "tags": ["decision"]}));
    desk.object("update_note", json!({"id": note["id"], "content": format!("{NOTE} Really.")}));
    desk.object("update_note", json!({"id": note["id"], "content": NOTE}));
    desk.object("init_plan", json!({"name": "a"}));
    let promote = json!({"id": note["id"], "plan": "a", "category": "learning"});
    let entry = desk.object("promote_note", promote);
    desk.object("merge_plan", json!({"plan": "a"}));
    recapped(&desk);
    let mut desk = desk;
    desk.object("archive_session", json!({}));
    desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
    desk.session = Some("test:session-2".to_owned());
    desk.object("write_notepad", json!({"content": "another session"}));
    desk.object("read_handoff", json!({}));
    desk.session = Some("test:session-1".to_owned());
    (desk, note["id"].clone(), entry["id"].as_str().expect("an id").to_owned())
}

fn holding(folder: &Path) -> Vec<String> {
    let name = |path: String| path.rsplit_once('/').map(|(_, name)| name.to_owned());
    let mut found: Vec<String> = files_with(folder, SECRET).into_iter().filter_map(name).collect();
    found.sort();
    found
}

fn forget(desk: &Desk, what: &str, id: &Value) -> Reply {
    desk.call("forget", json!({"what": what, "id": id, "yes": true})).expect("an answer")
}

#[test]
fn what_quotes_a_note_goes_along_or_is_named() {
    let (desk, note, entry) = quoted();
    let files = ["learnings.md", "session-1.md", "vade.db-wal"];
    let before = holding(desk.folder());
    assert!(
        files.iter().all(|file| before.iter().any(|found| found.ends_with(file))),
        "{before:?}"
    );

    let reply = forget(&desk, "note", &note);
    let left = reply.object["left"].as_array().expect("what is left");
    let named = format!("{entry} says the same in plan a: vade forget entry {entry} --yes");
    assert!(left.len() == 2 && left.contains(&json!(named)), "{left:?}");
    assert!(reply.text.contains(&named) && !reply.text.contains("no byte"), "{}", reply.text);
    assert_eq!(holding(&desk.folder().join("data/handoffs")), Vec::<String>::new());
    let known = full_key("test:session-1").expect("a key");
    let recap = vademecum_store::read(&desk.store, |view| {
        let session = view.session(&known)?.expect("a session");
        view.recap(&session.key)
    });
    assert_eq!(recap.expect("a read"), None);

    let reply = forget(&desk, "entry", &json!(entry));
    assert!(reply.text.contains("no byte of it is left in vade's own files"), "{}", reply.text);
    assert_eq!(holding(desk.folder()), Vec::<String>::new());
    assert_eq!(desk.object("list_notes", json!({}))["notes"][0]["content"], "stays");
    // The files of the plan do not bring it back.
    for plan in ["a", "_project"] {
        desk.object("check_plan", json!({"plan": plan}));
        assert_eq!(desk.object("show_plan", json!({"plan": plan}))["entries"], json!([]));
    }
}

#[test]
fn what_a_session_leaves_to_others_is_named() {
    let (desk, _, entry) = quoted();
    let reply = forget(&desk, "session", &Value::Null);
    let left = format!("{entry} was recorded by it for plan a: vade forget entry {entry} --yes");
    assert!(
        reply.object["left"].as_array().is_some_and(|all| all.contains(&json!(left))),
        "{}",
        reply.text
    );
    let reply = forget(&desk, "entry", &json!(entry));
    assert_eq!(reply.object["left"], Value::Null, "{}", reply.text);
    assert_eq!(holding(desk.folder()), Vec::<String>::new());
}

#[test]
fn words_that_say_the_same_elsewhere_are_named() {
    let mut desk = Desk::new();
    let note = desk.object("add_note", json!({"content": NOTE, "tags": ["a"]}));
    desk.object("write_notepad", json!({"content": format!("# Page\n{NOTE}")}));
    desk.session = Some("test:session-2".to_owned());
    desk.object("write_handoff", json!({"content": format!("Next: {NOTE}")}));
    let other =
        desk.object("add_note", json!({"content": format!("again: {NOTE}"), "tags": ["a"]}));
    let other = other["id"].as_str().expect("an id");
    desk.session = Some("test:session-1".to_owned());
    let left = forget(&desk, "note", &note["id"]).object["left"].clone();
    assert_eq!(
        left,
        json!([
            "what test:session-2 left word of says the same: vade forget session test:session-2",
            format!(
                "note {other} of test:session-2 says the same: vade forget note {other} --session test:session-2"
            ),
            "the page of test:session-1 says the same: vade forget session test:session-1",
        ])
    );
}

/// The same desk on a store that fails.
fn run_on(desk: &Desk, store: &dyn Store, what: &str, id: &Value) -> Result<Reply, OpError> {
    let caller = Caller {
        origin: Origin { surface: Surface::Cli, author: Author::User },
        clues: Clues { told: desk.session.clone(), ..Clues::default() },
        write_id: None,
    };
    let call = Call::new(store, &desk.world, &desk.config, caller);
    let arguments = json!({"what": what, "id": id, "yes": true});
    registry::find("forget").expect("an operation").run(&call, arguments)
}

/// A session of which everything holds the secret, and the id of its note.
fn planted() -> (Desk, Value) {
    let mut desk = Desk::new();
    let note = desk.object("add_note", json!({"content": NOTE, "tags": ["a"]}));
    desk.object("archive_session", json!({}));
    desk.session = Some("test:session-2".to_owned());
    desk.object("read_handoff", json!({"from": "test:session-1"}));
    desk.session = Some("test:session-1".to_owned());
    (desk, note["id"].clone())
}

/// Each call of the store loses its answer once, as it does for a process that dies behind it.
#[test]
fn what_was_begun_to_be_forgotten_is_ended_by_the_next() {
    for what in ["note", "session", "project"] {
        for nth in 0.. {
            let (desk, note) = planted();
            let id = if what == "note" { note } else { Value::Null };
            let inner = Sqlite::at(&desk.folder().join("data/vade.db"), Options::patient());
            let faulty = Faulty::new(inner, Point::After, nth);
            let failed = run_on(&desk, &faulty, what, &id);
            if faulty.calls() <= nth {
                failed.expect("nothing failed");
                break;
            }
            drop(faulty);
            let unfinished = read(&desk.store, |view| Ok(view.store()?.unfinished));
            let is_begun = !unfinished.expect("a read").intents.is_empty();
            if nth % 2 == 0 {
                upkeep(&desk.store, &desk.world, &desk.config, None);
                let is_gone = holding(desk.folder()).is_empty();
                assert!(is_gone || !is_begun, "{what} {nth}");
            }
            // A repeat ends it, or there is nothing left for it to do.
            let is_gone = holding(desk.folder()).is_empty();
            if let Err(error) = run_on(&desk, &desk.store, what, &id) {
                assert!(is_gone, "{what} {nth}: {error}");
            }
            assert_eq!(holding(desk.folder()), Vec::<String>::new(), "{what} {nth}");
        }
    }
}

/// Two end one forgetting at once and one of them is killed: what it did on the way goes as well.
#[test]
fn who_is_killed_while_another_forgets_the_same_leaves_nothing() {
    let mut n_met = 0;
    for (at, nth) in (0..8).flat_map(|at| (0..8).map(move |nth| (at, nth))) {
        let (desk, note) = planted();
        let path = desk.folder().join("data/vade.db");
        let failing = |nth| Faulty::new(Sqlite::at(&path, Options::patient()), Point::After, nth);
        let unfinished = || read(&desk.store, |view| Ok(view.store()?.unfinished.intents));
        // Who began it is killed right after it was noted.
        for nth in 0.. {
            drop(run_on(&desk, &failing(nth), "note", &note));
            if !unfinished().expect("a read").is_empty() {
                break;
            }
        }
        let meddled = Meddled::new(&desk.store, at, || {
            upkeep(&failing(nth), &desk.world, &desk.config, None);
        });
        upkeep(&meddled, &desk.world, &desk.config, None);
        n_met += usize::from(meddled.has_acted());
        upkeep(&desk.store, &desk.world, &desk.config, None);
        assert!(unfinished().expect("a read").is_empty(), "{at} {nth}");
        assert_eq!(holding(desk.folder()), Vec::<String>::new(), "{at} {nth}");
    }
    assert!(30 < n_met, "they met {n_met} times");
}

/// A project is forgotten by two; what was begun in its folder after the first was done is none of it.
#[test]
fn who_comes_late_leaves_what_was_begun_since() {
    const ANEW: &str = "begun-anew-5d20";
    for at in 0.. {
        let desk = Desk::new();
        let learn = |said: &str| {
            desk.object("init_plan", json!({"name": "a"}));
            desk.object("add_learning", json!({"plan": "a", "content": said}));
            desk.object("write_notepad", json!({"content": said}));
        };
        learn(SECRET);
        let inner = Sqlite::at(&desk.folder().join("data/vade.db"), Options::patient());
        // The call before it looks around; this one notes what is to be forgotten.
        let unfinished = || read(&desk.store, |view| Ok(view.store()?.unfinished.intents));
        let path = desk.folder().join("data/vade.db");
        for nth in 0.. {
            let faulty = Faulty::new(Sqlite::at(&path, Options::patient()), Point::After, nth);
            drop(run_on(&desk, &faulty, "project", &Value::Null));
            if !unfinished().expect("a read").is_empty() {
                break;
            }
        }
        let meddled = Meddled::new(&inner, at, || {
            upkeep(&desk.store, &desk.world, &desk.config, None);
            learn(ANEW);
        });
        upkeep(&meddled, &desk.world, &desk.config, None);
        if !meddled.has_acted() {
            assert!(1 < at, "it made {at} calls");
            break;
        }
        assert_eq!(holding(desk.folder()), Vec::<String>::new(), "{at}");
        let kept = files_with(desk.folder(), ANEW);
        assert!(kept.iter().any(|path| path.ends_with("learnings.md")), "{at}: {kept:?}");
        let page = desk.object("read_notepad", json!({}));
        assert_eq!(page["content"], ANEW, "{at}");
    }
}

/// What a forgotten entry corrected is in force again only where nothing else stands against it.
#[test]
fn what_is_in_force_again_is_named() {
    let desk = Desk::new();
    let add = |content: &str, supersedes: &Value| {
        desk.clock.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let said = json!({ "content": content, "supersedes": supersedes });
        desk.object("add_learning", said)["id"].clone()
    };
    let first = add("The port is 8080.", &Value::Null);
    let second = add("The port is 9090.", &first);
    let third = add("The port is 7070.", &first);
    assert_eq!(forget(&desk, "entry", &third).object["left"], Value::Null);
    let again =
        format!("{}, which it corrected, is in force again", first.as_str().expect("an id"));
    let fourth = add("The port is 6060.", &second);
    forget(&desk, "entry", &fourth);
    let left = forget(&desk, "entry", &second).object["left"].clone();
    assert_eq!(left, json!([again]));
    let fifth = add("The port is 5050.", &first);
    forget(&desk, "entry", &first);
    let reply = forget(&desk, "entry", &fifth);
    assert_eq!(reply.object["left"], Value::Null, "{}", reply.text);
}

/// The sessions whose transcripts a forgetting names, each by the end of its id.
fn transcripts(reply: &Reply) -> Vec<String> {
    let left = reply.object["left"].as_array().cloned().unwrap_or_default();
    let of = |line: &Value| {
        let (_, file) = line.as_str()?.rsplit_once('/')?;
        Some(file.strip_suffix(".jsonl")?.to_owned())
    };
    let mut named: Vec<String> = left.iter().filter_map(of).collect();
    named.sort();
    named
}

/// A project of sessions with transcripts of their own.
struct Talks(crate::moments::Claude);

impl Talks {
    fn new() -> Self {
        Self(crate::moments::Claude::new())
    }

    /// From here on this session speaks; an event of it.
    fn event(&mut self, session: &'static str, event: &str, more: &Value) {
        self.0.desk.clock.fetch_add(1_000, Ordering::SeqCst);
        self.0.session = session;
        self.0.desk.session = Some(format!("claude-code:{session}"));
        let mut all = json!({ "transcript_path": format!("/records/{session}.jsonl") });
        let more = more.as_object().expect("an object").clone();
        all.as_object_mut().expect("an object").extend(more);
        self.0.event(event, &all);
    }

    fn starts(&mut self, session: &'static str) {
        self.event(session, "SessionStart", &json!({ "source": "startup" }));
    }

    /// `copy` begins as a fork of `parent`.
    fn forks(&mut self, copy: &'static str, parent: &str) {
        let desk = &mut self.0.desk;
        let line = json!({ "forkedFrom": { "sessionId": parent } });
        let path = desk.folder().join(format!("{copy}.jsonl"));
        std::fs::write(&path, format!("{line}\n")).expect("a transcript");
        desk.world.env = Box::new(|name| {
            (name == "CLAUDE_ENV_FILE").then(|| "/e/session-env/other/f.sh".into())
        });
        self.event(copy, "SessionStart", &json!({ "source": "resume", "transcript_path": path }));
        self.0.desk.world.env = Box::new(|_| None);
    }
}

/// Who recorded an entry has its words in its conversation, and so has who was told of it, or copied either.
#[test]
fn conversations_that_hold_an_entry_are_named() {
    let mut talks = Talks::new();
    talks.starts("aa-before");
    talks.event("aa-before", "SessionEnd", &json!({ "reason": "other" }));
    talks.starts("bb-recorded");
    let entry = talks.0.desk.object("add_learning", json!({ "content": NOTE }))["id"].clone();
    talks.starts("cc-told");
    talks.forks("dd-copy", "cc-told");
    talks.starts("ee-quotes");
    talks.0.desk.object("write_notepad", json!({ "content": format!("so: {NOTE}") }));
    let before =
        talks.0.desk.object("add_learning", json!({ "content": "Another." }))["id"].clone();
    let reply = forget(&talks.0.desk, "entry", &entry);
    let named = ["bb-recorded", "cc-told", "dd-copy", "ee-quotes"];
    assert_eq!(transcripts(&reply), named, "{}", reply.text);
    let said = "session claude-code:cc-told said it or was told it, and its transcript may quote it: /records/cc-told.jsonl";
    assert!(reply.text.contains(said), "{}", reply.text);
    let reply = forget(&talks.0.desk, "entry", &before);
    assert_eq!(transcripts(&reply), ["ee-quotes"], "{}", reply.text);
}

/// So are those that hold a note: its session's, those that took its work over, and copies.
#[test]
fn conversations_that_hold_a_note_are_named() {
    let mut talks = Talks::new();
    talks.starts("aa-wrote");
    let note = talks.0.desk.object("add_note", json!({ "content": NOTE, "tags": ["todo"] }));
    talks.forks("bb-copy", "aa-wrote");
    talks.forks("cc-copy-of-copy", "bb-copy");
    talks.event("aa-wrote", "SessionEnd", &json!({ "reason": "other" }));
    talks.starts("dd-took-over");
    talks.0.desk.object("read_handoff", json!({ "from": "claude-code:aa-wrote" }));
    talks.starts("ee-other");
    talks.0.desk.named = Some("claude-code:aa-wrote".to_owned());
    let reply = forget(&talks.0.desk, "note", &note["id"]);
    let named = ["aa-wrote", "bb-copy", "cc-copy-of-copy", "dd-took-over"];
    assert_eq!(transcripts(&reply), named, "{}", reply.text);
}

/// A fork that changed or deleted its copy keeps in its history what that said; copies of copies are copies.
#[test]
fn what_forks_keep_of_a_note_and_of_a_session_is_named() {
    let mut talks = Talks::new();
    talks.starts("aa-wrote");
    let note = talks.0.desk.object("add_note", json!({ "content": NOTE, "tags": ["todo"] }));
    talks.forks("bb-copy", "aa-wrote");
    talks.forks("cc-copy-of-copy", "bb-copy");
    talks.0.desk.session = Some("claude-code:bb-copy".to_owned());
    talks.0.desk.object("delete_note", json!({ "id": note["id"] }));
    let id = note["id"].as_str().expect("an id");
    let left = |talks: &mut Talks, session: &str, what: &str, id: &Value| {
        talks.0.desk.named = Some(format!("claude-code:{session}"));
        forget(&talks.0.desk, what, id).text
    };
    let said = left(&mut talks, "aa-wrote", "note", &note["id"]);
    for line in [
        format!(
            "the history of note {id} of claude-code:bb-copy says the same: vade forget note {id} --session claude-code:bb-copy"
        ),
        format!(
            "note {id} of claude-code:cc-copy-of-copy says the same: vade forget note {id} --session claude-code:cc-copy-of-copy"
        ),
    ] {
        assert!(said.contains(&line), "{line} in {said}");
    }
    // Nothing is left once each of them is told.
    left(&mut talks, "bb-copy", "note", &note["id"]);
    left(&mut talks, "cc-copy-of-copy", "note", &note["id"]);
    assert_eq!(
        crate::keeping::files_with(&talks.0.desk.folder().join("data"), NOTE),
        Vec::<String>::new()
    );

    talks.0.desk.session = Some("claude-code:cc-copy-of-copy".to_owned());
    let said = left(&mut talks, "aa-wrote", "session", &Value::Null);
    for copy in ["bb-copy", "cc-copy-of-copy"] {
        let line = format!("session claude-code:{copy} began with copies of its page and notes");
        assert!(said.contains(&line), "{line} in {said}");
    }
}

/// A conversation that took a session's work over has read its words, and one that runs still holds them.
#[test]
fn conversations_that_hold_what_a_session_said_are_named() {
    let mut claude = crate::moments::Claude::new();
    claude.starts("startup");
    claude.desk.object("write_handoff", json!({ "content": NOTE }));
    let before = claude.session;
    claude.event("SessionEnd", &json!({ "reason": "other" }));
    let later = "99999999-0000-4000-8000-000000000002";
    claude.session = later;
    claude.desk.session = Some(format!("claude-code:{later}"));
    claude.starts("startup");
    claude.desk.object("read_handoff", json!({}));
    let transcript = claude.transcript();
    claude.desk.named = Some(before.to_owned());
    let left = forget(&claude.desk, "session", &Value::Null).object["left"].clone();
    let read = format!(
        "session claude-code:{later} read what it left, and its transcript may quote it: {}",
        transcript.display()
    );
    assert!(left.as_array().is_some_and(|left| left.contains(&json!(read))), "{left}");
    claude.desk.named = Some(later.to_owned());
    let left = forget(&claude.desk, "session", &Value::Null).object["left"].clone();
    let runs = format!(
        "session claude-code:{later} still runs: its conversation is not told, and holds what it was shown"
    );
    assert!(left.as_array().is_some_and(|left| left.contains(&json!(runs))), "{left}");
}

#[test]
fn what_is_to_be_forgotten_is_asked_before_whether() {
    let desk = Desk::new();
    for (what, said) in [
        ("note", "usage: forget note needs the id of the note, none given"),
        ("entry", "usage: forget entry needs the id of the entry, none given"),
        ("session", "missing: nothing is kept for this session"),
    ] {
        assert_eq!(desk.error("forget", json!({ "what": what })), said);
    }
}

/// Whoever says yes knows to what: without a name it is not always the session that others are shown.
#[test]
fn a_session_that_is_to_be_forgotten_is_named_with_what_it_holds() {
    let mut desk = Desk::new();
    desk.object("add_note", json!({"content": "one", "tags": ["a"]}));
    let asked = |desk: &Desk, id: Value| desk.error("forget", json!({"what": "session", "id": id}));
    let said = "usage: forgetting session test:session-1 (1 note) cannot be undone";
    assert_eq!(asked(&desk, Value::Null), said);
    desk.object("write_notepad", json!({"content": "page"}));
    let said = "usage: forgetting session test:session-1 (a page, 1 note) cannot be undone";
    assert_eq!(asked(&desk, json!("test:session-1")), said);
    desk.named = Some("desk".to_owned());
    desk.person("write_handoff", json!({"content": "word"})).expect("an answer");
    let own = desk.person("forget", json!({"what": "session"})).expect_err("no yes").message;
    assert!(own.ends_with(" (your own desk, no page, no notes) cannot be undone"), "{own}");
}

#[test]
fn arguments_that_are_wrong_are_told_with_those_there_are() {
    let error = Desk::new().call("read_handoff", json!({"budget": "x"})).expect_err("no number");
    assert_eq!(error.message, "read_handoff: budget takes a whole number from 0, \"x\" given");
    let hint = r#"arguments look like: {"from": …, "budget": …, "rest": …}"#;
    assert_eq!(error.hint.as_deref(), Some(hint));
}
