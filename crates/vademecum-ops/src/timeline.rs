//! What happened in a session, in order of time: from its record, its journal and its harness's transcript.

mod journal;
mod sent;
mod transcript;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::session::{Began, Session};
use vademecum_core::time::Time;
use vademecum_store::{SessionFilter, StoreError, View};

use crate::at_work;
use crate::call::Call;
use crate::error::OpError;
use crate::succession::{self, State, Worker};

pub use transcript::Read;

/// The most characters of an event's short text: a line of a wide terminal.
const SHORT: usize = 200;

/// The most bytes of an event's whole text; a prompt may quote a file.
const WHOLE: usize = 64 * 1024;

/// What kind of thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The session began.
    Began,
    /// It took over what another session left.
    TookOver,
    /// The user wrote.
    Prompt,
    /// The user stopped the agent.
    Interrupted,
    /// The harness dropped the conversation and put a summary in its place.
    Compaction,
    /// The model was warned that a compaction comes.
    Warning,
    /// A context was put in front of the model.
    Context,
    /// The notepad was written.
    Notepad,
    /// A note was added, changed or deleted.
    Note,
    /// Words were left for the next session.
    Handoff,
    /// A sub-agent started.
    SubAgent,
    /// A sub-agent ended.
    SubAgentEnded,
    /// Another session took over what this one left.
    TakenOver,
    /// Anything else that was written.
    Write,
    /// The session ended.
    Ended,
}

impl Kind {
    /// Its word in lists.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Began => "began",
            Self::TookOver => "took over",
            Self::Prompt => "prompt",
            Self::Interrupted => "interrupted",
            Self::Compaction => "compaction",
            Self::Warning => "warning",
            Self::Context => "context",
            Self::Notepad => "notepad",
            Self::Note => "note",
            Self::Handoff => "handoff",
            Self::SubAgent => "sub-agent",
            Self::SubAgentEnded => "sub-agent ended",
            Self::TakenOver => "taken over",
            Self::Write => "write",
            Self::Ended => "ended",
        }
    }
}

/// Whether a context reached its model, as the harness's transcript shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// All of it, which its receipt proves.
    Whole,
    /// It is in the transcript and has no receipt, as a single line has none.
    Unproven,
    /// Only its first lines.
    Preview,
    /// Something else than was sent.
    Changed,
    /// It was sent, and the transcript does not have it.
    Missing,
    /// It was sent just now: the transcript may not have it yet.
    Pending,
    /// The transcript is gone, or that part of it was not read.
    Unknown,
}

impl Arrival {
    /// What is said of it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Whole => "arrived whole",
            Self::Unproven => "arrived, without a receipt",
            Self::Preview => "arrived only as a preview",
            Self::Changed => "was changed on the way",
            Self::Missing => "sent and never arrived",
            Self::Pending => "sent just now",
            Self::Unknown => "sent; the transcript does not tell",
        }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// When (RFC 3339).
    pub at: String,
    /// What.
    pub kind: Kind,
    /// The same in a few words, on one line.
    pub text: String,
    /// What it refers to: a session by its full name, a note by its id, a revision of the notepad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// Of a context the harness's name of the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<String>,
    /// Of a context whether it arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    /// Of a context its receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The whole text, where it was asked for and is more than the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

impl Event {
    /// An event with its text, of which a line is shown.
    pub(crate) fn new(at: Time, kind: Kind, text: &str) -> Self {
        let line = short(text);
        let cut = &text[..text.floor_char_boundary(WHOLE)];
        let body = (line != text).then(|| cut.to_owned());
        Self {
            at: at.to_rfc3339(),
            kind,
            text: line,
            refers_to: None,
            moment: None,
            arrival: None,
            receipt: None,
            body,
        }
    }

    /// The same as an agent may read it, who is shown it by its shell.
    pub(crate) fn guarded(self) -> Self {
        Self { text: frame::line(&self.text, SHORT), ..self }
    }

    pub(crate) fn refers_to(self, name: impl Into<String>) -> Self {
        Self { refers_to: Some(name.into()), ..self }
    }
}

/// A text on one line as a person reads it: what no eye would see is shown, and what a model would obey stays as it is.
fn short(text: &str) -> String {
    // What lies behind it is never shown, however long it is.
    let head = text.char_indices().nth(2 * SHORT).map_or(text, |(at, _)| &text[..at]);
    let words: Vec<&str> = head.split_whitespace().collect();
    let line = frame::visible(&words.join(" ")).into_owned();
    if head.len() == text.len() && line.chars().count() <= SHORT {
        return line;
    }
    line.chars().take(SHORT - 1).chain(['…']).collect()
}

/// An event at its time; several of one time stay in the order in which they were found.
pub(crate) type Dated = (Time, Event);

pub(crate) fn dated(at: Time, kind: Kind, text: &str) -> Dated {
    (at, Event::new(at, kind, text))
}

/// What happened, the first first, as far as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// The events.
    pub events: Vec<Event>,
    /// How many earlier ones were read and are left out.
    pub earlier: usize,
    /// What was read of the transcript; none where there is none.
    pub read: Option<Read>,
}

