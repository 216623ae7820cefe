//! Children: sessions that another one starts, waits for, and hears a result of.
//!
//! What a child is for stands in the transcript of the session that started it, how it ended in its
//! own; so both can be asked again after a crash, and neither needs the other to be open.

use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vademecum_core::error::Kind;
use vademecum_core::profile::Words;
use vademecum_core::time::Time;
use vademecum_ops::OpError;
use vademecum_ops::children::{self, Given as Inherited};
use vademecum_ops::who::full_key;

use super::record::{Child, Event, From, Outcome, Record};
use super::tools::Given;
use super::{Begins, Controller, Options, transcript, window};
use crate::dialect::{Tool, ToolCall};

/// How deep sessions may lie in each other.
pub const CHILDREN_DEEP: u32 = 3;

/// How many children of one session may run at once.
pub const CHILDREN_AT_ONCE: usize = 10;

/// The call by which a child ends.
pub(super) const REPORT: &str = "report_result";

/// The smallest window that a child may be given, in tokens.
pub const SMALLEST_WINDOW: u64 = 8_000;

/// What stands before the task of a fork.
pub(super) const FORKED: &str = "[You are a fork of the session above: this task alone is yours, and its user does not see your answers. report_result ends you.]";

/// What a host sets for the children of its sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Children {
    /// How many seconds a child may take from its first step.
    pub seconds: u32,
    /// The models that a child may be started with, beside its parent's.
    pub models: Vec<String>,
}

impl Default for Children {
    /// The limit of the published design, and no other model.
    fn default() -> Self {
        Self { seconds: 120, models: Vec::new() }
    }
}

/// The tools of a session that may start others, in the words of its profile.
pub(super) fn tools(set: &Children, words: &Words) -> [Tool; 3] {
    let mut fields = json!({
        "task": {"type": "string", "description": "what is to be done and what to report: all that the child is told"},
        "token_limit": {"type": "integer", "description": "the most tokens that its window takes; yours if not given"},
    });
    if !set.models.is_empty() {
        fields["model"] = json!({"type": "string", "enum": set.models, "description": "its model; yours if not given"});
    }
    let keeps = words.keeps();
    let copies = if keeps.is_empty() { keeps } else { format!(" and has copies of {keeps}") };
    let sessions = json!({"type": "array", "items": {"type": "string"}, "description": "their ids; all that you have not heard of if not given"});
    let wait = json!({"sessions": sessions});
    [
        spawn_tool(fields.clone(), words.page()),
        tool(
            "fork_session",
            &format!(
                "Start a copy of this session on a task of its own: it knows this conversation{copies}. Answers its id."
            ),
            &fields,
            &["task"],
        ),
        tool(
            "wait_for_sessions",
            "Wait until children have ended, and read what they report.",
            &wait,
            &[],
        ),
    ]
}

/// The tool that starts a child with such a `page`, from the `fields` of all that start one.
fn spawn_tool(mut fields: Value, page: Option<&str>) -> Tool {
    let begins = page.map(|page| format!(" and has an empty {page}")).unwrap_or_default();
    if let Some(page) = page {
        let about = format!("start it with a copy of your {page}. Default: false.");
        fields["copy_notepad"] = json!({"type": "boolean", "description": about});
    }
    let about = format!(
        "Start a child session on a task of its own: it sees nothing of this conversation{begins}. Answers its id; go on, then wait_for_sessions."
    );
    tool("spawn_session", &about, &fields, &["task"])
}

/// The tool by which a child with such a `page` ends.
pub(super) fn report_tool(page: Option<&str>) -> Tool {
    let result = json!({"result": {"type": "string", "description": "what came of the task, with names and numbers that matter"}});
    let page = page.map(|page| format!("not your {page}, ")).unwrap_or_default();
    tool(
        REPORT,
        &format!(
            "End this session and give its result to the session that started it, which sees nothing else of it: {page}not your steps."
        ),
        &result,
        &["result"],
    )
}

fn tool(name: &str, about: &str, fields: &Value, required: &[&str]) -> Tool {
    let input = json!({"type": "object", "properties": fields, "required": required});
    Tool { name: name.to_owned(), about: about.to_owned(), input }
}

