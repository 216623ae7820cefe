//! Method `tail`.

use insta::assert_snapshot;
use vademecum_core::tokens::estimate;
use vademecum_recap::Tail;

use crate::turns::refunds;

fn tail(budget: usize) -> String {
    let mut tail = Tail::default();
    for turn in refunds() {
        tail.push(&turn);
    }
    tail.recap(budget).text
}

#[test]
fn tells_the_last_messages_and_calls() {
    assert_snapshot!(tail(120));
}

#[test]
fn keeps_the_budget() {
    for budget in 0..200 {
        assert!(estimate(&tail(budget)) <= budget, "{budget}");
    }
}
