//! A store that is broken, missing, locked or full: the hook exits 0 in time, with what can be read.
#![expect(clippy::disallowed_methods, reason = "how long a real process takes is what is tested")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vademecum::Patience;
use vademecum::core::hash;
use vademecum::core::id::WriteId;
use vademecum::core::time::Time;
use vademecum::port::{Author, Decision, Origin, Scope, Store as _, Surface, View, Write, Writer};
use vademecum::store::open_file;

use super::claude::{Claude, Hooked, SESSION};
use super::place::{self, Mount};
use crate::home::{Said, VADE};

const PAGE: &str = "## Plan\n- [ ] key in `submit` — 漢字 🥕";

/// What a hook may take, whatever is wrong.
const LIMIT: Duration = Duration::from_millis(250);

/// What a start may take while another process writes, for which it waits up to 50.
const LOCKED: Duration = Duration::from_millis(100);

/// A machine that does much else slows runs down, but not each of so many; a wait of ours slows each.
const TRIES: usize = 100;

/// A session with a page and its work done, as it is on disk when trouble comes.
fn kept() -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude.vade(&["notepad", "write", PAGE]);
    claude
}

#[test]
fn a_broken_configuration_is_said_and_takes_no_more_than_it_must() {
    // Whose file it is, whether the page comes back all the same, and what is said of it.
    let wrong = "an unknown key";
    let own = "unknown field `maxtokens`, expected";
    for (file, is_kept, what) in
        [("../.vademecum.toml", true, wrong), (".config/vademecum/config.toml", false, own)]
    {
        let claude = kept();
        claude.home.write(file, "recap.maxtokens = 5\n");
        let start = claude.starts("compact");
        assert_eq!(start.context.contains(PAGE), is_kept, "{start:?}");
        assert_eq!(start.stderr.lines().count(), usize::from(!is_kept), "{start:?}");
        for said in [&start.message, &start.context] {
            assert!(said.contains(&format!("line 1, column 7: {what}")), "{start:?}");
        }
        assert_eq!(start.message.lines().count(), 1, "{start:?}");
        let asked = json!({ "prompt": "remember: the beacon is red" });
        let prompt = claude.hook("UserPromptSubmit", &asked);
        let unkept = "; say it again once that is mended";
        for said in [&prompt.message, &prompt.context] {
            assert_eq!(said.contains(unkept), !is_kept, "{prompt:?}");
        }
        assert!(prompt.message.contains("remembered"), "{prompt:?}");
    }
}

