//! What the journal knows of a note: its revisions, those too of one that was deleted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::session::SessionKey;
use vademecum_store::{Body, Change, Record, Scope, View};

use crate::error::OpError;
use crate::shapes::NoteShape;

/// One revision of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteRevision {
    /// Its number, from 1 for the oldest that the journal knows.
    pub rev: u32,
    /// When it was written (RFC 3339).
    pub at: String,
    /// What wrote it: surface/author.
    pub origin: String,
    /// The operation.
    pub operation: String,
    /// The note as it was from then on; none where it was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<NoteShape>,
}

/// A note from one write on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteStep {
    record: Record,
    /// The note; none where the write deleted it.
    pub note: Option<Note>,
}

/// Every step of a note that the journal still knows, the newest first.
pub fn steps(view: &dyn View, session: &SessionKey, id: NoteId) -> Result<Vec<NoteStep>, OpError> {
    let mut note = view.note(session, id)?;
    let mut steps = Vec::new();
    for record in view.records(&Scope::Session(session.clone()), 0)? {
        let Some(body) = view.body(record.seq)? else { continue };
        let before = match before(&body, id, note.is_some()) {
            Before::Same => continue,
            Before::Absent => None,
            Before::There(note) => Some(note),
        };
        steps.push(NoteStep { record, note: std::mem::replace(&mut note, before) });
    }
    Ok(steps)
}

/// The revisions that these steps made, the newest first.
#[must_use]
pub fn revisions(steps: &[NoteStep]) -> Vec<NoteRevision> {
    let numbered = (1..).zip(steps.iter().rev());
    let revision = |(rev, step): (u32, &NoteStep)| NoteRevision {
        rev,
        at: step.record.at.to_rfc3339(),
        origin: step.record.origin.word(),
        operation: step.record.kind.clone(),
        note: step.note.as_ref().map(NoteShape::of),
    };
    let mut revisions: Vec<NoteRevision> = numbered.map(revision).collect();
    revisions.reverse();
    revisions
}

/// What a note was before a write.
enum Before {
    /// As it is behind it.
    Same,
    Absent,
    There(Note),
}

fn before(body: &Body, id: NoteId, is_there: bool) -> Before {
    // The last change that is undone leads furthest back.
    let before = body.undo.iter().rev().find_map(|change| match change {
        Change::DropNote { id: other, .. } if *other == id => Some(Before::Absent),
        Change::DropNotes { upto, .. } if is_there && id <= *upto => Some(Before::Absent),
        Change::SetNote { note, .. } | Change::AddNote { note, .. } if note.id == id => {
            Some(Before::There(note.clone()))
        }
        _ => None,
    });
    before.unwrap_or(Before::Same)
}
