//! What is said of words that a session leaves, and of work that another takes over, is what happens.

use super::*;
use crate::handoffs::person;

pub(super) const D: &str = LATER[0];

/// A session that leaves words and ends.
pub(super) fn left_words() -> House {
    let mut house = House::new();
    house.is(A, Some(GONE));
    house.0.starts("startup");
    house.works();
    house.0.desk.object("write_handoff", json!({"content": "Next: the cli."}));
    house.wait(MINUTE);
    house
}

/// What the session of this name is told at its start.
pub(super) fn told(house: &mut House, session: &'static str, source: &str) -> String {
    house.is(session, Some(GONE));
    house.0.starts(source)
}

pub(super) fn reads(house: &House, arguments: serde_json::Value) -> String {
    house.0.desk.call("read_handoff", arguments).expect("an answer").text
}

#[test]
fn the_words_of_a_sub_agent_are_a_part_of_its_parents_handoff() {
    let mut house = House::new();
    house.is(A, Some(GONE));
    house.0.starts("startup");
    house.0.desk.session = Some(format!("claude-code:{A}/a1"));
    let words = json!({"content": "The leak is in the pool."});
    let said = house.0.desk.call("write_handoff", words).expect("an answer").text;
    assert_eq!(
        said,
        "handoff kept: 9 tokens (a part of that of session aaaaaaaa, which started you; by itself: read_handoff(from=\"aaaaaaaa/a1\"))"
    );
    let own = reads(&house, json!({"from": "aaaaaaaa/a1"}));
    assert!(own.contains("## Its own words\nThe leak is in the pool."), "{own}");
    assert_eq!(own.matches("The leak is in the pool.").count(), 1, "{own}");
    house.is(A, Some(GONE));
    house.ends();
    assert_eq!(states(&house), ["ended"]);
    let start = told(&mut house, C, "startup");
    assert!(start.contains("(aaaaaaaa, ") && start.contains("The leak is in the pool."), "{start}");
    let handoff = reads(&house, json!({}));
    let part = "## Words of its sub-agent a1\nThe leak is in the pool.";
    assert!(handoff.contains(part), "{handoff}");
}

#[test]
fn words_for_the_next_session_are_offered_after_a_clear_too() {
    let mut house = left_words();
    house.0.event("SessionEnd", &json!({"reason": "clear"}));
    let start = told(&mut house, C, "clear");
    assert!(start.contains("It left word: \"Next: the cli.\""), "{start}");
    house.works();
    house.0.event("SessionEnd", &json!({"reason": "clear"}));
    let start = told(&mut house, B, "clear");
    assert!(!start.contains("Next: the cli."), "it was for the next one: {start}");
}

#[test]
fn words_that_are_written_after_a_dismissal_are_offered() {
    for words in ["Next: the cli.", "Next: the docs."] {
        let mut house = left_words();
        house.ends();
        told(&mut house, C, "startup");
        house.0.desk.object("dismiss_handoff", json!({}));
        let start = told(&mut house, B, "startup");
        assert!(!start.contains("It left word"), "{start}");
        told(&mut house, A, "resume");
        house.0.desk.object("write_handoff", json!({"content": words}));
        house.ends();
        let start = told(&mut house, D, "startup");
        assert!(start.contains(&format!("It left word: \"{words}\"")), "{start}");
    }
}

#[test]
fn words_that_are_written_after_they_were_taken_over_are_offered() {
    let mut house = left_words();
    house.ends();
    told(&mut house, C, "startup");
    reads(&house, json!({}));
    house.wait(MINUTE);
    told(&mut house, A, "resume");
    house.0.desk.object("write_handoff", json!({"content": "Next: the docs."}));
    house.ends();
    house.wait(MINUTE);
    // Who took the first words over knows nothing of the second.
    house.is(C, Some(GONE));
    house.0.desk.object("write_notepad", json!({"content": "- [x] cli"}));
    house.wait(5 * MINUTE);
    house.works();
    house.ends();
    let start = told(&mut house, D, "startup");
    assert!(start.contains("Next: the docs."), "{start}");
}

