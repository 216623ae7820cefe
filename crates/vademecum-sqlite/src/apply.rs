//! One write inside its transaction: a repeat is answered, else the changes are made and journaled.

use rusqlite::Connection;
use vademecum_core::hash::{Key, hex};
use vademecum_store::store::Decide;
use vademecum_store::{Body, Change, Decision, Outcome, Record, StoreError, Write};

use crate::borrowed::Kind;
use crate::view::Snapshot;
use crate::{
    borrowed, entries, handoffs, journal, notepads, notes, plans, projects, rekey, running,
    sessions,
};

pub(crate) fn write(
    connection: &Connection,
    key: &Key,
    must_say_rekeyed: bool,
    write: &Write,
    decide: &mut Decide<'_>,
) -> Result<Outcome, StoreError> {
    if let Some(record) = journal::by_write_id(connection, &write.scope, &write.id)? {
        return replay(connection, write, &record);
    }
    let view = Snapshot::new(connection);
    let (changes, reply) = match decide(&view)? {
        Decision::Refuse => return Ok(Outcome::Refused),
        Decision::Commit { changes, .. } if changes.is_empty() => return Ok(Outcome::Unchanged),
        Decision::Commit { changes, reply } => (changes, reply),
    };
    if must_say_rekeyed {
        rekey::say(connection, key, write)?;
    }
    let mut undo = Vec::new();
    for change in &changes {
        undo.extend(change.reverse(&view)?.into_iter().rev());
        apply(connection, change)?;
    }
    // The last change is undone first.
    undo.reverse();
    let body = Body { arguments: hex(&write.arguments, 32), reply, undo };
    Ok(Outcome::Done { seq: journal::append(connection, key, write, &body)? })
}

fn replay(connection: &Connection, write: &Write, record: &Record) -> Result<Outcome, StoreError> {
    let id = write.id.as_str().to_owned();
    let Some(body) = journal::body(connection, record.seq)? else {
        return Err(StoreError::Erased { id });
    };
    if record.kind != write.kind || body.arguments != hex(&write.arguments, 32) {
        return Err(StoreError::Reused { id });
    }
    Ok(Outcome::Replayed { seq: record.seq, reply: body.reply })
}

fn apply(connection: &Connection, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { .. }
        | Change::AddProjectKeys { .. }
        | Change::RenameProject { .. }
        | Change::JoinProject { .. }
        | Change::SetOff { .. }
        | Change::AddPlan { .. }
        | Change::SetPlan { .. }
        | Change::AddEntry { .. } => apply_to_project(connection, change),
        Change::AddSession { project, key, parent, began, instance, machine, place, at } => {
            let (project, parent, instance, at) = (*project, *parent, *instance, *at);
            let new = sessions::New { project, key, parent, began, instance, machine, place, at };
            sessions::add(connection, &new)
        }
        Change::SetParent { session: id, parent } => sessions::set_parent(connection, *id, *parent),
        Change::SetSession { session, seen_at, ended_at, place, standing } => {
            let (id, seen_at, ended_at) = (*session, *seen_at, *ended_at);
            sessions::set(connection, &sessions::News { id, seen_at, ended_at, place, standing })
        }
        Change::EditNotepad { .. }
        | Change::DropNotepad { .. }
        | Change::AddNote { .. }
        | Change::SetNote { .. }
        | Change::DropNote { .. }
        | Change::DropNotes { .. }
        | Change::Borrow { .. }
        | Change::SetHandoff { .. }
        | Change::SetRecap { .. }
        | Change::SetWorked { .. }
        | Change::SetRunning { .. }
        | Change::SetActivePlan { .. } => apply_to_session(connection, change),
        Change::Unknown(unknown) => Err(StoreError::Unknown { word: unknown.word.to_string() }),
    }
}

/// The changes of what a project is and what its plans hold, and of the switch for all of them.
fn apply_to_project(connection: &Connection, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { name, keys, at } => projects::add(connection, name, keys, *at),
        Change::AddProjectKeys { project, keys } => projects::add_keys(connection, *project, keys),
        Change::RenameProject { project, name } => projects::rename(connection, *project, name),
        Change::JoinProject { project, into } => projects::join(connection, *project, *into),
        Change::SetOff { project, off_at } => projects::set_off(connection, *project, *off_at),
        Change::AddPlan { project, name, is_tracked, at } => {
            plans::add(connection, *project, name, *is_tracked, *at)
        }
        Change::SetPlan { project, name, completed_at, archived_at, is_tracked } => {
            let (completed_at, archived_at, is_tracked) =
                (*completed_at, *archived_at, *is_tracked);
            let standing = plans::Standing { completed_at, archived_at, is_tracked };
            plans::set(connection, *project, name, &standing)
        }
        Change::AddEntry { project, entry } => entries::add(connection, *project, entry),
        Change::AddSession { .. }
        | Change::SetParent { .. }
        | Change::SetSession { .. }
        | Change::EditNotepad { .. }
        | Change::DropNotepad { .. }
        | Change::AddNote { .. }
        | Change::SetNote { .. }
        | Change::DropNote { .. }
        | Change::DropNotes { .. }
        | Change::Borrow { .. }
        | Change::SetHandoff { .. }
        | Change::SetRecap { .. }
        | Change::SetWorked { .. }
        | Change::SetRunning { .. }
        | Change::SetActivePlan { .. }
        | Change::Unknown(_) => apply(connection, change),
    }
}

/// The changes of what one session keeps.
fn apply_to_session(connection: &Connection, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::EditNotepad { session, splice, rev, at } => {
            notepads::edit(connection, *session, splice, *rev, *at)
        }
        Change::DropNotepad { session } => notepads::drop_page(connection, *session),
        Change::AddNote { session, note } => notes::add(connection, *session, note),
        Change::SetNote { session, note } => notes::set(connection, *session, note),
        Change::DropNote { session, id } => notes::drop_note(connection, *session, *id),
        Change::DropNotes { session, upto } => notes::drop_upto(connection, *session, *upto),
        Change::Borrow { session, from, page, notes, at } => {
            let asked = [(Kind::Page, *page), (Kind::Notes, *notes)];
            let mut kinds = asked.into_iter().filter(|(_, is_asked)| *is_asked);
            kinds.try_for_each(|(kind, _)| borrowed::lend(connection, kind, *session, *from, *at))
        }
        Change::SetHandoff { session, text, at } => {
            handoffs::set(connection, *session, text.as_deref(), *at)
        }
        Change::SetRecap { session, body, at } => {
            handoffs::set_recap(connection, *session, body, *at)
        }
        Change::SetWorked { session, at } => handoffs::set_worked(connection, *session, *at),
        Change::SetRunning { session, running } => {
            running::set(connection, *session, running.as_ref())
        }
        Change::SetActivePlan { session, plan } => plans::set_active(connection, *session, *plan),
        Change::AddProject { .. }
        | Change::AddProjectKeys { .. }
        | Change::RenameProject { .. }
        | Change::JoinProject { .. }
        | Change::SetOff { .. }
        | Change::AddSession { .. }
        | Change::SetParent { .. }
        | Change::SetSession { .. }
        | Change::AddPlan { .. }
        | Change::SetPlan { .. }
        | Change::AddEntry { .. }
        | Change::Unknown(_) => apply(connection, change),
    }
}
