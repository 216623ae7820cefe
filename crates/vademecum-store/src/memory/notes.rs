//! The notes of one session.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

use vademecum_core::id::NoteId;
use vademecum_core::note::{Note, TagCount};

use super::state::doubled;
use crate::error::StoreError;
use crate::view::{Counts, NoteFilter};

/// The notes of one session; what is counted of them is counted when it is asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    kept: BTreeMap<NoteId, Arc<KeptNote>>,
    /// The highest id ever given, deleted ones included.
    last: Option<NoteId>,
    /// The place of the note that was added last.
    last_place: u64,
}

/// A note, and when it was added among those of its session: an index finds the last added first.
#[derive(Debug)]
struct KeptNote {
    place: u64,
    note: Note,
}

impl Notes {
    pub(super) fn counts(&self) -> Counts {
        let open = self.kept.values().filter(|kept| !kept.note.is_scratched()).count();
        Counts { notes: self.kept.len() as u64, open: open as u64, last: self.last }
    }

    /// Whether a note has an id that was never given.
    pub(super) fn has_stray(&self) -> bool {
        self.kept.keys().last().copied() > self.last
    }

    /// Adds a note whose id nobody has.
    pub(super) fn add(&mut self, note: &Note) -> Result<(), StoreError> {
        if self.kept.contains_key(&note.id) {
            return Err(doubled(&note.id.to_string()));
        }
        self.last_place += 1;
        self.last = Some(self.last.unwrap_or(NoteId(0)).max(note.id));
        let kept = KeptNote { place: self.last_place, note: note.clone() };
        self.kept.insert(note.id, Arc::new(kept));
        Ok(())
    }

    /// Puts a note in the place of the one with its id, which keeps when it was added.
    pub(super) fn set(&mut self, note: &Note) {
        let Some(old) = self.kept.get(&note.id) else { return };
        let note = Note { created_at: old.note.created_at, ..note.clone() };
        let kept = KeptNote { place: old.place, note };
        self.kept.insert(kept.note.id, Arc::new(kept));
    }

    /// Deletes the notes whose ids go.
    pub(super) fn drop_those(&mut self, goes: impl Fn(NoteId) -> bool) {
        self.kept.retain(|id, _| !goes(*id));
    }

    /// Takes copies of the notes of another session whose ids none has here, in the order in which they were added there.
    pub(super) fn fork(&mut self, from: &Self) {
        if from.kept.is_empty() {
            return;
        }
        for (id, theirs) in &from.kept {
            let place = self.last_place + theirs.place;
            let copy = || Arc::new(KeptNote { place, note: theirs.note.clone() });
            self.kept.entry(*id).or_insert_with(copy);
        }
        self.last_place += from.last_place;
        self.last = self.last.max(from.last);
    }

    /// The notes of a filter, in its order, at most `limit`; 0 for all.
    pub(super) fn by(&self, filter: &NoteFilter, limit: usize) -> Vec<Note> {
        let near = match filter.id {
            Some(id) => (Included(id), Included(id)),
            None => (filter.after.map_or(Unbounded, Excluded), Unbounded),
        };
        filter.pick(self.kept.range(near).map(|(_, kept)| &kept.note), limit)
    }

    /// All of them, the last added first.
    pub(super) fn last_added_first(&self) -> Vec<&Note> {
        let mut all: Vec<&KeptNote> = self.kept.values().map(Arc::as_ref).collect();
        all.sort_unstable_by_key(|kept| Reverse(kept.place));
        all.into_iter().map(|kept| &kept.note).collect()
    }

    /// How often each tag is used, or this one: count descending, then name.
    pub(super) fn tag_counts(&self, tag: Option<&str>, include_scratched: bool) -> Vec<TagCount> {
        let notes = self.kept.values().map(|kept| &kept.note);
        let counted = notes.filter(|note| include_scratched || !note.is_scratched());
        let tags = counted.flat_map(|note| note.tags.as_slice());
        let mut counts = BTreeMap::<&str, u64>::new();
        for each in tags.filter(|each| tag.is_none_or(|tag| tag == *each)) {
            *counts.entry(each).or_default() += 1;
        }
        let count = |(tag, count): (&str, u64)| TagCount { tag: tag.to_owned(), count };
        let mut counts: Vec<TagCount> = counts.into_iter().map(count).collect();
        // Those of one count stay in the order of names.
        counts.sort_by_key(|tag| Reverse(tag.count));
        counts
    }
}

/// How many a limit lets through: 0 is none at all.
pub(super) fn most(limit: usize) -> usize {
    if limit == 0 { usize::MAX } else { limit }
}
