//! Where a correction goes: to the plan of what it corrects.

use super::*;

/// What corrects an entry stands where that one stands, whichever plan is active.
#[test]
fn a_correction_belongs_where_the_corrected_entry_stands() {
    let claude = Claude::new();
    claude.starts("startup");
    let old = adds(&claude, "learning", json!({ "content": "Money is kept in cents." }));
    for plan in ["a", "b"] {
        claude.desk.object("init_plan", json!({ "name": plan }));
    }
    claude.desk.object("use_plan", json!({ "plan": "a" }));
    let corrects = |old: &Value, content: &str| {
        let arguments = json!({ "content": content, "supersedes": old["id"] });
        claude.desk.object("add_learning", arguments)
    };
    let new = corrects(&old, "Money is kept in mills.");
    assert_eq!(new["plan"], "_project");
    let of_a = adds(&claude, "learning", json!({ "content": "Mills have no name." }));
    assert_eq!(of_a["plan"], "a");
    claude.desk.object("use_plan", json!({ "plan": "b" }));
    assert_eq!(corrects(&of_a, "Mills are called m.")["plan"], "a");
    let known = claude.desk.call("recall", json!({ "kind": "known" })).expect("it").text;
    assert!(known.contains("kept in mills"), "{known}");
    // Nothing is added to an archived plan: what holds of it is the project's.
    let of_b = adds(&claude, "learning", json!({ "content": "Mills are rounded." }));
    claude.desk.object("archive_plan", json!({ "plan": "b" }));
    assert_eq!(corrects(&of_b, "Mills are cut.")["plan"], "_project");
}