/// The newest events of a session, at most `most`; 0 for all that are known.
pub fn of_session(call: &Call<'_>, session: &Session, most: usize) -> Result<Timeline, OpError> {
    let found = transcript::of_session(call, session);
    let kept = call.look(|view| {
        let mut events = bounds(view, session)?;
        events.extend(journal::events(view, session, most)?);
        events.extend(sub_agents(view, session, &found.delegated)?);
        events.extend(takers(call, view, session)?);
        Ok(events)
    })?;
    let contexts = sent::contexts(call, session, &found);
    // Of one millisecond what the harness noted comes first: writes answer to it.
    let mut all: Vec<Dated> = found.events.into_iter().chain(contexts).chain(kept).collect();
    all.sort_by_key(|(at, event)| (*at, event.kind != Kind::Began, event.kind == Kind::Ended));
    let earlier = if most == 0 { 0 } else { all.len().saturating_sub(most) };
    let events = all.into_iter().skip(earlier).map(|(_, event)| event).collect();
    Ok(Timeline { events, earlier, read: found.read })
}

/// How the session began and ended.
fn bounds(view: &dyn View, session: &Session) -> Result<Vec<Dated>, StoreError> {
    let parent = session.parent.as_ref();
    let parent = parent.map(|parent| view.session(parent)).transpose()?.flatten();
    let parent = parent.map(|parent| (parent.handle(), parent.key.to_string()));
    let (began, at) = (&session.began, session.started_at);
    let mut events = Vec::new();
    events.push(match (began, &parent) {
        (Began::Fork, Some((parent, name))) => {
            let (_, event) = dated(at, Kind::Began, &format!("as a copy of {parent}"));
            (at, event.refers_to(name.clone()))
        }
        (Began::Spawn, Some((parent, name))) => {
            let (_, event) = dated(at, Kind::Began, &format!("as a sub-agent of {parent}"));
            (at, event.refers_to(name.clone()))
        }
        _ => dated(at, Kind::Began, &format!("by {}", began.word())),
    });
    events.extend(session.ended_at.map(|ended| dated(ended, Kind::Ended, "the session ended")));
    Ok(events)
}

/// So long before a sub-agent's start its task is told at most, in milliseconds.
const DELEGATED_MS: i64 = 60_000;

/// The sub-agents of the session: when each started and ended, and for what.
fn sub_agents(
    view: &dyn View,
    session: &Session,
    delegated: &[(Time, String)],
) -> Result<Vec<Dated>, StoreError> {
    let mut events = Vec::new();
    let filter = SessionFilter {
        project: Some(session.project),
        prefix: Some(&session.key.external),
        ..SessionFilter::ALL
    };
    let children: Vec<Session> =
        if session.key.agent.is_some() { Vec::new() } else { view.sessions(filter)? };
    let mut untold: Vec<&(Time, String)> = delegated.iter().collect();
    for child in children.iter().rev().filter(|it| it.key.parent().as_ref() == Some(&session.key)) {
        let started = child.started_at;
        let is_its = |(at, _): &&(Time, String)| (0..DELEGATED_MS).contains(&started.since(*at));
        let told = untold.iter().position(is_its).map(|idx| untold.remove(idx).1.clone());
        let about = match told {
            Some(about) => about,
            None => at_work::doing(view, child)?,
        };
        let name = child.handle();
        let text = if about.is_empty() { name.clone() } else { format!("{name}: {about}") };
        events.push((
            started,
            Event::new(started, Kind::SubAgent, &text).refers_to(child.key.to_string()),
        ));
        events.extend(child.ended_at.map(|at| {
            (at, Event::new(at, Kind::SubAgentEnded, &name).refers_to(child.key.to_string()))
        }));
    }
    // Without hooks nobody knows a sub-agent but the transcript.
    if children.iter().all(|child| child.key.agent.is_none()) {
        events.extend(untold.iter().map(|(at, about)| dated(*at, Kind::SubAgent, about)));
    }
    Ok(events)
}

/// Who took over what the session left, and who went on as a copy of it.
fn takers(call: &Call<'_>, view: &dyn View, session: &Session) -> Result<Vec<Dated>, StoreError> {
    if session.key.agent.is_some() || State::of(view, call.world, session)? == State::Unused {
        return Ok(Vec::new());
    }
    let all = succession::agents(view, session.project, None)?;
    let at = succession::last_work(view, session)?.unwrap_or(session.started_at);
    let this = Worker { session: session.clone(), at };
    let taken = this.takers(view, &all)?.into_iter().map(|(taker, at)| {
        let name = taker.session.handle();
        let event = Event::new(at, Kind::TakenOver, &format!("by session {name}"));
        (at, event.refers_to(taker.session.key.to_string()))
    });
    let mut events: Vec<Dated> = taken.collect();
    let copies = all
        .iter()
        .map(|worker| &worker.session)
        .filter(|other| other.began == Began::Fork && other.parent.as_ref() == Some(&session.key));
    events.extend(copies.map(|copy| {
        let (at, name) = (copy.started_at, copy.handle());
        let text = format!("by session {name}, a copy of it");
        (at, Event::new(at, Kind::TakenOver, &text).refers_to(copy.key.to_string()))
    }));
    Ok(events)
}
