//! What the journal tells of a session: its page, its notes, its words for the next one.

use vademecum_core::id::NoteId;
use vademecum_core::session::Session;
use vademecum_store::{Body, Change, JournalEntry, JournalFilter, Record, Scope, StoreError, View};

use super::{Dated, Event, Kind};
use crate::{history, lapses};

/// So many bytes of what undoes writes are read: a screen must be there at once. Of older writes the operation is told.
const BODIES: u64 = 512 << 10;

/// So many more entries are read than are shown: what a hook notes every few minutes is left out.
const BESIDE: usize = 200;

/// Writes by which hooks keep their own accounts, or which other events tell of.
const LEFT_OUT: [&str; 7] = [
    "begin_session",
    "hear_session",
    "keep_recap",
    lapses::KIND,
    "note_session",
    "note_work",
    "remind",
];

/// The newest writes of the session that say something; `most` is 0 for all.
pub(super) fn events(
    view: &dyn View,
    session: &Session,
    most: usize,
) -> Result<Vec<Dated>, StoreError> {
    let scope = Scope::Session(session.key.clone());
    let filter = JournalFilter {
        scope: Some(&scope),
        limit: if most == 0 { 0 } else { most + BESIDE },
        bodies: BODIES,
        ..JournalFilter::default()
    };
    let mut entries = view.journal(&filter)?;
    entries.retain(|entry| !LEFT_OUT.contains(&entry.record.kind.as_str()));
    if 0 < most {
        entries.truncate(most);
    }
    // The newest comes first: of one millisecond the first written is to be shown first.
    let mut events = Vec::new();
    let mut words = view.handoff(&session.key)?.map(|words| words.text);
    for entry in entries {
        let at = entry.record.at;
        let event = event(view, session, entry, &mut words)?;
        events.push((at, event));
    }
    events.reverse();
    Ok(events)
}

fn event(
    view: &dyn View,
    session: &Session,
    entry: JournalEntry,
    words: &mut Option<String>,
) -> Result<Event, StoreError> {
    let JournalEntry { record, body, .. } = entry;
    let by = format!("{}, {}", record.kind, record.origin.word());
    let new = |kind, text: &str| Event::new(record.at, kind, text);
    if record.kind == "follow_session" {
        return took_over(view, session, &record);
    }
    let Some(body) = body else { return Ok(new(Kind::Write, &by)) };
    if let Some(undo) = history::page_undo(&body) {
        let rev = format!("rev {}", history::rev_made(undo));
        return Ok(new(Kind::Notepad, &format!("{rev} ({by})")).refers_to(rev));
    }
    if let Some((id, said)) = note(view, session, &body)? {
        return Ok(new(Kind::Note, &format!("{said} ({by})")).refers_to(id.to_string()));
    }
    if body.undo.iter().any(|change| matches!(change, Change::SetHandoff { .. })) {
        let before = body.undo.iter().find_map(|change| match change {
            Change::SetHandoff { text, .. } => Some(text.clone()),
            _ => None,
        });
        let written = std::mem::replace(words, before.flatten());
        return Ok(new(Kind::Handoff, written.as_deref().unwrap_or(&by)));
    }
    Ok(new(Kind::Write, &by))
}

/// Whose work was taken over: of the first one the session's own row tells.
fn took_over(view: &dyn View, session: &Session, record: &Record) -> Result<Event, StoreError> {
    let before = crate::succession::taken_over(view, session)?;
    let new = |text: &str| Event::new(record.at, Kind::TookOver, text);
    Ok(match before {
        Some(before) => {
            new(&format!("what session {} left", before.handle())).refers_to(before.key.to_string())
        }
        None => new("what another session left"),
    })
}

/// The note that a write was about, and what it says now, or said when it was deleted.
fn note(
    view: &dyn View,
    session: &Session,
    body: &Body,
) -> Result<Option<(NoteId, String)>, StoreError> {
    let now = |id: NoteId| -> Result<String, StoreError> {
        let note = view.note(&session.key, id)?;
        Ok(note.map_or_else(|| "gone since".to_owned(), |note| note.content.as_str().to_owned()))
    };
    for change in &body.undo {
        let found = match change {
            Change::DropNote { id, .. } => Some((*id, now(*id)?)),
            Change::SetNote { note, .. } => Some((note.id, now(note.id)?)),
            Change::AddNote { note, .. } => {
                Some((note.id, format!("deleted: {}", note.content.as_str())))
            }
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
