//! Events, as the real harness sent them and as it might.

use std::fmt::Write as _;

use vademecum_harness::hook::{Event, EventError, Harness, Moment, Source, Trigger};

const CAPTURED: &str = include_str!("../fixtures/claude_code/hook-stdin.jsonl");

/// Captured with our own probe: a session, a sub-agent in it, a compaction of each.
const CODEX: &str = include_str!("../fixtures/codex/hook-stdin.jsonl");

fn name(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).expect("a captured line");
    value["hook_event_name"].as_str().expect("an event name").to_owned()
}

fn event(name: &str, fields: &str) -> String {
    format!(r#"{{"session_id":"s1","cwd":"/p","hook_event_name":"{name}"{fields}}}"#)
}

#[track_caller]
fn refused(name: &str, stdin: &str) -> String {
    Event::parse(Harness::ClaudeCode, name, stdin.as_bytes())
        .expect_err("this is no event")
        .to_string()
}

#[test]
fn reads_what_the_harness_sends() {
    let mut seen = String::new();
    for line in CAPTURED.lines() {
        let event = Event::parse(Harness::ClaudeCode, &name(line), line.as_bytes())
            .expect("a captured event");
        let (session, moment) = (event.session_argument(), &event.moment);
        let (user, summariser) = (event.is_user_prompt(), event.is_summariser());
        writeln!(seen, "{session} {moment:?} user={user} summariser={summariser}").expect("text");
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn reads_what_codex_sends() {
    let mut seen = String::new();
    for line in CODEX.lines() {
        let event = Event::parse(Harness::Codex, &name(line), line.as_bytes()).expect("an event");
        let (session, moment) = (event.session_argument(), &event.moment);
        let transcript = event.transcript_path.as_deref().map(std::path::Path::display);
        let user = event.is_user_prompt();
        writeln!(seen, "{session} {moment:?} user={user} {}", transcript.expect("a rollout"))
            .expect("text");
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn the_base_is_read_whole() {
    let stdin = event(
        "Stop",
        r#","transcript_path":"/t/é.jsonl","agent_id":"a1","agent_type":"Explore","permission_mode":"plan","prompt_id":"p1","effort":{"level":"high"},"new":[{"x":null}]"#,
    );
    let event = Event::parse(Harness::ClaudeCode, "Stop", stdin.as_bytes()).expect("an event");
    insta::assert_debug_snapshot!(event);
    assert_eq!(event.session_argument(), "claude-code:s1/a1");
    assert_eq!(event.session_key().agent.as_deref(), Some("a1"));
}

#[test]
fn words_we_do_not_know_are_kept() {
    let stdin = event("SessionStart", r#","source":"teleport""#);
    let event =
        Event::parse(Harness::ClaudeCode, "SessionStart", stdin.as_bytes()).expect("an event");
    let Moment::SessionStart { source, .. } = event.moment else { unreachable!() };
    assert_eq!(source, Source::Other("teleport".into()));

    let stdin = self::event("PreCompact", r#","trigger":"idle""#);
    let event =
        Event::parse(Harness::ClaudeCode, "PreCompact", stdin.as_bytes()).expect("an event");
    let Moment::PreCompact { trigger } = event.moment else { unreachable!() };
    assert_eq!(trigger, Trigger::Other("idle".into()));

    let stdin = self::event("Bedtime", "");
    let event = Event::parse(Harness::ClaudeCode, "Bedtime", stdin.as_bytes()).expect("an event");
    assert_eq!(event.moment.name(), "Bedtime");
}

#[test]
fn a_batch_is_counted() {
    let calls = r#","tool_calls":[{"tool_name":"Read"},{"tool_response":"]"},7]"#;
    let stdin = event("PostToolBatch", calls);
    let event =
        Event::parse(Harness::ClaudeCode, "PostToolBatch", stdin.as_bytes()).expect("an event");
    assert!(matches!(event.moment, Moment::PostToolBatch { n_calls: 3 }));
}

#[test]
fn only_people_write_user_prompts() {
    for (fields, is_user) in [
        (r#","prompt":"hi""#, true),
        (r#","prompt":"hi","source":"user""#, true),
        (r#","prompt":"hi","source":"sdk""#, true),
        (r#","prompt":"hi","source":"system""#, false),
        (r#","prompt":"hi","source":"poll_event""#, false),
        (r#","prompt":"hi","source":"loop_wakeup""#, false),
        (r#","prompt":"hi","source":"tomorrow""#, false),
        (r#","prompt":"\n<task-notification>done""#, false),
    ] {
        let stdin = event("UserPromptSubmit", fields);
        let event = Event::parse(Harness::ClaudeCode, "UserPromptSubmit", stdin.as_bytes())
            .expect("an event");
        assert_eq!(event.is_user_prompt(), is_user, "{fields}");
    }
}

#[test]
fn unpaired_surrogates_and_wrong_bytes_do_not_stop_a_prompt() {
    let mut stdin = event("UserPromptSubmit", r#","prompt":"a\ud83d|!""#).into_bytes();
    let at = stdin.iter().position(|&byte| byte == b'!').expect("the mark");
    stdin[at] = 0xff;
    let event = Event::parse(Harness::ClaudeCode, "UserPromptSubmit", &stdin).expect("an event");
    let Moment::UserPromptSubmit { prompt, .. } = event.moment else { unreachable!() };
    assert_eq!(prompt, "a\u{fffd}\u{fffd}\u{fffd}|\u{fffd}");
}

#[test]
fn what_is_no_event_is_refused() {
    let refusals = [
        refused("Stop", ""),
        refused("Stop", "[]"),
        refused("Stop", r#"{"session_id":7}"#),
        refused("Stop", &event("Stop", "")[..20]),
        refused("Stop", &event("SessionEnd", "")),
        refused("Stop", r#"{"session_id":"","cwd":"/p"}"#),
        refused("Stop", r#"{"session_id":"s1","cwd":""}"#),
        refused("Stop", &event("Stop", r#","agent_id":"""#)),
        refused("UserPromptSubmit", &event("UserPromptSubmit", "")),
        refused("PreToolUse", &event("PreToolUse", r#","tool_name":"Bash""#)),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
    let nested = "[".repeat(100_000);
    let deep = Event::parse(Harness::ClaudeCode, "Stop", nested.as_bytes());
    assert!(matches!(deep, Err(EventError::Json(_))));
}
