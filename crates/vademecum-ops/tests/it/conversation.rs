//! A Claude Code that keeps its record as the real one does, and knows what its model has before it.

use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, registry};
use vademecum_store::{Author, Origin, Surface};

use crate::desk::Desk;
use crate::meddled::Meddled;
use crate::moments::{Claude, hooked};

/// What somebody else does while a hook works, and before which of its calls of the store.
#[derive(Clone, Copy)]
pub(crate) struct Meanwhile<'a> {
    pub(crate) at: usize,
    pub(crate) act: &'a (dyn Fn(&Conversation) + Sync),
}

/// Nobody does anything meanwhile.
pub(crate) const CALM: Meanwhile<'static> = Meanwhile { at: usize::MAX, act: &|_| {} };

/// What a hook said.
pub(crate) struct Said {
    pub(crate) context: String,
    /// Whether the hook made so many calls that somebody else acted.
    pub(crate) has_met: bool,
}

/// One session and its record.
pub(crate) struct Conversation {
    pub(crate) claude: Claude,
    lines: Vec<Value>,
    /// Contexts of a start: they stand in the record once a prompt goes out.
    waiting: Vec<String>,
    /// From which line the next prompt goes on, where that is not the last.
    branch: Option<usize>,
    /// What a request would hold of contexts and of the model's own calls.
    pub(crate) before_it: Vec<String>,
}

impl Conversation {
    pub(crate) fn new(claude: Claude) -> Self {
        Self { claude, lines: Vec::new(), waiting: Vec::new(), branch: None, before_it: Vec::new() }
    }

    fn record(&mut self, kind: &str, more: &Value) {
        let n = self.lines.len();
        let mut line = json!({
            "type": kind, "uuid": format!("u{n}"), "isSidechain": false, "version": "2.1.330",
            "sessionId": self.claude.session, "timestamp": "2025-11-21T10:00:00.000Z",
            "parentUuid": (0 < n).then(|| format!("u{}", n - 1)),
        });
        let object = line.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        self.lines.push(line);
        if n == 0 {
            self.save();
        } else {
            self.writes(&self.lines[n]);
        }
    }

    fn writes(&self, line: &Value) {
        let path = self.claude.transcript();
        let mut file = OpenOptions::new().append(true).open(path).expect("a record");
        writeln!(file, "{line}").expect("a record");
    }

    fn save(&self) {
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        let text = lines.join("\n") + "\n";
        std::fs::write(self.claude.transcript(), text).expect("a file");
    }

    fn hears(&mut self, event: &str, context: String) {
        let attachment = json!({
            "type": "hook_additional_context", "content": [&context], "hookEvent": event,
        });
        self.record("attachment", &json!({ "attachment": attachment }));
        self.before_it.push(context);
    }

    /// What the hook says to an event.
    fn event(&self, meanwhile: Meanwhile<'_>, name: &str, more: &Value) -> Said {
        let mut payload = json!({
            "session_id": self.claude.session, "transcript_path": self.claude.transcript(),
            "cwd": self.claude.desk.world.folders.work, "hook_event_name": name,
        });
        let object = payload.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        let stdin = payload.to_string();
        let event = Event::parse(Harness::ClaudeCode, name, stdin.as_bytes()).expect("an event");
        let Desk { store, world, config, .. } = &self.claude.desk;
        let store = Meddled::new(store, meanwhile.at, || (meanwhile.act)(self));
        let answer = hooked(&store, world, config, &event);
        assert_eq!(answer.fault, None);
        let printed: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
        let context = &printed["hookSpecificOutput"]["additionalContext"];
        let context = context.as_str().unwrap_or_default().to_owned();
        Said { context, has_met: store.has_acted() }
    }

    /// Starts in this way; what it is told.
    pub(crate) fn starts(&mut self, source: &str) -> String {
        self.starts_while(source, CALM).context
    }

    /// The same while somebody else acts.
    pub(crate) fn starts_while(&mut self, source: &str, meanwhile: Meanwhile<'_>) -> Said {
        let more = json!({ "source": source, "model": "claude-sonnet-5" });
        let said = self.event(meanwhile, "SessionStart", &more);
        // The record has neither boundary nor context before the hook has ended.
        if source == "compact" {
            self.waiting.clear();
            self.before_it.clear();
            let parent = json!({ "subtype": "compact_boundary", "parentUuid": null });
            self.record("system", &parent);
            let message = json!({ "role": "user", "content": "This session is being continued." });
            self.record("user", &json!({ "isCompactSummary": true, "message": message }));
            if !said.context.is_empty() {
                self.hears("SessionStart", said.context.clone());
            }
        } else if !said.context.is_empty() {
            self.waiting.push(said.context.clone());
        }
        said
    }

    /// The harness stops before any prompt: what its start told stands nowhere.
    pub(crate) fn stops(&mut self) {
        self.waiting.clear();
    }

    /// The user says something; what the hook adds to it.
    pub(crate) fn prompt(&mut self) -> String {
        self.prompt_while(CALM).context
    }

    /// The same while somebody else acts.
    pub(crate) fn prompt_while(&mut self, meanwhile: Meanwhile<'_>) -> Said {
        let said = self.asks_for(meanwhile);
        let text = json!({ "type": "text", "text": "Done." });
        self.record("assistant", &json!({ "message": { "role": "assistant", "content": [text] } }));
        said
    }

