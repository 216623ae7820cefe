//! What goes over the wire: messages and nothing else, whatever the client sends.

use serde_json::{Value, json};

use super::client::Home;

#[track_caller]
fn check_refused(line: &str, answer: Value) {
    let home = Home::new();
    let mut client = home.start();
    client.initialize("test");
    client.send_line(line);
    assert_eq!(client.receive(), answer);
    assert_eq!(client.request("ping", json!({})), json!({}), "it goes on");
}

fn error(id: Value, code: i32, message: &str) -> Value {
    match id {
        Value::Null => json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}}),
        id => json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
    }
}

#[test]
fn what_is_no_message_is_refused_and_the_next_is_read() {
    let no_json = "the line is not one JSON-RPC message: expected value at line 1 column 1";
    check_refused("hello", error(Value::Null, -32700, no_json));
    check_refused("{}", error(Value::Null, -32600, "no method given"));
    let old = "tools/list is not a request as JSON-RPC 2.0 has it";
    check_refused(
        r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#,
        error(json!(7), -32600, old),
    );
    check_refused(
        r#"{"jsonrpc":"2.0","id":"x","method":"no/such"}"#,
        error(json!("x"), -32601, "no method \"no/such\""),
    );
    check_refused(
        r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":{}}}"#,
        error(json!(8), -32602, "the params of tools/call are not as the protocol has them"),
    );
}

#[test]
fn a_line_that_is_too_long_is_refused_by_its_id() {
    let text = "x".repeat(17 * 1024 * 1024);
    let call = json!({"name": "write_notepad", "arguments": {"content": text}});
    let said = "a message takes at most 16777216 bytes, more given";
    check_refused(
        &json!({"method": "tools/call", "params": call, "jsonrpc": "2.0", "id": 9}).to_string(),
        error(json!(9), -32600, said),
    );
    check_refused(&text, error(Value::Null, -32600, said));
}

#[test]
fn empty_lines_and_notes_of_others_are_passed_over() {
    let home = Home::new();
    let mut client = home.start();
    client.initialize("test");
    client.send_line("");
    client.send_line("\r");
    client.send(&json!({"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "off"}}));
    client.send(&json!({"jsonrpc": "2.0", "id": 99, "result": {}}));
    assert_eq!(client.request("ping", json!({})), json!({}));
}

/// What a library prints by accident must not reach the client.
#[test]
#[cfg(target_os = "linux")]
fn stdout_is_out_of_reach() {
    let home = Home::new();
    let mut client = home.start();
    client.initialize("test");
    let target = |number: u32| {
        std::fs::read_link(format!("/proc/{}/fd/{number}", client.pid())).expect("it is open")
    };
    assert_eq!(target(1), target(2));
}

#[test]
fn requests_under_one_id_are_all_answered() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    for n in 0..3 {
        let call = json!({"name": "add_note", "arguments": {"content": format!("note {n}"), "tags": ["a"]}});
        client.send(&json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": call}));
    }
    let mut open: Vec<_> =
        (0..3).map(|_| client.answer(77)["result"]["structuredContent"]["open"].clone()).collect();
    open.sort_by_key(Value::as_u64);
    assert_eq!(open, [1, 2, 3]);
}

#[test]
fn half_a_character_of_javascript_is_taken() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    client.send_line(
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write_notepad","arguments":{"content":"a \\\\ud83d \ud83d \ud83d\ude00 \ude00"}}}"#,
    );
    assert_ne!(client.answer(7)["result"]["isError"], json!(true));
    assert_eq!(
        client.object("read_notepad", json!({}))["content"],
        "a \\\\ud83d \u{fffd} 😀 \u{fffd}"
    );
}

#[test]
fn a_batch_is_as_many_messages() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    client.send_line(
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}},{"id":2},{"jsonrpc":"2.0","id":3,"method":"ping"}]"#,
    );
    for id in [1, 3] {
        assert_eq!(client.answer(id), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    check_refused("[]", error(Value::Null, -32600, "the batch is empty"));
}
