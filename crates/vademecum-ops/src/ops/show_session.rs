//! Shows one session with its page and notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_store::NoteFilter;

use crate::call::Call;
use crate::error::OpError;
use crate::recaps::Kept;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::{NoteShape, SessionShape};

/// Shows one session with its page and notes.
#[derive(Debug)]
pub struct ShowSession;

/// No arguments: the session is the call's, which `--session` names.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {}

/// One session.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What is known of it.
    #[serde(flatten)]
    pub session: SessionShape,
    /// Its page.
    pub notepad: String,
    /// All of its notes, the last changed first.
    pub note_list: Vec<NoteShape>,
    /// What was made of its transcript, where it left no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recap: Option<String>,
}

impl Operation for ShowSession {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "show_session",
        aliases: &[],
        title: "Show a session with its page and notes",
        about: "Show one session whole: what is known of it, its page, its notes.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfSessionBut("recap"),
        command: Some(Command { words: &["session", "show"], places: &["session"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, _input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let who = call.who(view)?;
            let Some(session) = who.session else {
                return Err(OpError::missing(format!("no session \"{}\"", who.key))
                    .hint("nothing was written in it yet; vade session list shows what is there"));
            };
            let filter = NoteFilter::ALL;
            let notes = view.notes(&session.key, &filter, 0)?;
            let notepad = view.notepad(&session.key)?.map(|page| page.text).unwrap_or_default();
            let kept = if notepad.is_empty() { view.recap(&session.key)? } else { None };
            let kept = kept.and_then(|kept| Kept::parse(&kept.body)).map(|kept| kept.text);
            Ok(Output {
                session: SessionShape::of(view, call.world, &session)?,
                notepad,
                note_list: notes.iter().map(NoteShape::of).collect(),
                recap: kept.filter(|text| !text.is_empty()),
            })
        })
    }

    fn say(output: &Output) -> String {
        let page = vademecum_core::notepad::render(&output.notepad);
        let mut parts = vec![output.session.line(), String::new(), page];
        if !output.note_list.is_empty() {
            parts.push("\n## Notes".to_owned());
            parts.extend(output.note_list.iter().map(NoteShape::line));
        }
        parts.extend(output.recap.iter().flat_map(|recap| ["\n## Recap".to_owned(), recap.clone()]));
        parts.join("\n")
    }
}
