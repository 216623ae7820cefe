//! A search over a project: small sessions and one of which the newest notes alone are walked give what reading all of them does.

use std::sync::Arc;

use vademecum_core::session::SessionKey;
use vademecum_store::{
    Change, Corpus, Document, KeySet, NoteFilter, Scope, View, hits_among, read,
};

use crate::scene::{PROJECT, add_note, add_session, commit, key, server, with_session};

/// More than are walked.
const NOTES: i64 = 5_100;

/// All notes, those of the session that became known last first.
fn all(view: &dyn View, sessions: &[&SessionKey]) -> Vec<Document> {
    let notes = |key: &&SessionKey| {
        let mut notes = view.notes(key, &NoteFilter::ALL, 0).expect("notes");
        notes.sort_by_key(|note| std::cmp::Reverse(note.id));
        let key = Arc::new((*key).clone());
        notes.into_iter().map(move |note| Document::Note(Arc::clone(&key), note))
    };
    sessions.iter().rev().flat_map(notes).collect()
}

#[test]
fn a_project_is_searched_as_if_all_were_read() {
    let Some(server) = server() else { return };
    let (store, first) = with_session(&server);
    let sessions = [first, key("large"), key("last")];
    let [first, large, last] = &sessions;
    let text = |id: i64| match id {
        7 | 5_050 => format!("a red leek of sack {id}"),
        // Where they stand no sample finds them.
        8 | 5_053 => format!("a green pea of sack {id}"),
        _ => format!("a carrot of sack {id}"),
    };
    for session in [large, last] {
        commit(&store, Scope::Session(session.clone()), "begin", &[add_session(session)])
            .expect("a session");
    }
    let notes_of = [(first, vec![1, 7, 9]), (last, vec![2, 7]), (large, (1..=NOTES).collect())];
    for (session, ids) in notes_of {
        let notes: Vec<Change> = ids.iter().map(|id| add_note(session, *id, &text(*id))).collect();
        commit(&store, Scope::Session(session.clone()), "notes", &notes).expect("notes");
    }
    let set = |keys: &[&'static str], most, is_rare| KeySet { keys: keys.to_vec(), most, is_rare };
    let sets = [
        set(&["leek"], 10, false),
        set(&["leek", "red"], 2, false),
        set(&["leek"], 4, true),
        set(&["leek"], 9, true),
        set(&["carrot"], 4, false),
        set(&["carrot", "sack"], 6_000, false),
        set(&["carrot"], 500, true),
        set(&["turnip"], 10, false),
        set(&["pea"], 10, false),
        set(&["pea"], 1, false),
        set(&["pea"], 2, true),
        set(&["sack", "green", "pea"], 10, false),
        set(&["leek", "pea"], 10, false),
        set(&[], 10, false),
    ];
    read(&store, |view| {
        let expected = hits_among(&all(view, &[first, large, last]), &sets, &NoteFilter::ALL);
        for corpus in [Corpus::Sessions(PROJECT), Corpus::ProjectNotes(PROJECT)] {
            assert_eq!(view.hits(corpus, &sets, &NoteFilter::ALL)?, expected);
        }
        let n: Vec<usize> = expected.iter().map(|hits| hits.n).collect();
        assert_eq!(n, [4, 2, 4, 4, 4, 5_099, 500, 0, 2, 1, 2, 2, 0, 0]);
        let expected = hits_among(&all(view, &[large]), &sets, &NoteFilter::ALL);
        assert_eq!(view.hits(Corpus::Notes(large), &sets, &NoteFilter::ALL)?, expected);
        Ok(())
    })
    .expect("a read");
}
