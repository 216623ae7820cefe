//! Work goes from hand to hand: behind one clear another, to a second taker, back to who left it.

use super::taken_over::{D, left_words, reads, told};
use super::*;
use crate::handoffs::person;

/// The conversation behind the first one was cleared too, and what it was told it neither read nor kept anything of.
#[test]
fn what_was_taken_over_outlives_one_clear_after_the_other() {
    for (operation, own, is_told) in [
        ("write_handoff", None, true),
        ("desk", None, true),
        ("write_notepad", None, true),
        ("write_handoff", Some("- [x] another thing"), false),
    ] {
        let mut house = House::new();
        house.is(A, Some(GONE));
        house.0.starts("startup");
        house.works();
        let left = json!({"content": "- [ ] Next: the cli."});
        match operation {
            "desk" => drop(person(&house.0.desk, "write_handoff", left)),
            _ => drop(house.0.desk.object(operation, left)),
        }
        house.ends();
        house.wait(MINUTE);
        told(&mut house, B, "startup");
        reads(&house, json!({}));
        house.works();
        house.0.event("SessionEnd", &json!({"reason": "clear"}));
        let first = told(&mut house, C, "clear");
        assert!(first.contains("Next: the cli."), "{operation}: {first}");
        house.works();
        if let Some(own) = own {
            house.0.desk.object("write_notepad", json!({"content": own}));
        }
        house.0.event("SessionEnd", &json!({"reason": "clear"}));
        let second = told(&mut house, D, "clear");
        assert_eq!(second.contains("Next: the cli."), is_told, "{operation}, {own:?}: {second}");
    }
}

/// Whose notes they are moves with the work: to who took it over last, and back to who works on it again.
#[test]
fn who_took_work_over_last_crosses_its_notes_out() {
    let mut house = left_words();
    let note = json!({"content": "the cli", "tags": ["todo"]});
    let id = house.0.desk.object("add_note", note)["id"].as_str().expect("an id").to_owned();
    house.ends();
    house.wait(MINUTE);
    let change = |house: &House, tag: &str| {
        let reply = house.0.desk.call("update_note", json!({"id": id, "tags": [tag]}));
        reply.map(|reply| reply.text).map_err(|error| error.hint.unwrap_or_default())
    };
    told(&mut house, B, "startup");
    reads(&house, json!({}));
    house.works();
    assert!(change(&house, "b").is_ok());
    house.ends();
    house.wait(MINUTE);
    // It goes on with what the second one left, and with that of the first.
    told(&mut house, C, "startup");
    reads(&house, json!({"from": "bbbbbbbb"}));
    let hint = change(&house, "c").expect_err("an error");
    assert!(hint.contains("read_handoff(from=\"aaaaaaaa\") takes it over"), "{hint}");
    reads(&house, json!({"from": "aaaaaaaa"}));
    house.works();
    let changed = change(&house, "c").expect("an answer");
    assert!(changed.contains("of session aaaaaaaa, whose work this one took over"), "{changed}");
    house.is(B, Some(GONE));
    let hint = change(&house, "b").expect_err("an error");
    assert!(hint.starts_with("say what holds now"), "{hint}");
    // The first works again, and is over.
    house.is(A, Some(GONE));
    house.wait(MINUTE);
    house.0.starts("resume");
    house.works();
    house.ends();
    house.is(C, Some(GONE));
    assert!(change(&house, "c").is_err());
}

/// The line that a person saw may be of another one than what is offered first by now.
#[test]
fn of_several_offers_none_is_dismissed_unnamed() {
    let mut house = two_open();
    house.is(C, Some(GONE));
    let error = house.0.desk.person("dismiss_handoff", json!({})).expect_err("two are open");
    insta::assert_snapshot!(error, @r#"2 sessions left work open: bbbbbbbb (22 Nov): "bbbbbbbb-0000-4000-8000-000000000002"; aaaaaaaa (21 Nov): "aaaaaaaa-0000-4000-8000-000000000001""#);
    assert_eq!(error.hint.as_deref(), Some("vade handoff dismiss SESSION ends the offer of one"));
    assert_eq!(house.offered("startup", Some(GONE)), Some(B));
}

/// What is done and put away was taken over all the same.
#[test]
fn who_went_on_with_an_offer_is_counted_whatever_becomes_of_it() {
    let mut house = House::new();
    house.begins(A, Some(GONE));
    house.ends();
    told(&mut house, C, "startup");
    reads(&house, json!({}));
    house.works();
    for _ in 0..2 {
        let told = house.0.desk.object("stats", json!({}))["told"].clone();
        assert_eq!((&told["offered"], &told["taken_over"]), (&json!(1), &json!(1)));
        house.0.desk.object("dismiss_handoff", json!({"from": "aaaaaaaa"}));
    }
}

/// A session that was killed waiting for a sub-agent looks like one that came to its end.
#[test]
fn one_that_waited_for_a_sub_agent_is_offered_with_what_that_one_kept() {
    for is_killed in [true, false] {
        let mut house = House::new();
        house.is(A, Some(GONE));
        house.0.starts("startup");
        waits_for_a_sub_agent(&house);
        house.works();
        house.0.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
        house.0.desk.session = Some(format!("claude-code:{A}/a1"));
        house.0.desk.object("write_notepad", json!({"content": "The leak is in the pool."}));
        house.0.desk.object("add_note", json!({"content": "Two readers.", "tags": ["bug"]}));
        house.is(A, Some(GONE));
        if !is_killed {
            house.ends();
        }
        house.wait(MINUTE);
        let start = told(&mut house, C, "startup");
        insta::allow_duplicates!(insta::assert_snapshot!(start, @r#"
        vade: the previous session here (aaaaaaaa, 21 Nov) left work open (a sub-agent of it had not reported). It was asked: "Find the leak in the pool, please." Last reply: "I wait for its report."
        If the user continues that work, call read_handoff(from="aaaaaaaa") first; otherwise ignore this.
        [vade receipt c1ac7640d2c4dcd3]
        "#));
        let handoff = reads(&house, json!({}));
        let kept = "\n\nIts sub-agents kept notes or a notepad of their own: read_handoff(from=\"aaaaaaaa/a1\")\n\n";
        assert!(handoff.contains(kept), "{handoff}");
        let own = reads(&house, json!({"from": "aaaaaaaa/a1"}));
        assert!(own.contains("The leak is in the pool.") && own.contains("Two readers."), "{own}");
    }
}

/// Lets the record of the session end with what it says of a sub-agent that it sent off.
fn waits_for_a_sub_agent(house: &House) {
    let turn = |n: usize, role: &str, content: serde_json::Value| {
        let parent = n.checked_sub(1).map(|n| n.to_string());
        let message = json!({"role": role, "content": content});
        json!({"type": role, "uuid": n.to_string(), "parentUuid": parent, "sessionId": A, "message": message})
            .to_string()
    };
    let input = json!({"description": "Find the leak", "prompt": "Find the leak.", "run_in_background": true});
    let launched = "Async agent launched successfully.\nagentId: a1";
    let lines = [
        turn(0, "user", json!("Find the leak in the pool, please.")),
        turn(
            1,
            "assistant",
            json!([{"type": "tool_use", "id": "1", "name": "Agent", "input": input}]),
        ),
        turn(2, "user", json!([{"type": "tool_result", "tool_use_id": "1", "content": launched}])),
        turn(3, "assistant", json!([{"type": "text", "text": "I wait for its report."}])),
    ];
    std::fs::write(house.0.transcript(), lines.join("\n") + "\n").expect("a transcript");
}
