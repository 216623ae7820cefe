//! What others changed and no context has shown yet, said to the model whose write meets it.
//!
//! Contexts show it at the next prompt only: by then the model may have written over it.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::frame;
use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::Note;
use vademecum_core::session::Session;
use vademecum_harness::hook::Harness;
use vademecum_store::{Author, Body, Change, Record, Scope, StoreError, Surface, View};

use crate::call::Call;
use crate::gather::{MOST_NEWS, NEWS_BYTES};
use crate::history;

/// The most characters of what others wrote that a reply quotes.
const SAID_MAX: usize = 600;

/// What others changed of the page `now` of `session`, where the model writes `new` in its place.
pub(crate) fn page(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    (rev, now, new): (u32, &str, &str),
) -> Result<Option<String>, StoreError> {
    let (records, theirs) = unshown(call, view, session, changes_page)?;
    let Some((&last, &first)) = theirs.first().zip(theirs.last()) else { return Ok(None) };
    let head = format!("not shown here before: rev {rev}, by {}", whose(&records[last]));
    let Some(before) = history::before(view, &records[..=first], now.to_owned(), NEWS_BYTES)?
    else {
        return Ok(Some(format!("{head}; {}", whole(rev))));
    };
    let (added, taken) = (lacking(now, &before), lacking(&before, now));
    let is_gone = |line: &&&str| !new.lines().any(|it| it == **line);
    let n_gone = added.iter().filter(is_gone).count();
    let gone = match (n_gone, added.len()) {
        (0, _) => "",
        (gone, all) if gone == all => ", which this write takes away",
        _ => ", of which this write takes some away",
    };
    let all = [("added", &added, gone), ("took away", &taken, "")];
    let parts = all.iter().filter(|(_, lines, _)| !lines.is_empty()).map(|(what, lines, gone)| {
        format!("{what} \"{}\"{gone}", frame::line(&lines.join(" / "), SAID_MAX))
    });
    let parts: Vec<String> = parts.collect();
    Ok((!parts.is_empty()).then(|| format!("{head}: it {}", parts.join(" and "))))
}

fn whole(rev: u32) -> String {
    format!("a person has it by: vade notepad show --rev {rev}")
}

/// What others made of the note `now`, where the model changes it.
pub(crate) fn note(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    now: &Note,
) -> Result<Option<String>, StoreError> {
    let is_meant = |change: &Change| note_of(change) == Some(now.id);
    let (records, theirs) = unshown(call, view, session, is_meant)?;
    Ok(theirs.first().map(|&last| {
        let said = frame::line(now.content.as_str(), SAID_MAX);
        format!("not shown here before: what {} had made of it: \"{said}\"", whose(&records[last]))
    }))
}

fn whose(record: &Record) -> &'static str {
    match record.origin.author {
        Author::User => "a person",
        Author::Agent | Author::Tool | Author::Unknown(_) => "others",
    }
}

/// The lines of `of` that are not in `other`.
fn lacking<'t>(of: &'t str, other: &str) -> Vec<&'t str> {
    let other: BTreeSet<&str> = other.lines().collect();
    of.lines().filter(|line| !line.trim().is_empty() && !other.contains(line)).collect()
}

fn changes_page(change: &Change) -> bool {
    matches!(change, Change::EditNotepad { .. } | Change::DropNotepad { .. })
}

fn note_of(change: &Change) -> Option<NoteId> {
    match change {
        Change::SetNote { note, .. } | Change::AddNote { note, .. } => Some(note.id),
        Change::DropNote { id, .. } => Some(*id),
        _ => None,
    }
}

/// The newest writes of a session, and the places of those of others that `is_meant` and no context has shown.
///
/// A write of the model's own has met what was changed before it, and its reply said so.
fn unshown(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    is_meant: impl Fn(&Change) -> bool,
) -> Result<(Vec<Record>, Vec<usize>), StoreError> {
    let (scope, told) = (Scope::Session(session.id), session.standing.told);
    let is_shown = Harness::of(&session.key.harness).is_some();
    let is_model = call.caller.origin.author == Author::Agent;
    if !is_shown || !is_model || view.journal_outside(&scope, told, 1)?.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let records = view.journal(&scope, None, MOST_NEWS)?;
    let (mut theirs, mut room) = (Vec::new(), NEWS_BYTES);
    for (place, record) in records.iter().enumerate() {
        let Some(body) = body(view, record, &mut room)?.filter(|_| told < record.seq) else {
            break;
        };
        let is_meant = record.origin.surface != Surface::Hook && body.undo.iter().any(&is_meant);
        match record.origin.author {
            Author::Agent if is_meant => break,
            _ if is_meant => theirs.push(place),
            _ => {}
        }
    }
    Ok((records, theirs))
}

fn body(view: &dyn View, record: &Record, room: &mut u64) -> Result<Option<Body>, StoreError> {
    let left = view.body_size(record.seq)?.and_then(|size| room.checked_sub(size));
    let Some(left) = left else { return Ok(None) };
    *room = left;
    view.body(record.seq)
}

/// What of a session the model wrote itself, behind which write of others.
///
/// What was changed before is its own now: it is never told to it as changed from outside.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// Its last write of the page.
    pub(crate) page: Seq,
    notes: BTreeMap<NoteId, Seq>,
    /// The notes that others added and the model was not told of.
    born: BTreeSet<NoteId>,
}

impl Own {
    /// What stands in these writes of the model.
    pub(crate) fn of<'r>(
        view: &dyn View,
        records: impl Iterator<Item = &'r Record>,
    ) -> Result<Self, StoreError> {
        let (mut own, mut room) = (Self::default(), NEWS_BYTES);
        let is_own = |record: &&Record| {
            record.origin.author == Author::Agent && record.origin.surface != Surface::Hook
        };
        for record in records.filter(is_own) {
            let Some(body) = body(view, record, &mut room)? else { break };
            // Without it nothing was said of what was changed before.
            let has_said = body.reply.contains("\"unshown\"");
            for change in &body.undo {
                if changes_page(change) && has_said {
                    own.page = own.page.max(record.seq);
                }
                if let Some(note) = note_of(change) {
                    let last = own.notes.entry(note).or_insert(record.seq);
                    *last = record.seq.max(*last);
                }
            }
        }
        Ok(own)
    }

    /// Whether the model wrote the note itself since `record`.
    pub(crate) fn has_note(&self, note: NoteId, record: &Record) -> bool {
        self.notes.get(&note).is_some_and(|last| record.seq < *last)
    }

    /// Whether the model wrote the page itself since `record`.
    pub(crate) fn has_page(&self, record: &Record) -> bool {
        record.seq < self.page
    }

    /// Notes that others added a note which the model was not told of.
    pub(crate) fn is_born(&mut self, note: NoteId) {
        self.born.insert(note);
    }

    /// Whether the model may know the note.
    pub(crate) fn may_know(&self, note: NoteId) -> bool {
        !self.born.contains(&note)
    }
}
