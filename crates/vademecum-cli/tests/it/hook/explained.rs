//! Each cause of a warning that does not come is named by `vade status --explain` (C6.3).

use std::path::Path;

use serde_json::{Value, json};

use super::claude::{Claude, SESSION};
use crate::home::VADE;

/// A window of 100,000 tokens is compacted at 67,000, and the warning comes at 62,000.
const WINDOW: (&str, &str) = ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");

#[track_caller]
fn check(claude: &Claude, variables: &[(&str, &str)], expected: &str) {
    let mut command = claude.home.command(Path::new(VADE));
    command.args(["status", "--explain", "--json", "--session"]);
    command.arg(format!("claude-code:{SESSION}")).envs(variables.iter().copied());
    let output = command.output().expect("a run");
    let said: Value =
        serde_json::from_str(&claude.home.said(&output).success()).expect("an object");
    let warning = &said["warning"];
    let text = |name: &str| warning[name].as_str().unwrap_or_default();
    assert_eq!(warning["due"], text("why").starts_with("due: "));
    assert_eq!(format!("{}: {}", text("cause"), text("why")), expected);
}

fn started() -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude
}

#[test]
fn names_what_is_not_known() {
    let claude = started();
    check(&claude, &[WINDOW], "unknown_count: not due: the tokens used are not known");
    claude.used(20_000, "msg_1");
    let off = "unknown_window: not due: the size of the context window is not known: automatic compaction is off: DISABLE_AUTO_COMPACT";
    check(&claude, &[WINDOW, ("DISABLE_AUTO_COMPACT", "1")], off);

    let claude = Claude::new();
    claude.hook("SessionStart", &json!({ "source": "startup", "model": "grok-9" }));
    let model = "unknown_window: not due: the size of the context window is not known: the window of the model \"grok-9\" is not known";
    check(&claude, &[], model);
    let nobody = "unknown_window: not due: the size of the context window is not known";
    check(&Claude::new(), &[WINDOW], nobody);
}

#[test]
fn names_where_the_line_lies() {
    let claude = started();
    claude.used(20_000, "msg_1");
    check(
        &claude,
        &[WINDOW],
        "below: not due: 20000 tokens used and pending, the warning comes at 62000",
    );
    claude.used(62_000, "msg_2");
    let due = "reached: due: 62000 tokens used and pending, the warning comes at 62000, the compaction at 67000";
    check(&claude, &[WINDOW], due);
    let no_room =
        "no_room: not due: a window of 100000 tokens has no room for it, it would come at -4200";
    check(&claude, &[WINDOW, ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "1")], no_room);
}

#[test]
fn names_what_was_done_in_this_cycle() {
    let claude = started();
    claude.used(63_000, "msg_1");
    let warned = claude.hook("PostToolBatch", &json!({ "tool_calls": [] }));
    assert!(warned.context.contains("token limit"), "{warned:?}");
    check(&claude, &[WINDOW], "flushed: not due: given in this cycle already (cycle 0)");
    claude.starts("compact");
    let stale = "stale: not due: the tokens used are out of date and none are projected";
    check(&claude, &[WINDOW], stale);
}

#[test]
fn names_the_configuration() {
    let claude = started();
    claude.used(63_000, "msg_1");
    claude.home.write(".config/vademecum/config.toml", "[precompact]\nenabled = false\n");
    check(&claude, &[WINDOW], "disabled: not due: precompact.enabled is false");
}
