//! What operations on one note share: finding the one that is named.

use vademecum_core::id::{EntryId, NoteId, SessionId};
use vademecum_core::note::Note;
use vademecum_core::time::Time;
use vademecum_store::{StoreError, View};

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

/// The id of a note that is added to `session` now, `last` being the newest that it ever had.
pub fn next_id(
    view: &dyn View,
    session: SessionId,
    last: Option<NoteId>,
    now: Time,
) -> Result<NoteId, StoreError> {
    let mut id = NoteId::after(last, now);
    // Only behind an id that no clock gave may the next one be in use.
    if last.is_some_and(|last| id < last) {
        while view.note(session, id)?.is_some() {
            id.0 += 1;
        }
    }
    Ok(id)
}

/// Refuses an id of a plan's entry, where a note is to be changed or taken away.
pub fn refuse_entries(id: &str) -> Result<(), OpError> {
    let Some(id) = EntryId::parse(id.trim()) else { return Ok(()) };
    Err(OpError::denied("plan notepads only grow: add a learning, decision or issue instead")
        .hint(format!("with supersedes \"{id}\" it corrects this one")))
}
