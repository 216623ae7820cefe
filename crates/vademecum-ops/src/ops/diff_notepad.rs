//! Shows what changed between two revisions of the page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::diff::unified;

use crate::call::Call;
use crate::error::OpError;
use crate::history;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// So many equal lines a person sees around a change, as most tools show them.
const AROUND: usize = 3;

/// Shows what changed between two revisions of the page.
#[derive(Debug)]
pub struct DiffNotepad;

/// Which revisions.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The earlier revision. Default: the one before the other
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// The later revision. Default: the newest
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
}

/// The difference.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The earlier revision; 0 is the empty page before the first.
    pub from: u32,
    /// The later revision.
    pub to: u32,
    /// The lines that changed, as a unified diff; empty if none did.
    pub diff: String,
}

impl Operation for DiffNotepad {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "diff_notepad",
        aliases: &[],
        title: "Show what changed in the notepad",
        about: "Show what changed between two revisions of the page, by default in the newest.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["notepad", "diff"], places: &["from", "to"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let session = call.session(view)?;
            let newest = match &session {
                Some(session) => view.notepad_rev(&session.key)?.unwrap_or(0),
                None => 0,
            };
            let to = input.to.unwrap_or(newest);
            let from = input.from.unwrap_or(to.saturating_sub(1));
            let text = |rev: u32| match &session {
                Some(session) if 0 < rev => history::text_at(view, &session.key, rev),
                Some(_) | None => Ok(String::new()),
            };
            Ok(Output { from, to, diff: unified(&text(from)?, &text(to)?, AROUND) })
        })
    }

    fn say(output: &Output) -> String {
        let Output { from, to, diff } = output;
        match (diff.as_str(), to) {
            ("", 0) => "the notepad was never written".to_owned(),
            ("", _) => format!("rev {from} and rev {to} have the same lines"),
            (diff, _) => format!("--- rev {from}\n+++ rev {to}\n{diff}"),
        }
    }
}
