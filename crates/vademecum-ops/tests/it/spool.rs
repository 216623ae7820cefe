//! What waits in the spool is taken in whole, once and in order, and takes no session its context.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::moments::{Answer, Hook, Later, answer, cap, take_in, waiting};
use vademecum_ops::who::full_key;
use vademecum_ops::world::OpenStore;
use vademecum_store::store::{Decide, Look};
use vademecum_store::{Depth, Erase, Health, IntentId, Outcome, Scope, Store, StoreError, Write};

use crate::desk::Desk;
use crate::keeping::files_with;
use crate::moments::{Claude, Locked, SESSION};

/// So much time a hook gives what waits, in milliseconds of a clock that ticks with each look.
const SHARE: i64 = 60;

fn folder(desk: &Desk) -> PathBuf {
    desk.folder().join("data/spool")
}

/// What a hook queues of a session in the folder of `desk`; of a sub-agent where the name has one.
fn event(desk: &Desk, session: &str, at: i64, what: &Value) -> Value {
    use std::os::unix::ffi::OsStrExt as _;
    let key = full_key(&format!("claude-code:{session}")).expect("a key");
    let cwd = desk.world.folders.work.as_os_str().as_bytes();
    let place = json!({"model": null, "cwd": cwd, "transcript": null, "host_pid": null});
    let told = json!({"key": key, "at": at, "what": what, "place": place});
    json!({"at": at, "fault": "the disk of the store is full", "told": told})
}

/// Puts events into files as hooks do, at most 64 of a session in one.
fn wait_in(desk: &Desk, session: &str, events: &[Value]) {
    std::fs::create_dir_all(folder(desk)).expect("a folder");
    for file in events.chunks(64) {
        let lines: Vec<String> = file.iter().map(|event| format!("{event}\n")).collect();
        let name = format!("{:016}-{session}.jsonl", file[0]["at"].as_i64().expect("a time"));
        std::fs::write(folder(desk).join(name), lines.concat()).expect("a file");
    }
}

fn known(desk: &Desk, session: &str) -> Option<Session> {
    let key = full_key(&format!("claude-code:{session}")).expect("a key");
    vademecum_store::read(&desk.store, |view| view.session(&key)).expect("a read")
}

