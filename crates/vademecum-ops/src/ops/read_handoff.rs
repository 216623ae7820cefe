//! Reads what the session before left, and follows it from then on.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::tokens::estimate;
use vademecum_store::{Author, Change, Scope, View};

use crate::call::Call;
use crate::error::OpError;
use crate::handoffs::{self, Left, Reader};
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::{gather, succession, who};

/// Reads what the session before left.
#[derive(Debug)]
pub struct ReadHandoff;

/// Whose handoff.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The session that left it. Default: the one before
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Tokens for notes and recap. Default: 2000
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// What it left out, instead
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest: bool,
}

/// The handoff.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The whole; empty if no session left anything.
    pub text: String,
    /// About what it costs its reader.
    pub tokens: usize,
    /// The session that left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its place in the project's line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<u32>,
    /// The file with all of it, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl Operation for ReadHandoff {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "read_handoff",
        aliases: &[],
        title: "Read a handoff",
        about: "Take over what a session before left open: its words, notepad, open notes, recap. Only if the user continues it.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::Guarded("text"),
        command: Some(Command { words: &["handoff", "show"], places: &["from"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let budget = input.budget.unwrap_or(handoffs::BUDGET);
        // What is left out is told of the handoff as it was given.
        let given = if input.rest { handoffs::BUDGET } else { budget };
        let Some((this, session, mut left)) = call.look(|view| found(call, view, &input))? else {
            return Ok(Output { text: String::new(), tokens: 0, from: None, instance: None, file: None });
        };
        // A transcript that is gone or broken leaves the recap that was made before, or none.
        let unread = handoffs::renew(call, &mut left, &session, given).err();
        let file = (!left.is_empty()).then(|| handoffs::write_file(call, &session, &left, given));
        let (file, unwritten) = file.map_or((None, None), |file| (file.as_ref().ok().cloned(), file.err()));
        let nonce = gather::nonce(call.store, call.world, &session.key);
        let reader = Reader::of(call);
        let mut text = if input.rest {
            handoffs::rest_text(&session, &left, budget, &nonce)
        } else {
            handoffs::text(&session, &left, budget, reader, &nonce)
        };
        if let Some(error) = unwritten {
            text = format!("{text}\n\n{}", error.message);
        }
        if let Some(error) = unread {
            text = format!("{text}\n\n{}", handoffs::unread(&error));
        }
        follow(call, this.as_ref(), &session)?;
        let tokens = estimate(&text);
        let file = file.filter(|_| reader == Reader::Person);
        if let Some(file) = &file {
            text = format!("{text}\n\n{}", handoffs::in_file(file));
        }
        Ok(Output {
            tokens,
            text,
            from: Some(session.handle()),
            instance: Some(session.instance),
            file,
        })
    }

    fn say(output: &Output) -> String {
        if output.text.is_empty() {
            return "no session of this project left anything".to_owned();
        }
        output.text.clone()
    }
}

type Found = Option<(Option<Session>, Session, Left)>;

/// The caller's session, the one that left something, and what.
fn found(call: &Call<'_>, view: &dyn View, input: &Input) -> Result<Found, OpError> {
    let this = call.who(view)?.session;
    // One server may serve sessions of several projects: the session's own counts, not the server's folder.
    let own = this.as_ref().filter(|this| this.key.harness != SessionKey::DESK);
    let project = match own {
        Some(own) => view.project(own.project)?,
        None => call.project(view)?,
    };
    let Some(project) = project else { return Ok(None) };
    let session = if let Some(name) = &input.from {
        let named = who::named(view, &project, &call.desk(Some(&project)), name)?;
        if named.project != project.id && !call.caller.clues.is_person {
            return Err(OpError::denied(format!("session \"{name}\" is of another project")));
        }
        Some(named)
    } else {
        let is_running = |session: &Session| succession::is_running(call.world, session);
        match call.caller.origin.author {
            Author::User => succession::before(view, project.id, None, &|_| false)?,
            Author::Agent | Author::Tool => {
                succession::before(view, project.id, this.as_ref(), &is_running)?
            }
        }
    };
    let Some(session) = session else { return Ok(None) };
    let left = Left::of(view, call.world, &session)?;
    Ok(Some((this, session, left)))
}

/// Notes whom the caller's session continues, once, where it does not stem from another.
fn follow(call: &Call<'_>, this: Option<&Session>, before: &Session) -> Result<(), OpError> {
    let Some(this) = this.filter(|this| this.parent.is_none() && this.id != before.id) else {
        return Ok(());
    };
    // A person who looks takes nothing over.
    let is_look = call.caller.origin.author == Author::User;
    if is_look || this.key.harness == SessionKey::DESK || this.project != before.project {
        return Ok(());
    }
    let arguments = (this.id.0, before.id.0);
    call.write_unique(Scope::Session(this.id), "follow_session", &arguments, |view| {
        let now = view.session_by_id(this.id)?;
        let is_free = now.is_some_and(|now| now.parent.is_none());
        let change = Change::SetParent { session: this.id, parent: before.id };
        Ok((if is_free { vec![change] } else { Vec::new() }, ()))
    })?;
    Ok(())
}
