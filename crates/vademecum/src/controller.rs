//! A session of an agent of one's own: which step is next, what its model sees, and what is kept.
//!
//! The controller has no model, no client and no runtime. The host asks for the [`Step`], takes it,
//! and tells what came of it; whatever was told is on disk when the call returns, so that a host that
//! is killed goes on where it was.

mod compaction;
mod record;
mod tools;
mod transcript;
mod turns;
mod window;

use std::path::Path;

use serde_json::Value;
use vademecum_core::notepad;
use vademecum_core::planner::{self, Decision, Due, Limits, Settings};
use vademecum_core::scratchpad;
use vademecum_core::tokens::estimate;
use vademecum_ops::OpError;
use vademecum_ops::config::Profile;

pub use record::Outcome;
pub use tools::{SCRATCHPAD_ENTRY, TASKS_DEEP};

use crate::dialect::{Answer, Dialect, Message, Model, Tool, ToolCall, Window};
use crate::vade::Session;
use record::{Event, Record, Spoken};
use transcript::Transcript;
use turns::{Turn, Turns};
use window::Frame;

/// What a host sets for a session.
#[derive(Debug, Clone)]
pub struct Options {
    /// How one speaks with the model.
    pub dialect: Dialect,
    /// The model.
    pub model: Model,
    /// The tokens that the model takes at once, its answer too.
    pub window: u64,
    /// The host's own system prompt.
    pub system: String,
    /// What follows it: skills, then summaries of tools.
    pub sections: Vec<String>,
    /// The host's own tools.
    pub tools: Vec<Tool>,
    /// Whether the model may begin tasks, whose steps collapse at their end.
    pub tasks: bool,
    /// Who summarises what a compaction takes away.
    pub summary: Summary,
}

/// Who summarises what a compaction takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summary {
    /// Our recap, within so many tokens, without a model.
    Recap(usize),
    /// The host, by [`Step::Summarise`].
    Host,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Send the request, then tell the answer by [`Controller::answer`].
    Call(Request),
    /// Run the host's own tools, then tell each result by [`Controller::result`].
    Run(Vec<ToolCall>),
    /// Send the request, then tell the answer's text by [`Controller::summarised`].
    Summarise(Request),
    /// Nothing: the agent has said this, and the user is next.
    Done(String),
}

/// A request to a model, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Where to, below the address of the server.
    pub path: &'static str,
    /// What is sent; a host may add what its server asks for.
    pub body: Value,
    /// Whether it is the extra turn before a compaction, which a host may keep from the user.
    pub is_warning: bool,
}

/// The conversation of one session, and what is next in it.
#[derive(Debug)]
pub struct Controller<'a> {
    session: Session<'a>,
    options: Options,
    transcript: Transcript,
    turns: Turns,
    steer: String,
}

impl<'a> Controller<'a> {
    /// Opens the session whose transcript is at `path`, or begins it there.
    pub fn open(session: Session<'a>, path: &Path, options: Options) -> Result<Self, OpError> {
        if options.window / 2 < options.model.max_answer {
            return Err(OpError::usage(format!(
                "max_answer takes at most half of the window of {}, {} given",
                options.window, options.model.max_answer
            )));
        }
        let (transcript, records) = Transcript::open(path)?;
        let mut turns = Turns::default();
        let is_new = records.is_empty();
        for (line, record) in (0..).zip(records) {
            turns.push(line, record);
        }
        let mut controller = Self { session, options, transcript, turns, steer: String::new() };
        controller.check_tools()?;
        if is_new {
            let (at, name) = (controller.at(), controller.session.name().to_owned());
            let event = Event::Session { version: record::VERSION, at, name, from: None };
            controller.keep(Record::Event(event))?;
        }
        controller.restore_scratchpad()?;
        Ok(controller)
    }

    /// Takes the user's words in; calls that were not answered yet are given up.
    pub fn ask(&mut self, text: &str) -> Result<(), OpError> {
        for call in self.open_calls() {
            self.result(&call.id, "not run: the user spoke first", true)?;
        }
        let (at, content) = (self.at(), text.to_owned());
        self.keep(Record::Message(Spoken::User { at, content }))
    }