/// What is too large for a file is not written; the harness is told so, and the process goes on.
#[test]
fn a_limit_on_the_size_of_files_ends_no_hook() {
    let claude = kept();
    let event = claude.payload("SessionStart", &json!({"source": "compact"})).to_string();
    for blocks in ["0", "1", "64"] {
        let mut shell = claude.home.command(Path::new("/bin/sh"));
        let line = format!("ulimit -f {blocks}; exec \"$0\" hook claude-code SessionStart");
        shell.args(["-c", &line, VADE]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = shell.stderr(Stdio::piped()).spawn().expect("a process");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(event.as_bytes()).expect("it reads");
        drop(pipe);
        let said = claude.home.said(&child.wait_with_output().expect("an end"));
        assert_eq!(said.code, Some(0), "{blocks}: {said:?}");
        assert!(said.stdout.contains("vade: restored for this session"), "{blocks}: {said:?}");
    }
}

/// A begin, and how long it took.
fn timed(claude: &Claude) -> (Hooked, Duration) {
    let begin = Instant::now();
    let start = claude.starts("compact");
    (start, begin.elapsed())
}

/// A begin that says what is wrong, to the model, the person and the log, in time.
#[track_caller]
fn check_said(claude: &Claude, fault: &str, limit: Duration) -> Hooked {
    let (mut start, mut took) = timed(claude);
    for _ in 1..TRIES {
        if took <= limit {
            break;
        }
        let (again, time) = timed(claude);
        (start, took) = (again, took.min(time));
    }
    assert!(took <= limit, "the hook took {took:?}");

    assert_eq!(start.stderr.lines().count(), 1, "{start:?}");
    assert!(start.stderr.starts_with("vade: ") && start.stderr.contains(fault), "{start:?}");
    // Where nothing can be owed a person is told how it comes back.
    let said = start.message.trim_end_matches("; resume this session once that is mended");
    assert_eq!(said, start.stderr.trim_end(), "{start:?}");
    assert_eq!(said != start.message, !claude.data().is_dir(), "{start:?}");
    assert!(start.context.contains(&format!("fault: {fault}")), "{start:?}");
    check_goes_on(claude);
    start
}

/// No other event prints more than the fault, and each exits 0.
#[track_caller]
fn check_goes_on(claude: &Claude) {
    claude.used(50_000, "msg_1");
    let own = json!({ "tool_name": "mcp__vade__add_note", "tool_input": {}, "tool_use_id": "t" });
    for (event, more) in [
        ("UserPromptSubmit", json!({ "prompt": "go on" })),
        ("PreToolUse", own),
        ("PostToolBatch", json!({ "tool_calls": [] })),
        ("PreCompact", json!({ "trigger": "auto" })),
        ("SessionEnd", json!({ "reason": "other" })),
    ] {
        let said = claude.run(event, claude.payload(event, &more).to_string().as_bytes());
        assert_eq!(said.code, Some(0), "{event}: {said:?}");
        assert!(said.stderr.lines().count() <= 1, "{event}: {said:?}");
    }
}

/// The page is there again, and what was only late is no fault.
#[track_caller]
fn check_mended(claude: &Claude) {
    let after = claude.starts("compact");
    assert!(after.context.contains(PAGE), "{after:?}");
    assert!(!after.context.contains("fault: ") && after.stderr.is_empty(), "{after:?}");
}

/// Breaks the database's bytes, looks, and puts them back.
#[track_caller]
fn check_broken(spoil: fn(&mut [u8]), fault: &str) {
    let claude = kept();
    let path = claude.data().join("vade.db");
    let bytes = fs::read(&path).expect("a database");
    let mut spoilt = bytes.clone();
    spoil(&mut spoilt);
    replace(&claude, &spoilt);

    let start = check_said(&claude, fault, LIMIT);
    assert!(start.context.contains("cannot be read now"), "{start:?}");
    assert!(!start.context.contains(PAGE), "{start:?}");
    assert_eq!(fs::read(&path).expect("a database"), spoilt, "a damaged store is evidence");

    replace(&claude, &bytes);
    check_mended(&claude);
}

/// Puts `bytes` in place of the database, whose log is empty since the last command ended.
fn replace(claude: &Claude, bytes: &[u8]) {
    for name in ["vade.db-wal", "vade.db-shm"] {
        let path = claude.data().join(name);
        if path.exists() {
            fs::remove_file(path).expect("a file of ours");
        }
    }
    fs::write(claude.data().join("vade.db"), bytes).expect("a file");
}

#[test]
fn a_file_that_is_no_store_is_said_and_left_alone() {
    check_broken(|bytes| bytes.fill(0x5a), "the file is no vademecum store");
}

#[test]
fn a_damaged_store_is_said_and_left_alone() {
    check_broken(|bytes| bytes[4_096..].fill(0x5a), "the store is damaged");
}

#[test]
fn a_store_that_is_gone_is_begun_anew() {
    let claude = kept();
    fs::remove_dir_all(claude.data()).expect("the store");
    let start = claude.starts("compact");
    assert!(start.context.contains("nothing on its notepad"), "{start:?}");
    assert_eq!(start.stderr, "");
    check_goes_on(&claude);
}

#[test]
fn a_store_without_a_folder_is_said() {
    let claude = kept();
    fs::remove_dir_all(claude.data()).expect("the store");
    fs::write(claude.data(), "").expect("a file");
    check_said(&claude, "the store failed", LIMIT);
}

/// A place that cannot be written gives what it holds; nothing else is lost.
#[track_caller]
fn check_unwritable(place: fn(&Path) -> Option<Mount>, fault: &str) {
    let claude = kept();
    let Some(mount) = place(&claude.data()) else {
        eprintln!("skipped: this machine does not let us mount, as the superuser could");
        return;
    };
    let start = check_said(&claude, fault, LIMIT);
    assert!(start.context.contains(PAGE), "{start:?}");
    drop(mount);
    let after = claude.starts("compact");
    assert!(after.context.contains(PAGE) && !after.context.contains("fault: "), "{after:?}");
}

#[test]
fn a_read_only_store_is_read() {
    check_unwritable(place::read_only, "the store is read-only");
}

#[test]
fn a_store_on_a_full_disk_is_read() {
    check_unwritable(place::full, "the disk of the store is full");
}

/// A write of another process, as far as the hook sees it.
fn write() -> Write {
    Write {
        scope: Scope::Store,
        is_fresh: false,
        id: WriteId::new("held").expect("an id"),
        arguments: hash::plain(b"held"),
        kind: "hold",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(0),
    }
}

/// What `run` gives while another process writes to the store.
pub(super) fn held<T>(data: &Path, run: impl FnOnce() -> T) -> T {
    let store = open_file(&data.join("vade.db"), Patience::Command);
    let (held, is_held) = mpsc::channel();
    let (free, is_free) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| {
            let is_free = is_free;
            let mut stay = |_: &dyn View| {
                held.send(()).expect("the test waits");
                // Ends when the sender is dropped.
                assert!(is_free.recv().is_err(), "nothing is ever sent");
                Ok(Decision::Refuse)
            };
            store.write(&write(), &mut stay).expect("a refused write");
        });
        is_held.recv().expect("the lock");
        let given = run();
        drop(free);
        given
    })
}

