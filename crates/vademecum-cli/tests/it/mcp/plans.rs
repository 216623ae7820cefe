//! Plans over MCP: many servers at once, what a model is offered, what it reads.

use std::thread;

use serde_json::json;

use super::client::Home;

const N_SERVERS: usize = 8;
const N_EACH: usize = 10;

#[test]
fn c3_10_eight_servers_lose_nothing() {
    let home = Home::configured("[mcp]\ntools = 'all'");
    let mut first = home.session("752d4c1e-aa");
    first.call("init_plan", json!({"name": "a"}));
    thread::scope(|scope| {
        for server in 0..N_SERVERS {
            let home = &home;
            scope.spawn(move || {
                let mut client = home.session("752d4c1e-aa");
                for n in 0..N_EACH {
                    let content = format!("server {server} entry {n}");
                    let reply = client.call("add_learning", json!({"content": content}));
                    assert_eq!(reply["isError"], false, "{reply}");
                }
            });
        }
    });
    let shown = first.object("show_plan", json!({"plan": "a", "limit": 0}));
    assert_eq!(shown["total"], N_SERVERS * N_EACH);
    let file = home.path("project/.planning/notepads/a/learnings.md");
    let text = std::fs::read_to_string(file).expect("a file");
    assert_eq!(text.matches("\nserver ").count(), N_SERVERS * N_EACH);
}

#[test]
fn a_model_adds_a_learning_by_default() {
    let home = Home::new();
    let mut client = home.session("752d4c1e-aa");
    let reply = client.call("add_learning", json!({"content": "Use .pipe()"}));
    let text = reply["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("added entry_"), "{text}");
    assert!(text.ends_with("(learning of this project; told to its next sub-agents and sessions)"));
    assert!(!home.path("project/.planning").exists());
}