#[test]
fn what_a_session_left_that_counts_as_running_is_not_denied() {
    let mut house = House::new();
    house.is(A, None);
    house.0.starts("startup");
    house.0.desk.object("write_handoff", json!({"content": "Next: the cli."}));
    let start = told(&mut house, C, "startup");
    assert!(!start.contains("Next: the cli."), "{start}");
    assert_eq!(
        reads(&house, json!({})),
        "session aaaaaaaa worked last and still counts as running: nothing is handed over unasked\nif the user continues its work: read_handoff(from=\"aaaaaaaa\")"
    );
    let handoff = reads(&house, json!({"from": "aaaaaaaa"}));
    assert!(handoff.contains("Next: the cli."), "{handoff}");
    assert!(handoff.contains("It still counts as running: ask the user who goes on."), "{handoff}");
}

#[test]
fn one_that_left_nothing_says_so_and_hides_nothing_before_it() {
    let mut house = left_words();
    house.ends();
    house.wait(MINUTE);
    house.is(B, Some(GONE));
    house.0.starts("startup");
    house.works();
    house.0.desk.object("write_notepad", json!({"content": "- [x] done"}));
    house.0.desk.object("write_notepad", json!({"content": ""}));
    house.ends();
    let nothing = reads(&house, json!({"from": "bbbbbbbb"}));
    assert!(
        nothing.ends_with("\n\nIt left nothing: no words, notepad, open notes or transcript."),
        "{nothing}"
    );
    let start = told(&mut house, C, "startup");
    assert!(start.contains("an earlier session here (aaaaaaaa, "), "{start}");
    assert!(reads(&house, json!({})).contains("Next: the cli."), "the one that was offered");
}

#[test]
fn the_one_that_was_offered_is_read_whoever_worked_since() {
    let mut house = left_words();
    house.ends();
    house.wait(MINUTE);
    let start = told(&mut house, C, "startup");
    assert!(start.contains("(aaaaaaaa, "), "{start}");
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(MINUTE);
    house.is(C, Some(GONE));
    assert!(reads(&house, json!({})).starts_with("Handoff of session aaaaaaaa "));
}

#[test]
fn a_take_over_outlives_a_compaction() {
    let mut house = left_words();
    house.ends();
    told(&mut house, C, "startup");
    let read = reads(&house, json!({}));
    assert!(
        read.contains("\nNothing of it is copied: write onto your notepad what you go on with."),
        "{read}"
    );
    house.works();
    let line = "took over from session aaaaaaaa, and nothing of that is shown here: read_handoff(from=\"aaaaaaaa\")";
    let compact = house.0.starts("compact");
    assert!(compact.to_lowercase().contains(line), "{compact}");
    house.0.desk.object("write_notepad", json!({"content": "- [ ] cli"}));
    let compact = house.0.starts("compact");
    assert!(compact.contains(line), "{compact}");
    house.0.desk.object("dismiss_handoff", json!({"from": "aaaaaaaa"}));
    let compact = house.0.starts("compact");
    assert!(!compact.contains("took over"), "{compact}");
}

#[test]
fn work_that_was_taken_over_stays_open_until_who_took_it_accounts_for_it() {
    for (account, is_open) in [
        (None, true),
        (Some(("write_notepad", "- [x] cli")), false),
        (Some(("write_handoff", "All is done.")), false),
    ] {
        let mut house = left_words();
        house.ends();
        told(&mut house, C, "startup");
        reads(&house, json!({}));
        house.works();
        let note = json!({"content": "mine", "tags": ["todo"]});
        let id = house.0.desk.object("add_note", note)["id"].clone();
        house.0.desk.object("scratch_note", json!({"id": id, "scratched": true}));
        if let Some((operation, content)) = account {
            house.0.desk.object(operation, json!({"content": content}));
        }
        house.ends();
        let start = told(&mut house, D, "startup");
        assert_eq!(start.contains("Next: the cli."), is_open, "{account:?}: {start}");
        let taken = "(aaaaaaaa, 21 Nov) left work open, which cccccccc took over.";
        assert_eq!(start.contains(taken), is_open, "{account:?}: {start}");
    }
}

