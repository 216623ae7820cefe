//! One change of a draft. What it names must be there: else it fails, and the draft is dropped.

mod plans;
mod projects;
mod sessions;

use std::sync::Arc;

use vademecum_core::splice::Splice;
use vademecum_core::time::Time;

use super::state::{KeptSession, State};
use crate::change::Change;
use crate::error::StoreError;
use crate::view::{Handoff, KeptRecap, Notepad};

/// Makes a change.
pub(super) fn apply(state: &mut State, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { .. }
        | Change::AddProjectKeys { .. }
        | Change::RenameProject { .. }
        | Change::JoinProject { .. }
        | Change::SetOff { .. } => projects::apply(state, change),
        Change::AddPlan { .. } | Change::SetPlan { .. } | Change::AddEntry { .. } => {
            plans::apply(state, change)
        }
        Change::AddSession { .. }
        | Change::SetParent { .. }
        | Change::SetSession { .. }
        | Change::Fork { .. }
        | Change::SetRunning { .. }
        | Change::SetActivePlan { .. } => sessions::apply(state, change),
        Change::EditNotepad { session, .. }
        | Change::DropNotepad { session }
        | Change::AddNote { session, .. }
        | Change::SetNote { session, .. }
        | Change::DropNote { session, .. }
        | Change::DropNotes { session, .. }
        | Change::SetHandoff { session, .. }
        | Change::SetRecap { session, .. }
        | Change::SetWorked { session, .. } => to_kept(state.session_mut(session)?, change),
        Change::CopyRecord(_) => Err(change.unmade()),
        Change::Unknown(unknown) => Err(StoreError::Unknown { word: unknown.word.to_string() }),
    }
}

/// The changes that need no more of the state than what the session keeps.
fn to_kept(session: &mut KeptSession, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::EditNotepad { splice, rev, at, .. } => edit(session, splice, *rev, *at)?,
        Change::DropNotepad { .. } => session.page = None,
        Change::AddNote { note, .. } => Arc::make_mut(&mut session.notes).add(note)?,
        Change::SetNote { note, .. } => Arc::make_mut(&mut session.notes).set(note),
        Change::DropNote { id, .. } => {
            Arc::make_mut(&mut session.notes).drop_those(|note| note == *id);
        }
        Change::DropNotes { upto, .. } => {
            Arc::make_mut(&mut session.notes).drop_those(|note| note <= *upto);
        }
        Change::SetHandoff { text, at, .. } => {
            let handoff = |text: &String| Handoff { text: text.clone(), updated_at: *at };
            session.handoff = text.as_ref().map(handoff);
        }
        Change::SetRecap { body, at, .. } => {
            session.recap = Some(KeptRecap { body: body.clone(), at: *at });
        }
        Change::SetWorked { at, .. } => session.worked_at = session.worked_at.max(Some(*at)),
        other => return Err(other.unmade()),
    }
    Ok(())
}

fn edit(
    session: &mut KeptSession,
    splice: &Splice,
    rev: u32,
    updated_at: Time,
) -> Result<(), StoreError> {
    let old = session.page.as_ref().map_or("", |page| page.text.as_str());
    let text = splice.apply(old).map_err(|error| StoreError::Engine { what: error.to_string() })?;
    session.page = Some(Arc::new(Notepad { rev, text, more: 0, updated_at }));
    Ok(())
}