    /// Sets what stands before the user's words in the windows from now on; it is never stored.
    pub fn steer(&mut self, text: &str) {
        text.clone_into(&mut self.steer);
    }

    /// Says what is to be done next; asked again, it says the same.
    pub fn step(&mut self) -> Result<Step, OpError> {
        loop {
            let last = match self.turns.all.last() {
                Some(Turn::User(_) | Turn::Summary(_)) => None,
                Some(Turn::Warning) => return Ok(Step::Call(self.request()?)),
                Some(Turn::Agent(reply)) => Some(reply.clone()),
                None => return Err(OpError::usage("the user has said nothing yet")),
            };
            match last {
                Some(reply) if reply.is_open() => {
                    let host = self.run_own(&reply)?;
                    if !host.is_empty() {
                        return Ok(Step::Run(host));
                    }
                }
                Some(reply) if reply.is_flush => {
                    if let Some(step) = self.compact()? {
                        return Ok(step);
                    }
                }
                Some(reply) if reply.is_final() => {
                    return Ok(Step::Done(reply.answer.text.clone()));
                }
                Some(_) | None => {
                    if let Some(step) = self.call_or_compact()? {
                        return Ok(step);
                    }
                }
            }
        }
    }

    /// Takes in what the model answered to the last [`Step::Call`].
    pub fn answer(&mut self, answer: Answer) -> Result<(), OpError> {
        let is_awaited = match self.turns.all.last() {
            Some(Turn::User(_) | Turn::Summary(_) | Turn::Warning) => true,
            Some(Turn::Agent(reply)) => !reply.is_open() && !reply.is_final() && !reply.is_flush,
            None => false,
        };
        if !is_awaited {
            return Err(OpError::usage("no answer is awaited: ask for the next step"));
        }
        let Answer { text: content, calls: tool_calls, native, usage } = self.with_ids(answer);
        let at = self.at();
        self.keep(Record::Message(Spoken::Assistant { at, content, tool_calls, native, usage }))
    }

    /// Takes in what one of the calls of the last [`Step::Run`] gave.
    pub fn result(&mut self, call: &str, text: &str, is_error: bool) -> Result<(), OpError> {
        if !self.open_calls().iter().any(|open| open.id == call) {
            return Err(OpError::usage(format!("no result of \"{call}\" is awaited")));
        }
        let (at, tool_call_id, content) = (self.at(), call.to_owned(), text.to_owned());
        self.keep(Record::Message(Spoken::Tool { at, tool_call_id, content, is_error }))
    }

    /// Compacts the conversation to `text`; one line on disk, so that it happens whole or not at all.
    pub fn summarised(&mut self, text: &str) -> Result<(), OpError> {
        match self.turns.all.last() {
            Some(Turn::Agent(reply)) if reply.is_open() || reply.is_final() => {
                return Err(OpError::usage("no summary is awaited: ask for the next step"));
            }
            Some(Turn::Warning) | None => {
                return Err(OpError::usage("no summary is awaited: ask for the next step"));
            }
            Some(Turn::User(_) | Turn::Summary(_) | Turn::Agent(_)) => {}
        }
        let most = usize::try_from(self.options.window / 4).unwrap_or(usize::MAX);
        let (at, content) = (self.at(), window::clip(text, most).into_owned());
        self.keep(Record::Event(Event::Summary { at, content }))
    }

    /// Keeps an entry of the host's own in the transcript; the last of a type holds.
    pub fn keep_custom(&mut self, custom_type: &str, data: Value) -> Result<(), OpError> {
        let (at, custom_type) = (self.at(), custom_type.to_owned());
        self.keep(Record::Event(Event::Custom { at, custom_type, data }))
    }

    /// The last entry of a type.
    #[must_use]
    pub fn custom(&self, custom_type: &str) -> Option<&Value> {
        self.turns.custom.get(custom_type)
    }

