//! What the journal knows of a page: its revisions, and the text of each.

pub mod note;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::SessionKey;
use vademecum_store::{Body, Change, Record, Scope, StoreError, View};

use crate::error::OpError;

/// One revision of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revision {
    /// Its number.
    pub rev: u32,
    /// When it was written (RFC 3339).
    pub at: String,
    /// What wrote it: surface/author.
    pub origin: String,
    /// The operation.
    pub operation: String,
    /// How many characters it has.
    pub chars: usize,
    /// The beginning of its first line.
    pub first_line: String,
}

/// One step back in the history of a page.
struct Step {
    record: Record,
    /// The text that this entry wrote.
    text: String,
    rev: u32,
}

/// The newest revisions of a page, at most `limit`; 0 for all that the journal still knows.
pub fn revisions(
    view: &dyn View,
    session: &SessionKey,
    limit: usize,
) -> Result<Vec<Revision>, OpError> {
    let mut revisions = Vec::new();
    walk(view, session, |step| {
        revisions.push(Revision {
            rev: step.rev,
            at: step.record.at.to_rfc3339(),
            origin: step.record.origin.word(),
            operation: step.record.kind.clone(),
            chars: step.text.chars().count(),
            first_line: first_line(&step.text),
        });
        revisions.len() != limit
    })?;
    Ok(revisions)
}

/// So many characters of a page's first line tell one revision from another.
const SHOWN: usize = 200;

/// The beginning of the first line of `text` that says something.
fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The text of revision `rev` of a page.
pub fn text_at(view: &dyn View, session: &SessionKey, rev: u32) -> Result<String, OpError> {
    let mut found = None;
    let stop = walk(view, session, |step| {
        if step.rev == rev {
            found = Some(step.text.clone());
        }
        rev < step.rev
    })?;
    if let Some(text) = found {
        return Ok(text);
    }
    if let Some(stop) = stop {
        return Err(stop);
    }
    let newest = view.notepad_rev(session)?.unwrap_or(0);
    let what = if newest < rev {
        format!("the notepad has no rev {rev}: the newest is {newest}")
    } else {
        format!("the notepad has no rev {rev} any more")
    };
    Err(OpError::missing(what).hint("vade notepad history lists them"))
}

/// Walks from the page as it is back along the reverses, until `visit` says no.
///
/// A write of a later program is passed over where it left the page alone, which the revisions around it
/// tell; else the walk ends with the page that it made, and says why.
fn walk(
    view: &dyn View,
    session: &SessionKey,
    mut visit: impl FnMut(&Step) -> bool,
) -> Result<Option<OpError>, OpError> {
    let Some(page) = view.notepad(session)? else {
        return Ok(None);
    };
    let (mut text, mut rev) = (page.text, page.rev);
    let mut later = None;
    for record in view.records(&Scope::Session(session.clone()), 0)? {
        let Some(body) = view.body(record.seq)? else {
            continue;
        };
        let undo = page_undo(&body);
        let made = undo.map(rev_made);
        if later.is_some() && made.is_some_and(|made| made != rev) {
            break;
        }
        let why = body.unknown().map(|unknown| of_a_later_program(&record, &unknown.word));
        let Some(undo) = undo else {
            later = later.or(why.map(|why| (record, why)));
            continue;
        };
        let step = Step { record: record.clone(), text: text.clone(), rev };
        if !visit(&step) {
            return Ok(None);
        }
        let Change::EditNotepad { splice, rev: before, .. } = undo else {
            return Ok(None);
        };
        text = splice.apply(&text).map_err(|error| OpError::broken(error.to_string()))?;
        rev = *before;
        later = why.map(|why| (record, why));
    }
    Ok(later.map(|(record, why)| {
        visit(&Step { record, text, rev });
        why
    }))
}

/// The revision that a write made, by what undoes it.
pub(crate) fn rev_made(undo: &Change) -> u32 {
    match undo {
        Change::EditNotepad { rev: before, .. } => before + 1,
        _ => 1,
    }
}

/// Why what lies behind a write cannot be had.
fn of_a_later_program(record: &Record, word: &str) -> OpError {
    let Record { write_id, .. } = record;
    OpError::conflict(format!(
        "write {write_id} holds what a later vade did (\"{word}\"): undo it with that version"
    ))
}

/// The page as it was before the oldest of `records`, the newest of which wrote `text`.
///
/// At most `room` bytes of the journal are read for it. None where that is too little, or the journal knows no more.
pub(crate) fn before(
    view: &dyn View,
    records: &[Record],
    mut text: String,
    mut room: u64,
) -> Result<Option<String>, StoreError> {
    for record in records {
        let found = view.with_body(record.seq, room)?;
        let Some((size, body)) = found.and_then(|entry| entry.size.zip(entry.body)) else {
            return Ok(None);
        };
        room -= size;
        if body.unknown().is_some() {
            return Ok(None);
        }
        match page_undo(&body) {
            None => {}
            Some(Change::EditNotepad { splice, .. }) => match splice.apply(&text) {
                Ok(earlier) => text = earlier,
                Err(_) => return Ok(None),
            },
            Some(_) => return Ok(None),
        }
    }
    Ok(Some(text))
}

/// The change of a body that takes the page back; none if its write left the page alone.
pub(crate) fn page_undo(body: &Body) -> Option<&Change> {
    body.undo.iter().find(|change| is_of_page(change))
}

/// Whether a change that undoes takes the page back.
pub(crate) fn is_of_page(change: &Change) -> bool {
    matches!(change, Change::EditNotepad { .. } | Change::DropNotepad { .. })
}