#[test]
fn a_locked_store_is_read_at_once_and_what_waits_is_taken_in_once() {
    let claude = kept();
    let start = held(&claude.data(), || check_said(&claude, "the store is busy", LOCKED));
    assert!(start.context.contains(PAGE), "{start:?}");
    check_mended(&claude);
    assert!(!claude.data().join("spool").exists(), "something waits still");
}

/// A day on which the store took nothing: six thousand events, of this session and of others.
#[test]
fn a_long_spool_takes_no_start_its_context() {
    const EVENTS: usize = 1_500;
    let claude = kept();
    let folder = claude.data().join("spool");
    fs::create_dir_all(&folder).expect("a folder");
    let own = claude.payload("SessionStart", &json!({}))["session_id"].clone();
    for session in [own, json!("other-1"), json!("other-2"), json!("other-3")] {
        let key = json!({ "harness": "claude-code", "external": session, "agent": null });
        let name = format!("claude-code:{}", session.as_str().expect("a name"));
        let name = hash::hex(&hash::plain(name.as_bytes()), 8);
        let place = json!({ "model": null, "cwd": null, "transcript": null, "host_pid": null });
        for first in (0..EVENTS).step_by(64) {
            let line = |at: usize| {
                let told =
                    json!({ "key": key, "at": at, "what": { "compacted": null }, "place": place });
                format!("{}\n", json!({ "at": at, "fault": "full", "told": told }))
            };
            let lines: String = (first..EVENTS.min(first + 64)).map(line).collect();
            fs::write(folder.join(format!("{first:016}-{name}.jsonl")), lines).expect("a file");
        }
    }
    let start = claude.starts("compact");
    assert!(start.context.contains(PAGE), "{start:?}");
    let n_files = || fs::read_dir(&folder).map_or(0, Iterator::count);
    let after_start = n_files();
    assert!(after_start < 96, "nothing was taken in");
    // One command takes in what there is; a slow machine may need another.
    for _ in 0..3 {
        if n_files() == 0 {
            break;
        }
        claude.vade(&["status"]);
    }
    assert_eq!(n_files(), 0, "commands take the rest in");
    let later = claude.starts("compact");
    assert!(later.context.contains(PAGE) && !later.context.contains("fault: "), "{later:?}");
}

#[test]
fn who_is_not_told_its_event_gives_up_in_time_and_puts_nothing_in_context() {
    let claude = kept();
    for (event, ms) in [("SessionStart", 240), ("PreCompact", 1000), ("SessionEnd", 1000)] {
        let mut command = claude.home.command(Path::new(VADE));
        command.args(["hook", "claude-code", event]).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let pipe = child.stdin.take().expect("a pipe");
        let said = claude.home.said(&child.wait_with_output().expect("an end"));
        drop(pipe);
        let stderr = format!(
            "vade: gave up after {ms} ms, nothing was put in context, what is saved is kept; run: vade doctor\n"
        );
        assert_eq!(said, Said { code: Some(0), stdout: String::new(), stderr }, "{event}");
    }
}