    /// The session, for calling operations in code.
    #[must_use]
    pub fn session(&self) -> &Session<'a> {
        &self.session
    }

    fn at(&self) -> String {
        self.session.now().to_rfc3339()
    }

    fn keep(&mut self, record: Record) -> Result<(), OpError> {
        let line = self.transcript.append(&record)?;
        self.turns.push(line, record);
        Ok(())
    }

    fn open_calls(&self) -> Vec<ToolCall> {
        let Some(Turn::Agent(reply)) = self.turns.all.last() else {
            return Vec::new();
        };
        let pairs = reply.answer.calls.iter().zip(&reply.results);
        pairs.filter(|(_, result)| result.is_none()).map(|(call, _)| call.clone()).collect()
    }

    /// Makes the calls that are ours and gives those that are the host's.
    fn run_own(&mut self, reply: &turns::Reply) -> Result<Vec<ToolCall>, OpError> {
        let mut host = Vec::new();
        for (place, call) in reply.answer.calls.iter().enumerate() {
            if reply.results[place].is_some() {
                continue;
            }
            let key = format!("{}.{place}", reply.line);
            let given = if reply.is_flush {
                Some(self.make_in_flush(&key, call)?)
            } else {
                self.make(&key, call)?
            };
            match given {
                Some((text, is_error)) => self.result(&call.id, &text, is_error)?,
                None => host.push(call.clone()),
            }
        }
        Ok(host)
    }

    /// Gives every call an id that no other has; an answer whose ids change is not sent back as it came.
    fn with_ids(&self, mut answer: Answer) -> Answer {
        let line = self.transcript.n_lines();
        let mut taken = std::collections::HashSet::new();
        for (place, call) in answer.calls.iter_mut().enumerate() {
            let is_new = !call.id.is_empty() && !self.turns.call_ids.contains(&call.id);
            if !is_new || !taken.insert(call.id.clone()) {
                call.id = format!("call_{line}_{place}");
                taken.insert(call.id.clone());
                answer.native = None;
            }
        }
        answer
    }

    fn check_tools(&self) -> Result<(), OpError> {
        let tools = self.tools();
        let mut names = std::collections::HashSet::new();
        match tools.iter().find(|tool| !names.insert(tool.name.as_str())) {
            Some(tool) => Err(OpError::usage(format!("the tool \"{}\" is there twice", tool.name))),
            None => Ok(()),
        }
    }

    fn tools(&self) -> Vec<Tool> {
        let mut all = self.options.tools.clone();
        all.extend(tools::operations(self.session.config()).map(tools::tool));
        if self.options.tasks {
            all.extend(tools::task_tools());
        }
        all
    }

    /// Brings back a scratchpad that stands in the transcript and in no store any more.
    fn restore_scratchpad(&mut self) -> Result<(), OpError> {
        let Some(Value::String(text)) = self.turns.custom.get(SCRATCHPAD_ENTRY) else {
            return Ok(());
        };
        let call = self.session.as_call();
        let is_kept = call.look(|view| match call.session(view)? {
            Some(session) => Ok(view.notepad(session.id)?.is_some()),
            None => Ok(false),
        })?;
        if !is_kept {
            let arguments = serde_json::json!({"content": text});
            self.session.call("write_notepad", arguments)?;
        }
        Ok(())
    }
}

