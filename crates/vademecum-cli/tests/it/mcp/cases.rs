//! The shared cases, played over MCP, and those that only processes can show.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::client::{Client, Home};
use crate::cases::{self, Answer, Surface};

struct Mcp {
    home: Home,
    session: String,
    client: Client,
}

impl Mcp {
    fn new(config: &str) -> Self {
        let home = Home::configured(config);
        let client = home.session("session-1");
        Self { home, session: "session-1".to_owned(), client }
    }
}

impl Surface for Mcp {
    fn call(&mut self, operation: &str, arguments: Value) -> Answer {
        let mut result = self.client.call(operation, arguments);
        let object = result["structuredContent"].take();
        if result["isError"] == false {
            return Ok(object);
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Err((text(&object["kind"]), text(&object["message"])))
    }

    fn context(&mut self) -> String {
        let given = self.client.request("prompts/get", json!({"name": "resume"}));
        let text = &given["messages"][0]["content"]["text"];
        text.as_str().unwrap_or_default().to_owned()
    }

    fn enter(&mut self, session: &str) {
        session.clone_into(&mut self.session);
        self.client = self.home.session(session);
    }

    fn project(&self) -> PathBuf {
        self.home.path("project")
    }

    fn kill(&mut self) {
        self.client.kill();
        self.client = self.home.session(&self.session);
    }
}

#[test]
fn hold() {
    for case in cases::all() {
        println!("{} {}", case.number, case.config);
        (case.play)(&mut Mcp::new(case.config));
    }
}

/// C1.6 and C7.4, with fewer notes than the torture run.
#[test]
fn writers_of_eight_processes_lose_nothing() {
    const EACH: usize = 25;
    let home = Home::new();
    let mut clients: Vec<Client> = (0..8).map(|_| home.session("session-1")).collect();
    for n in 0..EACH {
        for client in &mut clients {
            let note = json!({"content": n.to_string(), "tags": ["t"]});
            client.ask("tools/call", &json!({"name": "add_note", "arguments": note}));
        }
    }

    let mut ids = BTreeSet::new();
    for client in &mut clients {
        let mut last = String::new();
        for _ in 0..EACH {
            let answer = client.receive();
            let note = &answer["result"]["structuredContent"];
            let id = note["id"].as_str().unwrap_or_default().to_owned();
            assert!(last < id, "{last} before {answer}");
            last.clone_from(&id);
            assert!(ids.insert(id), "given twice: {answer}");
        }
    }
    let total = &clients[0].object("list_notes", json!({}))["total"];
    assert_eq!((total, ids.len()), (&json!(8 * EACH), 8 * EACH));
}
