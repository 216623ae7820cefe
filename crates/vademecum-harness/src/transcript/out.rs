//! Where readers put what they found: it makes turns, cuts texts, and keeps out what is no material.

use std::borrow::Cow;
use std::collections::HashMap;

use vademecum_core::time::Time;
use vademecum_core::turn::{Action, Answer, Call, Event, Holds, Item, Outcome, Question, Turn};

use super::background::{self, News};
use super::prompt::{self, Prompt};
use super::report::{Coverage, Report, Skipped};
use super::{Arguments, Format, Known, actions, json, plans, questions, text};
use crate::claude_code::own_tool;

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
    /// Calls whose answers are more, or less, than what a tool printed.
    open: HashMap<String, Open>,
    /// What runs on in the background, by what it is asked after.
    running: HashMap<String, Work>,
    /// What the items of a list say, by their ids.
    items: HashMap<String, String>,
}

/// What is known of a call until its answer comes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Open {
    /// Whether the answer is no material.
    is_muted: bool,
    /// Whether our own memory was searched, which says first how much it found.
    is_search: bool,
    awaits: Awaits,
}

/// What the answer of a call will be.
#[derive(Debug, Default, PartialEq, Eq)]
enum Awaits {
    #[default]
    Output,
    /// How the work stands that the call begins, or asks after.
    Work(Work),
    /// That the work was stopped.
    Stop(Work),
    Replies(Vec<Question>),
    /// The id of the item with these words.
    Item(String),
    /// The whole list.
    Items,
}

