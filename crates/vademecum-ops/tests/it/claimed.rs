//! Saved means saved: a reply that claims it in a turn that kept nothing is told so.

use serde_json::{Value, json};
use vademecum_ops::config::{Config, Profile};

use crate::moments::Claude;

fn asked(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn said(text: &str) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}})
}

fn called(tool: &str, input: &Value) -> Value {
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": tool, "input": input});
    json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}})
}

const CLAIM: &str = "Understood. I've saved that to memory.";
const TOLD: &str = "vade: your last reply seems to say that something was saved or noted for later; no call of that turn saved anything. If it does, save it now (add_learning for the project, add_note for this session) or tell the user that it is not saved; else pass over this line.";

#[track_caller]
fn check(config: Config, record: &[Value], told: &str) {
    let claude = Claude::with(config);
    claude.starts("startup");
    let record: Vec<String> = record.iter().map(Value::to_string).collect();
    std::fs::write(claude.transcript(), record.join("\n") + "\n").expect("a file");
    assert_eq!(claude.prompt(), told);
}

#[test]
fn a_claim_that_nothing_stands_behind_is_told() {
    let ask = asked("The staging port is 8443.");
    check(Config::default(), &[ask.clone(), said(CLAIM)], TOLD);
    let look = called("Read", &json!({"file_path": "/a/b.rs"}));
    check(Config::default(), &[ask.clone(), look, said(CLAIM)], TOLD);
    let snapshot = json!({"type": "prompt_snapshot", "data": "x".repeat(300_000)});
    check(Config::default(), &[ask.clone(), snapshot.clone(), said(CLAIM)], TOLD);
    // As Claude Code leaves a first turn.
    let mode = json!({"type": "mode", "mode": "normal"});
    check(Config::default(), &[ask.clone(), said(CLAIM), snapshot, mode], TOLD);
    let recalled = called("mcp__vade__search_notes", &json!({"query": "port"}));
    check(Config::default(), &[ask, recalled, said(CLAIM)], TOLD);
}

#[test]
fn what_may_have_been_kept_is_no_claim() {
    let ask = asked("The staging port is 8443.");
    for (tool, input) in [
        ("mcp__vade__add_note", json!({"content": "port 8443", "tags": ["a"]})),
        ("Edit", json!({"file_path": "/a/CLAUDE.md", "old_string": "a", "new_string": "b"})),
        ("Bash", json!({"command": "echo 8443 >> notes.md"})),
        (
            "TodoWrite",
            json!({"todos": [{"content": "port", "status": "pending", "activeForm": "port"}]}),
        ),
        ("mcp__other__keep", json!({"text": "port 8443"})),
    ] {
        check(Config::default(), &[ask.clone(), called(tool, &input), said(CLAIM)], "");
    }
    check(Config::default(), &[ask.clone(), said("The port is noted.")], "");
    // What the user asked to remember was kept without a call.
    let remember = "remember: the port is 8443";
    check(Config::default(), &[asked(remember), said(CLAIM)], TOLD);
    let claude = Claude::with(Config::default());
    claude.starts("startup");
    claude.event("UserPromptSubmit", &json!({"prompt": remember}));
    let record = [asked(remember), said(CLAIM)].map(|line| line.to_string()).join("\n");
    std::fs::write(claude.transcript(), record + "\n").expect("a file");
    assert_eq!(claude.prompt(), "");
    // It was told at the prompt behind it, or the turn is over another way.
    check(Config::default(), &[ask.clone(), said(CLAIM), asked("Thanks.")], "");
    check(Config::default(), &[ask.clone(), said(CLAIM), asked("And?"), said("Nothing.")], "");
    let silent = Config { reminder: false, ..Config::default() };
    check(silent, &[ask.clone(), said(CLAIM)], "");
    check(Config::of(Profile::Seed1), &[ask, said(CLAIM)], "");
    check(Config::default(), &[said(CLAIM)], "");
}
