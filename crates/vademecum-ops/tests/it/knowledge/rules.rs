//! What goes first of what a project knows: rules of the user.

use super::*;

/// A rule of the user is told before what is newest, and all that fits is told.
#[test]
fn what_fits_is_told_and_a_rule_of_the_user_first() {
    let claude = Claude::new();
    claude.starts("startup");
    let rule = json!({ "content": "Never push to main.", "tags": ["rule"] });
    adds(&claude, "learning", rule);
    adds(&claude, "decision", json!({ "content": "Money is kept in cents." }));
    for n in 0..4 {
        adds(&claude, "learning", json!({ "content": format!("Finding number {n}.") }));
    }
    let claude = next(claude, NEXT);
    let start = claude.starts("startup");
    insta::assert_snapshot!(known(&start).join("\n"), @"
    This project knows (1 decision, 5 learnings):
    - learning: Never push to main.
    - decision: Money is kept in cents.
    - learning: Finding number 3.
    - learning: Finding number 2.
    - learning: Finding number 1.
    - learning: Finding number 0.
    ");
    for n in 4..19 {
        adds(
            &claude,
            "learning",
            json!({ "content": format!("Finding number {n}. {}", "x ".repeat(60)) }),
        );
    }
    let claude = next(claude, THIRD);
    let start = claude.starts("startup");
    assert_eq!(known(&start)[1], "- learning: Never push to main.", "{start}");
}
