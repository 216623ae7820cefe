//! Entries of another store's journal: what each keeps, and what holds them afterwards.

use vademecum_core::hash::plain;
use vademecum_core::id::{MachineId, NoteId, PersonId, Seq, WriteId};

use super::scene::{START, commit, note, project, session, write};
use crate::change::{Change, CopiedBody, CopiedRecord, Unknown};
use crate::error::StoreError;
use crate::journal::Body;
use crate::store::{Depth, Store, read};
use crate::view::NoteFilter;
use crate::write::{Decision, Origin, Outcome, Scope, Write, Writer};

pub(super) const CASES: &[super::Case] = &[
    ("an entry of another store stands behind the newest of its scope, as it was", kept),
    ("what was copied is undone by the entries that came with it", undone),
    ("an erased body of another store stays erased", erased),
    ("an entry whose write id is taken is refused, and its write whole", refused),
    ("a change of a later program is copied byte for byte", later),
];

fn copied(scope: &Scope, id: &str, undo: Vec<Change>) -> CopiedRecord {
    CopiedRecord {
        scope: scope.clone(),
        write_id: WriteId::new(id).expect("a legal id"),
        kind: "add_note".to_owned(),
        origin: Origin::parse("http/robot").expect("an origin"),
        by: Writer { person: PersonId([3; 16]), machine: MachineId([4; 16]) },
        at: START.plus(-5000),
        body: CopiedBody::Kept(Body {
            arguments: plain(id.as_bytes()),
            reply: format!("\"{id}\""),
            undo,
        }),
    }
}

/// Copies in one write of scope `store`.
fn copy(store: &dyn Store, id: &str, changes: &[Change]) -> Result<Outcome, StoreError> {
    store.write(&write(Scope::Store, id, id), &mut |_| {
        Ok(Decision::Copy { changes: changes.to_vec(), reply: format!("\"{id}\"") })
    })
}

fn record(copied: CopiedRecord) -> Change {
    Change::CopyRecord(Box::new(copied))
}

fn is_sound(store: &dyn Store) {
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn kept(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let add = |id| Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
    commit(store, scope.clone(), "own", &[add(1)]);
    let drop_two = Change::DropNote { session: session.clone(), id: NoteId(2) };
    let one = copied(&scope, "theirs", vec![drop_two]);
    let team = copied(&Scope::Unknown("team:7".into()), "theirs", Vec::new());
    let changes = [add(2), record(one.clone()), record(team.clone())];
    copy(store, "copy", &changes).expect("a write");
    for expected in [one, team] {
        let (newest, body) = read(store, |view| {
            let newest = view.records(&expected.scope, 1)?.remove(0);
            let body = view.body(newest.seq)?;
            Ok((newest, body.map(CopiedBody::Kept)))
        })
        .expect("a read");
        let found = (newest.write_id, newest.kind, (newest.origin, newest.by), newest.at, body);
        let CopiedRecord { write_id, kind, origin, by, at, body, .. } = expected;
        assert_eq!(found, (write_id.as_str().to_owned(), kind, (origin, by), at, Some(body)));
    }
    commit(store, scope.clone(), "later", &[add(3)]);
    let outside = read(store, |view| view.records_outside(&scope, Seq(0), 0)).expect("a read");
    assert_eq!(outside.len(), 3, "who wrote it elsewhere is an outsider here too");
    // Who made it there and asks again is answered as there.
    let request = Write { kind: "add_note", ..write(scope, "theirs", "theirs") };
    let again = store.write(&request, &mut |_| panic!("asked again")).expect("a write");
    assert!(matches!(again, Outcome::Replayed { reply, .. } if reply == "\"theirs\""));
    is_sound(store);
}

fn undone(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let drop_one = Change::DropNote { session: session.clone(), id: NoteId(1) };
    let add = Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) };
    let Ok(Outcome::Done { seq }) =
        copy(store, "copy", &[add, record(copied(&scope, "theirs", vec![drop_one]))])
    else {
        panic!("not copied")
    };
    let (own, newest) = read(store, |view| {
        let newest = view.records(&scope, 1)?.remove(0);
        Ok((view.body(seq)?, view.body(newest.seq)?))
    })
    .expect("a read");
    // What the copy did is told by the entries that came with it, and nowhere twice.
    assert_eq!(own.map(|body| body.undo), Some(Vec::new()));
    commit(store, scope, "undo", &newest.expect("a body").undo);
    let left = read(store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!(left, []);
    let again = copy(store, "copy", &[]).expect("a write");
    assert_eq!(again, Outcome::Replayed { seq, reply: "\"copy\"".to_owned() });
    is_sound(store);
}

fn erased(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    let gone =
        CopiedRecord { body: CopiedBody::Erased([7; 16]), ..copied(&scope, "theirs", Vec::new()) };
    copy(store, "copy", &[record(gone)]).expect("a write");
    let (newest, entry) = read(store, |view| {
        let newest = view.records(&scope, 1)?.remove(0);
        Ok((newest.clone(), view.with_body(newest.seq, u64::MAX)?))
    })
    .expect("a read");
    assert_eq!((newest.write_id.as_str(), newest.body_hash), ("theirs", [7; 16]));
    let entry = entry.expect("an entry");
    assert_eq!((entry.size, entry.body), (None, None));
    let request = write(scope, "theirs", "theirs");
    let again = store.write(&request, &mut |_| Ok(Decision::Refuse));
    assert!(matches!(again, Err(StoreError::Erased { .. })), "{again:?}");
    is_sound(store);
}

fn refused(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let add = |id| Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
    commit(store, scope.clone(), "own", &[add(1)]);
    let own = record(copied(&scope, "own", Vec::new()));
    let twice = record(copied(&scope, "twice", Vec::new()));
    for (id, changes) in [("a", vec![add(2), own]), ("b", vec![add(2), twice.clone(), twice])] {
        let taken = copy(store, id, &changes);
        assert!(matches!(taken, Err(StoreError::Reused { .. })), "{taken:?}");
    }
    let (notes, records) =
        read(store, |view| Ok((view.counts(&session)?.notes, view.records(&scope, 0)?.len())))
            .expect("a read");
    assert_eq!((notes, records), (1, 1));
    is_sound(store);
}

fn later(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let raw = r#"{ "change":"weave_page","thread":[1, 2.50, 1e400],"b":"\u00e9","a":null }"#;
    let unknown = Change::Unknown(Unknown { word: "weave_page".into(), raw: raw.into() });
    let gone = Change::Unknown(Unknown::gone("add_note"));
    let known = Change::DropNotes { session, upto: NoteId(9) };
    let undo = vec![unknown, known, gone];
    copy(store, "copy", &[record(copied(&scope, "theirs", undo.clone()))]).expect("a write");
    let body = read(store, |view| {
        let newest = view.records(&scope, 1)?.remove(0);
        view.body(newest.seq)
    });
    assert_eq!(body.expect("a read").expect("a body").undo, undo);
    is_sound(store);
}