#[test]
fn who_reads_what_another_took_over_is_told_so() {
    let mut house = left_words();
    house.ends();
    house.is(C, None);
    house.0.starts("startup");
    house.is(D, None);
    house.0.starts("startup");
    house.is(C, None);
    assert!(!reads(&house, json!({})).contains("Taken over"));
    house.is(D, None);
    let second = reads(&house, json!({}));
    let line = "\nTaken over by session cccccccc, which still counts as running: ask the user who goes on.\n";
    assert!(second.contains(line), "{second}");
    house.is(B, None);
    let start = house.0.starts("startup");
    assert!(!start.contains("Next: the cli."), "nobody is given what another is at: {start}");
}

/// Its work was taken over once; forgotten and begun again under its name it leaves other work.
#[test]
fn work_of_a_session_that_was_forgotten_and_begun_again_is_offered() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(MINUTE);
    told(&mut house, C, "startup");
    reads(&house, json!({}));
    house.is(A, Some(GONE));
    house.0.desk.object("forget", json!({"what": "session", "id": A, "yes": true}));
    assert_eq!(files_with(house.0.desk.folder(), A), Vec::<String>::new());
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(MINUTE);
    house.is(C, Some(GONE));
    house.0.desk.object("write_notepad", json!({"content": "- [x] what C took over"}));
    house.ends();
    let start = told(&mut house, D, "startup");
    assert!(start.contains(&format!("Open: \"{A}\"")), "{start}");
}

/// What one that took the work over did is told; its list may be of other work, and settles nothing.
#[test]
fn what_who_took_over_did_is_told() {
    for state in ["completed", "in_progress"] {
        let mut house = left_words();
        house.ends();
        told(&mut house, C, "startup");
        reads(&house, json!({}));
        house.works();
        writes_list(&house, state);
        house.ends();
        let start = told(&mut house, D, "startup");
        assert!(start.contains("Next: the cli."), "{state}: {start}");
        // The one whose work it was is told of both, until it works itself.
        let resumed = told(&mut house, A, "resume");
        let line = "\nSince then session cccccccc took this work over (its last commit: \"cli: the key\"): read_handoff(from=\"cccccccc\") and git log before you go on\n";
        assert!(resumed.contains(line), "{resumed}");
        house.wait(5 * MINUTE);
        house.works();
        let resumed = house.0.starts("resume");
        assert!(!resumed.contains("Since then"), "{resumed}");
    }
}

/// The record of the session that commits, and whose list has one item in this state.
fn writes_list(house: &House, state: &str) {
    let session = house.0.session;
    let turn = |n: usize, role: &str, content: serde_json::Value| {
        let parent = n.checked_sub(1).map(|n| n.to_string());
        let message = json!({"role": role, "content": content});
        json!({"type": role, "uuid": n.to_string(), "parentUuid": parent, "sessionId": session, "message": message})
            .to_string()
    };
    let call = |id: &str, name: &str, input: serde_json::Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let answer =
        |id: &str, text: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": text}]);
    let todos =
        json!({"todos": [{"content": "the cli", "status": state, "activeForm": "the cli"}]});
    let lines = [
        turn(0, "user", json!("Go on with the cli, please.")),
        turn(1, "assistant", call("1", "Bash", json!({"command": "git commit -m 'cli: the key'"}))),
        turn(2, "user", answer("1", "[main 1a2b3c4] cli: the key")),
        turn(3, "assistant", call("2", "TodoWrite", todos)),
        turn(4, "user", answer("2", "Todos have been modified")),
        turn(
            5,
            "assistant",
            call("3", "Bash", json!({"command": "npm run dev", "run_in_background": true})),
        ),
        turn(6, "user", answer("3", "Command running in background with ID: b1")),
        turn(7, "assistant", json!([{"type": "text", "text": "That is all for now."}])),
    ];
    std::fs::write(house.0.transcript(), lines.join("\n") + "\n").expect("a transcript");
}