/// How far a machine comes in a millisecond is its own: the deadline is put later until it passes in the midst.
#[test]
fn a_start_that_gave_up_is_made_up_for_by_the_next_prompt() {
    let claude = kept();
    let event = claude.payload("SessionStart", &json!({ "source": "compact" })).to_string();
    let gave_up = "the session's next prompt or call brings its memory back; run: vade doctor\n";
    let told = "What is saved comes with a later prompt or call";
    let is_midst = |ms: &u64| {
        let said = claude.run_within(*ms, "SessionStart", event.as_bytes());
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(!said.stderr.ends_with(gave_up) || said.stdout.contains(told), "{said:?}");
        said.stderr.ends_with(gave_up)
    };
    let midst = (1..500).find(is_midst);
    assert!(midst.is_some(), "each came too early or too late");
    let doctor = claude.home.vade(&["doctor"]).stdout;
    assert!(doctor.contains(" (compact): its next prompt or call brings it"), "{doctor}");
    let prompt = json!({ "prompt": "go on" });
    assert!(claude.hook("UserPromptSubmit", &prompt).context.contains(PAGE));
    assert!(!claude.hook("UserPromptSubmit", &prompt).context.contains(PAGE));
}

/// Wherever the deadline ends a start of which nothing is known yet, the next prompt gives what it says that it gives.
#[test]
fn a_first_start_that_gave_up_is_made_up_for_too() {
    let claude = kept();
    let gave_up = "the session's next prompt or call brings its memory back; run: vade doctor\n";
    let mut n_midst = 0;
    for ms in 1..500 {
        let more = json!({ "session_id": format!("{ms:08}-first"), "source": "startup" });
        let event = claude.payload("SessionStart", &more).to_string();
        let told = claude.run_within(ms, "SessionStart", event.as_bytes());
        assert_eq!(told.code, Some(0), "{told:?}");
        if told.stderr.is_empty() {
            break;
        }
        if told.stderr.ends_with(gave_up) {
            n_midst += 1;
            let prompt = json!({ "session_id": format!("{ms:08}-first"), "prompt": "go on" });
            let given = claude.hook("UserPromptSubmit", &prompt).context;
            assert!(given.contains("vade: "), "{ms} ms: {given:?}");
            assert_eq!(claude.hook("UserPromptSubmit", &prompt).context, "", "{ms} ms");
        }
    }
    assert_ne!(n_midst, 0, "each came too early or too late");
}

/// Wherever the deadline ends the hook, what a person asked to remember is found if that was said, or nothing was, and
/// not found if it was said not to be kept.
#[test]
fn what_is_to_be_remembered_outlives_the_deadline() {
    let claude = kept();
    let waits = "what was to be kept waits on disk and is taken in later; run: vade doctor\n";
    let is_not_kept = "what was to be remembered is not kept: say it again; run: vade doctor\n";
    let mut said = Vec::new();
    for (n, ms) in deadlines() {
        let asked = json!({ "prompt": format!("remember: the harbour is {n} fathoms deep") });
        let event = claude.payload("UserPromptSubmit", &asked).to_string();
        let told = claude.run_within(ms, "UserPromptSubmit", event.as_bytes());
        assert_eq!(told.code, Some(0), "{told:?}");
        let is_answered = told.stdout.contains("kept as the user asked");
        said.push((n, told));
        if is_answered && said.iter().any(|(_, told)| told.stderr.ends_with(waits)) {
            break;
        }
    }
    claude.vade(&["status"]);
    let found = claude.vade(&["search", "harbour fathoms", "--limit", "500", "--json"]);
    for (n, told) in &said {
        let is_found = found.contains(&format!("harbour is {n} fathoms"));
        let is_said = told.stdout.contains("kept as the user asked");
        match told.stderr.as_str() {
            // It ended before it read what it was given.
            early if early.ends_with("what is saved is kept; run: vade doctor\n") => {
                assert!(
                    told.stdout.is_empty() != is_found && is_said != told.stdout.is_empty(),
                    "{n}: {told:?}"
                );
            }
            late if late.ends_with(waits) => {
                assert!(is_found && told.stdout.contains("waits on disk"), "{n}: {told:?}");
            }
            none if none.ends_with(is_not_kept) => {
                let is_told = told.stdout.contains("not remembered: the store gave no answer");
                assert!(!is_found && is_told, "{n}: {told:?}");
            }
            other => assert!(is_found && is_said, "{n}: {other:?} {told:?}"),
        }
    }
    let waited = said.iter().filter(|(_, told)| told.stderr.ends_with(waits));
    assert_ne!(waited.count(), 0, "each came too early or too late: {said:?}");
}

/// Deadlines in milliseconds, numbered, the shortest first and then again: on a busy machine one is heard of late, and
/// which of them falls into the midst of a write differs each time.
fn deadlines() -> impl Iterator<Item = (u32, u64)> {
    (0..).zip((1..100).cycle()).take(800)
}