/// Starts a session by a clock that ticks with each look: its context, and how long it took.
fn starts(desk: &mut Desk, session: &str) -> (String, i64) {
    let ticks = Arc::new(AtomicI64::new(desk.clock.load(Ordering::SeqCst)));
    let clock = Arc::clone(&ticks);
    desk.world.now = Box::new(move || Time(clock.fetch_add(1, Ordering::SeqCst)));
    let begin = desk.world.now();
    let stdin = json!({"session_id": session, "cwd": desk.world.folders.work,
        "hook_event_name": "SessionStart", "source": "startup"});
    let stdin = stdin.to_string();
    let event = Event::parse(Harness::ClaudeCode, "SessionStart", stdin.as_bytes());
    let hook = Hook {
        rendered: None,
        store: &desk.store,
        world: &desk.world,
        config: &desk.config,
        config_fault: None,
        cap: cap(Harness::ClaudeCode),
        recap_until: begin.plus(60_000),
        drain_until: begin.plus(SHARE),
        later: Later::default(),
    };
    let answer = answer(&hook, &event.expect("an event"));
    let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    let context = printed["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    (context.to_owned(), desk.world.now().since(begin))
}

/// Six thousand events of a day on which the store took nothing: thirty of each of two hundred sessions.
#[test]
fn a_long_spool_takes_no_start_its_context_and_is_drained() {
    const N: i64 = 200;
    let mut desk = Desk::new();
    desk.session = Some(format!("claude-code:{SESSION}"));
    desk.object("write_notepad", json!({"content": "the page of this session"}));
    let at = desk.clock.load(Ordering::SeqCst);
    for n in 0..N {
        let (session, at) = (format!("{n:08}"), at - N * 100 + n * 100);
        let event = |ms, what| event(&desk, &session, at + ms, &what);
        let events = [event(0, json!({"begins": "start"})), event(29, json!("ends"))];
        let compacted = (1..29).map(|ms| event(ms, json!({"compacted": null})));
        let [begins, ends] = events;
        let events: Vec<Value> = [begins].into_iter().chain(compacted).chain([ends]).collect();
        wait_in(&desk, &session, &events);
    }
    assert_eq!(waiting(&desk.world.folders.data).n_events, 6_000);

    let (context, took) = starts(&mut desk, SESSION);
    assert!(context.contains("the page of this session"), "{context}");
    assert!(!context.contains("fault"), "{context}");
    assert!(took < 3 * SHARE, "{took}");
    let left = waiting(&desk.world.folders.data).n_events;
    assert!(0 < left && left < 6_000, "{left}");

    // What hooks and commands take in one slice after the other, one long one takes at once.
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    assert_eq!(waiting(&desk.world.folders.data), vademecum_ops::moments::Waiting::default());
    assert!(!folder(&desk).exists());
    for n in 0..N {
        let session = known(&desk, &format!("{n:08}")).expect("a session");
        assert_eq!((session.standing.compactions, session.ended_at.is_some()), (28, true), "{n}");
    }
}

#[test]
fn a_sessions_own_events_come_first_and_new_ones_wait_behind_them() {
    let mut desk = Desk::new();
    let at = desk.clock.load(Ordering::SeqCst);
    let compacted =
        |session: &str, n: i64| event(&desk, session, at - 9_000 + n, &json!({"compacted": null}));
    let many: Vec<Value> = (0..640).map(|n| compacted("other", n)).collect();
    wait_in(&desk, "1", &many);
    let own: Vec<Value> = (0..6_400).map(|n| compacted(SESSION, n)).collect();
    let name = vademecum_core::hash::plain(format!("claude-code:{SESSION}").as_bytes());
    wait_in(&desk, &vademecum_core::hash::hex(&name, 8), &own);

    let (_, took) = starts(&mut desk, SESSION);
    assert!(took < 3 * SHARE, "{took}");
    assert!(known(&desk, "other").is_none());
    let own = known(&desk, SESSION).expect("a session").standing.compactions;
    assert!(0 < own && own < 6_400 && own.is_multiple_of(64), "{own}");
    // The start itself waits behind what is left of its session, and nothing is noted twice.
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    assert_eq!(known(&desk, SESSION).expect("a session").standing.compactions, 6_400);
    assert_eq!(known(&desk, "other").expect("a session").standing.compactions, 640);
}

#[test]
fn what_died_over_a_file_is_taken_again_and_not_noted_twice() {
    let desk = Desk::new();
    let compacted = |n: i64| event(&desk, "s", 1_000 + n, &json!({"compacted": null}));
    wait_in(&desk, "1", &[compacted(0), compacted(1)]);
    let taken = folder(&desk).join(format!("{:016}-1.taken", 1_000));
    let open = taken.with_extension("jsonl");
    let bytes = std::fs::read(&open).expect("a file");
    std::fs::rename(&open, &taken).expect("a file");
    for _ in 0..2 {
        take_in(&desk.store, &desk.world, &desk.config, Time(0));
        assert_eq!(known(&desk, "s").expect("a session").standing.compactions, 2);
        // As after a death between the commit and the removal.
        std::fs::create_dir_all(folder(&desk)).expect("a folder");
        std::fs::write(&taken, &bytes).expect("a file");
    }
}

#[test]
fn what_cannot_be_read_is_set_aside_and_the_rest_is_taken_in() {
    let desk = Desk::new();
    let good = event(&desk, "good", 1_000, &json!({"compacted": null}));
    let newer = event(&desk, "newer", 1_001, &json!({"word_of_a_later_version": 7}));
    std::fs::create_dir_all(folder(&desk)).expect("a folder");
    let (good, newer) = (good.to_string(), newer.to_string());
    let lines: [&[u8]; 5] =
        [b"\xff\xfe no text\n", newer.as_bytes(), b"\n{\"at\": 3, \"to", b"\n", good.as_bytes()];
    std::fs::write(folder(&desk).join("0000000000001000-1.jsonl"), lines.concat()).expect("a file");
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    assert_eq!(known(&desk, "good").expect("a session").standing.compactions, 1);
    let left = waiting(&desk.world.folders.data);
    assert_eq!((left.n_events, left.n_unreadable), (0, 3));

    // A later version knows the word; here its line is put in the words of this one.
    let aside = folder(&desk).join("0000000000001000-1.aside");
    let text = std::fs::read(&aside).expect("lines");
    let text =
        String::from_utf8_lossy(&text).replace("{\"word_of_a_later_version\":7}", "\"ends\"");
    std::fs::write(&aside, text).expect("lines");
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    assert!(known(&desk, "newer").expect("a session").ended_at.is_some());
    assert_eq!(waiting(&desk.world.folders.data).n_unreadable, 2);

    // Nobody can say whose the others are: they go with the first session that is forgotten.
    let data = desk.folder().join("data");
    assert!(!files_with(&data, "no text").is_empty());
    let mut desk = desk;
    desk.session = Some("claude-code:newer".to_owned());
    desk.object("forget", json!({"what": "session", "yes": true}));
    assert_eq!(files_with(&data, "no text"), Vec::<String>::new());
    assert!(!folder(&desk).exists());
}

/// The store knows none of them before they are forgotten, but the session `kept` and its project in half the cases.
#[test]
fn what_is_forgotten_does_not_come_back_from_the_spool() {
    const ALL: [&str; 5] = ["new", "new/agent", "kept/agent", "later", "other"];
    let check = |is_known: bool, what: &str, id: Option<&str>, gone: &[&str]| {
        let mut desk = Desk::new();
        desk.session = Some("claude-code:kept".to_owned());
        if is_known {
            desk.object("add_note", json!({"content": "kept", "tags": ["a"]}));
        }
        let here = desk.world.folders.work.clone();
        for (at, session) in (0..).zip(ALL) {
            let elsewhere = if session == "other" { "elsewhere" } else { "" };
            desk.world.folders.work = here.join(elsewhere);
            std::fs::create_dir_all(desk.world.folders.work.join(".git")).expect("a folder");
            let what = if session == "later" { json!({"later_word": 7}) } else { json!("ends") };
            wait_in(
                &desk,
                session.split('/').next().expect("a name"),
                &[event(&desk, session, at, &what)],
            );
        }
        desk.world.folders.work = here;
        desk.object("forget", json!({"what": what, "id": id, "yes": true}));
        let waits = |name: &&str| {
            let key = full_key(&format!("claude-code:{name}")).expect("a key");
            let key = serde_json::to_string(&key).expect("JSON");
            folder(&desk).exists() && !files_with(&folder(&desk), &key).is_empty()
        };
        // What waits of others is taken in before.
        let is_there = |name: &&str| waits(name) || known(&desk, name).is_some();
        let there: Vec<&str> = ALL.into_iter().filter(is_there).collect();
        let stays = ALL.into_iter().filter(|name| !gone.contains(name));
        assert_eq!(there, stays.collect::<Vec<_>>(), "{is_known} {what} {id:?}");
        take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
        let back: Vec<_> = gone.iter().filter(|name| known(&desk, name).is_some()).collect();
        assert_eq!(back, Vec::<&&str>::new(), "{is_known} {what} {id:?}");
    };
    for is_known in [true, false] {
        check(is_known, "project", None, &["new", "new/agent", "kept/agent", "later"]);
        for name in ["claude-code:new", "new"] {
            check(is_known, "session", Some(name), &["new", "new/agent"]);
        }
        check(is_known, "session", Some("claude-code:later"), &["later"]);
        check(is_known, "session", Some("claude-code:new/agent"), &["new/agent"]);
    }
    check(true, "session", Some("claude-code:kept"), &["kept/agent"]);
    check(true, "session", None, &["kept/agent"]);
}

#[test]
fn many_take_in_while_others_queue_and_each_event_is_noted_once() {
    const SESSIONS: usize = 4;
    const EVENTS: usize = 100;
    let claude = Claude::new();
    let desk = &claude.desk;
    let has_ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let queuers: Vec<_> = (0..SESSIONS)
            .map(|n| {
                scope.spawn(move || {
                    let store = Locked::new(&desk.store);
                    for _ in 0..EVENTS {
                        queue(desk, &store, &format!("session-{n}"));
                    }
                })
            })
            .collect();
        for _ in 0..2 {
            scope.spawn(|| {
                while !has_ended.load(Ordering::SeqCst) {
                    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
                }
            });
        }
        for queuer in queuers {
            queuer.join().expect("a queuer");
        }
        has_ended.store(true, Ordering::SeqCst);
    });
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    for n in 0..SESSIONS {
        let session = known(desk, &format!("session-{n}")).expect("a session");
        assert_eq!(session.standing.compactions as usize, EVENTS, "{n}");
    }
    assert_eq!(waiting(&desk.world.folders.data).n_unreadable, 0);
}

