//! What calls answer: text for the model, objects for programs, errors that say what to do.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::Home;

#[test]
fn a_result_is_an_object_and_a_sentence() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    let result = client.call("write_notepad", json!({"content": "# Plan"}));
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("notepad rev 1, "), "{text}");
    assert_eq!(result["structuredContent"]["rev"], 1);
    assert_eq!(result["isError"], false);
    assert_eq!(client.object("read_notepad", json!({})), json!({"content": "# Plan", "rev": 1}));
}

#[track_caller]
fn check_text_only(name: &str, is_text_only: bool) {
    let home = Home::new().with("CLAUDE_CODE_SESSION_ID", "752d4c1e-aa");
    let mut client = home.start();
    client.initialize(name);
    client.call("write_notepad", json!({"content": "a\nb"}));
    let result = client.call("read_notepad", json!({}));
    assert_eq!(result["content"], json!([{"type": "text", "text": "a\nb"}]), "{name}");
    assert_eq!(result.get("structuredContent").is_none(), is_text_only, "{name}");
}

#[test]
fn clients_that_would_drop_the_text_get_nothing_else() {
    check_text_only("claude-code", true);
    check_text_only("codex-mcp-client", true);
    check_text_only("test", false);
}

#[test]
fn an_empty_page_is_said_so() {
    let home = Home::new();
    let result = home.session("752d4c1e-aa").call("read_notepad", json!({}));
    assert_eq!(result["content"], json!([{"type": "text", "text": EMPTY}]));
    assert_eq!(result["structuredContent"], json!({"content": ""}));
}

const EMPTY: &str = "the notepad is empty: nothing stands on it";

#[test]
fn a_page_that_reads_as_an_empty_one_is_told_apart() {
    let home = Home::new().with("CLAUDE_CODE_SESSION_ID", "752d4c1e-aa");
    let mut client = home.start();
    client.initialize("claude-code");
    client.call("write_notepad", json!({"content": "{\"content\":\"\"}"}));
    let result = client.call("read_notepad", json!({}));
    let text = r#"{"content":"{\"content\":\"\"}","rev":1}"#;
    assert_eq!(result["content"], json!([{"type": "text", "text": text}]));
    client.call("write_notepad", json!({"content": EMPTY}));
    let result = client.call("read_notepad", json!({}));
    let text = format!(r#"{{"content":"{EMPTY}","rev":2}}"#);
    assert_eq!(result["content"], json!([{"type": "text", "text": text}]));
}

/// C3.9.
#[test]
fn wisdom_keeps_the_smallest_budget() {
    let home = Home::configured("mcp.tools = 'all'");
    let mut client = home.session("752d4c1e-aa");
    client.call("add_learning", json!({"content": "the sum of a ledger is cached"}));
    for max_tokens in 1..12 {
        let result = client.call("get_wisdom", json!({"max_tokens": max_tokens}));
        let text = result["content"][0]["text"].as_str().expect("a text");
        let tokens = if max_tokens == 1 { "token" } else { "tokens" };
        let nothing = format!(
            "no entry fits {max_tokens} {tokens}; of the newest in force: 1 learning (max_tokens=15 shows them)"
        );
        assert!(text == nothing || text.chars().count() <= 4 * max_tokens, "{max_tokens}: {text}");
        assert!(1 < max_tokens || text == nothing, "{text}");
    }
    let all = client.call("get_wisdom", json!({"max_tokens": 15}));
    let text = all["content"][0]["text"].as_str().expect("a text");
    assert!(text.ends_with(": the sum of a ledger is cached"), "{text}");
}

#[test]
fn what_an_operation_refuses_is_a_result() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    let result = client.call("add_note", json!({"content": "x".repeat(801), "tags": ["t"]}));
    assert_eq!(result["isError"], true);
    let text =
        "a note takes at most 800 characters, 801 given\nshorten it or split it: one idea a note";
    assert_eq!(result["content"][0]["text"], text);
    assert_eq!(result["structuredContent"]["kind"], "usage");

    let result = client.call("add_note", json!({"content": "x", "tags": ["t"], "colour": "red"}));
    assert_eq!(result["structuredContent"]["kind"], "usage", "{result}");
    let result = client.call("update_note", json!({"id": "note_1", "content": "x"}));
    assert_eq!(result["structuredContent"]["message"], "no note \"note_1\" in this session");
}

#[test]
fn what_is_not_offered_cannot_be_called() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    for name in ["no_such", "session_scratchpad", "session.scratchpad", "switch_off", "off"] {
        assert_eq!(client.call(name, json!({}))["code"], -32602, "{name}");
    }
}

#[test]
fn the_dotted_name_is_understood() {
    let home = Home::configured("[scratchpad]");
    let mut client = home.session("752d4c1e-aa");
    let result = client.call("session.scratchpad", json!({"content": "plan"}));
    assert_eq!(result["content"][0]["text"], "Scratchpad updated (1 tokens / 2000 budget)");
    assert_eq!(client.object("read_notepad", json!({}))["content"], "plan");
}

#[test]
fn a_broken_configuration_is_said_without_a_path() {
    let home = Home::configured("profile = 'none'");
    let result = home.session("752d4c1e-aa").call("read_notepad", json!({}));
    assert_eq!(result["isError"], true);
    let text = "the configuration of vade cannot be used, so nothing was done\nask the user to run vade config show --explain";
    assert_eq!(result["content"][0]["text"], text);
}

#[test]
fn a_hundred_calls_at_once_are_all_answered_and_kept() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    let mut asked: BTreeSet<u64> = (0..100)
        .map(|n| {
            let call = match n % 2 {
                0 => json!({"name": "add_note", "arguments": {"content": format!("{n}"), "tags": ["t"]}}),
                _ => json!({"name": "list_notes", "arguments": {}}),
            };
            client.ask("tools/call", &call)
        })
        .collect();
    while !asked.is_empty() {
        let answer = client.receive();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let id = answer["id"].as_u64().expect("an id");
        assert!(asked.remove(&id), "answered twice: {answer}");
    }
    assert_eq!(client.object("list_notes", json!({"limit": 1}))["total"], 50);
}

#[test]
fn writes_are_made_in_the_order_in_which_they_came() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    let letters: Vec<String> = ('a'..='z').map(String::from).collect();
    let asked: Vec<u64> = letters
        .iter()
        .map(|letter| {
            let arguments = json!({"operation": "append", "content": letter});
            client.ask("tools/call", &json!({"name": "update_notepad", "arguments": arguments}))
        })
        .collect();
    for _ in &asked {
        client.receive();
    }
    assert_eq!(client.object("read_notepad", json!({}))["content"], letters.concat());
}

#[test]
fn the_same_write_twice_is_one_write() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    for key in ["dev.vademecum/write", "claudecode/toolUseId", "callId"] {
        let meta = json!({key: "call-1"});
        let note = json!({"content": key, "tags": ["t"]});
        let first = client.call_with("add_note", note.clone(), meta.clone());
        let again = client.call_with("add_note", note, meta.clone());
        assert_eq!(first, again, "{key}");
        let other = client.call_with("add_note", json!({"content": "b", "tags": ["t"]}), meta);
        assert_eq!(other["structuredContent"]["kind"], "conflict", "{key}");
    }
    assert_eq!(client.object("list_notes", json!({}))["total"], 3);
    let meta = json!({"dev.vademecum/write": ""});
    let refused = client.call_with("add_note", json!({"content": "b", "tags": ["t"]}), meta);
    assert_eq!(refused["structuredContent"]["kind"], Value::from("usage"));
}
