//! Who is continued: the session of a project that worked last, unless it still runs.

use std::sync::atomic::Ordering;

use serde_json::json;
use vademecum_core::time::Time;
use vademecum_ops::config::{Config, OnSessionEnd};

use crate::keeping::files_with;
use crate::moments::Claude;

mod handed_on;
mod running;
mod taken_over;

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

    /// A new session in the process of this number that is a copy of `original`.
    fn forks(&mut self, session: &'static str, original: &str, pid: u32) {
        self.is(session, Some(pid));
        self.0.desk.world.env = Box::new(move |name| match name {
            "CLAUDE_PID" => Some(pid.to_string().into()),
            "CLAUDE_ENV_FILE" => Some("/e/session-env/other/f.sh".into()),
            _ => None,
        });
        let line = json!({"type": "user", "forkedFrom": {"sessionId": original}});
        let transcript_path = self.0.desk.folder().join("fork.jsonl");
        std::fs::write(&transcript_path, format!("{line}\n")).expect("a transcript");
        let more = json!({"source": "resume", "transcript_path": transcript_path});
        self.0.context("SessionStart", &more);
    }

    fn ends(&self) {
        self.0.event("SessionEnd", &json!({"reason": "other"}));
    }

    /// Whose open item a new session is shown; none if nobody's.
    fn offered(&mut self, source: &str, pid: Option<u32>) -> Option<&'static str> {
        self.is(C, pid);
        let start = self.0.starts(source);
        let open = start.lines().find(|line| line.starts_with("Open: ")).unwrap_or_default();
        [A, B].into_iter().find(|session| open.contains(session))
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
    let open = house.0.desk.call("read_handoff", json!({})).expect("a handoff").text;
    let taken = "\nTaken over by session bbbbbbbb, whose own is there too: read_handoff(from=\"bbbbbbbb\")\n";
    assert!(open.contains(taken) && open.contains("Next: the cli."), "{open}");
    let arguments = json!({"from": "bbbbbbbb"});
    let handoff = house.0.desk.call("read_handoff", arguments).expect("a handoff").text;
    let from = "It took over from session aaaaaaaa, whose own is there too: read_handoff(from=\"aaaaaaaa\")";
    let is_second = handoff.starts_with("Handoff of session bbbbbbbb (instance 2, ");
    assert!(is_second && handoff.contains(from), "{handoff}");
}

/// How the sessions of the project stand, the last started first.
fn states(house: &House) -> Vec<String> {
    let log = house.0.desk.object("list_instances", json!({"unused": true}));
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
fn nothing_is_offered_after_a_clear() {
    for pid in [None, Some(std::process::id()), Some(GONE)] {
        let mut house = House::new();
        house.begins(A, pid);
        house.wait(MINUTE);
        assert_eq!(house.offered("clear", pid), None, "{pid:?}");
    }
}

#[test]
fn nothing_is_offered_to_a_run_that_nobody_attends() {
    for (name, value, is_offered) in [
        ("CLAUDE_CODE_ENTRYPOINT", "cli", true),
        ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli", false),
        ("CLAUDE_CODE_SESSION_ATTENDED", "1", true),
        ("CLAUDE_CODE_SESSION_ATTENDED", "0", false),
    ] {
        let mut house = House::new();
        house.begins(A, Some(GONE));
        house.is(C, None);
        house.0.desk.world.env = Box::new(move |asked| (asked == name).then(|| value.into()));
        let start = house.0.starts("startup");
        assert_eq!(start.contains(A), is_offered, "{name}={value}: {start}");
    }
}

const DAY: i64 = 24 * 60 * MINUTE;

#[test]
fn an_offer_ends_after_fourteen_days() {
    for (days, expected) in [(13, Some(A)), (15, None)] {
        let mut house = House::new();
        house.begins(A, Some(GONE));
        house.ends();
        house.wait(days * DAY);
        assert_eq!(house.offered("startup", None), expected, "{days} days");
    }
}

/// Names of sessions that work and leave nothing open.
const LATER: [&str; 3] = [
    "dddddddd-0000-4000-8000-000000000004",
    "eeeeeeee-0000-4000-8000-000000000005",
    "ffffffff-0000-4000-8000-000000000006",
];

#[test]
fn an_offer_ends_after_three_later_sessions_that_worked() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    for (n_later, later) in (0..).zip(LATER) {
        house.wait(MINUTE);
        assert_eq!(house.offered("startup", Some(GONE)), Some(A), "after {n_later}");
        house.is(later, Some(GONE));
        house.0.starts("startup");
        house.works();
        house.ends();
    }
    assert_eq!(house.offered("startup", Some(GONE)), None);
    // It is still listed; what ends an offer says that there is none, and where the rest stands.
    let none = house.0.desk.person("dismiss_handoff", json!({})).expect_err("nothing is offered");
    let said = (none.message.as_str(), none.hint.as_deref());
    let hint = "vade session list --open lists what sessions left open, vade handoff show desk your own word; vade handoff dismiss SESSION settles one";
    assert_eq!(said, ("nothing that a session left open is offered now", Some(hint)));
}

