//! Where readers put what they found: it makes turns, cuts texts, and keeps out what is no material.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use vademecum_core::time::Time;
use vademecum_core::turn::{Action, Answer, Call, Event, Item, Turn};

use super::prompt::{self, Prompt};
use super::report::{Coverage, Report, Skipped};
use super::{Arguments, Format, Known, actions, json, text};

/// How many calls without an answer, and how many items of lists, are remembered.
const OPEN_MAX: usize = 10_000;

/// How many folders are reported.
const CWDS_MAX: usize = 64;

/// What a record tells about the session.
#[derive(Debug, Default)]
pub(crate) struct Facts<'a> {
    /// The session.
    pub(crate) session: Option<&'a str>,
    /// The version of the harness.
    pub(crate) version: Option<&'a str>,
    /// The model.
    pub(crate) model: Option<&'a str>,
    /// The folder the agent worked in.
    pub(crate) cwd: Option<&'a str>,
}

/// Where readers put what they found.
pub(crate) struct Out<'s> {
    sink: &'s mut dyn FnMut(Turn),
    report: Report,
    /// The number of the record that is read.
    number: u64,
    /// When it was written.
    at: Option<Time>,
    /// What the agent wrote last, while it may still turn out to be the summary of a compaction.
    written: Option<(u64, Option<Time>, String)>,
    /// A compaction whose summary may still come.
    compacted: Option<(u64, Option<Time>)>,
    is_interrupted: bool,
    /// Open calls whose answers are no material.
    muted: HashSet<String>,
    /// Open calls that ran a command.
    ran: HashSet<String>,
    /// Open calls that made an item of a list, and what it says.
    made: HashMap<String, String>,
    /// What the items of a list say, by their ids.
    items: HashMap<String, String>,
}

impl<'s> Out<'s> {
    pub(crate) fn new(sink: &'s mut dyn FnMut(Turn), format: Format) -> Self {
        let report = Report {
            format,
            records: 0,
            dead: 0,
            turns: 0,
            skipped: Skipped::default(),
            replaced: 0,
            clipped: 0,
            cwds: Vec::new(),
            session: None,
            version: None,
            model: None,
            first_at: None,
            last_at: None,
            coverage: Coverage::default(),
            is_growing: false,
        };
        Self {
            sink,
            report,
            number: 0,
            at: None,
            written: None,
            compacted: None,
            is_interrupted: false,
            muted: HashSet::new(),
            ran: HashSet::new(),
            made: HashMap::new(),
            items: HashMap::new(),
        }
    }

    /// The number of the record that is read.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Says when the record was written, in RFC 3339.
    pub(crate) fn at(&mut self, at: &str) {
        self.at_time(Time::parse(at));
    }

    /// Says when the record was written.
    pub(crate) fn at_time(&mut self, at: Option<Time>) {
        self.at = at;
        if at.is_some() {
            self.report.first_at = self.report.first_at.or(at);
            self.report.last_at = at;
        }
    }

    /// Keeps what a record tells about the session.
    pub(crate) fn facts(&mut self, facts: &Facts<'_>) {
        let Facts { session, version, model, cwd } = *facts;
        if self.report.session.is_none() {
            self.report.session = session.map(str::to_owned);
        }
        keep(&mut self.report.version, version);
        keep(&mut self.report.model, model);
        let cwds = &mut self.report.cwds;
        if let Some(cwd) = cwd
            && cwds.len() < CWDS_MAX
            && !cwds.iter().any(|known| known == cwd)
        {
            cwds.push(cwd.to_owned());
        }
    }

    /// Tells a message in the user's name, or a part of one.
    pub(crate) fn asked(&mut self, text: &str) {
        match prompt::prompt(text) {
            Prompt::Words(words) => {
                let text = self.clip(words.into());
                self.turn(Event::Asked { text });
            }
            Prompt::Interrupted => self.interrupted(),
            Prompt::Summary(summary) => self.compacted(Some(&summary)),
            Prompt::Nothing => {}
        }
    }

