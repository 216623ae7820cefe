//! One write inside its transaction: a repeat is answered, else the changes are made and journaled.

use serde_json::value::RawValue;
use vademecum_core::hash::Key;
use vademecum_store::store::Decide;
use vademecum_store::{Change, Decision, Outcome, StoreError, Write};

use crate::names::{Names, ProjectRow, SessionRow};
use crate::view::Snapshot;
use crate::{
    entries, forks, handoffs, index, journal, notepads, notes, plans, projects, rekey, running,
    sessions, undo,
};

pub(crate) fn write(
    view: &Snapshot<'_>,
    key: &Key,
    must_say_rekeyed: bool,
    write: &Write,
    decide: &mut Decide<'_>,
) -> Result<Outcome, StoreError> {
    let names = &view.names;
    if !write.is_fresh
        && let Some(holder) = names.find_holder(&write.scope)?
        && let Some(found) = journal::by_write_id(names.connection, holder, &write.id)?
    {
        return replay(names, write, &found);
    }
    let (changes, reply, is_undone) = match decide(view)? {
        Decision::Refuse => return Ok(Outcome::Refused),
        Decision::Commit { changes, .. } | Decision::Copy { changes, .. } if changes.is_empty() => {
            return Ok(Outcome::Unchanged);
        }
        Decision::Commit { changes, reply } => (changes, reply, true),
        Decision::Copy { changes, reply } => (changes, reply, false),
    };
    if must_say_rekeyed {
        rekey::say(names, key, write)?;
    }
    let undo = make(view, key, &changes, is_undone)?;
    let arguments = undo::kept_hash(&write.kept_arguments());
    let reply = reply.into_bytes();
    let body = undo::Kept { arguments, reply, undo: undo::list(&undo)? };
    Ok(Outcome::Done { seq: journal::append(names, key, write, &body)? })
}

/// Makes changes one after the other; what undoes them, the last one first.
fn make(
    view: &Snapshot<'_>,
    key: &Key,
    changes: &[Change],
    is_undone: bool,
) -> Result<Vec<Box<RawValue>>, StoreError> {
    let names = &view.names;
    let mut undo = Vec::new();
    for change in changes {
        forks::settle(names, change)?;
        let reverses = if is_undone { change.reverse(view)? } else { Vec::new() };
        for reverse in reverses.iter().rev() {
            undo.push(undo::kept(names, reverse)?);
        }
        match change {
            Change::CopyRecord(record) => journal::append_copy(names, key, record)?,
            change => apply(names, change)?,
        }
    }
    let is_note = |it: &&Change| matches!(it, Change::AddNote { .. } | Change::SetNote { .. });
    let n_notes = changes.iter().filter(is_note).count();
    if n_notes != 0 {
        index::tend(names.connection, n_notes)?;
    }
    undo.reverse();
    Ok(undo)
}

fn replay(names: &Names<'_>, write: &Write, found: &journal::Entry) -> Result<Outcome, StoreError> {
    let (id, record) = (write.id.as_str().to_owned(), &found.record);
    let Some(body) = journal::body(names, record.seq)? else {
        return Err(StoreError::Erased { id });
    };
    if record.kind != write.kind || body.arguments != write.arguments {
        return Err(StoreError::Reused { id });
    }
    Ok(Outcome::Replayed { seq: record.seq, reply: body.reply })
}

fn apply(names: &Names<'_>, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { .. }
        | Change::SetOff { .. }
        | Change::AddSession { .. }
        | Change::SetParent { .. }
        | Change::SetSession { .. } => apply_alone(names, change),
        Change::AddProjectKeys { project, .. }
        | Change::RenameProject { project, .. }
        | Change::JoinProject { project, .. }
        | Change::AddPlan { project, .. }
        | Change::SetPlan { project, .. }
        | Change::AddEntry { project, .. } => {
            apply_to_project(names, names.project(*project)?, change)
        }
        Change::EditNotepad { session, .. }
        | Change::DropNotepad { session }
        | Change::AddNote { session, .. }
        | Change::SetNote { session, .. }
        | Change::DropNote { session, .. }
        | Change::DropNotes { session, .. }
        | Change::Fork { session, .. }
        | Change::SetHandoff { session, .. }
        | Change::SetRecap { session, .. }
        | Change::SetWorked { session, .. }
        | Change::SetRunning { session, .. }
        | Change::SetActivePlan { session, .. } => {
            apply_to_session(names, names.session(session)?, change)
        }
        Change::CopyRecord(_) => Err(change.unmade()),
        Change::Unknown(unknown) => Err(StoreError::Unknown { word: unknown.word.to_string() }),
    }
}