/// Two sessions that left work open, the second one day after the first.
fn two_open() -> House {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(DAY);
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(DAY);
    house
}

#[test]
fn what_is_older_is_not_hidden() {
    let mut house = two_open();
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    insta::assert_snapshot!(start, @r#"
    vade: the previous session here (bbbbbbbb, 22 Nov) left work open.
    Open: "bbbbbbbb-0000-4000-8000-000000000002".
    If the user continues that work, call read_handoff(from="bbbbbbbb") first; otherwise ignore this.
    And 1 older: aaaaaaaa (21 Nov): "aaaaaaaa-0000-4000-8000-000000000001"
    [vade receipt ba9c39c800ec38e2]
    "#);
    // The offer of one whose box was ticked gives way to the older one.
    house.is(B, Some(GONE));
    house.0.desk.object("write_notepad", json!({"content": "- [x] done"}));
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    insta::assert_snapshot!(start, @r#"
    vade: an earlier session here (aaaaaaaa, 21 Nov) left work open.
    Open: "aaaaaaaa-0000-4000-8000-000000000001".
    If the user continues that work, call read_handoff(from="aaaaaaaa") first; otherwise ignore this.
    [vade receipt b1e17465088321d2]
    "#);
}

#[test]
fn all_that_is_older_is_counted() {
    let mut house = House::new();
    // Beside each other, so that none was told of another's.
    for session in [A, LATER[0], LATER[1], B] {
        house.begins(session, Some(std::process::id()));
        house.wait(MINUTE);
    }
    for session in [A, LATER[0], LATER[1], B] {
        house.is(session, Some(std::process::id()));
        house.ends();
    }
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    let older = start.lines().find(|line| line.starts_with("And ")).expect("older ones");
    assert!(older.starts_with("And 3 older: ") && older.ends_with("; and 1 more"), "{older}");
}

#[test]
fn three_later_sessions_end_an_offer_only_if_they_were_told_of_it() {
    // Runs that nobody attends are told nothing, and neither is who runs beside it.
    for is_beside in [true, false] {
        let mut house = House::new();
        house.begins(A, if is_beside { None } else { Some(GONE) });
        if !is_beside {
            house.ends();
        }
        for later in LATER {
            house.wait(MINUTE);
            house.is(later, Some(GONE));
            if !is_beside {
                let name = "CLAUDE_CODE_SESSION_ATTENDED";
                house.0.desk.world.env = Box::new(move |asked| (asked == name).then(|| "0".into()));
            }
            house.0.starts("startup");
            house.works();
            house.ends();
        }
        if is_beside {
            house.is(A, None);
            house.ends();
        }
        assert_eq!(house.offered("startup", Some(GONE)), Some(A), "{is_beside}");
    }
}

#[test]
fn work_within_the_minute_counts() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(1000);
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(1000);
    house.is(A, Some(GONE));
    house.0.starts("resume");
    house.0.desk.object("dismiss_handoff", json!({"from": "aaaaaaaa"}));
    house.wait(1000);
    house.works();
    house.ends();
    assert_eq!(
        house.offered("startup", Some(GONE)),
        Some(A),
        "it worked last, and after the dismissal"
    );
}

#[test]
fn one_that_still_runs_is_no_older_work() {
    let mut house = House::new();
    house.begins(A, None);
    house.wait(MINUTE);
    house.begins(B, Some(GONE));
    house.ends();
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    assert!(start.contains("Open: \"bbbbbbbb") && !start.contains("aaaaaaaa"), "{start}");
    // Once it ends, its work is open too.
    house.is(A, None);
    house.ends();
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    assert!(start.contains("And 1 older: aaaaaaaa"), "{start}");
}

#[test]
fn a_session_that_was_opened_twice_runs_until_both_are_closed() {
    let here = Some(std::process::id());
    for [first, second] in [[Some(GONE), here], [here, Some(GONE)]] {
        let mut house = House::new();
        house.0.desk.world.process_began = Box::new(|_| None);
        house.begins(A, first);
        house.is(A, second);
        house.0.starts("resume");
        house.is(A, Some(GONE));
        house.ends();
        house.is(A, here);
        house.0.context("UserPromptSubmit", &json!({"prompt": "go on"}));
        assert_eq!(states(&house), ["running"]);
        house.ends();
        assert_eq!(states(&house), ["ended"]);
    }
}

#[test]
fn an_offer_is_dismissed_and_an_archived_session_offers_nothing() {
    for (operation, arguments, named) in
        [("dismiss_handoff", json!({"from": &B[..8]}), C), ("archive_session", json!({}), B)]
    {
        let mut house = two_open();
        house.is(named, Some(GONE));
        let said = house.0.desk.call(operation, arguments).expect("an answer").text;
        assert_eq!(house.offered("startup", Some(GONE)), Some(A), "{operation}: {said}");
        house.0.desk.object("dismiss_handoff", json!({}));
        assert_eq!(house.offered("startup", Some(GONE)), None);
        let error = house.0.desk.error("dismiss_handoff", json!({}));
        assert_eq!(error, "missing: nothing that a session left open is offered now");
        // Work in it offers it again.
        house.wait(MINUTE);
        house.is(B, Some(GONE));
        house.0.starts("resume");
        house.works();
        house.ends();
        assert_eq!(house.offered("startup", Some(GONE)), Some(B), "{operation}");
    }
}

#[test]
fn what_offers_nothing_is_said_to() {
    let mut house = two_open();
    house.is(C, Some(GONE));
    house.0.starts("startup");
    house.ends();
    let said = lines(&house, "dismiss_handoff", json!({"from": &C[..8]}));
    let wanted = "session cccccccc, which offers nothing, is settled\nvade handoff show cccccccc still gives it";
    assert_eq!(said, wanted);
    for named in [A, B] {
        house.0.desk.object("dismiss_handoff", json!({"from": &named[..8]}));
    }
    let open = lines(&house, "list_sessions", json!({"open": true}));
    assert_eq!(open, "none of the 3 sessions here runs or left work to take over");
}

#[test]
fn who_is_taken_over_by_one_that_finished_is_offered_no_more() {
    let mut house = two_open();
    house.is(C, Some(GONE));
    house.0.starts("startup");
    house.0.desk.object("read_handoff", json!({}));
    house.works();
    house.0.desk.object("write_notepad", json!({"content": "- [x] all of it"}));
    house.ends();
    house.is(LATER[0], Some(GONE));
    let start = house.0.starts("startup");
    assert!(start.contains(A) && !start.contains(B), "{start}");
}

/// The lines of a list, without the columns that tell times and names.
fn lines(house: &House, operation: &str, arguments: serde_json::Value) -> String {
    house.0.desk.person(operation, arguments).expect("a list").text
}

#[test]
fn log_and_list_say_the_same_of_each_session() {
    let mut house = two_open();
    house.begins(LATER[0], Some(GONE));
    house.is(LATER[1], Some(GONE));
    house.0.starts("startup");
    house.is(A, Some(GONE));
    house.0.desk.object("archive_session", json!({}));
    house.begins(LATER[2], Some(std::process::id()));
    let log = lines(&house, "list_instances", json!({}));
    insta::assert_snapshot!(log, @r#"
       SESSION   STATE     STARTED
    5  ffffffff  running   2025-11-23T04:40:00.000Z
    3  dddddddd  killed    2025-11-23T04:40:00.000Z
    2  bbbbbbbb  ended     2025-11-22T04:40:00.000Z
    1  aaaaaaaa  archived  2025-11-21T04:40:00.000Z
    and 1 unused (vade session log --unused)
    "#);
    insta::assert_snapshot!(lines(&house, "list_sessions", json!({"all": true})), @r#"
    PROJECT  SESSION      STATE     STARTED                   NOTEPAD  OPEN NOTES  NAME
    project  ffffffff  5  running   2025-11-23T04:40:00.000Z  rev 1    0 of 0      claude-code:ffffffff-0000-4000-8000-000000000006
    project  eeeeeeee  4  unused    2025-11-23T04:40:00.000Z  empty    0 of 0      claude-code:eeeeeeee-0000-4000-8000-000000000005
    project  dddddddd  3  killed    2025-11-23T04:40:00.000Z  rev 1    0 of 0      claude-code:dddddddd-0000-4000-8000-000000000004
    project  bbbbbbbb  2  ended     2025-11-22T04:40:00.000Z  rev 1    0 of 0      claude-code:bbbbbbbb-0000-4000-8000-000000000002
    project  aaaaaaaa  1  archived  2025-11-21T04:40:00.000Z  rev 1    0 of 0      claude-code:aaaaaaaa-0000-4000-8000-000000000001
    "#);
    insta::assert_snapshot!(lines(&house, "list_sessions", json!({"open": true})), @r#"
    SESSION      STATE    STARTED                   NOTEPAD  OPEN NOTES  NAME                                              LEFT OPEN                               DOING
    ffffffff  5  running  2025-11-23T04:40:00.000Z  rev 1    0 of 0      claude-code:ffffffff-0000-4000-8000-000000000006                                          ffffffff-0000-4000-8000-000000000006
    dddddddd  3  killed   2025-11-23T04:40:00.000Z  rev 1    0 of 0      claude-code:dddddddd-0000-4000-8000-000000000004  "dddddddd-0000-4000-8000-000000000004"
    bbbbbbbb  2  ended    2025-11-22T04:40:00.000Z  rev 1    0 of 0      claude-code:bbbbbbbb-0000-4000-8000-000000000002  "bbbbbbbb-0000-4000-8000-000000000002"
    "#);
    let both = ["list_instances", "list_sessions"].map(|operation| {
        let list = house.0.desk.object(operation, json!({"limit": 0}));
        let all =
            list["instances"].as_array().or(list["sessions"].as_array()).expect("a list").clone();
        let state = |one: &serde_json::Value| (one["session"].clone(), one["state"].clone());
        all.iter().map(state).filter(|(_, state)| state != "unused").collect::<Vec<_>>()
    });
    assert_eq!(both[0], both[1]);
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
