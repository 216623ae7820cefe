//! Notepads: kept byte for byte, edited by splices, undone from the journal.

use vademecum_core::splice::Splice;

use super::scene::{START, commit, project, session, try_commit};
use crate::change::Change;
use crate::store::{Store, read};
use crate::view::Notepad;
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("a notepad is absent until its first write", starts_absent),
    ("a notepad reads back byte for byte", reads_back),
    ("an impossible splice changes nothing", refuses_what_does_not_fit),
    ("the journal's reverses restore every revision", undoes),
];

fn starts_absent(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    assert_eq!(read(store, |view| view.notepad(&session)).expect("a read"), None);
}

fn reads_back(store: &dyn Store) {
    let texts = ["", "a", "漢字 😀\r\n\0tail", &"long line\n".repeat(6_000), "\u{feff}x"];
    let session = session(store, project(store, "/p"), "s");
    let mut old = String::new();
    for (rev, new) in (1..).zip(texts) {
        let splice = Splice::between(&old, new);
        let edit = Change::EditNotepad { session: session.clone(), splice, rev, at: START };
        commit(store, Scope::Session(session.clone()), &format!("rev {rev}"), &[edit]);
        let page = read(store, |view| view.notepad(&session)).expect("a read");
        let whole = Notepad { rev, text: new.to_owned(), more: 0, updated_at: START };
        assert_eq!(page, Some(whole));
        for most in [0, 1, 7, 8, new.len(), usize::MAX] {
            let end = (0..=new.len().min(most)).rev().find(|at| new.is_char_boundary(*at));
            let (text, rest) = new.split_at(end.unwrap_or(0));
            let (text, more) = (text.to_owned(), rest.len() as u64);
            let head = read(store, |view| view.page(&session, most)).expect("a read");
            assert_eq!(head, Some(Notepad { rev, text, more, updated_at: START }), "{most}");
        }
        new.clone_into(&mut old);
    }
}

fn refuses_what_does_not_fit(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let splice = Splice { at: 5, remove: 1, insert: String::new() };
    let edit = Change::EditNotepad { session: session.clone(), splice, rev: 1, at: START };
    let first =
        Change::AddNote { session: session.clone(), note: super::scene::note(1, "first", &["a"]) };
    assert!(try_commit(store, Scope::Session(session.clone()), "bad", &[first, edit]).is_err());
    assert_eq!(read(store, |view| view.notepad(&session)).expect("a read"), None);
    assert_eq!(
        read(store, |view| view.counts(&session)).expect("a read"),
        crate::Counts::default()
    );
}

fn undoes(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let texts = ["plan", "plan\n- step", "plan\n- [x] step", "new"];
    let mut old = String::new();
    for (rev, new) in (1..).zip(texts) {
        let splice = Splice::between(&old, new);
        commit(
            store,
            scope.clone(),
            &format!("rev {rev}"),
            &[Change::EditNotepad { session: session.clone(), splice, rev, at: START }],
        );
        new.clone_into(&mut old);
    }
    let records = read(store, |view| view.records(&scope, 0)).expect("a read");
    for (record, was) in records.iter().zip(["plan\n- [x] step", "plan\n- step", "plan"]) {
        let body = read(store, |view| view.body(record.seq)).expect("a read").expect("a body");
        commit(store, scope.clone(), &format!("undo {}", record.seq.0), &body.undo);
        let page = read(store, |view| view.notepad(&session)).expect("a read").expect("a page");
        assert_eq!(page.text, was);
    }
}