/// What a call to wait came to.
pub(super) enum Waited {
    /// All have ended, or there is nothing to wait for.
    Over(Given),
    /// These still run.
    For(Vec<String>),
}

impl Controller<'_> {
    /// Opens a child, for the host to take its steps: when [`super::Step::Wait`] names it, or before.
    ///
    /// It goes on where it was, also in another process; it may run on a thread of its own.
    pub fn child(&self, id: &str) -> Result<Self, OpError> {
        let child = self.turns.children.iter().find(|child| child.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.turns.children.iter().map(|it| it.id.as_str()).collect();
            let known = if ids.is_empty() { "there are none".to_owned() } else { ids.join(", ") };
            OpError::missing(format!("no child \"{id}\": {known}"))
        })?;
        let file = self.child_file(id);
        let from = child.line.map(|line| From { file: self.transcript.file_name(), line });
        let begins = Begins {
            parent: Some(self.session.name().to_owned()),
            depth: self.depth + 1,
            from,
            task: child.task.clone(),
        };
        let session = self.session.of_agent(id)?;
        Self::begin(session, &file, self.options_of(child), Some(begins))
    }

    /// Lets `work` take a child to its end; its error or panic is what the parent hears of it then.
    pub fn work_child<T, E: Display>(
        &self,
        id: impl AsRef<str>,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<(), OpError> {
        let id = id.as_ref();
        let mut child = self.child(id)?;
        // A controller is dropped after a panic, and opened anew from what is on disk.
        let worked = panic::catch_unwind(AssertUnwindSafe(|| work(&mut child)));
        drop(child);
        let why = match worked {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "its program panicked".to_owned(),
        };
        self.end_child(id, Outcome::Crashed, &why)
    }

    fn options_of(&self, child: &Child) -> Options {
        let mut options = self.options.clone();
        if let Some(model) = &child.model {
            options.model.name.clone_from(model);
        }
        if let Some(limit) = child.token_limit {
            options.window = options.window.min(limit);
            options.model.max_answer = options.model.max_answer.min(options.window / 4);
        }
        options
    }

    fn child_file(&self, id: &str) -> PathBuf {
        let path = self.transcript.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let n = id.rsplit('.').next().unwrap_or(id);
        path.with_file_name(format!("{stem}.{n}.jsonl"))
    }
}