/// Whatever of it the store could not take at its time.
#[test]
fn a_session_began_and_ended_when_its_events_say() {
    let began = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let ended = json!({"hook_event_name": "SessionEnd", "reason": "other"});
    for (first_waits, last_waits) in [(true, true), (true, false), (false, true)] {
        let desk = Desk::new();
        let mut at = Vec::new();
        for (what, waits) in [(&began, first_waits), (&ended, last_waits)] {
            desk.clock.fetch_add(60_000, Ordering::SeqCst);
            at.push(desk.clock.load(Ordering::SeqCst));
            let store = Locked { is_busy: waits.into(), ..Locked::new(&desk.store) };
            assert_eq!(hooked(&desk, &store, "s", what).fault.is_some(), waits);
        }
        desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
        take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
        let Session { started_at, seen_at, ended_at, .. } = known(&desk, "s").expect("a session");
        let told = (started_at.0, seen_at.0, ended_at.map(|at| at.0));
        assert_eq!(told, (at[0], at[1], Some(at[1])), "{first_waits} {last_waits}");
    }

    // Of one that never began here no end is kept.
    let desk = Desk::new();
    let store = Locked::new(&desk.store);
    assert_eq!(hooked(&desk, &store, "s", &ended).fault, None);
    assert!(!folder(&desk).exists());
}

