//! Requests: when the model is called, when warned, and what it is sent within its window.

use serde_json::Value;
use vademecum_core::notepad;
use vademecum_core::planner::{self, Decision, Due, Limits, Settings};
use vademecum_core::scratchpad;
use vademecum_core::tokens::estimate;
use vademecum_ops::OpError;
use vademecum_ops::config::Profile;

use super::record::{Event, Record};
use super::window::{self, Frame};
use super::{Controller, Options, Request, Step, Summary, compaction};
use crate::dialect::{Message, Window};

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
            Decision::Warn(_) if is_worth_it && is_warning => {
                let at = self.at();
                self.keep(Record::Event(Event::Warning { at }))?;
                self.note()?;
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
    pub(super) fn compact(&mut self) -> Result<Option<Step>, OpError> {
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
    pub(super) fn request(&self) -> Result<Request, OpError> {
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
        let is_warning = self.turns.awaits_flush();
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
