//! Lists the revisions of a note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::OpError;
use crate::history::note::{self, NoteRevision};
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::NoteShape;

/// Lists the revisions of a note.
#[derive(Debug)]
pub struct NoteHistory;

/// Which note.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note ID; one that was deleted too
    pub id: String,
}

/// The revisions.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The revisions, the newest first.
    pub revisions: Vec<NoteRevision>,
}

impl Operation for NoteHistory {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "note_history",
        aliases: &[],
        title: "List the revisions of a note",
        about: "List how a note was changed, crossed out or deleted, and what it said before.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["note", "history"], places: &["id"], stdin: None }),
        example: r#"{"id": "note_1734604200000"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let Some(session) = call.session(view)? else { return Err(notes::missing(&input.id)) };
            let steps = notes::steps(view, &session.key, &input.id)?;
            Ok(Output { revisions: note::revisions(&steps) })
        })
    }

    fn say(output: &Output) -> String {
        let line = |revision: &NoteRevision| {
            let NoteRevision { rev, at, origin, operation, note } = revision;
            let note = note.as_ref().map_or_else(|| "(deleted)".to_owned(), NoteShape::said);
            format!("rev {rev}  {at}  {operation} ({origin})  {note}")
        };
        output.revisions.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
