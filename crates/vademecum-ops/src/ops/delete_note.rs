//! Deletes a note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Deletes a note.
#[derive(Debug)]
pub struct DeleteNote;

/// Which note.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note ID to delete
    pub id: String,
}

/// What was deleted.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The id that is no more.
    pub id: String,
    /// The session whose note it was.
    pub session: String,
    /// How many open notes the session has now.
    pub open: u64,
    /// The command that brings it back, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
}

impl Operation for DeleteNote {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "delete_note",
        aliases: &[],
        title: "Delete a note",
        about: "Delete a note that was wrong. Done: scratch_note.",
        effect: Effect::Destroys,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["note", "delete"], places: &["id"], stdin: None }),
        example: r#"{"id": "note_1734604200000"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        notes::refuse_entries(&input.id)?;
        let (session, _) = call.open_session()?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let old = notes::named(call, view, &session.key, &input.id)?;
            let open = view.counts(&session.key)?.open - u64::from(!old.is_scratched());
            let id = old.id.to_string();
            let back = notes::is_person(call).then(|| format!("vade note restore {id}"));
            let output = Output { id, session: session.handle(), open, back };
            Ok((vec![Change::DropNote { session: session.key.clone(), id: old.id }], output))
        })?;
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        let Output { id, open, back, .. } = output;
        let how = back.as_ref().map_or_else(String::new, |back| format!("; {back} brings it back"));
        format!("deleted {id} (this session only; {open} open){how}")
    }
}
