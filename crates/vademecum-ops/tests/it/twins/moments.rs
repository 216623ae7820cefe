//! Steps of harnesses: what their hooks send, and what stands in their records meanwhile.

use serde_json::{Value, json};

use super::plot::{Actor, Plot};
use super::step::{Deed, Happened, Step};
use super::words::Words as _;

impl Plot {
    /// Something happens in a harness.
    pub(crate) fn moment(&mut self) -> Step {
        let actor = self.harnessed();
        if self.once_in(4) {
            return self.recorded(&actor);
        }
        let is_codex = actor.parts().0 == "codex";
        let (name, mut more) = match self.below(24) {
            0..7 => ("SessionStart", self.start()),
            7..11 => ("UserPromptSubmit", json!({ "prompt": self.prompt() })),
            11..13 => ("PreToolUse", self.tool_call()),
            13..16 if is_codex => {
                ("PostToolUse", json!({ "tool_name": "exec_command", "tool_input": {} }))
            }
            13..16 => ("PostToolBatch", json!({ "tool_calls": [{}] })),
            16 | 17 => ("PreCompact", json!({ "trigger": "auto" })),
            18 => ("PostCompact", json!({ "trigger": "auto" })),
            19..21 => ("SessionEnd", json!({ "reason": self.one(&["other", "clear", "logout"]) })),
            21 | 22 => ("SubagentStart", json!({ "agent_type": "Explore" })),
            _ => ("SubagentStop", json!({ "agent_type": "Explore" })),
        };
        self.fork_of(&actor, name, &mut more);
        self.happened(&actor, name, more)
    }

    /// One of the cast that has hooks.
    fn harnessed(&mut self) -> Actor {
        let with_hooks = |actor: &&Actor| actor.parts().0 != "mcp";
        let some: Vec<Actor> = self.cast.iter().filter(with_hooks).cloned().collect();
        let first =
            Actor { key: "codex:01a301bf-0702-77d1-9776-a7f321cd6b88".to_owned(), folder: "two" };
        self.some(&some).unwrap_or(first)
    }

    fn start(&mut self) -> Value {
        let source =
            self.one(&["startup", "startup", "resume", "clear", "compact", "compact", "fork"]);
        json!({ "source": source, "model": "claude-sonnet-5" })
    }

    fn prompt(&mut self) -> String {
        if self.once_in(2) { "go on".to_owned() } else { self.text() }
    }

    fn tool_call(&mut self) -> Value {
        let input = json!({ "description": "Find callers", "prompt": self.text(), "subagent_type": "Explore" });
        json!({ "tool_name": "Agent", "tool_use_id": format!("toolu_{}", self.n), "tool_input": input })
    }

    /// A fork of Codex has a record of its own, which names the session that it was copied from.
    ///
    /// One of Claude Code is looked for while the hook waits, which takes more time than there is.
    fn fork_of(&mut self, actor: &Actor, name: &str, more: &mut Value) {
        if more["source"] != "fork" || name != "SessionStart" {
            return;
        }
        let (harness, external, _) = actor.parts();
        if harness != "codex" {
            more["source"] = "resume".into();
            return;
        }
        let fork = format!("{:08x}-fork", self.below(4));
        let payload = json!({ "id": fork, "forked_from_id": external });
        let line = json!({ "type": "session_meta", "payload": payload }).to_string() + "\n";
        let path = format!("records/{fork}.jsonl");
        more["session_id"] = fork.clone().into();
        more["transcript_path"] = path.clone().into();
        let wrote = Step { folder: actor.folder, deed: Deed::Lines(path, line), fault: None };
        self.decided.push_back(wrote);
        let key = format!("codex:{fork}");
        if self.cast.iter().all(|known| known.key != key) {
            self.cast.push(Actor { key, folder: actor.folder });
        }
    }