/// A hook that finds the store held.
fn queue(desk: &Desk, store: &dyn Store, session: &str) {
    desk.clock.fetch_add(1, Ordering::SeqCst);
    let compacted = json!({"hook_event_name": "SessionStart", "source": "compact"});
    assert!(hooked(desk, store, session, &compacted).fault.is_some());
}

/// What a hook of `session` answers that has this event.
fn hooked(desk: &Desk, store: &dyn Store, session: &str, event: &Value) -> Answer {
    let at = desk.clock.load(Ordering::SeqCst);
    let mut stdin = json!({"session_id": session, "cwd": desk.world.folders.work});
    stdin.as_object_mut().expect("an object").extend(event.as_object().expect("one").clone());
    let name = event["hook_event_name"].as_str().expect("a name");
    let stdin = stdin.to_string();
    let event = Event::parse(Harness::ClaudeCode, name, stdin.as_bytes());
    let hook = Hook {
        rendered: None,
        store,
        world: &desk.world,
        config: &desk.config,
        config_fault: None,
        cap: cap(Harness::ClaudeCode),
        recap_until: Time(at + 60_000),
        drain_until: Time(0),
        later: Later::default(),
    };
    answer(&hook, &event.expect("an event"))
}

/// Neither a pipe, which has no end, nor a link nor a folder is a file of the spool, whatever it is called.
#[test]
fn what_is_no_file_is_in_nobodys_way() {
    let mut desk = Desk::new();
    let at = desk.clock.load(Ordering::SeqCst);
    wait_in(&desk, "s-1", &[event(&desk, "s-1", at, &json!({"begins": "start"}))]);
    let named = |at: i64| folder(&desk).join(format!("{at:016}-s-1.jsonl"));
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, named(at + 1), FileType::Fifo, mode, 0).expect("a pipe");
    std::os::unix::fs::symlink("/dev/zero", named(at + 2)).expect("a link");
    std::fs::create_dir(named(at + 3)).expect("a folder");
    let sparse = std::fs::File::create(named(at + 4)).expect("a file");
    sparse.set_len(3 << 30).expect("a length");
    assert_eq!(waiting(&desk.folder().join("data")).n_events, 1);
    let (context, _) = starts(&mut desk, "s-2");
    assert!(!context.contains("degraded"), "{context}");
    assert!(known(&desk, "s-1").is_some(), "the event was not taken in");
}

