//! Changes a note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::Kept;
use crate::voice::ARGUMENTS;

/// Changes a note.
#[derive(Debug)]
pub struct UpdateNote;

/// What changes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note ID to update
    pub id: String,
    /// New content (max 800 chars)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// New tags (1-5)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// What a call of it looks like.
fn how(call: &Call<'_>) -> String {
    if notes::is_person(call) {
        "vade note update ID \"the new text\", or --tag".to_owned()
    } else {
        format!("{ARGUMENTS}{}", UpdateNote::DECLARATION.example)
    }
}

impl Operation for UpdateNote {
    type Input = Input;
    type Output = Kept;

    const DECLARATION: Declaration = Declaration {
        name: "update_note",
        aliases: &[],
        title: "Change a note",
        about: "Change a note that no longer holds as written.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfSessionBut("inherited"),
        command: Some(Command { words: &["note", "update"], places: &["id", "content"], stdin: None }),
        example: r#"{"id": "note_1734604200000", "content": "Retry maps E_DUP to Ok since worker.rs:88."}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Kept, OpError> {
        notes::refuse_entries(&input.id)?;
        let content = call.accept_some(input.content.as_ref())?.map(Content::new).transpose()?;
        let tags = input.tags.as_ref().map(|tags| call.accept_all(tags)).transpose()?;
        let tags = tags.map(|tags| Tags::new(&tags)).transpose()?;
        if content.is_none() && tags.is_none() {
            return Err(OpError::usage("update_note needs content or tags, neither given")
                .hint(how(call)));
        }
        let (own, _) = call.open_session()?;
        let session = notes::holder(call, &own, &input.id)?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let old = notes::named(call, view, &session.key, &input.id)?;
            let content = content.clone().unwrap_or_else(|| old.content.clone());
            let tags = tags.clone().unwrap_or_else(|| old.tags.clone());
            let done = match (content != old.content, tags != old.tags) {
                (true, true) => "updated (content, tags)",
                (true, false) => "updated (content)",
                (false, true) => "updated (tags)",
                (false, false) => "said so before:",
            };
            let is_changed = content != old.content || tags != old.tags;
            // One that was made while the clock was ahead stands first no longer.
            let updated_at = if is_changed { call.now() } else { old.updated_at };
            let note = Note { content, tags, updated_at, ..old };
            let open = view.counts(&session.key)?.open;
            let kept = notes::kept(call, view, (done, &session), &note, open)?;
            let change = Change::SetNote { session: session.key.clone(), note };
            Ok((is_changed.then_some(change).into_iter().collect(), kept))
        })?;
        Ok(written.value.of(&session, &own))
    }

    fn say(output: &Kept) -> String {
        output.say()
    }
}
