//! What the harness's transcript tells: prompts, compactions with their summaries, delegated tasks.

use std::cell::RefCell;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::intake::Cleaner;
use vademecum_core::session::Session;
use vademecum_core::time::Time;
use vademecum_core::turn::{self, Action, Turn};
use vademecum_harness::delivered::{Delivered, delivered};
use vademecum_harness::hook::Harness;
use vademecum_harness::transcript::Span;

use super::{Dated, Event, Kind};
use crate::call::Call;
use crate::recaps::{self, find};

/// So much of the end of a transcript is read, in bytes: what a screen shows must be there at once.
const TAIL: u64 = 2 << 20;

/// What was read of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Read {
    /// The file.
    pub path: String,
    /// How long it is, in bytes.
    pub bytes: u64,
    /// How many of them were read, from its end.
    pub bytes_read: u64,
    /// Why it was not read; none where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// What a transcript tells of its session.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What happened.
    pub(super) events: Vec<Dated>,
    /// The tasks that sub-agents were given.
    pub(super) delegated: Vec<(Time, String)>,
    /// The contexts that reached the model.
    pub(super) contexts: Vec<Delivered>,
    /// Since when it was read; none where that is from its beginning.
    pub(super) since: Option<Time>,
    /// What was read of it; none where there is none.
    pub(super) read: Option<Read>,
}

impl Found {
    /// Whether the transcript can tell of this time.
    pub(super) fn tells_of(&self, at: Time) -> bool {
        let is_read = self.read.as_ref().is_some_and(|read| read.fault.is_none());
        is_read && self.since.is_none_or(|since| since <= at)
    }
}

/// Reads the end of the session's transcript; one that is gone or cannot be read tells nothing.
pub(super) fn of_session(call: &Call<'_>, session: &Session) -> Found {
    let Some(path) = find::of_session(session) else { return Found::default() };
    let taker = RefCell::new(Taker::new(session.started_at));
    let span = Span::Ends { head: 0, tail: TAIL };
    let read = recaps::read_with(
        &path,
        None,
        (span, call.policy()),
        |_| (),
        |(), turn: &Turn| {
            taker.borrow_mut().take(turn);
        },
    );
    let told = taker.into_inner();
    let path_shown = path.display().to_string();
    let (report, mut cleaner) = match read {
        Ok(read) => (read.report, read.cleaner),
        Err(error) => {
            let fault = Some(error.message);
            let read = Some(Read { path: path_shown, bytes: 0, bytes_read: 0, fault });
            return Found { read, ..Found::default() };
        }
    };
    let coverage = report.coverage;
    let since = if coverage.is_whole() { None } else { told.first };
    let read =
        Read { path: path_shown, bytes: coverage.size, bytes_read: coverage.read, fault: None };
    Found {
        contexts: contexts(session, &path, &mut cleaner),
        events: told.events,
        delegated: told.delegated,
        since,
        read: Some(read),
    }
}

/// The contexts of the transcript; whatever put them there, a secret of theirs is told to nobody.
fn contexts(session: &Session, path: &Path, cleaner: &mut Cleaner) -> Vec<Delivered> {
    let harness = Harness::of(&session.key.harness);
    let found = harness.and_then(|harness| delivered(harness, path, TAIL).ok());
    let clean = |it: Delivered| Delivered { text: cleaner.clean(&it.text).into_owned(), ..it };
    found.unwrap_or_default().into_iter().map(clean).collect()
}

/// Makes events of turns.
struct Taker {
    events: Vec<Dated>,
    delegated: Vec<(Time, String)>,
    first: Option<Time>,
    /// When the last turn was: one without a time happened then.
    now: Time,
    /// Whether the last event is a compaction whose summary is not told yet.
    is_untold: bool,
}

impl Taker {
    fn new(now: Time) -> Self {
        let (events, delegated) = (Vec::new(), Vec::new());
        Self { events, delegated, first: None, now, is_untold: false }
    }

    fn take(&mut self, turn: &Turn) {
        if let Some(at) = turn.at {
            self.now = at;
            self.first = self.first.or(Some(at));
        }
        match &turn.event {
            turn::Event::Asked { text, .. } => self.push(Kind::Prompt, text),
            turn::Event::Interrupted => self.push(Kind::Interrupted, "by the user"),
            turn::Event::Compacted { summary } => self.compacted(summary.as_deref()),
            turn::Event::Called(called) => {
                called.actions.iter().for_each(|action| self.delegates(action));
            }
            turn::Event::Said { .. } | turn::Event::Thought { .. } | turn::Event::Answered(_) => {}
        }
    }

    fn push(&mut self, kind: Kind, text: &str) {
        self.is_untold = false;
        self.events.push((self.now, Event::new(self.now, kind, text)));
    }

    /// A harness may tell of a compaction first, and of its summary in the next record.
    fn compacted(&mut self, summary: Option<&str>) {
        let Some(summary) = summary else {
            self.push(Kind::Compaction, "without a summary");
            self.is_untold = true;
            return;
        };
        if std::mem::take(&mut self.is_untold) {
            self.events.pop();
        }
        self.push(Kind::Compaction, summary);
    }

    fn delegates(&mut self, action: &Action) {
        let Action::Delegated { to, about, task } = action else { return };
        let parts = [to, if about.is_empty() { task } else { about }];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        self.delegated.push((self.now, parts.join(": ")));
    }
}
