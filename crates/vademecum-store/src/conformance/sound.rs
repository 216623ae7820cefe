//! What holds in every store at every moment, whatever was done to it and whatever failed.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::Note;
use vademecum_core::session::SessionKey;

use super::scene::fed;
use crate::error::StoreError;
use crate::store::{Depth, Store, read};
use crate::view::{NoteFilter, SessionFilter, View};

/// Checks that a store agrees with itself; panics where it does not.
///
/// Its own health is clean, counts and tags are those of the notes, each write is journaled once.
pub fn check_sound(store: &dyn Store) {
    let health = store.health(Depth::Deep).expect("health");
    assert_eq!(health.faults, Vec::<String>::new());
    let filter = SessionFilter::ALL;
    read(store, |view| {
        view.sessions(filter)?.iter().try_for_each(|session| counts_agree(view, &session.key))
    })
    .expect("a read");
    check_journal(store);
}

fn counts_agree(view: &dyn View, session: &SessionKey) -> Result<(), StoreError> {
    let all = NoteFilter::ALL;
    let notes = view.notes(session, &all, 0)?;
    let open: Vec<Note> = notes.iter().filter(|note| !note.is_scratched()).cloned().collect();
    let counts = view.counts(session)?;
    assert_eq!((counts.notes, counts.open), (notes.len() as u64, open.len() as u64));
    assert!(notes.iter().map(|note| note.id).max() <= counts.last);
    assert_eq!(view.notes(session, &NoteFilter::default(), 0)?, open);

    for (include_scratched, notes) in [(true, &notes), (false, &open)] {
        let mut by_tag = BTreeMap::<&str, Vec<NoteId>>::new();
        for note in notes {
            for tag in note.tags.as_slice() {
                by_tag.entry(tag).or_default().push(note.id);
            }
        }
        let counted = view.tags(session, include_scratched)?;
        let counted: BTreeMap<&str, u64> =
            counted.iter().map(|tag| (tag.tag.as_str(), tag.count)).collect();
        assert_eq!(counted, by_tag.iter().map(|(tag, ids)| (*tag, ids.len() as u64)).collect());
        for (tag, ids) in by_tag {
            let filter = NoteFilter { include_scratched, ..NoteFilter::open(&[tag]) };
            let listed = view.notes(session, &filter, 0)?;
            assert_eq!(listed.iter().map(|note| note.id).collect::<Vec<_>>(), ids);
        }
    }
    Ok(())
}

fn check_journal(store: &dyn Store) {
    let records = fed(store, Seq(0), 0);
    assert!(records.is_sorted_by(|a, b| a.seq < b.seq), "the feed is not in order");
    let names: BTreeSet<_> =
        records.iter().map(|record| (record.scope.to_string(), &record.write_id)).collect();
    assert_eq!(names.len(), records.len(), "a write is journaled twice");
}
