//! Work goes from hand to hand: behind one clear another, to a second taker, back to who left it.

use super::taken_over::{D, reads, told};
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