/// Two stores may have one data folder: an event waits for the one that it was for, and holds up nobody.
#[test]
fn what_waits_for_another_store_is_left_to_it() {
    let mut desk = Desk::new();
    let event = |session: &str, at: i64, store: &Value| {
        let mut event = event(&desk, session, at, &json!({"begins": "start"}));
        event["store"] = store.clone();
        event
    };
    let all = [
        event("ours", 1_000, &json!("this")),
        event("theirs", 1_001, &json!("other")),
        event("older", 1_002, &Value::Null),
    ];
    wait_in(&desk, "mixed", &all);
    let named = |name: &str| OpenStore { name: name.to_owned(), person: None };
    desk.world.store = named("this").into();
    starts(&mut desk, "new");
    let are_known = ["ours", "theirs", "older"].map(|session| known(&desk, session).is_some());
    assert_eq!(are_known, [true, false, true]);
    let left = || {
        let files = std::fs::read_dir(folder(&desk)).expect("a folder");
        let text = |file: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(file.expect("a file").path()).expect("a text")
        };
        files.map(text).collect::<String>()
    };
    assert_eq!(left(), format!("{}\n", all[1]));
    // A command looks at all that lies there, and leaves it as it is.
    let Desk { store, world, config, .. } = &desk;
    take_in(store, world, config, world.now().plus(60_000));
    assert_eq!((left(), known(&desk, "theirs").is_some()), (format!("{}\n", all[1]), false));
    // Who opens the other store takes it in.
    desk.world.store = named("other").into();
    let Desk { store, world, config, .. } = &desk;
    take_in(store, world, config, world.now().plus(60_000));
    assert!(known(&desk, "theirs").is_some() && !folder(&desk).exists());
}

/// What is refused for one session, whose project is no longer shared with this person, holds up no other's.
#[test]
fn what_is_refused_waits_and_the_rest_is_taken_in() {
    let desk = Desk::new();
    let at = desk.clock.load(Ordering::SeqCst);
    for (n, session) in [(0, "refused-1"), (10, "taken-1"), (20, "taken-2")] {
        wait_in(
            &desk,
            session,
            &[event(&desk, session, at - 100 + n, &json!({"begins": "start"}))],
        );
    }
    let key = full_key("claude-code:refused-1").expect("a key");
    let store = Refusing { inner: &desk.store, session: &key };
    take_in(&store, &desk.world, &desk.config, Time(i64::MAX));
    let n_waiting = |desk: &Desk| waiting(&desk.world.folders.data).n_events;
    assert_eq!(n_waiting(&desk), 1);
    assert!(known(&desk, "taken-1").is_some() && known(&desk, "taken-2").is_some());
    assert!(known(&desk, "refused-1").is_none());
    // Once it is shared again, nothing is missing.
    take_in(&desk.store, &desk.world, &desk.config, Time(i64::MAX));
    assert!(known(&desk, "refused-1").is_some() && n_waiting(&desk) == 0);
}

/// A store that lets nobody write to one session.
struct Refusing<'a> {
    inner: &'a vademecum_sqlite::Sqlite,
    session: &'a SessionKey,
}

impl Store for Refusing<'_> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.inner.read(look)
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        if write.scope == Scope::Session(self.session.clone()) {
            return Err(StoreError::Uninvited);
        }
        self.inner.write(write, decide)
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.inner.wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.inner.intend(what)
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.inner.erase(what, fulfils)
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.inner.shrink()
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.inner.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.inner.health(depth)
    }
}
