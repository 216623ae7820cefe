//! Erases sessions that nobody has used for long, and gives their room back.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::parse_age;
use vademecum_store::SessionFilter;

use crate::call::Call;
use crate::error::OpError;
use crate::shapes::counted;
use crate::forgetting;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::forget::erase_sessions;

/// Erases sessions that nobody has used for long.
#[derive(Debug)]
pub struct Prune;

/// How old.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Sessions not heard of for this long: 12h, 7d, 8w
    pub older: String,
    /// Of all projects, not only this one
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// Only say what would be erased
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// What was erased.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The full names of the sessions.
    pub sessions: Vec<String>,
    /// The size of the store before, in bytes.
    pub bytes_before: u64,
    /// The size of the store after, in bytes.
    pub bytes_after: u64,
    /// Whether nothing was erased because only a list was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

impl Operation for Prune {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "prune",
        aliases: &[],
        title: "Erase sessions that nobody has used for long",
        about: "Erase ended sessions that were not heard of for a time, with page, notes and history; the store gets smaller. The desk is kept, and a sub-agent's as long as its session's.",
        effect: Effect::Destroys,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["prune"], places: &[], stdin: None }),
        example: r#"{"older": "7d", "dry_run": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let older = &input.older;
        let age = parse_age(older).ok_or_else(|| {
            OpError::usage(format!("older takes a number and h, d or w, such as 7d; \"{older}\" given"))
        })?;
        if !input.dry_run {
            forgetting::finish(call)?;
        }
        let sessions = old_sessions(call, input.all, age)?;
        let names: Vec<String> = sessions.iter().map(|session| session.key.to_string()).collect();
        if input.dry_run || sessions.is_empty() {
            return Ok(Output { sessions: names, bytes_before: 0, bytes_after: 0, dry_run: input.dry_run });
        }
        let (bytes_before, _) = call.store.shrink()?;
        // That takes a while on a large store, in which one may be resumed.
        let sessions = old_sessions(call, input.all, age)?;
        let names = sessions.iter().map(|session| session.key.to_string()).collect();
        erase_sessions(call, sessions.iter().map(|session| session.key.clone()).collect())?;
        let (_, bytes_after) = call.store.shrink()?;
        Ok(Output { sessions: names, bytes_before, bytes_after, dry_run: false })
    }

    fn say(output: &Output) -> String {
        let n = output.sessions.len();
        let head = match (output.dry_run, n) {
            (_, 0) => return "nothing is that old".to_owned(),
            (true, n) => format!("would erase {}:", counted(n, "session")),
            (false, n) => format!(
                "erased {}, the store went from {} to {} bytes:",
                counted(n, "session"),
                output.bytes_before, output.bytes_after
            ),
        };
        format!("{head}\n{}", output.sessions.join("\n"))
    }
}

fn old_sessions(call: &Call<'_>, all: bool, age: i64) -> Result<Vec<Session>, OpError> {
    let now = call.now();
    call.read(|view| {
        let project = if all { None } else { call.project(view)?.map(|project| project.id) };
        if project.is_none() && !all {
            return Ok(Vec::new());
        }
        let filter =
            SessionFilter { project, ..SessionFilter::ALL };
        let mut old = view.sessions(filter)?;
        let goes_on: BTreeSet<SessionKey> =
            old.iter().filter(|it| !it.is_archived()).map(|it| it.key.clone()).collect();
        old.retain(|session| {
            let is_desk = session.key.harness == SessionKey::DESK;
            // Its session was told how to read what it kept.
            let is_over = match session.key.parent() {
                Some(parent) => !goes_on.contains(&parent),
                None => session.is_archived(),
            };
            !is_desk && is_over && age <= now.since(session.seen_at)
        });
        Ok(old)
    })
}
