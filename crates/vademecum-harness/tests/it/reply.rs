//! Replies, byte for byte as they are printed.

use std::fmt::Write as _;

use serde_json::value::RawValue;
use vademecum_harness::hook::reply::{Reply, caller_and_named, with_session};
use vademecum_harness::hook::{Event, Harness};

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("JSON")
}

fn printed(name: &str, reply: &Reply) -> String {
    printed_for(Harness::ClaudeCode, name, reply)
}

fn printed_for(harness: Harness, name: &str, reply: &Reply) -> String {
    let fields =
        r#","source":"compact","prompt":"hi","trigger":"auto","tool_name":"t","tool_input":{}"#;
    let stdin = format!(r#"{{"session_id":"s1","cwd":"/p"{fields}}}"#);
    let event = Event::parse(harness, name, stdin.as_bytes()).expect("an event");
    match reply.to_bytes(&event) {
        Ok(bytes) => String::from_utf8(bytes).expect("UTF-8"),
        Err(error) => format!("! {error}"),
    }
}

const EVENTS: [&str; 12] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolBatch",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
    "Notification",
];

#[test]
fn each_event_prints_only_what_it_can_carry() {
    insta::assert_snapshot!(all_printed(Harness::ClaudeCode));
}

#[test]
fn each_event_of_codex_prints_only_what_its_schema_takes() {
    insta::assert_snapshot!(all_printed(Harness::Codex));
}

fn all_printed(harness: Harness) -> String {
    let replies = [
        ("context", Reply::context("vade: \"1\"\n</x> 漢😀")),
        ("message", Reply { message: Some("vade: back in context".into()), ..Reply::default() }),
        ("input", Reply { updated_input: Some(raw(r#"{ "a" : 1.0}"#)), ..Reply::default() }),
        ("summary", Reply { instructions: Some("{ is kept outside".into()), ..Reply::default() }),
    ];
    let mut all = String::new();
    for (part, reply) in &replies {
        for event in EVENTS {
            writeln!(all, "{part} {event}: {}", printed_for(harness, event, reply)).expect("text");
        }
    }
    all
}

#[test]
fn parts_go_out_together() {
    let reply = Reply {
        context: Some("notes".into()),
        message: Some("one line".into()),
        updated_input: Some(raw(r#"{"session":"s"}"#)),
        instructions: None,
    };
    assert_eq!(
        printed("PreToolUse", &reply),
        r#"{"systemMessage":"one line","hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"session":"s"},"additionalContext":"notes"}}"#
    );
}

#[test]
fn nothing_to_say_prints_nothing() {
    let blank = Some(" \n".to_owned());
    let reply = Reply { context: blank.clone(), message: blank, ..Reply::default() };
    for event in ["SessionStart", "PreToolUse", "PreCompact", "SessionEnd", "Notification"] {
        assert_eq!(printed(event, &reply), "");
        assert_eq!(printed(event, &Reply::default()), "");
    }
}

#[track_caller]
fn check_session(input: &str, output: Option<&str>) {
    let json = with_session(&raw(input), "claude-code:s\"1/a");
    assert_eq!(json.as_deref().map(RawValue::get), output);
}

#[test]
fn the_caller_is_added_once() {
    let session = r#""session":"claude-code:s\"1/a as self""#;
    check_session("{}", Some(&format!("{{{session}}}")));
    check_session("{ \n}", Some(&format!("{{{session} \n}}")));
    check_session(
        r#"{"text":"hi", "n" : 1.0 }"#,
        Some(&format!(r#"{{"text":"hi", "n" : 1.0,{session} }}"#)),
    );
    check_session(
        r#"{"a":{"session":"x"},"b":"\ud800"}"#,
        Some(&format!(r#"{{"a":{{"session":"x"}},"b":"\ud800",{session}}}"#)),
    );
    let filled = r#"{"a":1,"session": "claude-code:s\"1/a as self" ,"b":2}"#;
    check_session(r#"{"a":1,"session": "" ,"b":2}"#, Some(filled));
    check_session(r#"{"a":1,"session": null ,"b":2}"#, Some(filled));
}

#[test]
fn what_the_model_gave_stands_behind_the_caller() {
    let named = r#"{"session":"claude-code:s\"1/a as mine","a":1}"#;
    check_session(r#"{"session":" mine","a":1}"#, Some(named));
    check_session(
        r#"{"\u0073ession":"mine"}"#,
        Some(r#"{"\u0073ession":"claude-code:s\"1/a as mine"}"#),
    );
    check_session(
        r#"{"session":"mine","session":" "}"#,
        Some(r#"{"session":"mine","session":"claude-code:s\"1/a as self"}"#),
    );
    for no_text in [r#"{"session":7}"#, r#"{"session":"\ud800"}"#, "[]", "null"] {
        check_session(no_text, None);
    }
}

#[test]
fn the_caller_is_read_back_and_not_forged() {
    for (given, caller, named) in [
        ("", "h:1/a", None),
        ("mine", "h:1/a", Some("mine")),
        ("h:1/a as self", "h:1/a", Some("h:1/a")),
        ("h:2 as self", "h:1/a", Some("h:2")),
        ("h:2 as mine", "h:1/a", Some("h:2 as mine")),
        (" as h:2", "h:1/a", Some("as h:2")),
        ("self", "h:1/a", None),
    ] {
        let input = serde_json::json!({ "session": given }).to_string();
        let written = with_session(&raw(&input), "h:1/a").expect("an object");
        let written: serde_json::Value = serde_json::from_str(written.get()).expect("JSON");
        let session = written["session"].as_str().expect("a text");
        assert_eq!(caller_and_named(session), Some((caller, named)), "{given}");
    }
    assert_eq!(caller_and_named("h:1/a"), None);
}