impl Controller<'_> {
    /// Ends a child from outside, with its own children: its program failed, or it is not wanted any more.
    ///
    /// One that has ended stays as it is. Drop its controller before: an open one is refused.
    pub fn end_child(&self, id: &str, outcome: Outcome, why: &str) -> Result<(), OpError> {
        self.child(id)?.end(outcome, why)
    }

    /// Ends this session; its children that still run are cancelled.
    pub(super) fn end(&mut self, outcome: Outcome, content: &str) -> Result<(), OpError> {
        if self.turns.ended.is_some() {
            return Ok(());
        }
        // A report holds whatever else comes before its end is on disk.
        let (outcome, content) = match self.turns.reported() {
            Some(result) => (Outcome::Reported, result),
            None => (outcome, content.to_owned()),
        };
        for id in self.running()? {
            let why = "the session that started it has ended";
            match self.end_child(&id, Outcome::Cancelled, why) {
                // Its program still has it open, and is heard by nobody when it ends.
                Err(error) if error.kind == Kind::Conflict => {}
                ended => ended?,
            }
        }
        self.session.call("archive_session", json!({}))?;
        let most = usize::try_from(self.options.window / 4).unwrap_or(usize::MAX);
        let (at, content) = (self.at(), window::clip(&content, most).into_owned());
        self.keep(Record::Event(Event::Ended { at, outcome, content }))
    }

    /// Ends this session if it has reported; whether it has ended.
    pub(super) fn end_if_reported(&mut self) -> Result<bool, OpError> {
        if 0 < self.depth && self.turns.reported().is_some() {
            self.end(Outcome::Reported, "")?;
        }
        Ok(self.turns.ended.is_some())
    }

    /// The words with which this session ended; one whose time is up is ended here.
    pub(super) fn over(&mut self) -> Result<Option<String>, OpError> {
        if !self.end_if_reported()? && 0 < self.depth {
            let began = self.turns.began_at.as_deref().and_then(Time::parse);
            let seconds = self.options.children.as_ref().map(|children| children.seconds);
            if let (Some(began), Some(seconds)) = (began, seconds)
                && is_late(began, self.session.now(), seconds)
            {
                self.end(Outcome::TimedOut, &late(seconds))?;
            }
        }
        Ok(self.turns.ended.as_ref().map(|(_, content)| content.clone()))
    }

    /// Starts a child by the call `key`.
    pub(super) fn start(
        &mut self,
        key: &str,
        call: &Value,
        line: Option<u64>,
    ) -> Result<Given, OpError> {
        if !self.turns.marks.contains_key(key) {
            let child = match self.asked_for(call, line)? {
                Ok(child) => child,
                Err(refusal) => return Ok((refusal, true)),
            };
            let (at, call) = (self.at(), key.to_owned());
            self.keep(Record::Event(Event::Spawned { at, call, child }))?;
        }
        let id = self.turns.marks[key].clone();
        let inherited = match (line, call["copy_notepad"].as_bool()) {
            (Some(_), _) => Inherited::Everything,
            (None, Some(true)) => Inherited::Page,
            (None, Some(false) | None) => Inherited::Nothing,
        };
        let child = self.session.of_agent(&id)?;
        let key = |name: &str| full_key(name).expect("a session's name is a key");
        children::begin(
            &child.as_call(),
            &key(child.name()),
            &key(self.session.name()),
            inherited,
        )?;
        Ok((json!({"id": id}).to_string(), false))
    }

    /// The child that a call asks for, or why there is none.
    fn asked_for(
        &mut self,
        call: &Value,
        line: Option<u64>,
    ) -> Result<Result<Child, String>, OpError> {
        let tool = if line.is_some() { "fork_session" } else { "spawn_session" };
        let task = call["task"].as_str().unwrap_or_default().trim().to_owned();
        if task.is_empty() {
            return Ok(Err(format!("{tool} needs task, none given")));
        }
        let model = call["model"].as_str().map(str::to_owned);
        let set = self.options.children.clone().unwrap_or_default();
        if let Some(model) = model.as_ref().filter(|model| !set.models.contains(model)) {
            let known = format!("use one of {}, or leave it out", set.models.join(", "));
            let known = if set.models.is_empty() { "leave it out" } else { &known };
            return Ok(Err(format!("no model \"{model}\" for a child: {known}")));
        }
        let token_limit = match token_limit(&call["token_limit"]) {
            Ok(limit) => limit,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let n_running = self.running()?.len();
        if CHILDREN_AT_ONCE <= n_running {
            return Ok(Err(format!(
                "at most {CHILDREN_AT_ONCE} children run at once, {n_running} do: wait_for_sessions first"
            )));
        }
        let n = self.turns.children.len() + 1;
        let id = match full_key(self.session.name()).and_then(|key| key.agent) {
            Some(agent) => format!("{agent}.{n}"),
            None => n.to_string(),
        };
        Ok(Ok(Child { id, task, model, token_limit, line }))
    }

    /// The result of a call to wait, or whom it waits for.
    pub(super) fn wait(&mut self, call: &Value) -> Result<Waited, OpError> {
        let wanted = self.turns.awaited(call);
        let known = |id: &String| self.turns.children.iter().any(|child| child.id == *id);
        if let Some(id) = wanted.iter().find(|id| !known(id)) {
            let ids: Vec<&str> = self.turns.children.iter().map(|it| it.id.as_str()).collect();
            let text = format!("no session \"{id}\": yours are {}", ids.join(", "));
            return Ok(Waited::Over((text, true)));
        }
        if wanted.is_empty() {
            return Ok(Waited::Over(("no session of yours runs".to_owned(), false)));
        }
        let (mut told, mut running) = (Vec::new(), Vec::new());
        for id in wanted {
            match self.outcome_of(&id)? {
                Some((outcome, content)) => told.push(line_of(&id, outcome, &content)),
                None => running.push(id),
            }
        }
        if running.is_empty() {
            return Ok(Waited::Over((told.join("\n\n"), false)));
        }
        Ok(Waited::For(running))
    }

    /// The children that have not ended, in the order in which they were started.
    pub fn running(&self) -> Result<Vec<String>, OpError> {
        let mut running = Vec::new();
        for child in self.turns.children.iter().filter(|child| !self.turns.told.contains(&child.id))
        {
            if self.outcome_of(&child.id)?.is_none() {
                running.push(child.id.clone());
            }
        }
        Ok(running)
    }

    /// How a child ended; one whose time is up is ended here, unless its program has it open.
    fn outcome_of(&self, id: &str) -> Result<Option<(Outcome, String)>, OpError> {
        let file = self.child_file(id);
        let Some((began, ended)) = ends(&file)? else {
            return Ok(None);
        };
        let seconds = self.options.children.as_ref().map_or(u32::MAX, |children| children.seconds);
        if ended.is_some() || !is_late(began, self.session.now(), seconds) {
            return Ok(ended);
        }
        match self.end_child(id, Outcome::TimedOut, &late(seconds)) {
            Err(error) if error.kind == Kind::Conflict => Ok(None),
            Err(error) => Err(error),
            Ok(()) => Ok(ends(&file)?.and_then(|(_, ended)| ended)),
        }
    }
}

