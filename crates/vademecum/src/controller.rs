//! A session of an agent of one's own: which step is next, what its model sees, and what is kept.
//!
//! The controller has no model, no client and no runtime. The host asks for the [`Step`], takes it,
//! and tells what came of it; whatever was told is on disk when the call returns, so that a host that
//! is killed goes on where it was.

mod children;
mod compaction;
mod memory;
mod record;
mod requests;
mod tools;
mod transcript;
mod turns;
mod window;

use std::path::Path;

use serde_json::Value;
use vademecum_core::session::Place;
use vademecum_ops::offer::offered;
use vademecum_ops::{OpError, children as kin};

pub use children::{CHILDREN_AT_ONCE, CHILDREN_DEEP, Children, SMALLEST_WINDOW};
pub use record::Outcome;
pub use tools::{SCRATCHPAD_ENTRY, TASKS_DEEP};

use crate::dialect::{Answer, Dialect, Model, Tool, ToolCall};
use crate::vade::Session;
use record::{Event, From, Record, Spoken};
use tools::Made;
use transcript::{Transcript, origin};
use turns::{Reply, Turn, Turns};

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
    /// Whether the model may start sessions of its own, and what they may take.
    pub children: Option<Children>,
    /// Who summarises what a compaction takes away.
    pub summary: Summary,
}

impl Options {
    /// Tasks, children and our recap; no words and no tools of the host's own.
    #[must_use]
    pub fn new(dialect: Dialect, model: &str, window: u64) -> Self {
        Self {
            dialect,
            model: Model { name: model.to_owned(), max_answer: 4_000.min(window / 4) },
            window,
            system: String::new(),
            sections: Vec::new(),
            tools: Vec::new(),
            tasks: true,
            children: Some(Children::default()),
            summary: Summary::Recap(1_000),
        }
    }
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
    /// Take the steps of these children, by [`Controller::child`], until one or all have ended.
    Wait(Vec<String>),
    /// Send the request, then tell the answer's text by [`Controller::summarised`].
    Summarise(Request),
    /// Nothing: the agent has said this, and the user is next; a child has ended with it.
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
    /// How deep it lies under the session that no other one started.
    depth: u32,
}

/// What the first lines of a transcript say.
struct Begins {
    parent: Option<String>,
    depth: u32,
    from: Option<From>,
    /// The user's words that a child begins with; empty for a session of the host's own.
    task: String,
}

impl<'a> Controller<'a> {
    /// Opens the session whose transcript is at `path`, or begins it there.
    pub fn open(session: Session<'a>, path: &Path, options: Options) -> Result<Self, OpError> {
        Self::begin(session, path, options, None)
    }

    fn begin(
        session: Session<'a>,
        path: &Path,
        options: Options,
        begins: Option<Begins>,
    ) -> Result<Self, OpError> {
        check_window(&options)?;
        let (transcript, own) = Transcript::open(path)?;
        let (turns, steer) = (Turns::default(), String::new());
        let mut controller = Self { session, options, transcript, turns, steer, depth: 0 };
        controller.take_in(own, begins)?;
        controller.check_tools()?;
        controller.restore_scratchpad()?;
        controller.note()?;
        Ok(controller)
    }

    /// Takes in what the transcript says, a fork's history first; an empty one is begun.
    fn take_in(
        &mut self,
        own: Vec<transcript::Numbered>,
        begins: Option<Begins>,
    ) -> Result<(), OpError> {
        let (is_new, is_told) = (own.is_empty(), 1 < own.len());
        // A child is told with its task, and one that goes on was told when it began.
        let memory = if is_new && begins.is_none() { self.known()? } else { String::new() };
        let (task, first) = self.first(begins, memory);
        let first = own.first().map_or(&first, |(_, record)| record).clone();
        if let Some(from) = origin(&first) {
            for (line, record) in self.transcript.history(from)? {
                self.turns.push_history(line, record);
            }
        }
        if let Record::Event(Event::Session { depth, name, .. }) = &first {
            self.depth = *depth;
            if 0 < *depth && name != self.session.name() {
                let message =
                    format!("the transcript is of {name}, not of {}", self.session.name());
                return Err(OpError::conflict(message));
            }
        }
        for (line, record) in own {
            self.turns.push(line, record);
        }
        if is_new {
            self.keep(first)?;
        }
        if task.is_empty() || is_told {
            return Ok(());
        }
        let (at, content) = (self.at(), self.briefed(task)?);
        self.keep(Record::Message(Spoken::User { at, content }))
    }

    /// The user's words and the first line of a session that begins.
    fn first(&self, begins: Option<Begins>, memory: String) -> (String, Record) {
        let none = Begins { parent: None, depth: 0, from: None, task: String::new() };
        let Begins { parent, depth, from, task } = begins.unwrap_or(none);
        let task = match from {
            Some(_) => format!("{}\n\n{task}", children::FORKED),
            None => task,
        };
        let (at, name) = (self.at(), self.session.name().to_owned());
        let version = record::VERSION;
        (task, Record::Event(Event::Session { version, at, name, parent, depth, from, memory }))
    }

