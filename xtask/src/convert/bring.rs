//! Brings what there is: first what the old journal ended with, then the state, last where its sessions stand.

use anyhow::{Context as _, Result};
use serde_json::json;
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::Plan;
use vademecum_core::session::{Session, SessionKey, Standing};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Change, Handoff, KeptRecap, Notepad};

use super::journal::Places;
use super::old::{Old, OldSession};
use super::target::{KIND, Target};

/// So many rows are read at once; few in tests, whose stores are small.
pub(super) const SLICE: usize = if cfg!(test) { 7 } else { 1000 };

/// So many bytes of long texts are held at once, whatever they are.
pub(super) const BYTES: usize = if cfg!(test) { 1000 } else { 4 << 20 };

/// Writes the first entry: where each line of the old journal ended, and what became of its key.
///
/// Entries are named by number and hash and by no name: a session that is forgotten later stands nowhere.
pub(super) fn head(old: &Old, target: &mut Target<'_>) -> Result<()> {
    let heads = old.heads()?;
    let reply = json!({
        "version": old.version(),
        "key": if old.key().is_some() { "kept" } else { "lost and made anew" },
        "unsealed_up_to": old.lost(),
        "heads": heads,
    });
    let off = Change::SetOff { project: None, off_at: old.off_at()? };
    target.write(KIND, vec![off], &reply.to_string()).map(drop)
}

/// Brings everything but the journal and what says where sessions stand in it.
pub(super) fn state(old: &Old, target: &mut Target<'_>) -> Result<()> {
    projects(old, target)?;
    let sessions = old.sessions()?;
    for OldSession { session, .. } in &sessions {
        target.push(begun(session))?;
    }
    entries(old, target)?;
    for OldSession { row, session, .. } in &sessions {
        of_session(old, (*row, &session.key), target)?;
    }
    target.flush()
}

fn projects(old: &Old, target: &mut Target<'_>) -> Result<()> {
    for (project, keys) in old.projects()? {
        let (id, at) = (project.id, project.created_at);
        target.push(Change::AddProject { id, name: project.name, keys, at })?;
        if let Some(at) = project.off_at {
            target.push(Change::SetOff { project: Some(id), off_at: Some(at) })?;
        }
    }
    for plan in old.plans()? {
        let Plan { project, name, created_at, completed_at, archived_at, is_tracked } = plan;
        let added = name.clone();
        target.push(Change::AddPlan { project, name: added, is_tracked, at: created_at })?;
        if completed_at.or(archived_at).is_some() {
            let set = Change::SetPlan { project, name, completed_at, archived_at, is_tracked };
            target.push(set)?;
        }
    }
    Ok(())
}

fn begun(session: &Session) -> Change {
    Change::AddSession {
        project: session.project,
        key: session.key.clone(),
        // It may have become known after the session did.
        parent: None,
        began: session.began.clone(),
        instance: session.instance,
        host_name: session.host_name.clone(),
        place: session.place.clone(),
        at: session.started_at,
    }
}

fn entries(old: &Old, target: &mut Target<'_>) -> Result<()> {
    let mut after = 0;
    loop {
        let slice = old.entries(after, SLICE)?;
        let Some((last, ..)) = slice.last() else { return Ok(()) };
        after = *last;
        for (_, project, entry) in slice {
            target.push(Change::AddEntry { project, entry })?;
        }
    }
}

fn of_session(old: &Old, (row, key): (i64, &SessionKey), target: &mut Target<'_>) -> Result<()> {
    let last = notes(old, (row, key), target)?;
    let session = || key.clone();
    if let Some(id) = old.last_note(row)?.filter(|id| last < Some(*id)) {
        // No id is given twice, so the new store must know of one whose note is gone.
        target.push(Change::AddNote { session: session(), note: placeholder(id)? })?;
        target.push(Change::DropNote { session: session(), id })?;
    }
    if let Some(Notepad { rev, text, updated_at: at, .. }) = old.page(row)? {
        let splice = Splice::between("", &text);
        target.push(Change::EditNotepad { session: session(), splice, rev, at })?;
    }
    if let Some(Handoff { text, updated_at: at }) = old.handoff(row)? {
        target.push(Change::SetHandoff { session: session(), text: Some(text), at })?;
    }
    if let Some(KeptRecap { body, at }) = old.recap(row)? {
        target.push(Change::SetRecap { session: session(), body, at })?;
    }
    Ok(())
}

/// Brings the notes of a session in the order of lists, in which the new store keeps them; the highest id.
fn notes(
    old: &Old,
    (row, key): (i64, &SessionKey),
    target: &mut Target<'_>,
) -> Result<Option<NoteId>> {
    let (mut after, mut last) = (None, None);
    loop {
        let slice = old.notes(row, after, SLICE)?;
        let Some(note) = slice.last() else { return Ok(last) };
        after = Some((note.updated_at, note.id));
        for note in slice {
            last = last.max(Some(note.id));
            target.push(Change::AddNote { session: key.clone(), note })?;
        }
    }
}

/// A note that says nothing.
fn placeholder(id: NoteId) -> Result<Note> {
    Ok(Note {
        id,
        content: Content::new("-")?,
        tags: Tags::new(&[Tags::UNTAGGED])?,
        created_at: Time(0),
        updated_at: Time(0),
        scratched_at: None,
    })
}

/// Says where sessions stand, now that the journal is there that their models were told of.
pub(super) fn standing(old: &Old, places: &Places, target: &mut Target<'_>) -> Result<()> {
    for OldSession { session: old, worked_at, active_plan, .. } in old.sessions()? {
        let session = || old.key.clone();
        let standing = Standing { told: places.of(old.standing.told), ..old.standing.clone() };
        target.push(Change::SetSession {
            session: session(),
            seen_at: old.seen_at,
            ended_at: old.ended_at,
            place: old.place.clone(),
            standing,
        })?;
        if let Some(parent) = old.parent.clone() {
            target.push(Change::SetParent { session: session(), parent })?;
        }
        if let Some(at) = worked_at {
            target.push(Change::SetWorked { session: session(), at })?;
        }
        if let Some(plan) = active_plan {
            target.push(Change::SetActivePlan { session: session(), plan: Some(plan) })?;
        }
    }
    for running in old.running().context("what runs cannot be read")? {
        let (session, running) = (running.session, Some(running.running));
        target.push(Change::SetRunning { session, running })?;
    }
    target.flush()
}
