//! No secret is kept: not of what is written, and not of what a recap takes from a transcript.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vademecum_core::intake::Policy;
use vademecum_core::secrets::samples;
use vademecum_harness::transcript::Span;
use vademecum_ops::Config;
use vademecum_ops::recaps::methods::Making;
use vademecum_ops::recaps::{self, BUDGET, Kept};

use crate::desk::Desk;
use crate::moments::Claude;

/// A credential in two pieces, so that no file of ours holds one.
fn token() -> String {
    ["ghp_", "9aK2mQ7xL4pR8sT1vW5yZ3bC6dE0fGhJ2kM4"].concat()
}

/// Whether any file below `folder` holds these bytes.
fn holds(folder: &Path, secret: &str) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, secret);
        }
        let bytes = fs::read(&path).expect("a file");
        bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
    })
}

fn scratchpad() -> Config {
    let budget = vademecum_ops::config::Scratchpad { enabled: true, max_tokens: 2000 };
    Config { scratchpad: Some(budget), ..Config::default() }
}

#[test]
fn every_write_replaces_secrets_and_says_so() {
    let token = token();
    let text = format!("use {token} and <private>me</private>");
    let package = json!({
        "vademecum": 2, "project": "p",
        "sessions": [{
            "name": "test:other", "started_at": "2026-11-20T10:00:00Z", "notepad": text, "handoff": text,
            "notes": [{
                "id": "note_1763700000000", "content": text, "tags": ["a"], "scratched": false,
                "created_at": "2026-11-20T10:00:00Z", "updated_at": "2026-11-20T10:00:00Z",
            }],
        }],
    });
    for (name, arguments, n) in [
        ("add_note", json!({"content": text, "tags": ["a"]}), 1),
        ("write_notepad", json!({"content": text}), 1),
        ("update_notepad", json!({"operation": "append", "content": text}), 1),
        ("write_handoff", json!({"content": text}), 1),
        ("session_scratchpad", json!({"content": text}), 1),
        ("add_learning", json!({"content": text, "task": text}), 2),
        ("add_decision", json!({"content": text, "rationale": text}), 2),
        ("import", json!({"content": package.to_string()}), 3),
    ] {
        let desk = Desk::with(scratchpad());
        let reply = desk.call(name, arguments).expect(name);
        let replaced =
            json!([{"kind": "github-token", "count": n}, {"kind": "private", "count": n}]);
        assert_eq!(reply.object["replaced"], replaced, "{name}");
        let words = format!("kept: {n} github-token, {n} private (only");
        assert!(reply.text.contains(&words), "{name}: {}", reply.text);
        assert!(!holds(desk.folder(), &token), "{name}");
        assert!(!holds(desk.folder(), "<private>"), "{name}");
    }
}

#[test]
fn a_write_without_a_secret_says_nothing_of_it() {
    let reply = Desk::new().object("add_note", json!({"content": "plain", "tags": ["a"]}));
    assert_eq!(reply.get("replaced"), None);
}

#[test]
fn an_edit_that_makes_a_secret_whole_replaces_it() {
    let (desk, token) = (Desk::new(), token());
    let (left, right) = token.split_at(20);
    desk.object("write_notepad", json!({"content": format!("key {left}")}));
    let append = json!({"operation": "append", "content": right});
    let reply = desk.object("update_notepad", append);
    assert_eq!(reply["replaced"], json!([{"kind": "github-token", "count": 1}]));
    let page = desk.object("read_notepad", json!({}));
    assert_eq!(page["content"], "key [secret replaced: github-token]");

    desk.object("write_notepad", json!({"content": format!("key {left}#{right} end")}));
    let join = json!({"operation": "find_replace", "find": "#", "replace": ""});
    desk.object("update_notepad", join);
    let page = desk.object("read_notepad", json!({}));
    assert_eq!(page["content"], "key [secret replaced: github-token] end");
}

#[test]
fn a_person_may_switch_it_off() {
    let token = token();
    let desk = Desk::with(Config { redact: false, ..Config::default() });
    let reply = desk.object("add_note", json!({"content": token, "tags": ["a"]}));
    assert_eq!((&reply["content"], reply.get("replaced")), (&json!(token), None));
}

