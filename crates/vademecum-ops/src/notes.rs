//! What operations on one note share: finding the one that is named.

use vademecum_core::id::{EntryId, NoteId, SessionId};
use vademecum_core::note::Note;
use vademecum_core::time::Time;
use vademecum_store::{StoreError, View};

use crate::call::Call;
use crate::error::OpError;

/// The note of this session with the id `id`.
pub fn named(view: &dyn View, session: SessionId, id: &str) -> Result<Note, OpError> {
    let found = match id.trim().parse::<NoteId>() {
        Ok(id) => view.note(session, id)?,
        Err(_) => None,
    };
    found.ok_or_else(|| {
        OpError::missing(format!("no note \"{id}\" in this session"))
            .hint("list_notes or search_notes shows ids")
    })
}

/// So many notes are looked at in one go for one whose id begins or ends in a way.
const SLICE: usize = 500;

/// The whole id of the one note of the call's session whose id begins or ends with `part`; else `part`.
pub fn whole_id(call: &Call<'_>, part: &str) -> Result<String, OpError> {
    let part = part.trim();
    let digits = part.strip_prefix("note_").unwrap_or(part);
    let is_part = (3..13).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_part {
        return Ok(part.to_owned());
    }
    let found = call.look(|view| {
        let Some(session) = call.session(view)? else { return Ok(Vec::new()) };
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let notes = view.notes_after(session.id, after, SLICE)?;
            let ids = notes.iter().map(|note| note.id);
            found.extend(ids.filter(|id| {
                let id = id.0.to_string();
                id.starts_with(digits) || part == digits && id.ends_with(digits)
            }));
            after = notes.last().map(|note| note.id);
            if notes.len() < SLICE {
                return Ok(found);
            }
        }
    })?;
    match found.as_slice() {
        [] => Ok(part.to_owned()),
        [one] => Ok(one.to_string()),
        several => {
            let ids: Vec<String> = several.iter().take(5).map(ToString::to_string).collect();
            Err(OpError::usage(format!("\"{part}\" may be any of {}", ids.join(", ")))
                .hint("give more digits"))
        }
    }
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