impl Controller<'_> {
    /// Decides what comes before the next answer; nothing if that was done here.
    fn call_or_compact(&mut self) -> Result<Option<Step>, OpError> {
        let request = self.request_at(0)?;
        let total = self.total(&request);
        let settings = self.settings(true)?;
        let limits = Limits::of_host(Some(self.options.window), &settings);
        let (_, soft) = settings.fitted(self.options.window);
        // What frees less than this would be compacted over and over.
        let is_worth_it = soft / 2 <= compaction::freed(&self.turns) as u64;
        let state = window::state(&self.turns, total);
        let is_warning = self.session.config().precompact.enabled;
        match planner::plan(&state, &limits) {
            Decision::Warn(_) if is_worth_it && is_warning => {
                let at = self.at();
                self.keep(Record::Event(Event::Warning { at }))?;
                Ok(None)
            }
            Decision::Warn(due) if is_worth_it && is_reached(due) => self.compact(),
            Decision::Warn(_) | Decision::Hold(_) if self.fits(&request) => {
                Ok(Some(Step::Call(request)))
            }
            Decision::Warn(_) | Decision::Hold(_) => Ok(Some(Step::Call(self.request()?))),
        }
    }

    /// Compacts by our recap, or says what the host must send.
    fn compact(&mut self) -> Result<Option<Step>, OpError> {
        match self.options.summary {
            Summary::Recap(budget) => {
                let recap = compaction::recap(&self.turns, budget)?;
                self.summarised(&recap)?;
                Ok(None)
            }
            Summary::Host => Ok(Some(Step::Summarise(self.summary_request()))),
        }
    }

    fn summary_request(&self) -> Request {
        let Options { window, model, .. } = &self.options;
        let room = window.saturating_sub(model.max_answer + window / 10);
        let told = compaction::told(self.turns.visible().into_iter());
        let told = window::clip(&told, usize::try_from(room).unwrap_or(usize::MAX)).into_owned();
        let window = Window {
            system: compaction::TASK.to_owned(),
            messages: vec![Message::User(told)],
            tools: Vec::new(),
        };
        self.written(&window, false)
    }

    /// The request for the next answer, shortened until it fits the window.
    fn request(&self) -> Result<Request, OpError> {
        for level in 0..6 {
            let request = self.request_at(level)?;
            if self.fits(&request) {
                return Ok(request);
            }
        }
        Err(OpError::usage(format!(
            "system prompt, tools and notepad do not fit a window of {} tokens",
            self.options.window
        ))
        .hint("shorten the notepad or offer fewer tools"))
    }

    /// Whether the model can take the request and answer at length.
    fn fits(&self, request: &Request) -> bool {
        count(&request.body) + self.options.model.max_answer <= self.options.window
    }

    fn request_at(&self, level: u32) -> Result<Request, OpError> {
        let config = self.session.config();
        let shown = self.session.shown_page()?;
        let budget = config.scratchpad_budget();
        let is_paged = budget.is_none() && config.profile != Profile::Seed1;
        let part = usize::try_from(self.options.window).unwrap_or(usize::MAX) / 4;
        let frame = Frame {
            scratchpad: if budget.is_some() { &shown } else { "" },
            steer: &self.steer,
            order: config.order,
            warning: notepad::WARNING,
            results: part >> level,
            words: if level == 0 { usize::MAX } else { part >> (level - 1) },
        };
        let guidance = match budget {
            Some(budget) => scratchpad::guidance(budget),
            None if is_paged => notepad::GUIDANCE.to_owned(),
            None => String::new(),
        };
        let mut parts = vec![self.options.system.as_str(), &guidance];
        parts.extend(self.options.sections.iter().map(String::as_str));
        let window = Window {
            system: window::system(&parts, is_paged.then_some(shown.as_str())),
            messages: window::messages(&self.turns, &frame),
            tools: self.tools(),
        };
        let is_warning = matches!(self.turns.all.last(), Some(Turn::Warning));
        Ok(self.written(&window, is_warning))
    }

    fn written(&self, window: &Window, is_warning: bool) -> Request {
        let Options { dialect, model, .. } = &self.options;
        Request { path: dialect.path(), body: dialect.request(model, window), is_warning }
    }

    /// The tokens of the next request: as counted here, or by the server if that is more.
    fn total(&self, request: &Request) -> u64 {
        count(&request.body).max(self.turns.measured.unwrap_or(0))
    }

    fn settings(&self, enabled: bool) -> Result<Settings, OpError> {
        let set = self.session.config().precompact;
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        Settings::new(enabled, signed(set.reserve), signed(set.soft))
            .map_err(|error| OpError::new(error.kind(), error.to_string()))
    }
}

/// The tokens of a request, never fewer than its server will count.
fn count(body: &Value) -> u64 {
    let estimate = estimate(&body.to_string()) as u64;
    estimate + estimate / 32 + 16
}

/// Whether the conversation must be compacted now, where no warning is given.
fn is_reached(due: Due) -> bool {
    match due {
        Due::Reached { total, compact_at, .. } => compact_at <= total,
        Due::CatchUp { .. } => true,
    }
}
