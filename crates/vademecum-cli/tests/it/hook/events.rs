//! Each event with what Claude Code gives it: what is printed, and that nothing is in the usual case.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::claude::{Claude, SESSION};
use crate::home::{Home, Said, VADE};

const PAGE: &str = "## Plan\n- [ ] key in `submit` — 漢字 🥕";

/// A session that keeps a page.
fn kept() -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude.vade(&["notepad", "write", PAGE]);
    claude
}

fn call(tool: &str) -> Value {
    json!({ "tool_name": tool, "tool_input": { "content": "x" }, "tool_use_id": "toolu_1" })
}

#[test]
fn says_nothing_at_the_usual_events() {
    let claude = kept();
    // The first prompt tells the model what the person wrote above.
    claude.hook("UserPromptSubmit", &json!({ "prompt": "go on" }));
    for (event, more) in [
        ("UserPromptSubmit", json!({ "prompt": "go on" })),
        ("PreToolUse", call("Read")),
        ("PostToolUse", call("Read")),
        ("PostToolBatch", json!({ "tool_calls": [] })),
        ("SubagentStart", json!({ "agent_id": "a41f", "agent_type": "Explore" })),
        ("SubagentStop", json!({ "agent_id": "a41f", "agent_type": "Explore" })),
        ("PostCompact", json!({ "trigger": "auto", "compact_summary": "so far" })),
        ("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        ("Notification", json!({ "message": "an event of a later version" })),
        ("SessionEnd", json!({ "reason": "other" })),
    ] {
        let said = claude.run(event, claude.payload(event, &more).to_string().as_bytes());
        let nothing = Said { code: Some(0), stdout: String::new(), stderr: String::new() };
        assert_eq!(said, nothing, "{event}");
    }
}

#[test]
fn puts_the_page_back_and_says_so() {
    let claude = kept();
    let compact = claude.starts("compact");
    assert!(compact.context.contains(PAGE), "{compact:?}");
    assert!(compact.message.ends_with("tokens, back in context"), "{compact:?}");
    for source in ["resume", "startup", "a later version's"] {
        let again = claude.starts(source);
        assert_eq!(again.context, compact.context, "{source}");
    }
}

#[test]
fn offers_a_new_session_where_the_last_one_stopped() {
    let claude = kept();
    claude.hook("SessionEnd", &json!({ "reason": "other" }));
    let starts = |source: &str| {
        let other = json!({ "source": source, "session_id": format!("9{}", &SESSION[1..]) });
        claude.hook("SessionStart", &other)
    };
    let offer = starts("startup");
    let text = &offer.context;
    assert!(text.contains("key in `submit`") && text.lines().count() <= 6, "{text}");
    assert!(offer.message.contains("key in `submit`"), "{offer:?}");
    assert!(!starts("clear").context.contains("key in `submit`"));
}

#[test]
fn puts_the_session_into_our_own_calls_and_allows_nothing() {
    let claude = kept();
    let run = |more: &Value| {
        claude.run("PreToolUse", claude.payload("PreToolUse", more).to_string().as_bytes())
    };
    let said = run(&call("mcp__vade__add_note"));
    let wanted = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "updatedInput": { "content": "x", "session": format!("claude-code:{SESSION} as self") },
    }});
    assert_eq!(serde_json::from_str::<Value>(&said.stdout).expect("JSON"), wanted);

    let mut agent = call("mcp__vade__add_note");
    agent["agent_id"] = json!("a41f");
    assert!(run(&agent).stdout.contains(&format!("\"claude-code:{SESSION}/a41f as self\"")));
}

#[test]
fn warns_once_before_a_compaction_and_tells_the_summariser() {
    let claude = kept();
    let batch = || claude.hook("PostToolBatch", &json!({ "tool_calls": [] })).context;
    claude.used(50_000, "msg_1");
    assert_eq!(batch(), "");
    claude.used(64_000, "msg_2");
    assert!(batch().contains("notepad"));
    assert_eq!(batch(), "");

    let compacts = json!({ "trigger": "auto", "custom_instructions": null });
    let said =
        claude.run("PreCompact", claude.payload("PreCompact", &compacts).to_string().as_bytes());
    assert!(said.stdout.starts_with("The session's notepad is kept outside"), "{said:?}");
}

/// C0.21.
#[test]
fn an_ended_session_is_readable_and_not_shown() {
    let claude = kept();
    claude.hook("SessionEnd", &json!({ "reason": "other" }));
    let page: Value =
        serde_json::from_str(&claude.vade(&["notepad", "show", "--json"])).expect("an object");
    assert_eq!(page["content"], PAGE);
    for source in ["startup", "clear"] {
        let other = json!({ "source": source, "session_id": format!("8{}", &SESSION[1..]) });
        let start = claude.hook("SessionStart", &other).context;
        assert!(!start.contains("## Plan") && !start.contains("## Session Notepad"), "{start}");
    }
    assert!(claude.starts("resume").context.contains(PAGE));
}

