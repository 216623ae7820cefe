//! Shows what happened in a session, in order of time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::SessionKey;
use vademecum_store::Author;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::{columns, counted, is_never};
use crate::timeline::{self, Event, Read, Timeline};
use crate::who::full_key;

/// Shows what happened in a session, in order of time.
#[derive(Debug)]
pub struct SessionTimeline;

/// So many events are shown where nothing else is asked for.
const LIMIT: usize = 200;

/// How much of it.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// At most so many events, the newest, 0 for all. Default: 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Whole texts too: prompts, summaries, contexts as the model got them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// What happened.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The short name of the session.
    pub session: String,
    /// Its full name: harness:id/agent.
    pub name: String,
    /// The events, the first first.
    pub events: Vec<Event>,
    /// How many earlier events are known and left out.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub earlier: usize,
    /// How often its context was compacted, by its hooks.
    #[serde(default, skip_serializing_if = "is_never")]
    pub compactions: u32,
    /// What was read of its transcript, from the end; none where there is none here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Read>,
}

impl Operation for SessionTimeline {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "session_timeline",
        aliases: &[],
        title: "Show what happened in a session, in order of time",
        about: "Show what happened in a session, the first first: prompts, compactions, warnings, each context and whether it arrived, handoffs and who took over, sub-agents, what was written.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["session", "timeline"], places: &["session"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let who = call.look(|view| call.who(view))?;
        let Some(session) = who.session else {
            return Err(OpError::missing(format!("no session \"{}\"", who.key))
                .hint("nothing was written in it yet; vade session list shows what is there"));
        };
        let Timeline { mut events, earlier, read } =
            timeline::of_session(call, &session, input.limit.unwrap_or(LIMIT))?;
        if call.caller.origin.author != Author::User {
            events = events.into_iter().map(Event::guarded).collect();
        }
        if !input.whole {
            for event in &mut events {
                event.body = None;
            }
        }
        Ok(Output {
            session: session.handle(),
            name: session.key.to_string(),
            events,
            earlier,
            compactions: session.standing.compactions,
            transcript: read,
        })
    }

    fn say(output: &Output) -> String {
        let mut lines = Vec::new();
        if 0 < output.earlier {
            lines.push(format!("{} before these left out", counted(output.earlier, "event")));
        }
        lines.extend(output.unread());
        let rows = output.events.iter().map(|event| {
            vec![event.at.clone(), event.kind.word().to_owned(), event.text.clone()]
        });
        let mut rows = columns(&["WHEN", "WHAT", ""], rows).into_iter();
        lines.extend(rows.next());
        for (row, event) in rows.zip(&output.events) {
            lines.push(row);
            let body = event.body.iter().flat_map(|body| body.lines());
            lines.extend(body.map(|line| format!("    {line}")));
        }
        lines.join("\n")
    }
}

impl Output {
    /// What the transcript does not tell, in words; none where it tells all, and of a desk, which has none.
    #[must_use]
    pub fn unread(&self) -> Option<String> {
        let Some(read) = &self.transcript else {
            let is_desk = full_key(&self.name).is_some_and(|key| key.harness == SessionKey::DESK);
            return (!is_desk).then(|| "its transcript is not here: prompts and summaries are not shown".to_owned());
        };
        if let Some(fault) = &read.fault {
            return Some(format!("its transcript cannot be read: {fault}"));
        }
        let is_part = read.bytes_read < read.bytes;
        let (read, all) = (read.bytes_read >> 20, read.bytes >> 20);
        is_part.then(|| format!("the last {read} of {all} MB of its transcript were read"))
    }
}
