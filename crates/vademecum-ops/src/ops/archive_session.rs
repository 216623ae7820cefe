//! Ends a session: what it kept stays readable and is no longer offered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::SessionShape;
use crate::succession;

/// Ends a session.
#[derive(Debug)]
pub struct ArchiveSession;

/// No arguments: the session is the call's, which `--session` names.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {}

/// The session.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The session as it is now.
    #[serde(flatten)]
    pub session: SessionShape,
}

impl Operation for ArchiveSession {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "archive_session",
        aliases: &[],
        title: "Archive a session",
        about: "End a session: what it left open is no longer offered, unless it works on; its page and notes stay readable.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["session", "archive"], places: &["session"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let session = call.look(|view| call.session(view))?;
        // A name that is misspelt must not become a session that is archived at once.
        let session = session.ok_or_else(|| {
            OpError::missing("this session keeps nothing: there is nothing to archive")
                .hint("vade session list names those that there are")
        })?;
        call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let now = view.session(&session.key)?.unwrap_or_else(|| session.clone());
            // Of one that has ended already the journal must know that it was put away.
            let seen_at = if now.is_archived() { now.seen_at } else { call.now() };
            let ended_at = now.ended_at.or(Some(call.now()));
            Ok((vec![succession::seen(now, seen_at, ended_at)], ()))
        })?;
        let session = call.read(|view| {
            let now = view.session(&session.key)?;
            SessionShape::of(view, call.world, now.as_ref().unwrap_or(&session))
        })?;
        Ok(Output { session })
    }

    fn say(output: &Output) -> String {
        format!("archived {}: no longer offered to new sessions, unless it works on", output.session.name)
    }
}
