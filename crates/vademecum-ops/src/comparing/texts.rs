//! What two stores keep of one session: page, notes, words and recap.

use vademecum_core::session::SessionKey;
use vademecum_store::{StoreError, View};

use super::Pair;

/// So many notes are read at once.
const SLICE: usize = 500;

impl Pair<'_> {
    pub(super) fn texts(&mut self, key: &SessionKey) -> Result<(), StoreError> {
        let (one, other) = (self.one, self.other);
        let (a, b) = (one.card(key)?, other.card(key)?);
        self.same(&format!("when session {key} worked"), &a.worked_at, &b.worked_at);
        self.same(&format!("the plan of session {key}"), &a.active_plan, &b.active_plan);
        self.same(&format!("the last note id of session {key}"), &a.counts.last, &b.counts.last);
        if a.notepad_rev.is_some() || b.notepad_rev.is_some() {
            let what = format!("the page of session {key}");
            self.same(&what, &one.notepad(key)?, &other.notepad(key)?);
        }
        let what = format!("what session {key} wrote for the next one");
        self.same(&what, &one.handoff(key)?, &other.handoff(key)?);
        self.same(&format!("the recap of session {key}"), &one.recap(key)?, &other.recap(key)?);
        self.notes(key)?;
        let what = format!("how often tags are used in session {key}");
        let tags =
            |view: &dyn View| Ok::<_, StoreError>([view.tags(key, true)?, view.tags(key, false)?]);
        self.same(&what, &tags(one)?, &tags(other)?);
        Ok(())
    }

    /// The notes of both in the order of their ids, slice by slice.
    fn notes(&mut self, key: &SessionKey) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let a = self.one.notes_after(key, after, SLICE)?;
            let b = self.other.notes_after(key, after, SLICE)?;
            // Only as far as both were read is one that is not there lacking.
            let ends = [&a, &b].map(|it| it.last().filter(|_| it.len() == SLICE).map(|it| it.id));
            let end = ends.into_iter().flatten().min();
            let within = |id| end.is_none_or(|end| id <= end);
            let a: Vec<_> = a.into_iter().filter(|note| within(note.id)).collect();
            let b: Vec<_> = b.into_iter().filter(|note| within(note.id)).collect();
            let ids = |notes: &[vademecum_core::note::Note]| notes.iter().map(|it| it.id).collect();
            let named = |id: &_| format!("{id} of session {key}");
            for id in self.both(named, &ids(&a), &ids(&b)) {
                self.found.notes += 1;
                let of = |notes: &[vademecum_core::note::Note]| {
                    notes.iter().find(|note| note.id == id).cloned()
                };
                self.same(&named(&id), &of(&a), &of(&b));
            }
            match end {
                Some(end) => after = Some(end),
                None => return Ok(()),
            }
        }
    }
}