    /// Tells what the agent wrote, once the next record shows that it is not the harness's summary.
    ///
    /// Codex writes the summary as a message of the agent, and right behind it the compaction that repeats it.
    pub(crate) fn said(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let text = self.clip(prompt::without_injected(text));
            self.flush();
            self.is_interrupted = false;
            self.written = Some((self.number, self.at, text));
        }
    }

    /// Tells what the agent thought.
    pub(crate) fn thought(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let text = self.clip(text.into());
            self.turn(Event::Thought { text });
        }
    }

    /// Tells a call.
    pub(crate) fn called(&mut self, id: &str, tool: &str, arguments: &Arguments<'_>) {
        let mut done = actions::actions(tool, arguments);
        self.name_items(&mut done);
        if actions::is_mute(tool, &done) && self.muted.len() < OPEN_MAX {
            self.muted.insert(id.to_owned());
        }
        if done.iter().any(|action| matches!(action, Action::Ran { .. }))
            && self.ran.len() < OPEN_MAX
        {
            self.ran.insert(id.to_owned());
        }
        if let [Action::Planned { items, is_whole: false }] = done.as_slice()
            && let [Item { id: item, text, .. }] = items.as_slice()
            && item.is_empty()
            && self.made.len() < OPEN_MAX
        {
            self.made.insert(id.to_owned(), text.clone());
        }
        let text = self.clip(actions::text(tool, arguments).into());
        self.turn(Event::Called(Call {
            id: id.to_owned(),
            tool: tool.to_owned(),
            actions: done,
            text,
        }));
    }

    /// Tells an answer; that of a tool which tells of earlier sessions is no material.
    ///
    /// What a command printed about exit codes counts beside what the harness says.
    pub(crate) fn answered(&mut self, call: &str, is_ok: bool, text: &str) {
        let is_ok = is_ok && !(self.ran.remove(call) && json::is_failure(text));
        // Nearly always there is none, and an empty set would hash the call all the same.
        let is_muted = !self.muted.is_empty() && self.muted.remove(call);
        let text = if is_muted { "" } else { text };
        let text = self.clip(prompt::without_injected(text));
        if !self.made.is_empty()
            && let Some(item) = self.made.remove(call)
            && let Some(id) = made_id(&text)
            && self.items.len() < OPEN_MAX
        {
            self.items.insert(id.to_owned(), item);
        }
        self.turn(Event::Answered(Answer { call: call.to_owned(), is_ok, text }));
    }

    /// Tells that the user stopped the agent; what says it twice in a row is told once.
    pub(crate) fn interrupted(&mut self) {
        if !self.is_interrupted {
            self.turn(Event::Interrupted);
            self.is_interrupted = true;
        }
    }

    /// Tells a compaction; its summary may come with the next record.
    pub(crate) fn compacted(&mut self, summary: Option<&str>) {
        if let Some(summary) = summary.filter(|summary| !summary.trim().is_empty()) {
            let (number, at) = self.compacted.take().unwrap_or((self.number, self.at));
            let summary = self.clip(summary.into());
            let is_summary = |text: &str| summary.trim_end().ends_with(text.trim_end());
            self.written.take_if(|(_, _, text)| is_summary(text));
            self.flush();
            self.tell(number, at, Event::Compacted { summary: Some(summary) });
        } else {
            self.flush();
            self.compacted = Some((self.number, self.at));
        }
    }

    /// Counts a record that was read.
    pub(super) fn count(&mut self, known: Known, is_changed: bool) {
        match known {
            Known::Ours => self.report.records += 1,
            Known::Dead => {
                self.report.records += 1;
                self.report.dead += 1;
            }
            Known::Foreign => self.report.skipped.foreign += 1,
        }
        self.report.replaced += u64::from(is_changed);
        self.number += 1;
    }

    /// Bytes of the record were replaced.
    pub(super) fn replaced(&mut self) {
        self.report.replaced += 1;
    }

    /// The line is empty.
    pub(super) fn blank(&mut self) {
        self.number += 1;
    }

    /// The record is passed over.
    pub(crate) fn skip(&mut self, count: impl FnOnce(&mut Skipped)) {
        count(&mut self.report.skipped);
        self.number += 1;
    }

    /// The end.
    pub(super) fn finish(mut self, coverage: Coverage, is_growing: bool) -> Report {
        self.flush();
        Report { coverage, is_growing, ..self.report }
    }

    fn clip(&mut self, text: Cow<'_, str>) -> String {
        let (text, is_clipped) = text::clip(text);
        self.report.clipped += u64::from(is_clipped);
        text
    }

    fn turn(&mut self, event: Event) {
        self.flush();
        self.is_interrupted = false;
        self.tell(self.number, self.at, event);
    }

    fn tell(&mut self, record: u64, at: Option<Time>, event: Event) {
        self.report.turns += 1;
        (self.sink)(Turn { record, at, event });
    }

    fn flush(&mut self) {
        if let Some((number, at, text)) = self.written.take() {
            self.tell(number, at, Event::Said { text });
        }
        if let Some((number, at)) = self.compacted.take() {
            self.tell(number, at, Event::Compacted { summary: None });
        }
    }

    /// Gives items that are named by their ids alone the words they were made with.
    fn name_items(&self, actions: &mut [Action]) {
        for action in actions {
            let Action::Planned { items, .. } = action else { continue };
            for item in items.iter_mut().filter(|item| item.text.is_empty()) {
                item.text = self.items.get(&item.id).cloned().unwrap_or_default();
            }
        }
    }
}

fn keep(kept: &mut Option<String>, new: Option<&str>) {
    if new.is_some() && kept.as_deref() != new {
        *kept = new.map(str::to_owned);
    }
}

/// The id in `Task #3 created successfully: …`.
fn made_id(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once('#')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    (end > 0).then(|| &rest[..end])
}
