//! Notes: of one that both have, the version that only one store changed since is taken, else both are kept.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::session::SessionKey;
use vademecum_store::{Change, NoteFilter, Scope, StoreError, View};

use super::lines::{Alone, Line, Touch};
use super::target::{Part, Target};
use super::{SLICE, sessions};
use crate::error::OpError;

/// What notes are called there that have another id.
pub(super) type Moved = BTreeMap<SessionKey, BTreeMap<NoteId, NoteId>>;

/// Brings every note there; those that got another id.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<Moved, OpError> {
    let mut moved = Moved::new();
    for session in sessions::all(from)? {
        let counts = from.counts(&session.key)?;
        let Some(last) = counts.last else { continue };
        let line = Line::of(from, to, &Scope::Session(session.key.clone()))?;
        let ids = if line.is_met() { ids(from, &session.key)? } else { BTreeSet::new() };
        let key = &session.key;
        let taking = Taking { key, line: &line, ids: &ids };
        let of_it = taking.notes(from, to)?;
        let of_it: BTreeMap<NoteId, NoteId> = of_it.into_iter().collect();
        if line.is_met() {
            taking.dropped(to, &of_it)?;
        }
        if !of_it.is_empty() {
            moved.insert(key.clone(), of_it);
        }
        taking.last(to, last)?;
    }
    Ok(moved)
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
        if view.session(self.key)?.is_none() {
            return Ok(Vec::new());
        }
        let alone = self.line.alone(view)?;
        let mut others = None;
        let mut changes = Vec::new();
        for note in slice {
            let touch = Touch::Note(note.id);
            let session = self.key.clone();
            match view.note(self.key, note.id)? {
                None if alone.is_behind(&touch) => continue,
                None => changes.push(Change::AddNote { session, note: note.clone() }),
                Some(known) if known == *note || alone.is_behind(&touch) => continue,
                Some(_) if alone.is_ahead(&touch) => {
                    changes.push(Change::SetNote { session, note: note.clone() });
                }
                Some(_) => {
                    let others = match &mut others {
                        Some(others) => others,
                        None => others.insert(self.others(view)?),
                    };
                    let Some(note) = self.elsewhere(others, note, part) else { continue };
                    changes.push(Change::AddNote { session, note });
                }
            }
            part.report.notes += 1;
        }
        Ok(changes)
    }

    /// The notes there whose ids none has where the session comes from.
    fn others(&self, view: &dyn View) -> Result<BTreeMap<NoteId, Note>, StoreError> {
        let notes = view.notes(self.key, &NoteFilter::ALL, 0)?.into_iter();
        let others = notes.filter(|note| !self.ids.contains(&note.id));
        Ok(others.map(|note| (note.id, note)).collect())
    }

    /// A note whose id another one has, under the next free id; none where it stands under one already.
    fn elsewhere(
        &self,
        others: &mut BTreeMap<NoteId, Note>,
        note: &Note,
        part: &mut Part,
    ) -> Option<Note> {
        let is_it = |other: &&Note| Note { id: note.id, ..(*other).clone() } == *note;
        if let Some(twin) = others.values().find(is_it) {
            part.moved.push((note.id, twin.id));
            return None;
        }
        let mut id = NoteId(note.id.0.saturating_add(1));
        while self.ids.contains(&id) || others.contains_key(&id) {
            id.0 += 1;
        }
        let moved = Note { id, ..note.clone() };
        others.insert(id, moved.clone());
        part.moved.push((note.id, id));
        part.report.notices.push(format!(
            "{} of session {} is another one there: it is kept as {id}",
            note.id, self.key
        ));
        Some(moved)
    }

    /// Deletes what was deleted where it comes from, and was not touched there since.
    ///
    /// What has such an id there because its own was taken is another note.
    fn dropped(
        &self,
        to: &mut Target<'_>,
        moved: &BTreeMap<NoteId, NoteId>,
    ) -> Result<(), OpError> {
        let is_another = |id: &NoteId| moved.values().any(|given| given == id);
        let gone = |view: &dyn View, alone: &Alone| -> Result<Vec<NoteId>, StoreError> {
            let mut gone = Vec::new();
            for id in alone.notes_ahead().filter(|id| !self.ids.contains(id) && !is_another(id)) {
                if view.note(self.key, id)?.is_some() {
                    gone.push(id);
                }
            }
            gone.truncate(SLICE);
            Ok(gone)
        };
        loop {
            let ids = to.read(|view| gone(view, &self.line.alone(view)?))?;
            if ids.is_empty() {
                return Ok(());
            }
            to.write("dropped", &(self.key, &ids), |view, part| {
                let ids = gone(view, &self.line.alone(view)?)?;
                part.report.notes += ids.len() as u64;
                let drop_one = |id| Change::DropNote { session: self.key.clone(), id };
                Ok(ids.into_iter().map(drop_one).collect())
            })?;
        }
    }

    /// Sees to it that an id that was given is not given again, though its note was deleted.
    fn last(&self, to: &mut Target<'_>, last: NoteId) -> Result<(), OpError> {
        to.write("last", &(self.key, last), |view, _| {
            let is_given = Some(last) <= view.counts(self.key)?.last;
            if is_given || view.session(self.key)?.is_none() {
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
