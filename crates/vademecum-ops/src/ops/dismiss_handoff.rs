//! Ends the offer of what a session left open: nothing is deleted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::Older;
use vademecum_core::session::Session;
use vademecum_store::View;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::open_work::{Open, OpenWork};
use crate::succession::Worker;
use crate::{succession, who};

/// Ends the offer of what a session left open.
#[derive(Debug)]
pub struct DismissHandoff;

/// Whose offer.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The session that left it. Default: the one that is offered, where it is the only one
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// Whose offer has ended.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The session; desk for the person's own word.
    pub session: String,
    /// What it left open; empty if that was nothing.
    pub left_open: String,
    /// Whether it had ended before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub already: bool,
}

impl Operation for DismissHandoff {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "dismiss_handoff",
        aliases: &[],
        title: "Dismiss an offer",
        about: "No longer offer new sessions what a session left open, because it is done or not wanted. Nothing is deleted; work in that session offers it again.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["handoff", "dismiss"], places: &["from"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (session, output) = call.look(|view| found(call, view, &input))?;
        if output.already {
            return Ok(output);
        }
        call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let now = view.session(&session.key)?.unwrap_or_else(|| session.clone());
            let (seen_at, ended_at) = (now.seen_at, now.ended_at);
            Ok((vec![succession::seen(now, seen_at, ended_at)], ()))
        })?;
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { session, left_open, already } = output;
        let said = if *already {
            format!("session {session} was dismissed or archived already")
        } else if left_open.is_empty() {
            format!("session {session}, which offers nothing, is settled")
        } else {
            format!("dismissed what session {session} left open: {left_open}")
        };
        format!("{said}\nvade handoff show {session} still gives it")
    }
}

/// The session whose offer is meant, and what it left.
fn found(call: &Call<'_>, view: &dyn View, input: &Input) -> Result<(Session, Output), OpError> {
    let missing = || {
        OpError::missing("nothing that a session left open is offered now").hint(
            "vade session list --open lists what sessions left open, vade handoff show desk your own word; vade handoff dismiss SESSION settles one",
        )
    };
    let project = call.project(view)?.ok_or_else(missing)?;
    // A person may name it as for other commands, with --session.
    let clues = &call.caller.clues;
    let from = input.from.as_ref().or(clues.named.as_ref().filter(|_| clues.is_person));
    let is_running = |session: &Session| succession::is_running(call.world, session);
    let work = match from {
        Some(name) => {
            let named = who::named(view, &project, call.desk(Some(&project)), name)?;
            call.check_is_here(Some(&project), &named, name)?;
            OpenWork::of(view, call.world, named)?
        }
        None => OpenWork::before(view, call.world, (project.id, None), &is_running)?,
    };
    let open = work.open();
    if from.is_none() && 1 < open.len() {
        return Err(several(&open));
    }
    let (session, handle, what) = match (open.first(), work.0.first()) {
        (Some(open), _) => (open.session(), open.handle().to_owned(), open.what().to_owned()),
        // One that was named and left nothing is settled all the same.
        (None, Some(left)) if from.is_some() => (&left.session, left.session.handle(), String::new()),
        (None, _) => return Err(missing()),
    };
    let worker = Worker::of(view, session)?;
    let already = worker.map_or(Ok(false), |worker| worker.is_put_away(view))?;
    Ok((session.clone(), Output { session: handle, left_open: what, already }))
}

/// Which one is meant may have changed since its line was shown.
fn several(open: &[Open<'_>]) -> OpError {
    let named = open.iter().map(|open| {
        let Older { handle, day, what } = open.older();
        format!("{handle} ({day}): {what}")
    });
    let named = named.collect::<Vec<_>>().join("; ");
    OpError::usage(format!("{} sessions left work open: {named}", open.len()))
        .hint("vade handoff dismiss SESSION ends the offer of one")
}
