//! What the lines of a transcript come to: turns, tasks, and where the compaction stands.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::children::told_by;
use super::record::{Child, Event, Outcome, Record, Spoken};
use crate::dialect::{Answer, ToolResult};

/// One turn, in the order it happened.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turn {
    /// The user wrote.
    User(String),
    /// The model was warned of the compaction.
    Warning,
    /// What came before was compacted to this.
    Summary(Box<Compacted>),
    /// The model answered.
    Agent(Box<Reply>),
}

/// What stands in a window for all that came before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compacted {
    pub(super) text: String,
    /// What the session kept beside its page; empty where that was nothing.
    pub(super) memory: String,
}

/// An answer with what its calls gave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The line of the answer.
    pub(super) line: u64,
    pub(super) answer: Answer,
    /// One for each call, in its order; none while it is awaited.
    pub(super) results: Vec<Option<ToolResult>>,
    /// Whether it answers a warning.
    pub(super) is_flush: bool,
}

impl Reply {
    /// The write id of a call.
    pub(super) fn key(&self, place: usize) -> String {
        format!("{}.{place}", self.line)
    }

    pub(super) fn is_open(&self) -> bool {
        self.results.iter().any(Option::is_none)
    }

    /// Whether the model has said its last word on what it was asked.
    pub(super) fn is_final(&self) -> bool {
        self.answer.calls.is_empty() && !self.is_flush
    }
}

/// A part of the work that collapses to a line when it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) name: String,
    pub(super) title: String,
    /// The turn of the call that began it.
    pub(super) began: usize,
    /// The turn of the call that ended it.
    pub(super) ended: Option<usize>,
}

/// Everything that a transcript says.
#[derive(Debug, Default)]
pub(super) struct Turns {
    pub(super) all: Vec<Turn>,
    pub(super) tasks: Vec<Task>,
    /// How often it was compacted.
    pub(super) cycle: u64,
    /// The cycle of the last warning.
    pub(super) warned_in: Option<u64>,
    /// The tokens at the last answer, as the server counted them, while that still holds.
    pub(super) measured: Option<u64>,
    pub(super) custom: BTreeMap<String, Value>,
    /// Calls that began or ended a task or made a child: the name of it.
    pub(super) marks: HashMap<String, String>,
    pub(super) call_ids: HashSet<String>,
    /// The session that started it.
    pub(super) parent: Option<String>,
    /// What its project knew when it began; told until the first compaction.
    pub(super) memory: String,
    /// When its own transcript began.
    pub(super) began_at: Option<String>,
    /// The children that it started.
    pub(super) children: Vec<Child>,
    /// Those whose end it was told of.
    pub(super) told: HashSet<String>,
    pub(super) ended: Option<(Outcome, String)>,
}

impl Turns {
    /// Takes the record of the line `line` in.
    pub(super) fn push(&mut self, line: u64, record: Record) {
        match record {
            Record::Message(Spoken::User { content, .. }) => self.all.push(Turn::User(content)),
            Record::Message(Spoken::Assistant { content, tool_calls, native, usage, .. }) => {
                self.answer(line, Answer { text: content, calls: tool_calls, native, usage });
            }
            Record::Message(Spoken::Tool { tool_call_id, content, is_error, .. }) => {
                self.result(ToolResult { call: tool_call_id, text: content, is_error });
            }
            Record::Event(event) => self.event(event),
        }
    }

    /// Takes a record of the history in that a fork goes on from: its children are another's.
    pub(super) fn push_history(&mut self, line: u64, record: Record) {
        match record {
            Record::Event(Event::Session { .. } | Event::Spawned { .. } | Event::Ended { .. }) => {}
            record => self.push(line, record),
        }
    }

