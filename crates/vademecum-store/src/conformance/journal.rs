//! The journal: repeats, refusals, order and the chain.

use vademecum_core::id::{Seq, WriteId};

use super::scene::{commit, note, project, session, write};
use crate::change::Change;
use crate::error::StoreError;
use crate::store::{Erase, Parts, Store, read};
use crate::write::{Author, Decision, Origin, Outcome, Scope, Surface, Write};

pub(super) const CASES: &[super::Case] = &[
    ("the same write again gives the stored reply", replays),
    ("other arguments under the same write id are a conflict", conflicts),
    ("a refused or empty write leaves nothing", leaves_nothing),
    ("entries of a scope are chained in order", chained),
    ("erased bodies are gone and the chain stands", erases),
    ("an intention stays until an erasure fulfils it", intends),
    ("what neither model nor harness wrote is found by itself", outside),
];

fn reply(changes: Vec<Change>, reply: &str) -> Decision {
    Decision::Commit { changes, reply: reply.to_owned() }
}

fn replays(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    let add = |text: &str| Change::AddNote { session, note: note(1, text, &["a"]) };
    let first = store
        .write(&write(scope.clone(), "w", "x"), &mut |_| Ok(reply(vec![add("one")], "1")))
        .expect("a write");
    let Outcome::Done { seq } = first else { panic!("not done: {first:?}") };
    let again = store
        .write(&write(scope, "w", "x"), &mut |_| Ok(reply(vec![add("two")], "2")))
        .expect("a write");
    assert_eq!(again, Outcome::Replayed { seq, reply: "1".to_owned() });
    assert_eq!(read(store, |view| view.counts(session)).expect("a read").notes, 1);
}

fn conflicts(store: &dyn Store) {
    let project = project(store, "/p");
    let (session, other) = (session(store, project, "s"), session(store, project, "t"));
    let add = |session| Change::AddNote { session, note: note(1, "text", &["a"]) };
    commit(store, Scope::Session(session), "w", &[add(session)]);
    let scope = Scope::Session(session);
    let result = store.write(&write(scope, "w", "else"), &mut |_| Ok(reply(Vec::new(), "2")));
    assert!(matches!(result, Err(StoreError::Reused { .. })), "{result:?}");
    let elsewhere = commit(store, Scope::Session(other), "w", &[add(other)]);
    assert!(matches!(elsewhere, Outcome::Done { .. }), "{elsewhere:?}");
}

fn leaves_nothing(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    let refused = store
        .write(&write(scope.clone(), "no", "x"), &mut |_| Ok(Decision::Refuse))
        .expect("a write");
    let empty = store
        .write(&write(scope.clone(), "none", "x"), &mut |_| Ok(reply(Vec::new(), "1")))
        .expect("a write");
    assert_eq!((refused, empty), (Outcome::Refused, Outcome::Unchanged));
    assert_eq!(read(store, |view| view.last_seq(&scope)).expect("a read"), Seq(0));
    for id in ["no", "none"] {
        let id = WriteId::new(id).expect("a legal id");
        assert_eq!(read(store, |view| view.record_of(&scope, &id)).expect("a read"), None);
    }
}

fn chained(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    for id in 1..=5 {
        commit(
            store,
            scope.clone(),
            &format!("{id}"),
            &[Change::AddNote { session, note: note(id, "text", &["a"]) }],
        );
    }
    let newest = read(store, |view| view.journal(&scope, None, 2)).expect("a read");
    assert_eq!(
        newest.iter().map(|record| record.write_id.as_str()).collect::<Vec<_>>(),
        ["5", "4"]
    );
    assert_eq!(newest[0].prev_hash, newest[1].hash);
    let older = read(store, |view| view.journal(&scope, Some(newest[1].seq), 0)).expect("a read");
    assert_eq!(
        older.iter().map(|record| record.write_id.as_str()).collect::<Vec<_>>(),
        ["3", "2", "1"]
    );
    assert_eq!(read(store, |view| view.last_seq(&scope)).expect("a read"), newest[0].seq);
    assert_eq!(store.health(true).expect("health").faults, Vec::<String>::new());
}

fn erases(store: &dyn Store) {
    let project = project(store, "/p");
    let session = session(store, project, "s");
    let scope = Scope::Session(session);
    commit(
        store,
        scope.clone(),
        "w",
        &[Change::AddNote { session, note: note(1, "text", &["a"]) }],
    );
    let seq = read(store, |view| view.last_seq(&scope)).expect("a read");
    store
        .erase(&Erase::Parts(Parts { bodies: vec![seq], ..Parts::default() }), None)
        .expect("erased");
    assert_eq!(read(store, |view| view.body(seq)).expect("a read"), None);
    let again = store.write(&write(scope.clone(), "w", "w"), &mut |_| Ok(reply(Vec::new(), "2")));
    assert!(matches!(again, Err(StoreError::Erased { .. })), "{again:?}");
    store.erase(&Erase::Sessions(vec![session]), None).expect("erased");
    assert_eq!(read(store, |view| view.session_by_id(session)).expect("a read"), None);
    assert_eq!(read(store, |view| view.journal(&scope, None, 0)).expect("a read").len(), 1);
    assert_eq!(store.health(true).expect("health").faults, Vec::<String>::new());
}

fn intends(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let is_intended = |id| {
        let intents = store.unfinished().expect("a read").intents;
        intents.contains(&(id, "forget s".to_owned()))
    };
    let id = store.intend("forget s").expect("an intention");
    assert!(is_intended(id));
    store.erase(&Erase::Nothing, None).expect("erased");
    assert!(is_intended(id));
    store.erase(&Erase::Sessions(vec![session]), Some(id)).expect("erased");
    assert!(!is_intended(id) && !store.unfinished().expect("a read").has_bytes);
}

fn outside(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    let mut seqs = Vec::new();
    for (id, surface) in
        (1..).zip([Surface::Mcp, Surface::Cli, Surface::Hook, Surface::Import, Surface::Cli])
    {
        let author = if surface == Surface::Mcp { Author::Agent } else { Author::User };
        let origin = Origin { surface, author };
        let name = id.to_string();
        let request = Write { origin, ..write(scope.clone(), &name, &name) };
        let add = vec![Change::AddNote { session, note: note(id, "text", &["a"]) }];
        store.write(&request, &mut |_| Ok(reply(add.clone(), "1"))).expect("a write");
        seqs.push(read(store, |view| view.last_seq(&scope)).expect("a read"));
    }
    for (after, limit, expected) in [
        (Seq(0), 0, vec![seqs[1], seqs[3], seqs[4]]),
        (seqs[1], 1, vec![seqs[3]]),
        (seqs[4], 0, vec![]),
    ] {
        let found = read(store, |view| view.journal_outside(&scope, after, limit)).expect("a read");
        assert_eq!(found.iter().map(|record| record.seq).collect::<Vec<_>>(), expected);
    }
}