    /// Takes the user's words in; calls that were not answered yet are given up.
    pub fn ask(&mut self, text: &str) -> Result<(), OpError> {
        if self.turns.ended.is_some() {
            return Err(OpError::usage("the session has ended: nobody answers"));
        }
        for (key, call) in self.open_calls() {
            // What a crash kept from its answer has happened all the same.
            let has_begun = self.turns.marks.contains_key(&key);
            let made = if has_begun { self.make(&key, &call)? } else { Made::Host };
            let (text, is_error) = match made {
                Made::Given(given) => given,
                Made::Waits(_) | Made::Host => ("not run: the user spoke first".to_owned(), true),
            };
            self.result(&call.id, &text, is_error)?;
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
            if let Some(words) = self.over()? {
                return Ok(Step::Done(words));
            }
            let last = match self.turns.all.last() {
                Some(_) if self.turns.awaits_flush() => return Ok(Step::Call(self.request()?)),
                Some(Turn::User(_) | Turn::Summary(_) | Turn::Warning) => None,
                Some(Turn::Agent(reply)) => Some(reply.clone()),
                None => return Err(OpError::usage("the user has said nothing yet")),
            };
            match last {
                Some(reply) if reply.is_open() => {
                    if let Some(step) = self.run_own(&reply)? {
                        return Ok(step);
                    }
                }
                Some(_) | None if self.turns.owes_compaction() => {
                    if let Some(step) = self.compact()? {
                        return Ok(step);
                    }
                }
                Some(reply) if reply.is_final() && 0 < self.depth => {
                    self.end(Outcome::Reported, &reply.answer.text)?;
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
            _ if self.turns.ended.is_some() => false,
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
        if !self.open_calls().iter().any(|(_, open)| open.id == call) {
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
        let memory = self.put_back()?;
        self.keep(Record::Event(Event::Summary { at, content, memory }))?;
        self.note()
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

    /// Notes in the store where the context stands, for `vade status` and others.
    fn note(&self) -> Result<(), OpError> {
        let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let place = Place {
            model: Some(self.options.model.name.clone()),
            transcript: Some(self.transcript.full_path()),
            ..Place::default()
        };
        let Turns { cycle, warned_in, .. } = &self.turns;
        kin::note_context(&self.session.as_call(), count(*cycle), warned_in.map(count), &place)
    }

    /// The calls of the last answer that have no result yet, each with its write id.
    fn open_calls(&self) -> Vec<(String, ToolCall)> {
        let Some(Turn::Agent(reply)) = self.turns.all.last() else {
            return Vec::new();
        };
        let calls = reply.answer.calls.iter().zip(&reply.results).enumerate();
        let open = calls.filter(|(_, (_, result))| result.is_none());
        open.map(|(place, (call, _))| (reply.key(place), call.clone())).collect()
    }

    /// Makes the calls that are ours; what is next if others are left.
    fn run_own(&mut self, reply: &Reply) -> Result<Option<Step>, OpError> {
        let (mut host, mut children) = (Vec::new(), Vec::new());
        for (key, call) in self.open_calls() {
            // What an answer calls behind its report is not made: the end is the last line.
            if self.end_if_reported()? {
                return Ok(None);
            }
            let made = if reply.is_flush {
                Made::Given(self.make_in_flush(&key, &call)?)
            } else {
                self.make(&key, &call)?
            };
            match made {
                Made::Given((text, is_error)) => self.result(&call.id, &text, is_error)?,
                Made::Waits(running) => children.extend(running),
                Made::Host => host.push(call),
            }
        }
        children.sort_unstable_by_key(|id: &String| (id.len(), id.clone()));
        children.dedup();
        Ok(match (host.is_empty(), children.is_empty()) {
            _ if self.end_if_reported()? => None,
            (false, _) => Some(Step::Run(host)),
            (true, false) => Some(Step::Wait(children)),
            (true, true) => None,
        })
    }

    /// Whether the model may start sessions of its own here.
    fn may_start(&self) -> bool {
        self.options.children.is_some() && self.depth < CHILDREN_DEEP
    }

    /// Gives every call an id that no other has; an answer whose ids change is not sent back as it came.
    fn with_ids(&self, mut answer: Answer) -> Answer {
        let line = self.transcript.next();
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
        let config = self.session.config();
        let words = config.profile.words();
        let mut all = self.options.tools.clone();
        all.extend(offered(config).map(|op| tools::tool(op, config)));
        if self.options.tasks {
            all.extend(tools::task_tools(words.page()));
        }
        if let Some(set) = self.options.children.as_ref().filter(|_| self.may_start()) {
            all.extend(children::tools(set, words));
        }
        if 0 < self.depth {
            all.push(children::report_tool(words.page()));
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
            Some(session) => Ok(view.notepad_rev(&session.key)?.is_some()),
            None => Ok(false),
        })?;
        if !is_kept {
            let arguments = serde_json::json!({"content": text});
            self.session.call("write_notepad", arguments)?;
        }
        Ok(())
    }
}

fn check_window(options: &Options) -> Result<(), OpError> {
    if options.window / 2 < options.model.max_answer {
        return Err(OpError::usage(format!(
            "max_answer takes at most half of the window of {}, {} given",
            options.window, options.model.max_answer
        )));
    }
    Ok(())
}
