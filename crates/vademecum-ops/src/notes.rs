//! What operations on one note share: finding the one that is named.

use vademecum_core::id::{EntryId, NoteId, SessionId};
use vademecum_core::note::Note;
use vademecum_store::View;

use crate::error::OpError;

/// The note of this session with the id `id`.
pub fn named(view: &dyn View, session: SessionId, id: &str) -> Result<Note, OpError> {
    let found = match id.trim().parse::<NoteId>() {
        Ok(id) => view.note(session, id)?,
        Err(_) => None,
    };
    found.ok_or_else(|| {
        OpError::missing(format!("no note \"{id}\" in this session"))
            .hint("list_notes or search_notes give ids")
    })
}

/// Refuses an id of a plan's entry, where a note is to be changed or taken away.
pub fn refuse_entries(id: &str) -> Result<(), OpError> {
    let Some(id) = EntryId::parse(id.trim()) else { return Ok(()) };
    Err(OpError::denied("plan notepads only grow: add a learning, decision or issue instead")
        .hint(format!("with supersedes \"{id}\" it corrects this one")))
}