/// A person's word, behind which another session worked.
fn word_before_work() -> House {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    house.wait(MINUTE);
    let word = json!({"content": "Use port 5433 for the tests."});
    person(&house.0.desk, "write_handoff", word);
    house.wait(MINUTE);
    house.begins(B, Some(GONE));
    house.ends();
    house.wait(MINUTE);
    house
}

#[test]
fn the_word_of_a_person_comes_first_and_back_until_it_was_read() {
    let mut house = word_before_work();
    let listed = house.0.desk.person("list_sessions", json!({"open": true})).expect("an answer");
    let open = listed.object["sessions"].as_array().expect("a list").iter();
    let open = open.map(|it| format!("{}: {}", it["session"], it["left_open"])).collect::<Vec<_>>();
    insta::assert_snapshot!(open.join("\n"), @r#"
    "bbbbbbbb": "\"bbbbbbbb-0000-4000-8000-000000000002\""
    "desk": "\"Use port 5433 for the tests.\""
    "aaaaaaaa": "\"aaaaaaaa-0000-4000-8000-000000000001\""
    "#);
    insta::assert_snapshot!(told(&mut house, C, "startup"), @r#"
    vade: the user left word for the next session (desk, 21 Nov). It says: "Use port 5433 for the tests."
    The user's word is for you; read_handoff(from="desk") marks it as read. If the user continues older work, call read_handoff with its session first.
    And 2 older: bbbbbbbb (21 Nov): "bbbbbbbb-0000-4000-8000-000000000002"; aaaaaaaa (21 Nov): "aaaaaaaa-0000-4000-8000-000000000001"
    [vade receipt fcfd2cb56b618405]
    "#);
    house.works();
    insta::assert_snapshot!(house.0.starts("compact"), @r#"
    vade: this session was compacted and has nothing on its notepad. Write what the summary still has of plan, findings and decisions with update_notepad and add_note; the next compaction puts that back.
    The user left word for this session (desk, 21 Nov). It says: "Use port 5433 for the tests." It is for you; read_handoff(from="desk") marks it as read
    "#);
    house.0.desk.object("write_notepad", json!({"content": "- [ ] the tests"}));
    let compacted = house.0.starts("compact");
    let line = "\nThe user left word for this session (desk, 21 Nov). It says: \"Use port 5433 for the tests.\" It is for you; read_handoff(from=\"desk\") marks it as read\n";
    assert!(compacted.contains(line), "{compacted}");
    assert!(reads(&house, json!({})).contains("Use port 5433 for the tests."));
    let compacted = house.0.starts("compact");
    assert!(!compacted.contains("left word"), "{compacted}");
}

#[test]
fn a_word_that_is_written_later_is_for_the_next_session_and_not_for_a_compacted_one() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.wait(MINUTE);
    person(&house.0.desk, "write_handoff", json!({"content": "Mind the lock."}));
    let compacted = house.0.starts("compact");
    assert!(!compacted.contains("Mind the lock."), "{compacted}");
}

#[test]
fn the_word_of_a_person_waits_and_is_not_told_for_ever() {
    for (days, n_later, is_told) in [(20, 0, true), (1, 5, true), (20, 3, false)] {
        let mut house = House::new();
        person(&house.0.desk, "write_handoff", json!({"content": "Mind the lock."}));
        for later in &[LATER[0], LATER[1], LATER[2], A, B][..n_later] {
            house.wait(MINUTE);
            house.begins(later, Some(GONE));
            house.ends();
        }
        house.wait(days * DAY);
        let start = told(&mut house, C, "startup");
        assert_eq!(start.contains("Mind the lock."), is_told, "{days} days, {n_later}: {start}");
        let compacted = house.0.starts("compact");
        assert_eq!(
            compacted.contains("Mind the lock."),
            is_told,
            "{days} days, {n_later}: {compacted}"
        );
    }
}

/// More sessions began since than are looked at for whoever read it.
#[test]
fn a_word_that_was_read_long_ago_stays_read() {
    let mut house = House::new();
    person(&house.0.desk, "write_handoff", json!({"content": "Mind the lock."}));
    house.wait(MINUTE);
    told(&mut house, A, "startup");
    reads(&house, json!({"from": "desk"}));
    house.ends();
    for n in 0..51 {
        let session = format!("dddddddd-0000-4000-8000-{n:012}").leak();
        house.wait(MINUTE);
        house.begins(session, Some(GONE));
        house.ends();
    }
    house.wait(MINUTE);
    let start = told(&mut house, C, "startup");
    assert!(!start.contains("Mind the lock."), "{start}");
    let compacted = house.0.starts("compact");
    assert!(!compacted.contains("Mind the lock."), "{compacted}");
    person(&house.0.desk, "write_handoff", json!({"content": "Mind the lock."}));
    house.wait(MINUTE);
    let start = told(&mut house, B, "startup");
    assert!(start.contains("Mind the lock."), "written again it is a new one: {start}");
}

/// Who took it over kept nothing of its own, and the user cleared its conversation.
#[test]
fn what_was_taken_over_outlives_a_clear() {
    let words = ("write_handoff", "Next: the cli.");
    let word = ("desk", "Next: the cli.");
    let page = ("write_notepad", "- [ ] Next: the cli.");
    for (operation, content) in [words, word, page] {
        for (account, is_told) in [(None, true), (Some("- [x] cli"), false)] {
            let mut house = House::new();
            house.is(A, Some(GONE));
            house.0.starts("startup");
            house.works();
            let arguments = json!({"content": content});
            match operation {
                "desk" => drop(person(&house.0.desk, "write_handoff", arguments)),
                _ => drop(house.0.desk.object(operation, arguments)),
            }
            house.ends();
            house.wait(MINUTE);
            let start = told(&mut house, B, "startup");
            assert!(start.contains("Next: the cli."), "{operation}: {start}");
            reads(&house, json!({}));
            house.works();
            if let Some(account) = account {
                house.0.desk.object("write_notepad", json!({"content": account}));
            }
            house.0.event("SessionEnd", &json!({"reason": "clear"}));
            let start = told(&mut house, C, "clear");
            assert_eq!(
                start.contains("Next: the cli."),
                is_told,
                "{operation}, {account:?}: {start}"
            );
            if operation == "desk" && is_told {
                let compacted = house.0.starts("compact");
                assert!(compacted.contains("Next: the cli."), "{compacted}");
                reads(&house, json!({}));
                let compacted = house.0.starts("compact");
                assert!(!compacted.contains("It says"), "{compacted}");
            }
        }
    }
}

/// The handoff shows the notes of who was taken over, and who goes on with the work is done with them.
#[test]
fn who_took_work_over_crosses_its_notes_out() {
    let mut house = left_words();
    let note = json!({"content": "the cli", "tags": ["todo"]});
    let id = house.0.desk.object("add_note", note)["id"].as_str().expect("an id").to_owned();
    house.ends();
    house.wait(MINUTE);
    told(&mut house, C, "startup");
    house.works();
    let scratch = json!({"id": id, "scratched": true});
    let refused = house.0.desk.call("scratch_note", scratch.clone()).expect_err("an error");
    insta::assert_snapshot!(
        format!("{}\n{}", refused.message, refused.hint.unwrap_or_default()).replace(&id, "ID"),
        @r#"
    ID is a note of session aaaaaaaa, not of this one
    if you go on with its work, read_handoff(from="aaaaaaaa") takes it over with its notes; else say what holds now with add_learning, naming this note
    "#
    );
    assert!(reads(&house, json!({})).contains(&id));
    let change = json!({"id": id, "tags": ["todo", "cli"]});
    let said = |operation, arguments: &serde_json::Value| {
        let reply = house.0.desk.call(operation, arguments.clone()).expect("an answer");
        reply.text.replace(&id, "ID")
    };
    assert_eq!(
        [
            said("update_note", &change),
            said("scratch_note", &scratch),
            said("scratch_note", &scratch)
        ],
        [
            "updated (tags) ID (of session aaaaaaaa, whose work this one took over; 1 open)",
            "scratched ID (of session aaaaaaaa, whose work this one took over; 0 open)",
            "already scratched: ID (of session aaaaaaaa, whose work this one took over; 0 open)",
        ]
    );
    assert!(!reads(&house, json!({})).contains(&id));
    // While that one works itself, its notes are its own.
    house.is(A, Some(std::process::id()));
    house.0.starts("resume");
    house.works();
    house.is(C, Some(GONE));
    assert!(house.0.desk.error("scratch_note", scratch).starts_with("missing: "));
}

/// What a sub-agent left to do is crossed out by who started it, once it is over.
#[test]
fn who_started_a_sub_agent_crosses_its_notes_out() {
    let mut house = House::new();
    house.is(A, Some(std::process::id()));
    house.0.starts("startup");
    let event = json!({"agent_id": "a1", "agent_type": "Explore"});
    house.0.event("SubagentStart", &event);
    house.0.desk.session = Some(format!("claude-code:{A}/a1"));
    let note = json!({"content": "quote the path", "tags": ["todo"]});
    let id = house.0.desk.object("add_note", note)["id"].as_str().expect("an id").to_owned();
    house.0.desk.session = Some(format!("claude-code:{A}"));
    let scratch = json!({"id": id, "scratched": true});
    assert!(house.0.desk.error("scratch_note", scratch.clone()).starts_with("missing: "));
    house.0.event("SubagentStop", &event);
    let reply = house.0.desk.call("scratch_note", scratch).expect("an answer").text;
    assert_eq!(reply.replace(&id, "ID"), "scratched ID (of its sub-agent aaaaaaaa/a1; 0 open)");
}

/// As the offer says: the user's word first, then the work that it does not tell of.
#[test]
fn who_reads_the_word_of_a_person_first_takes_work_over_all_the_same() {
    let mut house = left_words();
    let note = json!({"content": "the cli", "tags": ["todo"]});
    let id = house.0.desk.object("add_note", note)["id"].as_str().expect("an id").to_owned();
    house.ends();
    person(&house.0.desk, "write_handoff", json!({"content": "Mind the lock."}));
    house.wait(MINUTE);
    told(&mut house, C, "startup");
    reads(&house, json!({"from": "desk"}));
    let scratch = json!({"id": id, "scratched": true});
    let refused = house.0.desk.call("scratch_note", scratch.clone()).expect_err("an error");
    let hint = refused.hint.unwrap_or_default();
    assert!(hint.contains("read_handoff(from=\"aaaaaaaa\") takes it over"), "{hint}");
    reads(&house, json!({"from": "aaaaaaaa"}));
    // The word once more takes nothing back.
    reads(&house, json!({"from": "desk"}));
    house.works();
    let scratched = house.0.desk.call("scratch_note", scratch).expect("an answer").text;
    assert!(
        scratched.contains("(of session aaaaaaaa, whose work this one took over"),
        "{scratched}"
    );
    let compacted = house.0.starts("compact");
    assert!(compacted.to_lowercase().contains("took over from session aaaaaaaa"), "{compacted}");
    house.ends();
    let resumed = told(&mut house, A, "resume");
    assert!(resumed.contains("Since then session cccccccc took this work over"), "{resumed}");
}

/// Another conversation that ended meanwhile is not the one that the user cleared, whichever worked last.
#[test]
fn a_clear_goes_on_with_the_conversation_of_its_own_process() {
    const ITS: u32 = GONE - 1;
    for (pid, is_told) in [(ITS, true), (GONE, false)] {
        let mut house = left_words();
        house.ends();
        house.is(B, Some(ITS));
        house.0.starts("startup");
        reads(&house, json!({"from": "aaaaaaaa"}));
        house.works();
        house.wait(MINUTE);
        house.begins(D, Some(GONE));
        house.ends();
        house.is(B, Some(ITS));
        house.0.event("SessionEnd", &json!({"reason": "clear"}));
        house.is(C, Some(pid));
        let start = house.0.starts("clear");
        assert_eq!(start.contains("Next: the cli."), is_told, "process {pid}: {start}");
    }
}
