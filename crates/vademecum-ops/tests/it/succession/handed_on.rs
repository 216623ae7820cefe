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