    /// The step in which the hook runs; what must stand in a record before goes before it.
    fn happened(&mut self, actor: &Actor, name: &'static str, more: Value) -> Step {
        let (harness, external, agent) = actor.parts();
        let harness = if harness == "codex" { "codex" } else { "claude-code" };
        let mut payload = json!({ "session_id": external, "transcript_path": record_of(actor) });
        if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
            payload.extend(agent.map(|id| ("agent_id".to_owned(), id.into())));
            payload.extend(more);
        }
        let deed = Deed::Hook(Happened { harness, name, payload });
        let step = Step { folder: actor.folder, deed, fault: None };
        let step = if self.once_in(12) { self.failing(step) } else { step };
        // What was decided on the way here, the record of a fork, comes first.
        let is_lines = |step: &Step| matches!(step.deed, Deed::Lines(..));
        match self.decided.iter().position(is_lines) {
            Some(at) => {
                let lines = self.decided.remove(at);
                self.decided.push_front(step);
                lines.unwrap_or_else(|| self.recorded(actor))
            }
            None => step,
        }
    }

    /// The record of a session grows by a turn, and by what its hook told if that was not taken back.
    fn recorded(&mut self, actor: &Actor) -> Step {
        let (harness, external, _) = actor.parts();
        let context = self.contexts.remove(&actor.key).unwrap_or_default();
        let (asked, answer) = (self.text(), self.text());
        let lines = if harness == "codex" {
            codex_turn(&context, &asked, &answer, 1_000 * (1 + self.below(90)))
        } else {
            let before = self.turns.insert(actor.key.clone(), self.n);
            let tokens = 1_000 * (1 + self.below(90));
            let turn = ClaudeTurn { session: external, n: self.n, before, tokens };
            turn.lines(&context, &asked, &answer)
        };
        let lines: Vec<String> = lines.iter().map(|line| line.to_string() + "\n").collect();
        Step {
            folder: actor.folder,
            deed: Deed::Lines(record_of(actor), lines.concat()),
            fault: None,
        }
    }

    pub(crate) fn hears_context(&mut self, happened: &Happened, reply: &Value) {
        let context = &reply["stdout"]["hookSpecificOutput"]["additionalContext"];
        let (Some(context), Some(external)) =
            (context.as_str(), happened.payload["session_id"].as_str())
        else {
            return;
        };
        let agent = happened.payload["agent_id"].as_str();
        let agent = agent.map_or_else(String::new, |agent| format!("/{agent}"));
        let key = format!("{}:{external}{agent}", happened.harness);
        self.contexts.insert(key, context.to_owned());
    }
}

fn record_of(actor: &Actor) -> String {
    format!("records/{}.jsonl", actor.key.replace([':', '/'], "-"))
}

/// A prompt and its answer as Claude Code records them.
struct ClaudeTurn<'a> {
    session: &'a str,
    n: u64,
    /// The turn that it goes on from.
    before: Option<u64>,
    tokens: u64,
}

impl ClaudeTurn<'_> {
    fn line(
        &self,
        kind: &str,
        at: &str,
        parent: Option<&str>,
        (part, value): (&str, Value),
    ) -> Value {
        json!({
            "type": kind, "uuid": format!("u{}{at}", self.n), "parentUuid": parent, "isSidechain": false,
            "sessionId": self.session, "version": "2.1.330", "timestamp": "2025-11-21T10:00:00.000Z", part: value,
        })
    }

    fn lines(&self, context: &str, asked: &str, answer: &str) -> Vec<Value> {
        let Self { n, tokens, .. } = self;
        let usage = json!({ "input_tokens": tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 9 });
        let said = json!([{ "type": "text", "text": answer }]);
        let answered = json!({ "role": "assistant", "id": format!("msg_{n}"), "model": "claude-sonnet-5", "usage": usage, "content": said });
        let told = json!({ "type": "hook_additional_context", "content": [context], "hookEvent": "SessionStart" });
        let parent = self.before.map(|before| format!("u{before}d"));
        let prompt = json!({ "role": "user", "content": asked });
        let mut lines = vec![self.line("user", "b", parent.as_deref(), ("message", prompt))];
        let mut before = format!("u{n}b");
        if !context.is_empty() {
            lines.push(self.line("attachment", "c", Some(&before), ("attachment", told)));
            before = format!("u{n}c");
        }
        lines.push(self.line("assistant", "d", Some(&before), ("message", answered)));
        lines
    }
}

fn codex_turn(context: &str, asked: &str, answer: &str, tokens: u64) -> Vec<Value> {
    let message = |role: &str, kind: &str, text: &str| {
        let parts = json!([{ "type": kind, "text": text }]);
        let payload = json!({ "type": "message", "role": role, "content": parts });
        json!({ "type": "response_item", "payload": payload })
    };
    let usage = json!({ "input_tokens": tokens, "total_tokens": tokens });
    let used = json!({ "type": "token_usage_record", "payload": { "response_id": format!("r{tokens}"), "usage": usage } });
    let told = (!context.is_empty()).then(|| message("developer", "input_text", context));
    let prompt = message("user", "input_text", asked);
    let answer = message("assistant", "output_text", answer);
    [Some(prompt), told, Some(answer), Some(used)].into_iter().flatten().collect()
}
