//! Which session still runs, and what of others it hides.

use serde_json::json;
use vademecum_ops::who::{Clues, HostProcess, LIVE_MS};

use super::{A, B, C, DAY, GONE, House, LATER, MINUTE, two_open};

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

/// Claude Code 2.1.197 tells its hooks no number of its process.
#[test]
fn one_that_was_killed_is_offered_at_once_by_a_harness_that_tells_no_process() {
    let own = std::process::id();
    for (pid, began_later, is_offered) in [
        (Some(GONE), false, true),
        (Some(own), false, false),
        (Some(own), true, true),
        (None, false, false),
    ] {
        let mut house = House::new();
        house.0.desk.world.process_above = Box::new(move |name| pid.filter(|_| name == "claude"));
        house.begins(A, None);
        house.wait(MINUTE);
        let now = house.0.desk.world.now();
        house.0.desk.world.process_began = Box::new(move |_| began_later.then_some(now));
        let expected = is_offered.then_some(A);
        assert_eq!(house.offered("startup", None), expected, "{pid:?} {began_later}");
    }
}

#[test]
fn one_that_runs_hides_its_own_work_alone() {
    let mut house = two_open();
    house.is(B, Some(std::process::id()));
    house.0.starts("resume");
    house.works();
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    insta::assert_snapshot!(start, @r#"
    vade: an earlier session here (aaaaaaaa, 21 Nov) left work open.
    Open: "aaaaaaaa-0000-4000-8000-000000000001".
    If the user continues that work, call read_handoff(from="aaaaaaaa") first; otherwise ignore this.
    [vade receipt b1e17465088321d2]
    "#);
    let handoff = house.0.desk.call("read_handoff", json!({})).expect("a handoff").text;
    assert!(handoff.contains(A) && !handoff.contains(B), "{handoff}");
    // Who cleared the conversation is told of none.
    house.is(LATER[0], Some(GONE));
    assert!(!house.0.starts("clear").contains("left work open"));
}

/// The number of a process means something on its host alone, and while it runs.
#[test]
fn a_server_goes_with_its_process_to_the_newer_session() {
    for (host, is_later, expected) in [("host", false, B), ("another", false, A), ("host", true, A)]
    {
        let mut house = House::new();
        house.begins(A, Some(GONE));
        house.wait(MINUTE);
        house.0.desk.world.host_name = host.to_owned();
        house.begins(B, Some(GONE));
        house.wait(MINUTE);
        let began = is_later.then(|| house.0.desk.world.now());
        let process = HostProcess { pid: GONE, host_name: "host".to_owned(), began };
        let environment = Some(format!("claude-code:{A}"));
        let clues = Clues { environment, host: Some(process), ..Clues::default() };
        let page = house.0.desk.call_by(clues, "read_notepad", json!({})).expect("a page");
        assert_eq!(page.object["content"], format!("- [ ] {expected}"), "{host} {is_later}");
    }
}

/// What may be of B, a copy of A that was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// A was over when it began.
    Over,
    /// A wrote on its page beside it.
    Beside,
    /// It wrote on its own page.
    Own,
    /// It runs no more.
    Gone,
}

/// Whose work a new session is told first.
fn told_beside(copy: &[Of]) -> Option<&'static str> {
    let has = |it| copy.contains(&it);
    let pid = if has(Of::Gone) { GONE } else { std::process::id() };
    let mut house = House::new();
    let append = json!({"operation": "append", "content": "more"});
    house.begins(A, Some(GONE));
    if has(Of::Over) {
        house.ends();
    }
    house.wait(MINUTE);
    house.forks(B, A, pid);
    house.wait(MINUTE);
    if has(Of::Beside) {
        house.is(A, Some(GONE));
        house.0.desk.object("update_notepad", append.clone());
    }
    house.is(B, Some(pid));
    house.wait(3 * MINUTE);
    house.works();
    if has(Of::Own) {
        house.0.desk.object("update_notepad", append);
    }
    house.is(C, Some(GONE));
    let start = house.0.starts("startup");
    let told = start.lines().next().filter(|line| line.contains("left work open"))?;
    [A, B].into_iter().find(|session| told.contains(&format!("({},", &session[..8])))
}

/// A copy that runs hides of its original what it took over, and no more.
#[test]
fn a_killed_session_is_offered_beside_a_copy_that_runs() {
    for (copy, told) in [
        (&[][..], Some(A)),
        (&[Of::Own], None),
        (&[Of::Over], None),
        (&[Of::Gone], Some(B)),
        (&[Of::Beside], Some(A)),
        (&[Of::Beside, Of::Own], None),
    ] {
        assert_eq!(told_beside(copy), told, "{copy:?}");
    }
}

