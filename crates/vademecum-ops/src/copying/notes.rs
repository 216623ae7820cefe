//! Notes: of one that both have, the version that only one store changed since is taken, else both are kept.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{Change, NoteFilter, StoreError, View};

use super::lines::{Alone, Line, Touch};
use super::target::{Part, Target};
use super::{SLICE, There, sessions};
use crate::error::OpError;
use crate::forgetting::Tombstone;

/// Brings the notes of a session.
pub(super) fn copy(
    from: &dyn View,
    to: &mut Target<'_>,
    (session, line): (&Session, &Line),
) -> Result<There<NoteId>, OpError> {
    let there = to.read(|view| line.alone(view))?;
    let mut moved = there.moved().clone();
    let out = to.read(|view| there.forgotten(view, &session.key))?;
    let Some(last) = from.counts(&session.key)?.last else { return Ok(There { moved, out }) };
    let ids = if line.is_met() { ids(from, &session.key)? } else { BTreeSet::new() };
    let taking = Taking { session, key: &session.key, line, ids: &ids };
    let new = taking.notes(from, to)?;
    taking.dropped(to, &new)?;
    moved.extend(new);
    // One that has another id there need not be kept free under this one, or two stores would outbid each other.
    let is_same = |id: &NoteId| !moved.contains_key(id) && !out.contains(id);
    if let Some(last) = [last].into_iter().chain(ids.iter().rev().copied()).find(is_same) {
        taking.last(to, last)?;
    }
    Ok(There { moved, out })
}

fn ids(view: &dyn View, session: &SessionKey) -> Result<BTreeSet<NoteId>, StoreError> {
    let (mut ids, mut after) = (BTreeSet::new(), None);
    loop {
        let slice = view.notes_after(session, after, SLICE)?;
        let Some(last) = slice.last() else { return Ok(ids) };
        after = Some(last.id);
        ids.extend(slice.iter().map(|note| note.id));
    }
}

/// What is known while the notes of a session are taken.
struct Taking<'a> {
    session: &'a Session,
    key: &'a SessionKey,
    line: &'a Line,
    /// The ids that notes have where they come from, if the other store knows the session.
    ids: &'a BTreeSet<NoteId>,
}

