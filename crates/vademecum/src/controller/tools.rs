//! The controller's own tools: operations of the store, tasks, and what they answer.

use serde_json::{Value, json};
use vademecum_core::scratchpad;
use vademecum_ops::fields::SESSION;
use vademecum_ops::{Config, Op, OpError, Reply, offer, voice};

use super::Controller;
use super::children::{REPORT, Waited, report};
use super::record::{Event, Record};
use crate::dialect::{Tool, ToolCall};

/// How deep tasks may lie in each other.
pub const TASKS_DEEP: usize = 4;

/// The key under which the scratchpad stands in a transcript.
pub const SCRATCHPAD_ENTRY: &str = "openclaw:scratchpad";

/// What a call gave, and whether it failed.
pub(super) type Given = (String, bool);

/// An operation as a tool under `config`; its published schema, where it has one.
pub(super) fn tool(op: &Op, config: &Config) -> Tool {
    let (name, about) = (op.declaration.name.to_owned(), offer::about(op, config).to_owned());
    let mut input: Value =
        serde_json::from_str(&offer::input_schema(op, config)).expect("a schema is JSON");
    // A controller has one session, which no call needs to name.
    if let Some(fields) = input.get_mut("properties").and_then(Value::as_object_mut) {
        fields.remove(SESSION);
    }
    Tool { name, about, input }
}

/// The tools of tasks, for a model with such a `page`, or none.
pub(super) fn task_tools(page: Option<&str>) -> [Tool; 4] {
    let tool = |name: &str, about: &str, field: &str, what: &str| Tool {
        name: name.to_owned(),
        about: about.to_owned(),
        input: json!({
            "type": "object",
            "properties": {field: {"type": "string", "description": what}},
            "required": [field],
        }),
    };
    [
        tool(
            "begin_task",
            "Begin a part of the work whose steps collapse to one line at its end; up to four lie in each other.",
            "title",
            "what is to be done",
        ),
        tool(
            "end_task",
            &page.map_or_else(
                || "End the innermost task: its steps are replaced by your summary.".to_owned(),
                |page| format!("End the innermost task: its steps are replaced by your summary. Put what must last into the {page} first."),
            ),
            "summary",
            "what came of it, with names and numbers that matter",
        ),
        tool(
            "cancel_task",
            "Give the innermost task up: its steps are replaced by your reason.",
            "reason",
            "why, and what was left behind",
        ),
        tool(
            "read_task",
            "Read the steps of an ended task again, in full.",
            "task",
            "its name, such as task_1",
        ),
    ]
}

/// What became of a call.
pub(super) enum Made {
    /// It was ours, and gave this.
    Given(Given),
    /// It is ours, and waits for these children.
    Waits(Vec<String>),
    /// It is the host's.
    Host,
}