#[test]
fn one_that_was_answered_is_not_unused() {
    let asked = json!({"type": "user", "message": {"role": "user", "content": "Is it done?"}});
    let text = json!([{"type": "text", "text": "It is done."}]);
    let said = json!({"type": "assistant", "message": {"role": "assistant", "content": text}});
    for (lines, is_ended, state) in [
        (&[][..], true, "unused"),
        (&[&asked], true, "unused"),
        (&[&asked, &said], true, "ended"),
        (&[&asked, &said], false, "killed"),
    ] {
        let mut house = House::new();
        house.is(A, Some(GONE));
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        std::fs::write(house.0.transcript(), lines.join("\n")).expect("a transcript");
        house.0.starts("startup");
        if is_ended {
            house.ends();
        }
        let list = house.0.desk.object("list_sessions", json!({}));
        assert_eq!(list["sessions"][0]["state"], state, "{is_ended}");
    }
}

/// What happens to A, which is open in two terminals.
#[derive(Debug, Clone, Copy)]
enum Twice {
    /// The one that opened it last says that it ends.
    LastEnds,
    /// The other one does.
    FirstEnds,
    /// The first one clears its conversation, which goes on as B.
    FirstClears,
    /// A prompt in the first one.
    FirstPrompts,
    /// A tool call in the first one.
    FirstWorks,
    /// A tool call of a sub-agent in the first one.
    AgentWorks,
}

/// Of a session that was opened twice a prompt or a tool call tells that it runs.
#[test]
fn one_that_is_open_twice_runs_on_where_it_is_used() {
    use Twice::{AgentWorks, FirstClears, FirstEnds, FirstPrompts, FirstWorks, LastEnds};
    let own = Some(std::process::id());
    for (first, last, steps, state) in [
        (own, Some(GONE), &[LastEnds][..], "ended"),
        (own, Some(GONE), &[LastEnds, FirstPrompts], "running"),
        (own, Some(GONE), &[LastEnds, FirstWorks], "running"),
        (own, Some(GONE), &[LastEnds, FirstWorks, FirstEnds], "ended"),
        (own, Some(GONE), &[FirstPrompts], "running"),
        (own, Some(GONE), &[FirstWorks], "running"),
        (own, Some(GONE), &[AgentWorks], "running"),
        (own, Some(GONE), &[FirstEnds], "ended"),
        (own, Some(GONE), &[FirstClears, LastEnds], "ended"),
        (Some(GONE), own, &[FirstEnds], "running"),
        (Some(GONE), own, &[LastEnds], "ended"),
        (Some(GONE), own, &[LastEnds, FirstWorks], "killed"),
    ] {
        let mut house = House::new();
        house.begins(A, first);
        house.wait(MINUTE);
        house.is(A, last);
        house.0.starts("resume");
        house.works();
        for step in steps {
            house.wait(MINUTE);
            house.is(A, if matches!(step, LastEnds) { last } else { first });
            match step {
                LastEnds | FirstEnds => house.ends(),
                FirstClears => {
                    house.is(B, first);
                    house.0.starts("clear");
                }
                FirstPrompts => drop(house.0.prompt()),
                FirstWorks => house.works(),
                AgentWorks => drop(
                    house.0.context("PostToolBatch", &json!({"tool_calls": [], "agent_id": "a1"})),
                ),
            }
        }
        let list = house.0.desk.object("list_sessions", json!({}));
        let sessions = list["sessions"].as_array().expect("a list");
        let of_a = sessions.iter().find(|one| one["name"] == format!("claude-code:{A}"));
        let told = (of_a.expect("a session")["state"].as_str(), house.offered("startup", None));
        let expected = (state != "running").then_some(A);
        assert_eq!(told, (Some(state), expected), "{first:?} {last:?} {steps:?}");
    }
}

/// That a process is gone says nothing: the session may go on in another terminal, in a container, on another host.
#[test]
fn what_was_never_told_to_have_ended_is_not_pruned() {
    let mut house = House::new();
    for (session, pid) in [(A, Some(GONE)), (B, Some(std::process::id())), (C, None)] {
        house.begins(session, pid);
    }
    house.is(LATER[0], Some(GONE));
    house.0.starts("startup");
    house.ends();
    house.wait(8 * DAY);
    let pruned = house.0.desk.object("prune", json!({"older": "7d"}));
    let full = |session| format!("claude-code:{session}");
    assert_eq!(pruned["sessions"], json!([full(LATER[0])]));
}

/// Whom a person means who names none is told by whether it still is.
#[test]
fn one_that_was_killed_is_told_to_have_been_at_work() {
    for (pid, told) in [(std::process::id(), "at work here"), (GONE, "at work here last")] {
        let mut house = House::new();
        house.begins(A, Some(pid));
        let at_work = Some(format!("claude-code:{A}"));
        let clues = Clues { at_work, is_person: true, ..Clues::default() };
        let status = house.0.desk.call_by(clues, "status", json!({})).expect("an answer");
        assert_eq!(status.object["known_by"], told);
    }
}
