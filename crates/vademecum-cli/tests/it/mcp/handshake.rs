//! How a conversation begins: with a handshake, or without one since 2026-07-28.

use serde_json::{Value, json};

use super::client::{Home, NEW, OLD, meta};

#[track_caller]
fn check_version(asked: &str, agreed: &str) {
    let home = Home::new();
    let mut client = home.start();
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": info});
    let result = client.request("initialize", params);
    assert_eq!(result["protocolVersion"], agreed);
    assert_eq!(result["serverInfo"]["name"], "vade");
    let tools = client.request("tools/list", json!({}));
    assert_eq!(tools["tools"][0]["name"], "read_notepad");
    assert_eq!(tools.get("resultType"), None, "older clients do not know it");
}

#[test]
fn older_protocols_are_agreed_on() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", OLD] {
        check_version(version, version);
    }
    check_version(NEW, OLD);
    check_version("1999-01-01", OLD);
}

#[test]
fn says_who_it_is() {
    let result = Home::new().start().initialize("test");
    let mut shown = result.clone();
    shown["instructions"] = Value::String("…".to_owned());
    insta::assert_snapshot!(shown, @r#"{"protocolVersion":"2025-11-25","capabilities":{"prompts":{},"resources":{"subscribe":true},"tools":{}},"serverInfo":{"name":"vade","title":"vademecum: working memory of this session","version":"0.1.0"},"instructions":"…"}"#);
}

#[test]
fn the_newest_protocol_needs_no_handshake() {
    let home = Home::new();
    let mut client = home.start();
    let found = client.request("server/discover", json!({"_meta": meta("test")}));
    assert_eq!(found["supportedVersions"].as_array().and_then(|all| all.last()), Some(&json!(NEW)));
    assert_eq!(found["resultType"], "complete");
    assert!(found["instructions"].as_str().is_some_and(|text| text.contains("add_note")));

    let tools = client.request("tools/list", json!({"_meta": meta("test")}));
    assert_eq!((&tools["ttlMs"], &tools["cacheScope"]), (&json!(0), &json!("private")));
    let mut of_call = meta("test");
    of_call["threadId"] = json!("thread-1");
    let called = client.call_with("write_notepad", json!({"content": "A"}), of_call);
    assert_eq!(called["resultType"], "complete");
    assert_eq!(called["structuredContent"]["session"], "thread-1");
}

#[test]
fn a_probe_leaves_the_older_handshake_open() {
    let home = Home::new();
    let mut client = home.start();
    client.request("server/discover", json!({"_meta": meta("claude-code")}));
    let cancelled = json!({"requestId": 1, "reason": "no answer in time"});
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
    assert_eq!(client.request("ping", json!({})), json!({}));
    assert_eq!(client.initialize("claude-code")["protocolVersion"], OLD);
    assert_eq!(client.request("ping", json!({})), json!({}));
}

#[test]
fn a_request_without_what_the_newest_protocol_asks_for_is_refused() {
    let home = Home::new();
    let mut client = home.start();
    assert_eq!(client.request("server/discover", json!({}))["code"], -32602);
    assert_eq!(client.request("tools/list", json!({}))["code"], -32602);
    assert_eq!(client.initialize("test")["protocolVersion"], OLD);
}