/// The changes by which projects and sessions are known at all, and of the switch for all of them.
fn apply_alone(names: &Names<'_>, change: &Change) -> Result<(), StoreError> {
    let connection = names.connection;
    match change {
        Change::AddProject { id, name, keys, at } => match names.find_project(*id)? {
            None => projects::add(connection, *id, name, keys, *at),
            Some(_) => Err(StoreError::Engine { what: format!("there is a project {id} already") }),
        },
        Change::SetOff { project, off_at } => {
            let project = project.map(|id| names.project(id)).transpose()?;
            projects::set_off(connection, project, *off_at)
        }
        Change::AddSession { project, key, parent, began, instance, host_name, place, at } => {
            let project = names.project(*project)?;
            let parent = parent.as_ref().map(|parent| names.session(parent)).transpose()?;
            let (instance, at) = (*instance, *at);
            let new = sessions::New { project, key, parent, began, instance, host_name, place, at };
            names.lost(key);
            sessions::add(connection, &new)
        }
        Change::SetParent { session, parent } => {
            sessions::set_parent(connection, names.session(session)?, names.session(parent)?)
        }
        Change::SetSession { session, seen_at, ended_at, place, standing } => {
            let (id, seen_at, ended_at) = (names.session(session)?, *seen_at, *ended_at);
            sessions::set(connection, &sessions::News { id, seen_at, ended_at, place, standing })
        }
        other => Err(other.unmade()),
    }
}

/// The changes of what a project is and what its plans hold.
fn apply_to_project(
    names: &Names<'_>,
    project: ProjectRow,
    change: &Change,
) -> Result<(), StoreError> {
    let connection = names.connection;
    match change {
        Change::AddProjectKeys { keys, .. } => projects::add_keys(connection, project, keys),
        Change::RenameProject { name, .. } => projects::rename(connection, project, name),
        Change::JoinProject { into, .. } => {
            names.lost_plans();
            projects::join(connection, project, names.project(*into)?)
        }
        Change::AddPlan { name, is_tracked, at, .. } => {
            plans::add(connection, project, name, *is_tracked, *at)
        }
        Change::SetPlan { name, completed_at, archived_at, is_tracked, .. } => {
            let (completed_at, archived_at, is_tracked) =
                (*completed_at, *archived_at, *is_tracked);
            let standing = plans::Standing { completed_at, archived_at, is_tracked };
            plans::set(connection, project, name, &standing)
        }
        Change::AddEntry { entry, .. } => entries::add(names, project, entry),
        other => Err(other.unmade()),
    }
}

/// The changes of what one session keeps.
fn apply_to_session(
    names: &Names<'_>,
    session: SessionRow,
    change: &Change,
) -> Result<(), StoreError> {
    let connection = names.connection;
    match change {
        Change::EditNotepad { splice, rev, at, .. } => {
            notepads::edit(connection, session, splice, *rev, *at)
        }
        Change::DropNotepad { .. } => notepads::drop_page(connection, session),
        Change::AddNote { note, .. } => notes::add(connection, session, note),
        Change::SetNote { note, .. } => notes::set(connection, session, note),
        Change::DropNote { id, .. } => notes::drop_note(connection, session, *id),
        Change::DropNotes { upto, .. } => notes::drop_upto(connection, session, *upto),
        Change::Fork { from, page, notes, at_once, at, .. } => {
            let from = names.session(from)?;
            if *page {
                forks::page(connection, session, from, *at)?;
            }
            if *notes { forks::notes(connection, session, from, *at_once) } else { Ok(()) }
        }
        Change::SetHandoff { text, at, .. } => {
            handoffs::set(connection, session, text.as_deref(), *at)
        }
        Change::SetRecap { body, at, .. } => handoffs::set_recap(connection, session, body, *at),
        Change::SetWorked { at, .. } => handoffs::set_worked(connection, session, *at),
        Change::SetRunning { running, .. } => running::set(connection, session, running.as_ref()),
        Change::SetActivePlan { plan, .. } => {
            let plan = plan.as_ref().map(|name| names.plan(session, name)).transpose()?;
            plans::set_active(connection, session, plan)
        }
        other => Err(other.unmade()),
    }
}
