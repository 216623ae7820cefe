//! Notepads as resources, and the prompt that puts them back in context.

use serde_json::{Value, json};

use super::client::{Home, meta};

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

#[test]
fn pages_are_listed_and_read() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    client.call("write_notepad", json!({"content": "# Ünïcode\n"}));
    let listed = client.request("resources/list", json!({}));
    let uris: Vec<&str> = listed["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|page| page["uri"].as_str())
        .collect();
    assert_eq!(uris, ["vade://notepad", "vade://session/752d4c1e/notepad"]);
    for uri in uris {
        let read = client.request("resources/read", json!({"uri": uri}));
        let page = json!({"uri": uri, "mimeType": "text/markdown", "text": "# Ünïcode\n"});
        assert_eq!(read, json!({ "contents": [page] }));
    }
    let templates = client.request("resources/templates/list", json!({}));
    let template = &templates["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "vade://session/{+handle}/notepad");
}

#[test]
fn a_page_that_is_not_there_is_no_resource() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    for uri in ["vade://session/ffff/notepad", "vade://session//notepad", "file:///etc/passwd"] {
        assert_eq!(client.request("resources/read", json!({"uri": uri}))["code"], -32002, "{uri}");
    }
}

#[test]
fn readers_are_told_what_another_process_wrote() {
    let home = Home::new();
    let mut reader = home.session("752d4c1e-aa");
    let mut writer = home.session("752d4c1e-aa");
    for uri in ["vade://notepad", "vade://session/752d4c1e/notepad"] {
        writer.call("update_notepad", json!({"operation": "append", "content": "a"}));
        assert_eq!(reader.request("resources/subscribe", json!({"uri": uri})), json!({}));
        writer.call("add_note", json!({"content": "not the page", "tags": ["t"]}));
        writer.call("update_notepad", json!({"operation": "append", "content": "b"}));
        assert_eq!(reader.notification(), updated(uri));
        assert_eq!(reader.request("resources/unsubscribe", json!({"uri": uri})), json!({}));
        assert_eq!(reader.notifications.len(), 0);
    }
}

#[test]
fn listeners_of_the_newest_protocol_are_told_too() {
    let home = Home::new().with("CLAUDE_CODE_SESSION_ID", "752d4c1e-aa");
    let mut reader = home.start();
    let mut writer = home.session("752d4c1e-aa");
    let wanted = json!({"resourceSubscriptions": ["vade://notepad", "file:///etc/passwd"]});
    let id = reader
        .ask("subscriptions/listen", &json!({"_meta": meta("test"), "notifications": wanted}));
    let accepted = reader.notification();
    assert_eq!(accepted["method"], "notifications/subscriptions/acknowledged");
    let pages = &accepted["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(pages, &json!(["vade://notepad"]));

    writer.call("write_notepad", json!({"content": "A"}));
    let told = reader.notification();
    assert_eq!(told["params"]["uri"], "vade://notepad");
    reader.close();
    assert_eq!(reader.answer(id)["result"]["resultType"], "complete");
}

#[test]
fn the_prompt_gives_what_is_kept() {
    let home = Home::new();
    home.session("752d4c1e-aa").call("write_notepad", json!({"content": "# The plan"}));
    let mut client = home.session("ffff-2");
    client.call("add_note", json!({"content": "of this session"}));
    let prompts = client.request("prompts/list", json!({}));
    assert_eq!(prompts["prompts"][0]["name"], "resume");
    let arguments = json!({"session": "752d4c1e"});
    let given = client.request("prompts/get", json!({"name": "resume", "arguments": arguments}));
    let message = &given["messages"][0];
    assert_eq!(message["role"], "user");
    let text = message["content"]["text"].as_str().expect("a text");
    assert!(text.starts_with("Handoff of session 752d4c1e"), "{text}");
    assert!(text.contains("# The plan"), "{text}");
    // What a handoff gives is taken over.
    let sessions = home.log();
    assert_eq!(sessions["instances"][0]["continues"], 1, "{sessions}");
    assert_eq!(client.request("prompts/get", json!({"name": "other"}))["code"], -32602);
}