    /// The children that a call to wait names, else those whose end was not told yet.
    pub(super) fn awaited(&self, arguments: &Value) -> Vec<String> {
        let named = arguments["sessions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut ids: Vec<String> =
            named.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if ids.is_empty() {
            let untold = self.children.iter().filter(|child| !self.told.contains(&child.id));
            ids = untold.map(|child| child.id.clone()).collect();
        }
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        ids
    }

    /// Whether the next answer is that to a warning, whatever the user has said since.
    pub(super) fn awaits_flush(&self) -> bool {
        let is_other = |turn: &&Turn| !matches!(turn, Turn::User(_));
        matches!(self.all.iter().rev().find(is_other), Some(Turn::Warning))
    }

    /// Whether a warning was answered and what it said would come has not come yet.
    pub(super) fn owes_compaction(&self) -> bool {
        let is_other = |turn: &&Turn| !matches!(turn, Turn::User(_));
        let last = self.all.iter().rev().find(is_other);
        matches!(last, Some(Turn::Agent(reply)) if reply.is_flush && !reply.is_open())
    }

    fn answer(&mut self, line: u64, answer: Answer) {
        let is_flush = self.awaits_flush();
        self.measured = answer.usage.map(|usage| usage.input + usage.output);
        self.call_ids.extend(answer.calls.iter().map(|call| call.id.clone()));
        let results = vec![None; answer.calls.len()];
        self.all.push(Turn::Agent(Box::new(Reply { line, answer, results, is_flush })));
    }

    fn result(&mut self, result: ToolResult) {
        let Some(Turn::Agent(reply)) = self.all.last_mut() else {
            return;
        };
        let place = reply.answer.calls.iter().position(|call| call.id == result.call);
        let Some(place) = place else {
            return;
        };
        let call = &reply.answer.calls[place];
        let waited =
            (call.name == "wait_for_sessions" && !result.is_error).then(|| call.arguments.clone());
        if let Some(slot) = reply.results.get_mut(place) {
            *slot = Some(result);
        }
        if let Some(arguments) = waited {
            let heard = self.awaited(&arguments);
            self.told.extend(heard);
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Warning { .. } => {
                self.warned_in = Some(self.cycle);
                self.all.push(Turn::Warning);
            }
            Event::Summary { content: text, memory, .. } => {
                self.cycle += 1;
                self.measured = None;
                self.all.push(Turn::Summary(Box::new(Compacted { text, memory })));
            }
            Event::BeganTask { task, call, title, .. } => {
                let began = self.last_turn();
                self.marks.insert(call, task.clone());
                self.tasks.push(Task { name: task, title, began, ended: None });
            }
            Event::EndedTask { task, call, .. } => {
                let ended = self.last_turn();
                self.marks.insert(call, task.clone());
                self.measured = None;
                if let Some(task) = self.tasks.iter_mut().find(|it| it.name == task) {
                    task.ended = Some(ended);
                }
            }
            Event::Custom { custom_type, data, .. } => {
                self.custom.insert(custom_type, data);
            }
            Event::Spawned { child, call, .. } => {
                self.marks.insert(call, child.id.clone());
                self.children.push(child);
            }
            Event::Ended { outcome, content, .. } => self.ended = Some((outcome, content)),
            Event::Session { at, memory, parent, .. } => {
                self.began_at = Some(at);
                self.memory = memory;
                self.parent = parent;
            }
            Event::Unknown => {}
        }
    }

    /// The result that the last answer has reported, once that is answered.
    pub(super) fn reported(&self) -> Option<String> {
        let Some(Turn::Agent(reply)) = self.all.last() else {
            return None;
        };
        let calls = reply.answer.calls.iter().zip(&reply.results);
        let mut told = calls.filter_map(|(call, result)| {
            let is_made = result.as_ref().is_some_and(|result| !result.is_error);
            told_by(call).filter(|_| is_made)
        });
        told.next().map(str::to_owned)
    }

    fn last_turn(&self) -> usize {
        self.all.len().saturating_sub(1)
    }

    /// The tasks that are not ended, the outermost first.
    pub(super) fn open_tasks(&self) -> impl DoubleEndedIterator<Item = &Task> {
        self.tasks.iter().filter(|task| task.ended.is_none())
    }

    /// The turns that a window shows, from the last summary on, without what ended tasks collapsed.
    pub(super) fn visible(&self) -> Vec<&Turn> {
        let first = self.all.iter().rposition(|turn| matches!(turn, Turn::Summary(_))).unwrap_or(0);
        let is_within = |idx: usize| {
            self.tasks.iter().any(|it| it.began < idx && it.ended.is_some_and(|end| idx < end))
        };
        let is_shown = |idx: usize, turn: &Turn| match turn {
            Turn::User(_) | Turn::Summary(_) => true,
            Turn::Warning | Turn::Agent(_) => !is_within(idx),
        };
        let shown = self.all.iter().enumerate().skip(first);
        shown.filter(|(idx, turn)| is_shown(*idx, turn)).map(|(_, turn)| turn).collect()
    }

    /// The user's words before the last summary that are not answered yet.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &str> {
        let end = self.all.iter().rposition(|turn| matches!(turn, Turn::Summary(_))).unwrap_or(0);
        let is_final = |turn: &Turn| matches!(turn, Turn::Agent(reply) if reply.is_final());
        let first = self.all.iter().rposition(is_final).map_or(0, |at| at + 1);
        self.all.get(first.min(end)..end).unwrap_or_default().iter().filter_map(|turn| match turn {
            Turn::User(text) => Some(text.as_str()),
            Turn::Warning | Turn::Summary(_) | Turn::Agent(_) => None,
        })
    }
}
