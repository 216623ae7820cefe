//! Who is continued: the session of a project that worked last, unless it still runs.

use std::sync::atomic::Ordering;

use serde_json::json;
use vademecum_core::time::Time;
use vademecum_ops::config::{Config, OnSessionEnd};
use vademecum_ops::who::LIVE_MS;

use crate::keeping::files_with;
use crate::moments::Claude;

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";
const C: &str = "cccccccc-0000-4000-8000-000000000003";

const MINUTE: i64 = 60 * 1000;

/// No process has this number.
const GONE: u32 = 2_147_483_646;

/// A project in which sessions come and go.
struct House(Claude);

impl House {
    fn new() -> Self {
        Self(Claude::new())
    }

    fn wait(&self, ms: i64) {
        self.0.desk.clock.fetch_add(ms, Ordering::SeqCst);
    }

    /// From here on this session speaks, from the process of this number.
    fn is(&mut self, session: &'static str, pid: Option<u32>) {
        self.0.session = session;
        self.0.desk.session = Some(format!("claude-code:{session}"));
        self.0.desk.world.env = Box::new(move |name| {
            pid.filter(|_| name == "CLAUDE_PID").map(|pid| pid.to_string().into())
        });
    }

    fn works(&self) {
        self.0.context("PostToolBatch", &json!({"tool_calls": []}));
    }

    /// A new session that leaves an open item on its page.
    fn begins(&mut self, session: &'static str, pid: Option<u32>) {
        self.is(session, pid);
        self.0.starts("startup");
        self.works();
        self.0.desk.object("write_notepad", json!({"content": format!("- [ ] {session}")}));
    }

    fn ends(&self) {
        self.0.event("SessionEnd", &json!({"reason": "other"}));
    }

    /// Whose open item a new session is shown; none if nobody's.
    fn offered(&mut self, source: &str, pid: Option<u32>) -> Option<&'static str> {
        self.is(C, pid);
        let start = self.0.starts(source);
        [A, B].into_iter().find(|session| start.contains(session))
    }
}

/// The first session, resumed when the second has come and gone.
fn resumed() -> House {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(60 * MINUTE);
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(60 * MINUTE);
    house.is(A, Some(GONE));
    house.0.starts("resume");
    house
}

#[test]
fn one_that_was_resumed_is_the_one_to_continue() {
    let mut house = resumed();
    house.works();
    assert_eq!(house.offered("startup", None), Some(A));
}

#[test]
fn one_that_was_only_looked_at_is_not() {
    let mut house = resumed();
    house.ends();
    assert_eq!(house.offered("startup", None), Some(B));
}

#[test]
fn one_that_worked_on_after_another_came_and_went_is_continued() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.wait(MINUTE);
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(3 * MINUTE);
    house.is(A, Some(GONE));
    house.works();
    assert_eq!(house.offered("startup", None), Some(A));
}

#[test]
fn one_that_is_purged_at_its_end_leaves_no_byte() {
    let secret = "planted-secret-77aa";
    let config = Config { on_session_end: OnSessionEnd::Purge, ..Config::default() };
    let mut house = House(Claude::with(config));
    house.begins(A, Some(GONE));
    house.0.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    house.0.desk.object("write_notepad", json!({"content": secret}));
    house.is(B, None);
    house.0.starts("startup");
    house.0.desk.object("read_handoff", json!({"from": format!("claude-code:{A}")}));
    let data = house.0.desk.folder().join("data");
    assert_ne!(files_with(&data, secret), [""; 0]);
    house.is(A, Some(GONE));
    house.ends();
    for left in [secret, A] {
        assert_eq!(files_with(&data, left), [""; 0], "{left}");
    }
}

/// The first session leaves words, goes on for so long, and finishes; whether it is offered.
fn is_offered_after(ms: i64) -> bool {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.0.desk.object("write_notepad", json!({"content": "- [x] all"}));
    house.0.desk.object("write_handoff", json!({"content": "The cli is open."}));
    for _ in 0..ms / MINUTE {
        house.wait(MINUTE);
        house.works();
    }
    let said = json!({"type": "assistant", "uuid": "b", "parentUuid": "a", "sessionId": A,
        "message": {"role": "assistant", "content": [{"type": "text", "text": "All done."}]}});
    let asked = json!({"type": "user", "uuid": "a", "parentUuid": null, "sessionId": A,
        "message": {"role": "user", "content": "Do all."}});
    std::fs::write(house.0.transcript(), format!("{asked}\n{said}\n")).expect("a transcript");
    house.ends();
    house.is(C, Some(GONE));
    house.0.starts("startup").contains("The cli is open.")
}

#[test]
fn words_tell_of_nothing_open_once_the_work_went_on() {
    assert!(is_offered_after(0));
    assert!(is_offered_after(5 * MINUTE));
    assert!(!is_offered_after(60 * MINUTE));
}

#[test]
fn who_took_over_and_was_killed_names_whose_work_it_was() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.0.desk.object("write_handoff", json!({"content": "Next: the cli."}));
    house.is(B, Some(GONE));
    house.0.starts("startup");
    house.0.desk.object("read_handoff", json!({}));
    house.works();
    house.is(C, None);
    house.0.starts("startup");
    let handoff = house.0.desk.call("read_handoff", json!({})).expect("a handoff").text;
    let from = "It took over from instance 1, whose own is there too: read_handoff from=aaaaaaaa";
    assert!(handoff.contains("Handoff of instance 2") && handoff.contains(from), "{handoff}");
    let first = house.0.desk.call("read_handoff", json!({"from": "aaaaaaaa"})).expect("a handoff");
    assert!(first.text.contains("Next: the cli."), "{}", first.text);
}