    /// The user says this, and the model that.
    pub(crate) fn prompt_saying(&mut self, asked: &str, answer: &str) {
        self.prompt();
        let answered = self.lines.iter().rposition(|line| line["type"] == "assistant");
        let asked_at = self.lines.iter().rposition(|line| line["message"]["role"] == "user");
        let (answered, asked_at) = (answered.expect("an answer"), asked_at.expect("a prompt"));
        self.lines[answered]["message"]["content"] = json!([{ "type": "text", "text": answer }]);
        self.lines[asked_at]["message"]["content"] = asked.into();
        self.save();
    }

    /// The user takes a prompt back before it is answered; what the hook had added to it.
    pub(crate) fn takes_back(&mut self) -> String {
        let (to, n_before) = (self.lines.len(), self.before_it.len());
        let said = self.asks_for(CALM);
        self.before_it.truncate(n_before);
        self.branch = Some(to);
        said.context
    }

    fn asks_for(&mut self, meanwhile: Meanwhile<'_>) -> Said {
        for context in std::mem::take(&mut self.waiting) {
            self.hears("SessionStart", context);
        }
        // The record has the prompt once its hook has ended.
        let said = self.event(meanwhile, "UserPromptSubmit", &json!({ "prompt": "go on" }));
        let message = json!({ "role": "user", "content": "go on" });
        match self.branch.take() {
            Some(to) => self.rewind(to),
            None => self.record("user", &json!({ "message": message })),
        }
        if !said.context.is_empty() {
            self.hears("UserPromptSubmit", said.context.clone());
        }
        said
    }

    /// The model calls a tool of ours, as the harness does it.
    pub(crate) fn calls(&mut self, name: &str, arguments: &Value) -> Value {
        let id = format!("toolu_{}_{}", self.claude.session, self.lines.len());
        let call = json!({ "type": "tool_use", "id": id, "name": format!("mcp__vade__{name}"), "input": arguments });
        self.record("assistant", &json!({ "message": { "role": "assistant", "content": [call] } }));
        let write_id = WriteId::new(format!("claudecode/toolUseId:{id}"));
        let object = self.asks(Author::Agent, Surface::Mcp, write_id, name, arguments);
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": "done" });
        self.record("user", &json!({ "message": { "role": "user", "content": [result] } }));
        self.before_it.push(arguments.to_string());
        object
    }

    /// Somebody calls an operation about this session.
    pub(crate) fn asks(
        &self,
        author: Author,
        surface: Surface,
        write_id: Option<WriteId>,
        name: &str,
        arguments: &Value,
    ) -> Value {
        let told = format!("claude-code:{}", self.claude.session);
        self.asks_as(told, (author, surface), write_id, name, arguments)
    }

    fn asks_as(
        &self,
        told: String,
        (author, surface): (Author, Surface),
        write_id: Option<WriteId>,
        name: &str,
        arguments: &Value,
    ) -> Value {
        let clues = Clues { told: Some(told), ..Clues::default() };
        let caller = Caller { origin: Origin { surface, author }, clues, write_id };
        let Desk { store, world, config, .. } = &self.claude.desk;
        let call = Call::new(store, world, config, caller);
        let op = registry::find(name).expect("an operation");
        op.run(&call, arguments.clone()).expect("an answer").object
    }

    /// A person at the command line calls an operation about this session.
    pub(crate) fn person(&self, name: &str, arguments: &Value) -> Value {
        self.asks(Author::User, Surface::Cli, None, name, arguments)
    }

    /// A person beside another session of the project calls an operation.
    pub(crate) fn elsewhere(&self, name: &str, arguments: &Value) -> Value {
        let told = "claude-code:another".to_owned();
        self.asks_as(told, (Author::User, Surface::Cli), None, name, arguments)
    }

    /// Where the conversation is now.
    pub(crate) fn mark(&self) -> usize {
        self.lines.len()
    }

    /// The user goes back to where the conversation was; the record keeps what it left.
    pub(crate) fn rewind(&mut self, to: usize) {
        let parent = self.lines[to - 1]["uuid"].clone();
        let message = json!({ "role": "user", "content": "No, otherwise." });
        self.record("user", &json!({ "parentUuid": parent, "message": message }));
        let nowhere = "00000000-0000-0000-0000-000000000000";
        self.writes(&json!({ "type": "last-prompt", "leafUuid": nowhere }));
    }

    /// The same; what was before the model then is before it again, and no more.
    pub(crate) fn goes_back(&mut self, to: usize, n_before: usize) {
        self.waiting.clear();
        self.before_it.truncate(n_before);
        self.rewind(to);
    }

    /// Another session of the same harness, with a record of its own.
    pub(crate) fn becomes(&mut self, session: &'static str) {
        self.claude.session = session;
        self.claude.desk.session = Some(format!("claude-code:{session}"));
        self.lines.clear();
        self.waiting.clear();
        self.before_it.clear();
        self.save();
    }

    /// A sub-agent of the session calls an operation.
    pub(crate) fn sub_agent(&self, name: &str, arguments: &Value) -> Value {
        let told = format!("claude-code:{}/a1", self.claude.session);
        self.asks_as(told, (Author::Agent, Surface::Mcp), None, name, arguments)
    }

    /// All that a request would hold of ours.
    pub(crate) fn request(&self) -> String {
        let all: Vec<&str> =
            self.before_it.iter().chain(&self.waiting).map(String::as_str).collect();
        all.join("\n")
    }

    /// A context of the record becomes another text.
    pub(crate) fn spoil(&mut self, context: &str, by: &str) {
        for line in &mut self.lines {
            if line["attachment"]["content"][0] == context {
                line["attachment"]["content"][0] = by.into();
            }
        }
        self.save();
    }

    /// What a request would hold, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.before_it.iter().chain(&self.waiting).map(String::len).sum()
    }
}
