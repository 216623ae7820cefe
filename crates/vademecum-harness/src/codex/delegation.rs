//! What a sub-agent of Codex was asked: the rollout of the agent that started it says so.
//!
//! The start of a sub-agent itself tells its id and kind alone.

use std::borrow::Cow;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use crate::tail;

/// What a sub-agent was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delegation {
    /// The task in a few words, where it has a name.
    pub description: Option<String>,
    /// The task; empty where only its receiver can read it.
    pub prompt: String,
}

/// A text without a space of more characters than this is taken for an encrypted one.
const WORD_MAX: usize = 120;

/// What `agent` was asked, from the last `limit` bytes of its parent's rollout; none if that is not there yet.
pub fn delegation(parent: &Path, agent: &str, limit: u64) -> std::io::Result<Option<Delegation>> {
    tail::search(parent, limit, |tail, is_whole| {
        let mut search = Search { agent, started: None, found: None };
        let is_found = tail::lines(tail, is_whole).any(|line| search.is_done_with(line));
        // A start whose call is too far back still says the task's name.
        let found = search.found.or(search.started.map(|(_, found)| found));
        (found, is_found)
    })
}

struct Search<'a> {
    agent: &'a str,
    /// The call that started the agent, which stands further back.
    started: Option<(String, Delegation)>,
    found: Option<Delegation>,
}

impl Search<'_> {
    /// Takes in one line; true once it is known what was asked.
    fn is_done_with(&mut self, line: &[u8]) -> bool {
        let (key, is_call) = match &self.started {
            None => (self.agent, false),
            Some((call, _)) => (call.as_str(), true),
        };
        if memmem::find(line, key.as_bytes()).is_none() {
            return false;
        }
        let Ok(Line { payload }) = serde_json::from_slice(line) else { return false };
        if is_call { self.take_call(payload) } else { self.take_start(payload) }
    }

    fn take_start(&mut self, payload: Payload<'_>) -> bool {
        let Some(item) = payload.item else { return false };
        let is_meant = match &*item.kind {
            "CollabAgentToolCall" => {
                item.tool.as_deref() == Some("spawn_agent")
                    && item.receiver_thread_ids.iter().any(|id| *id == self.agent)
            }
            "SubAgentActivity" => {
                item.activity.as_deref() == Some("started")
                    && item.agent_thread_id.as_deref() == Some(self.agent)
            }
            _ => false,
        };
        if !is_meant {
            return false;
        }
        let name = item.agent_path.as_deref().and_then(|path| path.rsplit('/').next());
        let description = name.filter(|name| !name.is_empty()).map(str::to_owned);
        let asked = Delegation { description, prompt: String::new() };
        match item.prompt {
            Some(prompt) => self.found = Some(Delegation { prompt: prompt.into_owned(), ..asked }),
            None => self.started = Some((item.id.into_owned(), asked)),
        }
        self.found.is_some()
    }

    fn take_call(&mut self, payload: Payload<'_>) -> bool {
        let Some((call, asked)) = &self.started else { return false };
        if payload.kind.as_deref() != Some("function_call")
            || payload.call_id.as_deref() != Some(call)
        {
            return false;
        }
        let arguments: Arguments =
            payload.arguments.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let is_secret =
            |text: &String| WORD_MAX < text.len() && !text.contains(char::is_whitespace);
        let prompt = arguments.message.filter(|text| !is_secret(text)).unwrap_or_default();
        self.found = Some(Delegation { prompt, ..asked.clone() });
        true
    }
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    payload: Payload<'a>,
}

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    call_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<Cow<'a, str>>,
    #[serde(borrow)]
    item: Option<Item<'a>>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    tool: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    receiver_thread_ids: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    prompt: Option<Cow<'a, str>>,
    #[serde(rename = "kind", borrow)]
    activity: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent_thread_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent_path: Option<Cow<'a, str>>,
}

#[derive(Deserialize, Default)]
struct Arguments {
    message: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Codex 0.169.0 writes them: its first kind of sub-agents, and the second.
    const ONE: &str = r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"call_2","tool":"spawn_agent","receiver_thread_ids":["a-1"],"prompt":"find \"the\" callers"}}}"#;
    const WAIT: &str = r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"call_3","tool":"wait","receiver_thread_ids":["a-1"]}}}"#;
    const TWO: &str = r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"SubAgentActivity","id":"call_9","kind":"started","agent_thread_id":"a-2","agent_path":"/team/scout"}}}"#;

    fn call(message: &str) -> String {
        let arguments = serde_json::json!({ "task_name": "scout", "message": message }).to_string();
        let payload = serde_json::json!({ "type": "function_call", "call_id": "call_9", "arguments": arguments });
        serde_json::json!({ "type": "response_item", "payload": payload }).to_string()
    }

    #[track_caller]
    fn check(lines: &[&str], agent: &str, wanted: Option<(Option<&str>, &str)>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, lines.join("\n") + "\n").expect("a file");
        let found = delegation(&path, agent, 64 * 1024).expect("a rollout");
        let wanted = wanted.map(|(description, prompt)| Delegation {
            description: description.map(str::to_owned),
            prompt: prompt.to_owned(),
        });
        assert_eq!(found, wanted);
    }

    #[test]
    fn finds_what_was_asked() {
        let (said, secret) = (call("find them"), call(&"gAAAAAB".repeat(40)));
        check(&[ONE, WAIT], "a-1", Some((None, "find \"the\" callers")));
        check(&[ONE, WAIT], "a-9", None);
        check(&[&said, ONE, TWO], "a-2", Some((Some("scout"), "find them")));
        check(&[&secret, TWO], "a-2", Some((Some("scout"), "")));
        check(&[TWO], "a-2", Some((Some("scout"), "")));
        check(&["no JSON a-2"], "a-2", None);
    }
}