/// What a call to report answers; the session ends when that is on disk.
pub(super) fn report(call: &ToolCall) -> Given {
    match told_by(call) {
        Some(_) => ("reported".to_owned(), false),
        None => ("report_result needs result, none given".to_owned(), true),
    }
}

/// The result that a call to report tells; none if it tells none.
pub(super) fn told_by(call: &ToolCall) -> Option<&str> {
    let result = call.arguments["result"].as_str().map(str::trim);
    result.filter(|result| call.name == REPORT && !result.is_empty())
}

fn token_limit(given: &Value) -> Result<Option<u64>, String> {
    match (given, given.as_u64()) {
        (Value::Null, _) => Ok(None),
        (_, Some(limit)) if SMALLEST_WINDOW <= limit => Ok(Some(limit)),
        (given, _) => Err(format!("token_limit takes at least {SMALLEST_WINDOW}, {given} given")),
    }
}

fn is_late(began: Time, now: Time, seconds: u32) -> bool {
    i64::from(seconds) * 1_000 < now.since(began)
}

fn late(seconds: u32) -> String {
    format!("no result within {seconds} seconds")
}

fn line_of(id: &str, outcome: Outcome, content: &str) -> String {
    match outcome {
        Outcome::Reported => format!("session {id} reported:\n{content}"),
        Outcome::Crashed => format!("session {id} crashed: {content}"),
        Outcome::TimedOut => format!("session {id} timed out: {content}"),
        Outcome::Cancelled => format!("session {id} was cancelled: {content}"),
    }
}

/// What a child's transcript says of its end.
type Ends = (Time, Option<(Outcome, String)>);

/// When a child began and how it ended; nothing while it was never opened.
fn ends(file: &Path) -> Result<Option<Ends>, OpError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let folder = file.parent().unwrap_or(Path::new(""));
    let Some(bytes) = transcript::beside(folder, &name)? else { return Ok(None) };
    let mut lines =
        bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let event = |line: &[u8]| match serde_json::from_slice(line) {
        Ok(Record::Event(event)) => Some(event),
        Ok(Record::Message(_)) | Err(_) => None,
    };
    let began = match lines.next().and_then(event) {
        Some(Event::Session { at, .. }) => Time::parse(&at),
        Some(_) | None => None,
    };
    let Some(began) = began else {
        return Ok(None);
    };
    // Nothing but the result of its report stands behind the end.
    let mut lines = lines.rev().skip_while(|line| line.starts_with(br#"{"role":"tool""#));
    let ended = match lines.next().and_then(event) {
        Some(Event::Ended { outcome, content, .. }) => Some((outcome, content)),
        Some(_) | None => None,
    };
    Ok(Some((began, ended)))
}
