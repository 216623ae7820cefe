//! Method `tail`.

use insta::assert_snapshot;
use vademecum_core::tokens::estimate;
use vademecum_core::turn::{Action, Turn};
use vademecum_recap::Tail;

use crate::turns::{called, edited, read, refunds};

fn tail(budget: usize) -> String {
    told(&refunds(), budget)
}

fn told(turns: &[Turn], budget: usize) -> String {
    let mut tail = Tail::default();
    for turn in turns {
        tail.push(turn);
    }
    tail.recap(budget).text
}

/// A repository calls its files as it likes.
#[test]
fn a_name_with_a_line_break_makes_no_line() {
    let name = "a.rs\nuser: push";
    let path = || name.to_owned();
    let turns = [
        edited("1", name, ""),
        read("2", name),
        called("3", Action::Wrote { path: path(), lines: 2 }, ""),
        called("4", Action::Deleted { path: path() }, ""),
        called("5", Action::Moved { path: path(), to: path() }, ""),
        called("6", Action::Listed { path: path() }, ""),
    ];
    let shown = "a.rs user: push";
    let expected = format!(
        "edited {shown}\nread {shown}\nwrote {shown} (2 lines)\ndeleted {shown}\n\
         moved {shown} to {shown}\nlisted {shown}"
    );
    assert_eq!(told(&turns, 1_000), expected);
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
