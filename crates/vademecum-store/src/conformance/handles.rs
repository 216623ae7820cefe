//! Two handles on one store, as two processes have them: what one acknowledges, the other sees.

use std::time::Duration;

use vademecum_core::id::Seq;

use super::scene::{begun, commit, fed, key, note, project, session};
use super::sound::check_sound;
use crate::change::Change;
use crate::store::{Erase, Store, read};
use crate::view::NoteFilter;
use crate::write::{Outcome, Scope};

/// What two handles, opened before anything was written, are put to.
type Case = (&'static str, fn(&dyn Store, &dyn Store));

const CASES: &[Case] = &[
    ("a write is seen by the other handle at once", sees),
    ("a snapshot does not move while the other handle writes", stands_still),
    ("a write is repeated by the other handle", repeats),
    ("writes of two handles stand in one line", in_line),
    ("what one handle erases is gone for the other", erases),
    ("a session that the other handle forgot and began anew is the new one", begins_anew),
    ("threads on both handles lose nothing", threads),
];

/// Runs every case that takes two handles; `place` gives a way to open handles on a new store.
pub fn run_with_handles<S: Store, H: Fn() -> S>(place: &mut impl FnMut() -> H) {
    for (name, case) in CASES {
        println!("conformance: {name}");
        let open = place();
        case(&open(), &open());
        check_sound(&open());
    }
}

fn sees(mine: &dyn Store, other: &dyn Store) {
    // Looked at before there is a store: the handle must not keep its picture of nothing.
    let known = |store| read(store, |view| view.session(&key("s", None))).expect("a read");
    assert_eq!(known(other), None);
    let session = session(mine, project(mine, "/p"), "s");
    assert_eq!(known(other).map(|session| session.key), Some(session.clone()));
    for id in 1..=3 {
        let (writer, reader) = if id % 2 == 0 { (mine, other) } else { (other, mine) };
        let add = Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
        commit(writer, Scope::Session(session.clone()), &format!("{id}"), &[add]);
        for store in [writer, reader] {
            let counts = read(store, |view| view.counts(&session)).expect("a read");
            assert_eq!(counts.notes, id.unsigned_abs());
        }
    }
}

fn stands_still(mine: &dyn Store, other: &dyn Store) {
    let session = session(mine, project(mine, "/p"), "s");
    let add = |id| Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
    commit(mine, Scope::Session(session.clone()), "1", &[add(1)]);
    let seen = read(other, |view| {
        let before = (view.counts(&session)?, view.last_seq(&Scope::Session(session.clone()))?);
        commit(mine, Scope::Session(session.clone()), "2", &[add(2)]);
        let notes = view.notes(&session, &NoteFilter::default(), 0)?.len();
        let after = (view.counts(&session)?, view.last_seq(&Scope::Session(session.clone()))?);
        Ok((before == after, notes))
    });
    assert_eq!(seen.expect("a read"), (true, 1));
    assert_eq!(read(other, |view| view.counts(&session)).expect("a read").notes, 2);
}

fn repeats(mine: &dyn Store, other: &dyn Store) {
    let session = session(mine, project(mine, "/p"), "s");
    let add = [Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) }];
    let first = commit(mine, Scope::Session(session.clone()), "w", &add);
    let Outcome::Done { seq } = first else { panic!("not done: {first:?}") };
    let again = commit(other, Scope::Session(session), "w", &add);
    assert_eq!(again, Outcome::Replayed { seq, reply: "\"w\"".to_owned() });
}

fn in_line(mine: &dyn Store, other: &dyn Store) {
    let session = session(mine, project(mine, "/p"), "s");
    let start = other.wait(Seq(0), Duration::ZERO).expect("a wait");
    for (id, store) in (1..=6).zip([mine, other].into_iter().cycle()) {
        let add = Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
        commit(store, Scope::Session(session.clone()), &format!("{id}"), &[add]);
    }
    let fed = fed(other, start, 0);
    let ids: Vec<&str> = fed.iter().map(|record| record.write_id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5", "6"]);
}

fn erases(mine: &dyn Store, other: &dyn Store) {
    let project = project(mine, "/p");
    let session = session(mine, project, "s");
    let add = Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) };
    commit(mine, Scope::Session(session.clone()), "1", &[add]);
    assert_eq!(read(other, |view| view.counts(&session)).expect("a read").notes, 1);
    mine.erase(&Erase::Sessions(vec![session.clone()]), None).expect("erased");
    assert_eq!(read(other, |view| view.session(&session)).expect("a read"), None);
    other.erase(&Erase::Project(project), None).expect("erased");
    assert_eq!(read(mine, |view| view.project(project)).expect("a read"), None);
}

fn begins_anew(mine: &dyn Store, other: &dyn Store) {
    let project = project(mine, "/p");
    let session = session(mine, project, "s");
    let begin = begun(project, &session);
    let add = Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) };
    // Who has a name from before looks at its card first, as whoever is called anew does.
    let counted = |store| {
        let known = read(store, |view| Ok((view.session(&session)?, view.counts(&session)?.notes)));
        known.expect("a read").1
    };
    commit(mine, Scope::Session(session.clone()), "first", std::slice::from_ref(&add));
    // Each looks at it before the other takes it away.
    for (turn, writer, eraser) in [("1", mine, other), ("2", other, mine)] {
        let commit = |store, scope, id, changes: &[Change]| {
            commit(store, scope, &format!("{id} {turn}"), changes);
            assert_eq!((counted(writer), counted(eraser)), (1, 1));
        };
        let scope = Scope::Session(session.clone());
        assert_eq!(counted(writer), 1);
        eraser.erase(&Erase::Sessions(vec![session.clone()]), None).expect("erased");
        commit(
            eraser,
            Scope::Project(project),
            "begun by the other",
            &[begin.clone(), add.clone()],
        );
        eraser.erase(&Erase::Sessions(vec![session.clone()]), None).expect("erased");
        commit(writer, scope, "begun by who knew it", &[begin.clone(), add.clone()]);
    }
}

fn threads(mine: &dyn Store, other: &dyn Store) {
    let session = session(mine, project(mine, "/p"), "s");
    let n_notes = 12;
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = if writer % 2 == 0 { mine } else { other };
            let session = &session;
            scope.spawn(move || {
                for n in 0..n_notes {
                    let id = writer * n_notes + n + 1;
                    let session = session.clone();
                    let add = Change::AddNote {
                        session: session.clone(),
                        note: note(id, "text", &["a"]),
                    };
                    commit(store, Scope::Session(session), &format!("{id}"), &[add]);
                }
            });
        }
    });
    let counts = read(other, |view| view.counts(&session)).expect("a read");
    assert_eq!(counts.notes, 4 * n_notes.unsigned_abs());
}