#[test]
fn a_session_without_a_process_runs_while_it_is_heard_of() {
    let mut house = House::new();
    house.begins(A, None);
    house.wait(LIVE_MS + MINUTE);
    house.works();
    house.wait(LIVE_MS - MINUTE);
    assert_eq!(house.offered("startup", None), None, "heard of by its hook");
    house.is(A, None);
    house.0.desk.object("add_note", json!({"content": "at work", "tags": ["a"]}));
    house.wait(LIVE_MS - MINUTE);
    assert_eq!(house.offered("startup", None), None, "heard of by its tool");
    house.wait(2 * MINUTE);
    assert_eq!(house.offered("startup", None), Some(A));
}

/// How the sessions of the project stand, the last started first.
fn states(house: &House) -> Vec<String> {
    let log = house.0.desk.object("list_instances", json!({}));
    let all = log["instances"].as_array().expect("a list");
    all.iter().map(|one| one["state"].as_str().expect("a state").to_owned()).collect()
}

#[test]
fn one_whose_start_nobody_saw_is_known_from_its_first_call() {
    let mut house = House::new();
    house.is(A, Some(GONE));
    house.ends();
    assert_eq!(states(&house), [""; 0]);
    house.0.desk.object("off", json!({"all": true}));
    house.works();
    house.0.desk.object("on", json!({"all": true}));
    assert_eq!(states(&house), [""; 0]);
    house.works();
    assert_eq!(states(&house), ["killed"]);
    house.ends();
    assert_eq!(states(&house), ["ended"]);
}

#[test]
fn one_whose_sub_agents_do_all_the_work_has_worked() {
    let mut house = House::new();
    house.is(A, Some(GONE));
    house.0.starts("startup");
    assert_eq!(states(&house), ["unused"]);
    house.0.event("PostToolBatch", &json!({"tool_calls": [], "agent_id": "a1"}));
    assert_eq!(states(&house), ["killed"]);
}

#[test]
fn a_start_that_is_taken_in_after_the_end_begins_nothing_again() {
    for (ms, expected) in [(-MINUTE, "ended"), (MINUTE, "killed")] {
        let mut house = House::new();
        house.begins(A, Some(GONE));
        house.wait(60 * MINUTE);
        house.ends();
        let at = house.0.desk.clock.load(Ordering::SeqCst) + ms;
        let key = json!({"harness": "claude-code", "external": A, "agent": null});
        let place = json!({"model": null, "cwd": null, "transcript": null, "host_pid": GONE});
        let told = json!({"key": key, "at": at, "what": {"begins": "start"}, "place": place});
        let line = json!({"at": at, "fault": "busy", "told": told});
        let spool = house.0.desk.folder().join("data/spool");
        std::fs::create_dir_all(&spool).expect("a folder");
        std::fs::write(spool.join("0000000000000001-a.jsonl"), format!("{line}\n"))
            .expect("a spool");
        house.wait(60 * MINUTE);
        house.is(B, Some(GONE));
        house.0.starts("startup");
        assert_eq!(states(&house).pop().as_deref(), Some(expected), "{ms}");
    }
}

#[test]
fn the_sessions_own_project_counts_and_not_the_servers_folder() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    let elsewhere = house.0.desk.folder().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let home = std::mem::replace(&mut house.0.desk.world.folders.work, elsewhere);
    house.begins(B, Some(GONE));
    let elsewhere = std::mem::replace(&mut house.0.desk.world.folders.work, home);
    house.is(C, Some(GONE));
    house.0.starts("startup");
    house.0.desk.world.folders.work = elsewhere;
    for arguments in [json!({}), json!({"from": &A[..8]})] {
        let handoff = house.0.desk.call("read_handoff", arguments).expect("a handoff").text;
        assert!(handoff.contains(A) && !handoff.contains(B), "{handoff}");
    }
    let error = house.0.desk.error("read_handoff", json!({"from": &B[..8]}));
    assert_eq!(error, "missing: no session \"bbbbbbbb\"");
}

#[test]
fn a_cleared_session_is_offered_only_where_its_process_is_known() {
    for (pid, expected) in [(None, None), (Some(std::process::id()), Some(A))] {
        let mut house = House::new();
        house.begins(A, pid);
        house.wait(MINUTE);
        assert_eq!(house.offered("clear", pid), expected, "{pid:?}");
    }
}

#[test]
fn another_process_under_the_number_of_a_killed_one_is_not_it() {
    let pid = std::process::id();
    for (began_after, expected) in [(-MINUTE, None), (500, None), (MINUTE, Some(A))] {
        let mut house = House::new();
        house.begins(A, Some(pid));
        let heard_of = house.0.desk.clock.load(Ordering::SeqCst);
        house.wait(60 * MINUTE);
        let began = Time(heard_of + began_after);
        house.0.desk.world.process_began = Box::new(move |_| Some(began));
        assert_eq!(house.offered("startup", Some(GONE)), expected, "{began_after}");
    }
}
