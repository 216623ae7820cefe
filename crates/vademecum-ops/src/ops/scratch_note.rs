//! Crosses a note out, or takes that back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::Note;
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::Kept;

/// Crosses a note out, or takes that back.
#[derive(Debug)]
pub struct ScratchNote;

/// Which note, and how it stands from now on.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// The flag is an option only so that its absence is refused in words of ours.
#[schemars(extend("required" = ["id", "scratched"]))]
pub struct Input {
    /// Note ID to scratch
    pub id: String,
    /// New scratched status
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratched: Option<bool>,
}

impl Operation for ScratchNote {
    type Input = Input;
    type Output = Kept;

    const DECLARATION: Declaration = Declaration {
        name: "scratch_note",
        aliases: &[],
        title: "Cross a note out",
        about: "Cross out a note that is done (scratched=true), or take that back. It stays searchable.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfSessionBut("inherited"),
        command: Some(Command { words: &["note", "scratch"], places: &["id", "scratched"], stdin: None }),
        example: r#"{"id": "note_1734604200000", "scratched": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Kept, OpError> {
        notes::refuse_entries(&input.id)?;
        let Some(scratched) = input.scratched else {
            return Err(OpError::usage("scratch_note needs scratched, true or false"));
        };
        let (own, _) = call.open_session()?;
        let session = notes::holder(call, &own, &input.id)?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let old = notes::named(call, view, &session.key, &input.id)?;
            let open = view.counts(&session.key)?.open;
            let was = old.is_scratched();
            let note = Note { scratched_at: scratched.then(|| call.now()), ..old };
            let open = open + u64::from(was && !scratched) - u64::from(!was && scratched);
            let done = match (was, scratched) {
                (false, true) => "scratched",
                (true, true) => "already scratched:",
                (true, false) => "restored",
                (false, false) => "not scratched:",
            };
            let kept = notes::kept(call, view, (done, &session), &note, open)?;
            let changes = if was == scratched {
                Vec::new()
            } else {
                vec![Change::SetNote { session: session.key.clone(), note }]
            };
            Ok((changes, kept))
        })?;
        Ok(written.value.of(&session, &own))
    }

    fn say(output: &Kept) -> String {
        output.say()
    }
}