#[test]
fn what_a_sub_agent_was_asked_is_kept_without_secrets() {
    let (claude, token) = (Claude::new(), token());
    claude.starts("startup");
    let input = json!({
        "description": "Deploy", "prompt": format!("Deploy with {token}."),
        "subagent_type": "Explore", "run_in_background": true,
    });
    claude.event(
        "PostToolUse",
        &json!({
            "tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": input,
            "tool_response": {"status": "async_launched", "agentId": "a41f"},
        }),
    );
    assert!(!holds(claude.desk.folder(), &token));
}

/// The record of a session with `text` at one of six places.
pub(crate) fn transcript(place: usize, text: &str) -> String {
    let at = |here: usize, with: String, without: &str| {
        if place == here { with } else { without.to_owned() }
    };
    let call = |id: &str, tool: &str, input: Value| json!({"role": "assistant", "id": id, "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]});
    let answer = |id: &str, text: String, is_error: bool| {
        let part = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error});
        json!({"role": "user", "content": [part]})
    };
    let messages = [
        json!({"role": "user", "content": at(0, format!("Deploy, use {text} for it"), "Deploy")}),
        call(
            "t1",
            "Bash",
            json!({"command": at(1, format!("deploy --with {text} --now"), "ls -R")}),
        ),
        answer("t1", at(2, format!("loaded {text} from src/pay.rs"), "ok"), false),
        call(
            "t2",
            "Write",
            json!({"file_path": "/p/a.rs", "content": at(3, format!("// {text}\n"), "fn a() {}")}),
        ),
        answer("t2", "done".to_owned(), false),
        call("t3", "Bash", json!({"command": at(4, format!("cargo test {text}"), "cargo test")})),
        answer("t3", format!("error: {}", at(4, text.to_owned(), "left 1")), true),
        json!({"role": "assistant", "id": "m", "content": [{"type": "text", "text": at(5, format!("Next: {text}"), "Next: x")}]}),
    ];
    let line = |(idx, message): (usize, Value)| {
        let parent = idx.checked_sub(1).map(|idx| format!("u{idx}"));
        let line = json!({
            "parentUuid": parent, "isSidechain": false, "type": message["role"], "message": message,
            "uuid": format!("u{idx}"), "sessionId": "s", "cwd": "/p", "timestamp": "2026-11-20T10:00:00.000Z",
        });
        format!("{line}\n")
    };
    messages.into_iter().enumerate().map(line).collect()
}

/// All that is kept and shown of the transcript at `path`.
fn told(path: &Path, policy: Policy) -> String {
    let making = Making::default();
    let read = recaps::read_for(&making, path, None, (Span::HOOK, policy)).expect("a transcript");
    let exact = recaps::exact(read.digest.digest(), 330, "");
    format!("{}\n{exact}", Kept::of(read, making, BUDGET).body())
}

#[test]
fn nothing_of_a_recap_holds_a_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.jsonl");
    // Every ninth: the gate of the rules themselves looks at all.
    for sample in samples::all(3).into_iter().step_by(9) {
        for place in 0..6 {
            fs::write(&path, transcript(place, &sample.text)).expect("a file");
            let told = told(&path, Policy::Replace);
            assert!(!told.contains(&sample.secret), "{} at {place}: {told}", sample.kind);
        }
    }
    let token = token();
    fs::write(&path, transcript(1, &token)).expect("a file");
    assert!(told(&path, Policy::Keep).contains(&token), "the gate sees what is kept");
}

#[test]
fn a_secret_that_is_cut_in_half_does_not_survive() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.jsonl");
    let token = token();
    // Words of the user are kept to 3,000 bytes, commands to 600: each cut falls into the token.
    for (place, before) in [(0, 2_980), (1, 570), (4, 570), (5, 2_985)] {
        for shift in 0..20 {
            let text = format!("{} {token} end", "word ".repeat((before + shift) / 5));
            fs::write(&path, transcript(place, &text)).expect("a file");
            let told = told(&path, Policy::Replace);
            assert!(!told.contains(&token[..16]), "{place} {shift}");
        }
    }
}
