//! What only the engine's own hand can do: change what is sealed, and write what a later program writes.

use vademecum_core::hash::Key;
use vademecum_core::id::{ProjectId, Seq, WriteId};
use vademecum_core::time::Time;

use super::*;
use crate::conformance;
use crate::journal::Record;
use crate::write::{Author, Origin, Scope, Surface, Writer};

const PROJECT: ProjectId = ProjectId([1; 16]);

/// The number of who has the journal of scope `store` there: the project came first.
const STORE: &str = "2";

/// A store with three entries in scope `store`.
fn written() -> Memory {
    let store = Memory::new(Key([7; 32]));
    let add = Change::AddProject { id: PROJECT, name: "0".to_owned(), keys: vec![], at: Time(1) };
    let rename = |name: &str| Change::RenameProject { project: PROJECT, name: name.to_owned() };
    for (id, change) in [("a", add), ("b", rename("1")), ("c", rename("2"))] {
        let write = Write {
            scope: Scope::Store,
            is_fresh: false,
            id: WriteId::new(id).expect("a legal id"),
            arguments: [0; 32],
            kind: "test",
            origin: Origin { surface: Surface::Library, author: Author::Tool },
            by: Writer::NONE,
            at: Time(1),
        };
        let decide = |_: &dyn crate::View| {
            Ok(Decision::Commit { changes: vec![change.clone()], reply: "1".to_owned() })
        };
        store.write(&write, &mut { decide }).expect("a write");
    }
    store
}

/// A body that no entry has.
fn nothing() -> undo::Kept {
    undo::Kept { arguments: [9; 32], reply: "1".to_owned(), undo: "[]".to_owned() }
}

/// Does to the journal what nobody may.
fn meddle(store: &Memory, with: impl FnOnce(&mut Journal)) {
    let done = store.change(|state| {
        with(Arc::make_mut(&mut state.journal));
        Ok(())
    });
    done.expect("a change");
}

#[track_caller]
fn check(depth: Depth, with: impl FnOnce(&mut Journal), faults: &[&str]) {
    let store = written();
    meddle(&store, with);
    assert_eq!(store.health(depth).expect("health").faults, faults);
}

/// Changes an entry in its scope as in the whole.
fn edit(journal: &mut Journal, seq: Seq, edit: impl Fn(&mut Record)) {
    let line = Arc::make_mut(journal.lines.get_mut(STORE).expect("a line"));
    for records in [&mut journal.records, &mut line.records] {
        let at = records.iter().position(|record| record.seq == seq).expect("an entry");
        edit(Arc::make_mut(&mut records[at]));
    }
}

#[test]
fn what_was_changed_in_the_journal_is_found() {
    let is_whole = |_: &mut Journal| {};
    for depth in [Depth::Unsaid, Depth::Quick, Depth::Deep] {
        check(depth, is_whole, &[]);
    }
    let rename = |journal: &mut Journal| {
        edit(journal, Seq(2), |record| "other".clone_into(&mut record.kind));
    };
    check(Depth::Unsaid, rename, &[]);
    check(Depth::Quick, rename, &["journal entry 2 was changed"]);
    let body = |journal: &mut Journal| journal.put_body(Seq(3), nothing());
    check(Depth::Quick, body, &[]);
    check(Depth::Deep, body, &["the body of journal entry 3 was changed"]);
    let lose = |journal: &mut Journal| drop(journal.records.pop());
    check(Depth::Quick, lose, &["the journal does not hold the entries of its scopes"]);
    let stray = |journal: &mut Journal| journal.put_body(Seq(9), nothing());
    check(Depth::Deep, stray, &["the body of journal entry 9 was changed"]);
}

#[test]
fn what_is_kept_twice_agrees() {
    let wrong = |with: &dyn Fn(&mut State)| {
        let store = written();
        let done = store.change(|state| {
            with(state);
            Ok(())
        });
        done.expect("a change");
        store.health(Depth::Deep).expect("health").faults
    };
    let lost = |state: &mut State| Arc::make_mut(&mut state.names).projects.clear();
    assert_eq!(wrong(&lost), ["a project is not found by its id"]);
    let gone = |state: &mut State| state.projects.clear();
    assert_eq!(wrong(&gone), ["a project is not found by its id"]);
}

/// Puts a list of changes, as JSON, in the place of what undoes an entry, and seals the journal anew.
fn put_undo(store: &Memory, seq: Seq, undo: &str) {
    let state = store.now();
    let mut body = state.journal.body(seq).expect("a body").clone();
    let listed: Vec<undo::Raw> = serde_json::from_str(undo).expect("a list");
    let kept = |raw: undo::Raw| match serde_json::from_str::<Change>(raw.get()) {
        Ok(known) => undo::keep(&state, &known).expect("a change"),
        Err(_) => raw,
    };
    let listed: Vec<undo::Raw> = listed.into_iter().map(kept).collect();
    body.undo = undo::list(&listed).expect("JSON");
    meddle(store, |journal| journal.reseal(&store.shared.key, seq, body));
}

#[test]
fn keeps_changes_of_a_later_program() {
    let store = Memory::new(Key([7; 32]));
    conformance::check_unknown_changes(&store, &|seq, undo| put_undo(&store, seq, undo));
}
