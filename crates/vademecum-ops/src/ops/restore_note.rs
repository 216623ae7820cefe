//! Brings a note back as it was.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::Note;
use vademecum_core::time::Time;
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::history::note::NoteStep;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::Kept;

/// Brings a note back as it was.
#[derive(Debug)]
pub struct RestoreNote;

/// Which note, and which of its revisions.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note ID; one that was deleted too
    pub id: String,
    /// The revision to bring back. Default: the one before the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rev: Option<u32>,
}

impl Operation for RestoreNote {
    type Input = Input;
    type Output = Kept;

    const DECLARATION: Declaration = Declaration {
        name: "restore_note",
        aliases: &[],
        title: "Bring a note back as it was",
        about: "Bring a note back as it was before its last change or deletion, or at a revision (rev); nothing is lost by it.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["note", "restore"], places: &["id", "rev"], stdin: None }),
        example: r#"{"id": "note_1734604200000"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Kept, OpError> {
        let (session, _) = call.open_session()?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let steps = notes::steps(view, &session.key, &input.id)?;
            let now = steps.first().and_then(|step| step.note.clone());
            let note = restored(wanted((&input.id, &steps), input.rev)?, now.as_ref(), call.now());
            let was_open = now.as_ref().is_some_and(|now| !now.is_scratched());
            let open = view.counts(&session.key)?.open + u64::from(!note.is_scratched());
            let open = open - u64::from(was_open);
            let kept = notes::kept(call, view, ("brought back", &session), &note, open)?;
            let session = session.key.clone();
            let changes = match now {
                Some(now) if says_the_same(&now, &note) => Vec::new(),
                Some(_) => vec![Change::SetNote { session, note }],
                None => vec![Change::AddNote { session, note }],
            };
            Ok((changes, kept))
        })?;
        Ok(written.value)
    }

    fn say(output: &Kept) -> String {
        output.say()
    }
}

/// The note at the revision that is asked for, else before the last change.
fn wanted<'s>((id, steps): (&str, &'s [NoteStep]), rev: Option<u32>) -> Result<&'s Note, OpError> {
    let Some(rev) = rev else {
        let now = steps.first().and_then(|step| step.note.as_ref());
        let mut before = steps.iter().skip(1).filter_map(|step| step.note.as_ref());
        let before = before.find(|was| now.is_none_or(|now| !says_the_same(was, now)));
        return before.ok_or_else(|| OpError::missing("the note was never changed: nothing to bring back"));
    };
    let place = usize::try_from(rev).ok().and_then(|rev| steps.len().checked_sub(rev));
    let step = place.filter(|_| 0 < rev).and_then(|place| steps.get(place));
    let found = step.ok_or_else(|| {
        OpError::missing(format!("the note has no rev {rev}: 1 to {} are known", steps.len()))
            .hint(format!("note_history {id}"))
    })?;
    found.note.as_ref().ok_or_else(|| OpError::usage(format!("rev {rev} is its deletion: name an earlier one")))
}

fn says_the_same(one: &Note, other: &Note) -> bool {
    let said = |note: &Note| (note.content.clone(), note.tags.clone(), note.is_scratched());
    said(one) == said(other)
}

/// The note as it was; only what says or tags something else than now counts as changed.
fn restored(was: &Note, now: Option<&Note>, at: Time) -> Note {
    let updated_at = match now {
        Some(now) if now.content == was.content && now.tags == was.tags => now.updated_at,
        Some(_) => at,
        None => was.updated_at,
    };
    Note { updated_at, ..was.clone() }
}