/// Wherever the deadline ends the end of a session, it is an end if it is said to wait on disk.
#[test]
fn the_end_of_a_session_outlives_the_deadline() {
    let claude = kept();
    let waits = "what was to be kept waits on disk and is taken in later; run: vade doctor\n";
    let mut ended = Vec::new();
    for (n, ms) in deadlines() {
        let id = format!("{n:08}-ends");
        let of = |more: Value| {
            let mut payload = json!({ "session_id": id });
            payload
                .as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("one").clone());
            payload
        };
        claude.hook("SessionStart", &of(json!({ "source": "startup" })));
        let event = claude.payload("SessionEnd", &of(json!({ "reason": "other" }))).to_string();
        let said = claude.run_within(ms, "SessionEnd", event.as_bytes());
        if said.stderr.ends_with(waits) {
            ended.push(id);
        } else if said.stderr.is_empty() && !ended.is_empty() {
            break;
        }
    }
    assert!(!ended.is_empty(), "each came too early or too late");
    claude.vade(&["status"]);
    let listed: Value =
        serde_json::from_str(&claude.vade(&["session", "list", "--json"])).expect("JSON");
    for session in listed["sessions"].as_array().expect("sessions") {
        let is_one = ended.iter().any(|id| session["name"] == format!("claude-code:{id}"));
        assert!(!is_one || session["ended_at"].is_string(), "{session}");
    }
}

/// One shell may name another store than the next; what waits in the folder that they share is still of one of them.
#[test]
fn what_waits_reaches_the_store_that_it_was_for() {
    let claude = kept();
    let asked = json!({ "prompt": "remember: the harbour is nine fathoms deep" });
    let said = held(&claude.data(), || claude.hook("UserPromptSubmit", &asked));
    assert!(said.context.contains("waits on disk"), "{said:?}");
    let other = |words: &[&str]| {
        let mut command = claude.home.command(Path::new(VADE));
        command.args(words).env("VADE_STORE", claude.home.path("other.db"));
        claude.home.said(&command.output().expect("a run"))
    };
    assert_eq!(other(&["note", "add", "of the other store", "-t", "x"]).code, Some(0));
    // What forgets takes in and away too, and is about its own store.
    other(&["forget", "note", "note_1", "--yes"]);
    other(&["forget", "session", &format!("claude-code:{SESSION}"), "--yes"]);
    other(&["forget", "project", "--yes"]);
    assert!(!other(&["search", "fathoms", "--all"]).stdout.contains("nine"));
    let doctor = other(&["doctor"]).stdout;
    let own = claude.data().join("vade.db");
    let own = format!("~/{}", own.strip_prefix(claude.home.path("")).expect("it").display());
    assert!(doctor.contains(&format!(" for the store {own}: the store is busy")), "{doctor}");
    assert!(doctor.contains(&format!("VADE_STORE='{own}' vade status\n")), "{doctor}");
    // Who copies the store is told that they are not in the copy.
    let copied = claude.vade(&[
        "store",
        "copy",
        &claude.data().join("vade.db").display().to_string(),
        "copy.db",
    ]);
    assert!(copied.contains("- 2 lines that hooks could not note there"), "{copied}");
    claude.vade(&["status"]);
    assert!(claude.vade(&["search", "fathoms"]).contains("nine fathoms"));
    assert!(claude.home.vade(&["doctor"]).stdout.contains("nothing waits"));
}

/// All that lies beside the store, as one text.
fn beside_the_store(claude: &Claude) -> String {
    let queue = fs::read_dir(claude.data().join("spool")).expect("a queue");
    let files = queue.map(|entry| entry.expect("an entry").path());
    let files = files.chain([claude.data().join("receipts.jsonl")]);
    files.map(|path| fs::read_to_string(path).expect("a text")).collect()
}

#[test]
fn receipts_and_what_waits_hold_no_page_and_no_note() {
    let claude = kept();
    claude.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    let lock = fs::File::open(claude.data().join("vade.lock")).expect("a lock");
    lock.lock().expect("the lock");
    let start = claude.starts("compact");
    assert!(start.context.contains(PAGE) && start.context.contains("in the vault"), "{start:?}");
    claude.hook("SessionEnd", &json!({ "reason": "other" }));
    let text = beside_the_store(&claude);
    assert!(text.contains("compacted") && text.contains("\"ends\""), "{text}");
    for kept in ["Plan", "submit", "vault"] {
        assert!(!text.contains(kept), "{kept}: {text}");
    }
}