/// A command or a sub-agent, which may run on in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Work {
    /// The call that began it.
    call: String,
    is_agent: bool,
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
            open: HashMap::new(),
            running: HashMap::new(),
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
                let (words, is_plan) = prompt::plan(&words);
                let text = self.clip(words.into());
                self.turn(Event::Asked { text, is_plan });
            }
            Prompt::Interrupted => self.interrupted(),
            Prompt::Summary(summary) => self.compacted(Some(&summary)),
            Prompt::Nothing => self.heard(text),
        }
    }

    /// Tells what the harness says by itself of what ran in the background.
    pub(crate) fn heard(&mut self, text: &str) {
        if self.running.is_empty() {
            return;
        }
        for News { id, outcome, text } in background::news(text) {
            if outcome != Outcome::Running
                && let Some(Work { call, is_agent }) = self.running.remove(&id)
            {
                let holds = if is_agent { Holds::Report } else { Holds::Output };
                let text = self.clip(text.into());
                self.turn(Event::Answered(Answer { call, outcome, text, holds }));
            }
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
        let is_muted = actions::is_mute(tool, &done);
        let is_search =
            done.iter().any(|action| matches!(action, Action::Recalled { is_one: false, .. }));
        let awaits = self.awaits((id, tool), &done, arguments);
        let is_ours = own_tool(tool).is_some();
        let open = Open { is_muted, is_search: is_muted && is_ours && is_search, awaits };
        if open != Open::default() && self.open.len() < OPEN_MAX {
            self.open.insert(id.to_owned(), open);
        }
        let text = self.clip(actions::text(tool, arguments).into());
        self.turn(Event::Called(Call {
            id: id.to_owned(),
            tool: tool.to_owned(),
            actions: done,
            text,
        }));
    }

    fn awaits(
        &self,
        (id, tool): (&str, &str),
        done: &[Action],
        arguments: &Arguments<'_>,
    ) -> Awaits {
        let work = |is_agent| Awaits::Work(Work { call: id.to_owned(), is_agent });
        if done.iter().any(|action| matches!(action, Action::Ran { .. })) {
            return work(false);
        }
        if !self.running.is_empty()
            && let Some(begun) = background::asked_after(arguments)
            && let Some(begun) = self.running.get(&*begun).cloned()
        {
            let tool = tool.to_ascii_lowercase();
            let stops = tool.contains("stop") || tool.contains("kill");
            return if stops { Awaits::Stop(begun) } else { Awaits::Work(begun) };
        }
        match done {
            [Action::Delegated { .. }] => work(true),
            [Action::Questioned { questions }] => Awaits::Replies(questions.clone()),
            [Action::Planned { items, is_whole: false }] => match items.as_slice() {
                [Item { id, text, .. }] if id.is_empty() => Awaits::Item(text.clone()),
                _ => Awaits::Output,
            },
            _ if tool == "TaskList" => Awaits::Items,
            _ => Awaits::Output,
        }
    }

    /// Tells an answer; that of a tool which tells of earlier sessions is no material.
    ///
    /// What the user said when they did not let the call run is told behind it.
    pub(crate) fn answered(&mut self, call: &str, is_ok: bool, text: &str) {
        // Nearly always there is none, and an empty map would hash the call all the same.
        let open = if self.open.is_empty() { None } else { self.open.remove(call) };
        let Open { is_muted, is_search, awaits } = open.unwrap_or_default();
        let outcome = prompt::outcome(is_ok, text);
        let (call, mut said) = (call.to_owned(), Cow::Borrowed(text));
        let mut answer = Answer { call, outcome, text: String::new(), holds: Holds::Output };
        match awaits {
            Awaits::Work(work) => said = self.worked(work, &mut answer, text),
            Awaits::Stop(work) if is_ok => {
                self.running.retain(|_, running| *running != work);
                (answer.call, answer.outcome) = (work.call, Outcome::Stopped);
            }
            Awaits::Replies(questions) if outcome == Outcome::Done => {
                answer.holds = Holds::Replies { replies: questions::replies(&questions, text) };
            }
            Awaits::Item(item) => self.named(made_id(text), item),
            Awaits::Items => {
                let items = plans::listed(text);
                for Item { id, text, .. } in &items {
                    self.named(Some(id), text.clone());
                }
                answer.holds = Holds::Items { items };
            }
            Awaits::Output if !self.running.is_empty() && text.starts_with("{\"status\":") => {
                self.heard(text);
                said = Cow::Borrowed("");
            }
            Awaits::Output | Awaits::Stop(_) | Awaits::Replies(_) => {}
        }
        if !is_muted {
            answer.text = self.clip(prompt::without_injected(&said));
        } else if is_search {
            counted(text).clone_into(&mut answer.text);
        }
        self.turn(Event::Answered(answer));
        if let Some(words) = prompt::refusal(outcome, text) {
            self.asked(words);
        }
    }

    /// Says in `answer` how `work` stands by `text`, which the call that began it printed or one that asked after it.
    ///
    /// What a command printed about exit codes counts beside what the harness says.
    fn worked<'t>(&mut self, work: Work, answer: &mut Answer, text: &'t str) -> Cow<'t, str> {
        let is_asked_after = work.call != answer.call;
        let has_failed = !work.is_agent && json::is_failure(text);
        let mut said = Cow::Borrowed(text);
        if is_asked_after && let Some(news) = background::news(text).pop() {
            (answer.outcome, said) = (news.outcome, news.text.into());
        } else if is_asked_after && !answer.is_ok() && !has_failed {
            // It is the question that failed.
            return said;
        } else if answer.is_ok()
            && let Some(id) = background::running(text).or_else(|| self.printed_session(text))
        {
            answer.outcome = Outcome::Running;
            if self.running.len() < OPEN_MAX {
                self.running.insert(id.to_owned(), work.clone());
            }
        } else if has_failed && answer.is_ok() {
            answer.outcome = Outcome::Failed;
        }
        if answer.outcome != Outcome::Running {
            if is_asked_after {
                self.running.retain(|_, running| *running != work);
            }
            if work.is_agent {
                answer.holds = Holds::Report;
                said = background::report(&said).into_owned().into();
            }
        }
        answer.call = work.call;
        said
    }

    /// The session that a script of Codex prints, which a model wrote by itself.
    fn printed_session<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.trim_end().lines().next_back()?.strip_prefix("SESSION_ID")?;
        let id = rest.trim_start_matches(['=', ':', ' ']);
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let has_ended = text.contains("Process exited with code");
        (self.report.format == Format::Codex && is_id && !has_ended).then_some(id)
    }

    /// Keeps the words of an item by its id.
    fn named(&mut self, id: Option<&str>, text: String) {
        if let Some(id) = id
            && self.items.len() < OPEN_MAX
        {
            self.items.insert(id.to_owned(), text);
        }
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
    fn name_items(&mut self, actions: &mut [Action]) {
        for action in actions {
            let Action::Planned { items, .. } = action else { continue };
            for item in items.iter_mut().filter(|item| !item.id.is_empty()) {
                match self.items.get(&item.id) {
                    Some(text) if item.text.is_empty() => item.text.clone_from(text),
                    Some(_) | None if item.text.is_empty() => {}
                    Some(_) | None => self.named(Some(&item.id), item.text.clone()),
                }
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

/// How much the answer of a memory says that it found, which is no material: how its first line begins.
fn counted(answer: &str) -> &str {
    /// The counts of a search fit.
    const MAX: usize = 64;
    let line = answer.trim_start().lines().next().unwrap_or_default();
    &line[..line.floor_char_boundary(MAX)]
}