impl Taking<'_> {
    fn notes(
        &self,
        from: &dyn View,
        to: &mut Target<'_>,
    ) -> Result<Vec<(NoteId, NoteId)>, OpError> {
        let (mut moved, mut after) = (Vec::new(), None);
        loop {
            let slice = from.notes_after(self.key, after, SLICE)?;
            let Some(last) = slice.last() else { return Ok(moved) };
            after = Some(last.id);
            moved.extend(to.write("notes", &(self.key, &slice), |view, part| {
                self.slice(view, &slice, part)
            })?);
        }
    }

    fn slice(
        &self,
        view: &dyn View,
        slice: &[Note],
        part: &mut Part,
    ) -> Result<Vec<Change>, StoreError> {
        if !sessions::is_taken(view, self.session)? {
            return Ok(Vec::new());
        }
        let alone = self.line.alone(view)?;
        let mut others = None;
        let mut changes = Vec::new();
        for note in slice {
            changes.extend(self.one((view, &alone), &mut others, note, part)?);
        }
        part.report.notes += changes.len() as u64;
        Ok(changes)
    }

    /// What brings one note; none where nothing is lacking.
    fn one(
        &self,
        (view, alone): (&dyn View, &Alone),
        others: &mut Option<BTreeMap<NoteId, Note>>,
        note: &Note,
        part: &mut Part,
    ) -> Result<Option<Change>, StoreError> {
        let (touch, session) = (Touch::Note(note.id), self.key.clone());
        let id = alone.there(note.id);
        let is_own = !alone.is_anothers(note.id, id);
        let new = Note { id, ..note.clone() };
        Ok(match view.note(self.key, id)? {
            Some(known) if is_own && known == new => None,
            None | Some(_) if alone.is_behind(&touch) => None,
            None if alone.was_forgotten(note.id, false)
                || Tombstone::Note(self.key, id).stands_in(view)? =>
            {
                self.leave_out(note.id, part);
                None
            }
            None if is_own => Some(Change::AddNote { session, note: new }),
            Some(_) if is_own && alone.is_ahead(&touch) => {
                Some(Change::SetNote { session, note: new })
            }
            None | Some(_) => {
                let others = match others {
                    Some(others) => others,
                    None => others.insert(self.others(view, alone)?),
                };
                let found = self.elsewhere((view, alone), others, note, part)?;
                found.map(|note| Change::AddNote { session, note })
            }
        })
    }

    fn leave_out(&self, id: NoteId, part: &mut Part) {
        part.report.leave_out(&format_args!("{id} of session {}", self.key));
    }

    /// The notes there that stand for none of those that are copied.
    fn others(&self, view: &dyn View, alone: &Alone) -> Result<BTreeMap<NoteId, Note>, StoreError> {
        let notes = view.notes(self.key, &NoteFilter::ALL, 0)?.into_iter();
        let others = notes.filter(|note| !self.ids.contains(&note.id) && !alone.is_given(note.id));
        Ok(others.map(|note| (note.id, note)).collect())
    }

    /// A note whose id another one has, under the next free id; none where it stands under one already, or did.
    fn elsewhere(
        &self,
        (view, alone): (&dyn View, &Alone),
        others: &mut BTreeMap<NoteId, Note>,
        note: &Note,
        part: &mut Part,
    ) -> Result<Option<Note>, StoreError> {
        let is_it = |other: &&Note| Note { id: note.id, ..(*other).clone() } == *note;
        if let Some(twin) = others.values().find(is_it) {
            part.moved.push((note.id, twin.id));
            return Ok(None);
        }
        if alone.was_forgotten(note.id, true) {
            self.leave_out(note.id, part);
            return Ok(None);
        }
        let mut id = NoteId(note.id.0.saturating_add(1));
        while self.ids.contains(&id)
            || alone.knows(id)
            || view.note(self.key, id)?.is_some()
            || others.contains_key(&id)
            || Tombstone::Note(self.key, id).stands_in(view)?
        {
            id.0 += 1;
        }
        let moved = Note { id, ..note.clone() };
        others.insert(id, moved.clone());
        part.moved.push((note.id, id));
        part.report.notices.push(format!(
            "{} of session {} is another one there: it is kept as {id}",
            note.id, self.key
        ));
        Ok(Some(moved))
    }

    /// Deletes what was deleted where it comes from, and was not touched there since.
    fn dropped(&self, to: &mut Target<'_>, new: &[(NoteId, NoteId)]) -> Result<(), OpError> {
        let brought: BTreeSet<NoteId> = new.iter().map(|(_, there)| *there).collect();
        let is_gone = |alone: &Alone, id: NoteId| {
            let there = alone.there(id);
            let is_own = !alone.is_anothers(id, there) && !brought.contains(&there);
            is_own && !self.ids.contains(&id) && alone.is_ahead(&Touch::Note(id))
        };
        let gone: Vec<NoteId> = to.read(|view| {
            let alone = self.line.alone(view)?;
            Ok(alone.notes_ahead().filter(|id| is_gone(&alone, *id)).collect())
        })?;
        for slice in gone.chunks(SLICE) {
            to.write("dropped", &(self.key, slice), |view, part| {
                let alone = self.line.alone(view)?;
                let mut changes = Vec::new();
                for id in slice.iter().filter(|id| is_gone(&alone, **id)) {
                    let (session, id) = (self.key.clone(), alone.there(*id));
                    if view.note(self.key, id)?.is_some() {
                        changes.push(Change::DropNote { session, id });
                    }
                }
                part.report.notes += changes.len() as u64;
                Ok(changes)
            })?;
        }
        Ok(())
    }

    /// Sees to it that an id that was given is not given again, though its note was deleted.
    fn last(&self, to: &mut Target<'_>, last: NoteId) -> Result<(), OpError> {
        to.write("last", &(self.key, last), |view, _| {
            let is_given = Some(last) <= view.counts(self.key)?.last;
            if is_given || !sessions::is_taken(view, self.session)? {
                return Ok(Vec::new());
            }
            let session = self.key.clone();
            let note = placeholder(last);
            Ok(vec![
                Change::AddNote { session: session.clone(), note },
                Change::DropNote { session, id: last },
            ])
        })
        .map(drop)
    }
}

/// A note that says nothing.
fn placeholder(id: NoteId) -> Note {
    use vademecum_core::note::{Content, Tags};
    use vademecum_core::time::Time;

    Note {
        id,
        content: Content::new("-").expect("a character is a content"),
        tags: Tags::new(&[Tags::UNTAGGED]).expect("a word is a tag"),
        created_at: Time(0),
        updated_at: Time(0),
        scratched_at: None,
    }
}
