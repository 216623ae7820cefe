//! Every event that a harness sends, as recorded, about this session and this project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::scene::{SESSION, Scene};
use crate::step;

/// The harnesses whose hooks are wired.
const HARNESSES: [&str; 2] = ["claude-code", "codex"];

/// One event for one harness.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) harness: &'static str,
    pub(super) event: String,
    payload: Value,
}

/// What the recordings do not hold: event, and its own fields.
fn more(harness: &str) -> Vec<(&'static str, Value)> {
    let task =
        json!({"description": "look", "prompt": "look at the queue", "subagent_type": "Explore"});
    let mut more = vec![
        ("SessionStart", json!({"source": "startup", "model": "claude-sonnet-5"})),
        ("SessionStart", json!({"source": "clear"})),
        ("SubagentStart", json!({"agent_id": "kid", "agent_type": "Explore"})),
        (
            "UserPromptSubmit",
            json!({"prompt": "go on", "agent_id": "kid", "agent_type": "Explore"}),
        ),
    ];
    if harness == "claude-code" {
        let call = json!({"tool_name": "Task", "tool_input": task, "tool_use_id": "t1"});
        let own =
            json!({"tool_name": "mcp__vade__add_note", "tool_input": {}, "tool_use_id": "t2"});
        more.extend([
            ("SessionStart", json!({"source": "fork", "context_tokens": 100})),
            ("PreToolUse", call.clone()),
            ("PreToolUse", own),
            ("PostToolUse", call),
            ("PostToolBatch", json!({"tool_calls": [{}]})),
        ]);
    }
    more
}

/// All recorded events of both harnesses and `more`, and a bare one of each that is wired and not among them.
pub(super) fn all(vade: &Path) -> Result<Vec<Sent>> {
    let mut all = Vec::new();
    for harness in HARNESSES {
        let file = format!(
            "crates/vademecum-harness/tests/fixtures/{}/hook-stdin.jsonl",
            harness.replace('-', "_")
        );
        let mut known = BTreeSet::new();
        let lines = fs::read_to_string(step::root().join(&file)).context(file)?;
        for line in lines.lines() {
            let payload: Value = serde_json::from_str(line)?;
            let event =
                payload["hook_event_name"].as_str().context("an event has a name")?.to_owned();
            known.insert(event.clone());
            all.push(Sent { harness, event, payload });
        }
        for (event, payload) in more(harness) {
            known.insert(event.to_owned());
            all.push(Sent { harness, event: event.to_owned(), payload });
        }
        for event in wired(vade, harness)?.difference(&known) {
            all.push(Sent { harness, event: event.clone(), payload: json!({}) });
        }
    }
    Ok(all)
}

/// The events that the program itself would wire.
fn wired(vade: &Path, harness: &str) -> Result<BTreeSet<String>> {
    let home = tempfile::tempdir()?;
    let output = Command::new(vade)
        .args(["install", harness, "--dry-run"])
        .env_clear()
        .env("HOME", home.path())
        .current_dir(home.path())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("add hook "))
        .map(str::to_owned)
        .collect())
}

impl Sent {
    /// What stands on standard input in this scene.
    pub(super) fn payload(&self, scene: &Scene) -> Vec<u8> {
        let mut payload = self.payload.clone();
        let home = scene.home();
        let (own, kid) = match self.harness {
            "codex" => (
                ".codex/sessions/2026/11/22/rollout-session.jsonl",
                ".codex/sessions/2026/11/22/rollout-kid.jsonl",
            ),
            _ => (
                ".claude/projects/project/session.jsonl",
                ".claude/projects/project/session/subagents/agent-kid.jsonl",
            ),
        };
        payload["session_id"] = json!(SESSION);
        payload["hook_event_name"] = json!(self.event);
        payload["cwd"] = json!(scene.entry.to_string_lossy());
        payload["transcript_path"] = json!(home.join(own));
        if payload.get("agent_id").is_some() && payload["agent_type"] != "" {
            payload["agent_id"] = json!("kid");
            payload["agent_transcript_path"] = json!(home.join(kid));
        }
        payload.to_string().into_bytes()
    }
}