impl Controller<'_> {
    /// Makes a call of our own.
    pub(super) fn make(&mut self, key: &str, call: &ToolCall) -> Result<Made, OpError> {
        if let Some(made) = self.make_of_children(key, call)? {
            return Ok(made);
        }
        Ok(self.make_at_once(key, call)?.map_or(Made::Host, Made::Given))
    }

    fn make_of_children(&mut self, key: &str, call: &ToolCall) -> Result<Option<Made>, OpError> {
        let given = match call.name.as_str() {
            REPORT if 0 < self.depth => report(call),
            "spawn_session" if self.may_start() => self.start(key, &call.arguments, None)?,
            "fork_session" if self.may_start() => {
                let line = key.split('.').next().and_then(|line| line.parse().ok());
                self.start(key, &call.arguments, line)?
            }
            "wait_for_sessions" if self.may_start() => match self.wait(&call.arguments)? {
                Waited::Over(given) => given,
                Waited::For(children) => return Ok(Some(Made::Waits(children))),
            },
            _ => return Ok(None),
        };
        Ok(Some(Made::Given(given)))
    }

    /// Makes a call of our own that waits for nobody; none if the call is the host's.
    fn make_at_once(&mut self, key: &str, call: &ToolCall) -> Result<Option<Given>, OpError> {
        let said =
            |field: &str| call.arguments[field].as_str().unwrap_or_default().trim().to_owned();
        if self.options.tasks {
            match call.name.as_str() {
                "begin_task" => return self.begin_task(key, said("title")).map(Some),
                "end_task" => return self.end_task(key, &said("summary"), false).map(Some),
                "cancel_task" => return self.end_task(key, &said("reason"), true).map(Some),
                "read_task" => return Ok(Some(self.read_task(&said("task")))),
                _ => {}
            }
        }
        let config = self.session.config();
        let op = offer::find(&call.name, config);
        op.map(|op| self.operate(key, op.declaration.name, call.arguments.clone())).transpose()
    }

    /// Calls an operation; what it refuses is told to the model, what the store lacks to the host.
    fn operate(&mut self, key: &str, name: &str, arguments: Value) -> Result<Given, OpError> {
        use vademecum_core::error::Kind;
        let reply = match self.session.call_shown(key, name, arguments, self.shown(name)?) {
            Ok(reply) => reply,
            Err(error) => match error.kind {
                Kind::Busy | Kind::Broken => return Err(error),
                Kind::Usage | Kind::Missing | Kind::Conflict | Kind::Denied => {
                    return Ok((voice::refusal(&error), true));
                }
            },
        };
        if name == scratchpad::HOST_NAME {
            let data = self.session.page()?.into();
            self.keep_custom(SCRATCHPAD_ENTRY, data)?;
        }
        let Reply { object, text } = self.session.as_read(name, reply);
        // What is empty would be told as no output: the object says that the page is.
        Ok((if text.is_empty() { object.to_string() } else { text }, false))
    }

    /// Makes a call in the answer to a warning: the memory's own alone, the rest waits for the compaction.
    pub(super) fn make_in_flush(&mut self, key: &str, call: &ToolCall) -> Result<Given, OpError> {
        if call.name == REPORT && 0 < self.depth {
            return Ok(report(call));
        }
        let op = offer::find(&call.name, self.session.config());
        match op.map(|op| op.declaration.name) {
            Some(name) => self.operate(key, name, call.arguments.clone()),
            None => Ok((NOT_RUN.to_owned(), true)),
        }
    }

    fn begin_task(&mut self, key: &str, title: String) -> Result<Given, OpError> {
        if let Some(task) = self.turns.marks.get(key) {
            return Ok((format!("{task} began"), false));
        }
        if title.is_empty() {
            return Ok(("begin_task needs title, none given".to_owned(), true));
        }
        let n_open = self.turns.open_tasks().count();
        if TASKS_DEEP <= n_open {
            return Ok((
                format!(
                    "at most {TASKS_DEEP} tasks lie in each other, {n_open} are open: end_task first"
                ),
                true,
            ));
        }
        let task = format!("task_{}", self.turns.tasks.len() + 1);
        let reply = format!("{task} began");
        let (at, call) = (self.at(), key.to_owned());
        self.keep(Record::Event(Event::BeganTask { at, task, call, title }))?;
        Ok((reply, false))
    }

    fn end_task(&mut self, key: &str, summary: &str, is_cancelled: bool) -> Result<Given, OpError> {
        let (tool, field) =
            if is_cancelled { ("cancel_task", "reason") } else { ("end_task", "summary") };
        if !self.turns.marks.contains_key(key) {
            if summary.is_empty() {
                return Ok((format!("{tool} needs {field}, none given"), true));
            }
            let Some(task) = self.turns.open_tasks().next_back() else {
                return Ok((format!("{tool}: no task is open"), true));
            };
            let (at, task, call) = (self.at(), task.name.clone(), key.to_owned());
            let summary = summary.to_owned();
            let ended = Event::EndedTask { at, task, call, summary, is_cancelled };
            self.keep(Record::Event(ended))?;
        }
        let name = &self.turns.marks[key];
        let task = self.turns.tasks.iter().find(|task| task.name == *name);
        let title = task.map_or("", |task| task.title.as_str());
        let word = if is_cancelled { "cancelled" } else { "done" };
        let line = format!("{name} \"{title}\" {word}: {summary} (steps: read_task {name})");
        Ok((line, false))
    }

    fn read_task(&self, name: &str) -> Given {
        let task = self.turns.tasks.iter().find(|task| task.name == name);
        match task.and_then(|task| Some((task, task.ended?))) {
            Some((task, ended)) => {
                let steps = self.turns.all.get(task.began + 1..ended).unwrap_or_default();
                (super::compaction::told(steps.iter()), false)
            }
            None => (format!("no ended task \"{name}\""), true),
        }
    }
}

/// What a call answers that is not made because the compaction comes first.
pub(super) const NOT_RUN: &str =
    "not run: the conversation is compacted now; call again after it if it is still needed";