/// C2.5 and C2.6.
#[test]
fn a_scratchpad_stands_in_front_of_the_message_and_nowhere_else() {
    let claude = Claude::new();
    claude.home.write(".config/vademecum/config.toml", "profile = 'seed2'\n");
    claude.starts("startup");
    claude.used(20_000, "msg_1");
    claude.vade(&["call", "session_scratchpad", r###"{"content": "## Plan\n1. Fix X"}"###]);
    let transcript = claude.home.read("transcript.jsonl");
    let block = "[Session Scratchpad - your persistent working memory]\n## Plan\n1. Fix X\n[End Scratchpad]";
    for _ in 0..2 {
        let said = claude.hook("UserPromptSubmit", &json!({ "prompt": "go on" }));
        assert_eq!(said.context.trim_end(), block);
    }
    assert_eq!(claude.home.read("transcript.jsonl"), transcript);
}

#[test]
fn goes_on_whatever_it_is_given() {
    let claude = Claude::new();
    let deep = "[".repeat(100_000);
    let odd: [&[u8]; 9] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\"SessionStart\"",
        b"\xff\xfe\x00",
        b"{\"session_id\": 7, \"cwd\": [], \"hook_event_name\": null}",
        b"{\"session_id\": \"\", \"cwd\": \"\", \"hook_event_name\": \"SessionStart\"}",
        deep.as_bytes(),
    ];
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "PreCompact"] {
        for stdin in odd {
            let said = claude.run(event, stdin);
            let given = String::from_utf8_lossy(&stdin[..stdin.len().min(40)]);
            assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{event} {given}");
            assert!(said.stderr.lines().count() == 1, "{event} {given}: {}", said.stderr);
            assert!(!said.stderr.contains("panicked"), "{event} {given}: {}", said.stderr);
        }
    }
}

/// How many processes run in this home, by what the system tells of their environment.
#[cfg(target_os = "linux")]
fn running(home: &Home) -> usize {
    let own = format!("HOME={}\0", home.path.display());
    let all = fs::read_dir("/proc").expect("the processes").flatten();
    let is_own = |environ: Vec<u8>| String::from_utf8_lossy(&environ).contains(&own);
    all.filter(|entry| fs::read(entry.path().join("environ")).is_ok_and(is_own)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn leaves_no_process_behind() {
    let claude = kept();
    let mut command = claude.home.command(Path::new(VADE));
    command.args(["hook", "claude-code", "SessionStart"]).stdin(Stdio::piped());
    let mut waits = command.stderr(Stdio::null()).spawn().expect("a process");
    // The system tells of an environment only a moment after it starts the program.
    let seen = (0..100_000).any(|_| running(&claude.home) == 1);
    assert!(seen, "one that waits for its event is seen");
    waits.wait().expect("an end");

    for (event, more) in [
        ("SessionStart", json!({ "source": "compact" })),
        ("UserPromptSubmit", json!({ "prompt": "go on" })),
        ("PreToolUse", call("mcp__vade__add_note")),
        ("PostToolBatch", json!({ "tool_calls": [] })),
        ("PreCompact", json!({ "trigger": "auto" })),
        ("SubagentStart", json!({ "agent_id": "a41f", "agent_type": "Explore" })),
        ("SessionEnd", json!({ "reason": "other" })),
    ] {
        claude.run(event, claude.payload(event, &more).to_string().as_bytes());
        assert_eq!(running(&claude.home), 0, "{event}");
    }
}

#[test]
fn starts_no_program_of_the_persons_own() {
    let claude = kept();
    let script = claude.home.path("asked.sh");
    claude.home.write("asked.sh", "#!/bin/sh\ntouch \"$(dirname \"$0\")/asked\"\nexit 1\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).expect("a mode");
    let own = format!("[recap]\nembed_cmd = [{script:?}]\nsummarize_cmd = [{script:?}]\n");
    claude.home.write(".config/vademecum/config.toml", own);
    let turn = json!({ "type": "user", "uuid": "u1", "parentUuid": null, "isSidechain": false,
        "timestamp": "2026-11-20T10:00:00.000Z", "sessionId": SESSION, "cwd": claude.home.path,
        "message": { "role": "user", "content": "Make refunds idempotent." } });
    claude.home.write("transcript.jsonl", format!("{turn}\n"));
    let compacts = claude.payload("PreCompact", &json!({ "trigger": "auto" })).to_string();
    assert_eq!(claude.run("PreCompact", compacts.as_bytes()).code, Some(0));
    let start = claude.starts("compact");
    assert!(start.context.contains("Make refunds idempotent."), "{start:?}");
    claude.hook("SessionEnd", &json!({ "reason": "other" }));
    assert!(!claude.home.path("asked").exists());
    let asked = ["recap", "transcript.jsonl", "--method", "seed"];
    claude.home.vade(&asked);
    assert!(claude.home.path("asked").exists(), "a command of the person asks");
}
