//! Requests: when the model is called, when warned, and what it is sent within its window.

use serde_json::Value;
use vademecum_core::context::BlockName;
use vademecum_core::planner::{self, Decision, Due, Limits, Settings};
use vademecum_core::tokens::estimate;
use vademecum_ops::OpError;
use vademecum_ops::page::{Room, Shown};

use super::record::{Event, Record};
use super::turns::Turns;
use super::window::{self, Frame};
use super::{Controller, Options, Request, Step, Summary, compaction};
use crate::dialect::{Message, Window};

/// In so many steps a conversation is shortened that does not fit.
const LEVELS: u32 = 6;

/// What a warning takes of a request, in tokens.
const ROOM_TO_WARN: u64 = 512;

impl Controller<'_> {
    /// Decides what comes before the next answer; nothing if that was done here.
    pub(super) fn call_or_compact(&mut self) -> Result<Option<Step>, OpError> {
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
            Decision::Warn(_) if is_worth_it && is_warning && self.has_room_to_warn()? => {
                let at = self.at();
                self.keep(Record::Event(Event::Warning { at }))?;
                self.note()?;
                Ok(None)
            }
            Decision::Warn(due) if is_worth_it && is_reached(due) => self.compact(),
            Decision::Warn(_) | Decision::Hold(_) if self.fits(&request) => {
                Ok(Some(Step::Call(request)))
            }
            Decision::Warn(_) | Decision::Hold(_) => match self.request() {
                // What cannot be shortened, such as the arguments of calls, a summary replaces.
                Err(_) if 0 < compaction::freed(&self.turns) => self.compact(),
                request => Ok(Some(Step::Call(request?))),
            },
        }
    }

    /// Whether the model can be warned, and answer, before the conversation is compacted.
    fn has_room_to_warn(&self) -> Result<bool, OpError> {
        let least = count(&self.request_at(LEVELS - 1)?.body) + ROOM_TO_WARN;
        Ok(least + self.options.model.max_answer <= self.options.window)
    }

    /// Compacts by our recap, or says what the host must send.
    pub(super) fn compact(&mut self) -> Result<Option<Step>, OpError> {
        match self.options.summary {
            Summary::Recap(budget) => {
                let recap =
                    compaction::recap(&self.turns, budget, self.session().config().policy())?;
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
            system: compaction::task(self.session.config().profile.words().page()),
            messages: vec![Message::User(told)],
            tools: Vec::new(),
        };
        self.written(&window, false)
    }

    /// The request for the next answer, shortened until it fits the window.
    pub(super) fn request(&self) -> Result<Request, OpError> {
        for level in 0..LEVELS {
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

    /// Where the model sees the page that the operation `name` writes.
    pub(super) fn shown(&self, name: &str) -> Result<Shown, OpError> {
        let writes_page = ["write_notepad", "update_notepad"].contains(&name);
        if !writes_page {
            return Ok(Shown::default());
        }
        let config = self.session.config();
        if config.scratchpad_budget().is_none() && !config.profile.words().has(BlockName::Notepad) {
            return Ok(Shown::Nowhere);
        }
        let Options { window, model, .. } = &self.options;
        let bare = count(&self.request_of(&Turns::default(), "", 0).body) + model.max_answer;
        let memory = estimate(&self.put_back()?) as u64;
        let left = window.saturating_sub(bare + memory + self.summarised_at_most());
        let tokens = |tokens: u64| usize::try_from(tokens).unwrap_or(usize::MAX);
        // What is counted of a request is a little more than its tokens.
        let room = Room { tokens: tokens(left - left / 32), turns: tokens(window / 4) };
        Ok(Shown::Request(room))
    }

    /// What a conversation takes that has just been compacted: its summary, and the user's last words.
    fn summarised_at_most(&self) -> u64 {
        let summary = match self.options.summary {
            Summary::Recap(budget) => (budget as u64).min(self.options.window / 4),
            Summary::Host => self.options.window / 4,
        };
        summary + self.options.window / 16
    }

    fn request_at(&self, level: u32) -> Result<Request, OpError> {
        let shown = self.session.shown_page()?;
        Ok(self.request_of(&self.turns, &shown, level))
    }

    /// The request of these turns, with this page.
    fn request_of(&self, turns: &Turns, shown: &str, level: u32) -> Request {
        let config = self.session.config();
        let budget = config.scratchpad_budget();
        let words = config.profile.words();
        let is_paged = budget.is_none() && words.has(BlockName::Notepad);
        let part = usize::try_from(self.options.window).unwrap_or(usize::MAX) / 4;
        let frame = Frame {
            scratchpad: if budget.is_some() { shown } else { "" },
            steer: &self.steer,
            order: config.order,
            warning: words.own_warning,
            results: part >> level,
            words: if level == 0 { usize::MAX } else { part >> (level - 1) },
        };
        let guidance = words.own_guidance(budget);
        let mut parts = vec![self.options.system.as_str(), &guidance];
        parts.extend(self.options.sections.iter().map(String::as_str));
        let window = Window {
            system: window::system(&parts, is_paged.then_some(shown)),
            messages: window::messages(turns, &frame),
            tools: self.tools(),
        };
        self.written(&window, turns.awaits_flush())
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
