//! Writes an earlier revision of the page again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::notepad;
use vademecum_core::splice::Splice;
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::history;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::page::{Saved, saved};

/// Writes an earlier revision of the page again.
#[derive(Debug)]
pub struct RestoreNotepad;

/// Which revision.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The revision to write again
    pub rev: u32,
}

impl Operation for RestoreNotepad {
    type Input = Input;
    type Output = Saved;

    const DECLARATION: Declaration = Declaration {
        name: "restore_notepad",
        aliases: &[],
        title: "Write an earlier revision of the notepad again",
        about: "Write an earlier revision of the page again, as a new revision; nothing is lost by it.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["notepad", "restore"], places: &["rev"], stdin: None }),
        example: r#"{"rev": 3}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Saved, OpError> {
        let (session, _) = call.open_session()?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let new = history::text_at(view, &session.key, input.rev)?;
            let page = view.notepad(&session.key)?;
            let rev = page.as_ref().map_or(0, |page| page.rev) + 1;
            let old = page.map(|page| page.text).unwrap_or_default();
            notepad::check_size(old.len(), new.len())?;
            let splice = Splice::between(&old, &new);
            let edit = Change::EditNotepad { session: session.key.clone(), splice, rev, at: call.now() };
            Ok((vec![edit], saved(call, view, &session, (rev, &new))?))
        })?;
        Ok(written.value)
    }

    fn say(output: &Saved) -> String {
        output.say()
    }
}
