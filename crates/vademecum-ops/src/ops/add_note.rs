//! Keeps one note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_store::Change;

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::shapes::Kept;

/// Keeps one note.
#[derive(Debug)]
pub struct AddNote;

/// The note.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note content (max 800 chars)
    pub content: String,
    /// 1-5 tags
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

impl Operation for AddNote {
    type Input = Input;
    type Output = Kept;

    const DECLARATION: Declaration = Declaration {
        name: "add_note",
        aliases: &[],
        title: "Keep a note",
        about: "Keep one decision, cause or relation with its why, 1-5 tags. Not for what one search finds. This session only.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Always,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["note", "add"], places: &["content"], stdin: Some(Stdin::Statement("content")) }),
        example: r#"{"content": "Retry swallows E_DUP: map it to Ok, else the queue loops.", "tags": ["bug", "queue"]}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Kept, OpError> {
        let content = Content::new(call.accept(&input.content)?)?;
        let tags = given_tags(call, input.tags.as_deref())?;
        let (session, _) = call.open_session()?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let counts = view.counts(&session.key)?;
            let at = call.now();
            let suggested = match &tags {
                Some(_) => None,
                None => Some(Tags::suggest(content.as_str(), &view.tags(&session.key, true)?)),
            };
            let is_suggested = suggested.is_some();
            let note = Note {
                id: notes::next_id(view, &session.key, counts.last, at)?,
                content: content.clone(),
                tags: tags.clone().or(suggested).expect("given or suggested"),
                created_at: at,
                updated_at: at,
                scratched_at: None,
            };
            let kept = notes::kept(call, view, ("added", &session), &note, counts.open + 1)?;
            let kept = Kept { suggested: is_suggested, ..kept };
            Ok((vec![Change::AddNote { session: session.key.clone(), note }], kept))
        })?;
        Ok(written.value)
    }

    fn say(output: &Kept) -> String {
        output.say()
    }
}

/// The tags as given; none where a likely few are to be found, which the published design does not do.
fn given_tags(call: &Call<'_>, given: Option<&[String]>) -> Result<Option<Tags>, OpError> {
    match given {
        None if call.config.profile != Profile::Seed1 => Ok(None),
        given => Ok(Some(Tags::new(&call.accept_all(given.unwrap_or_default())?)?)),
    }
}
