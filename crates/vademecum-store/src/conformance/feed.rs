//! The feed: entries of all scopes in order, and waiting for the next.

use std::time::Duration;

use vademecum_core::id::Seq;

use super::scene::{commit, fed, note, project, session};
use crate::change::Change;
use crate::store::Store;
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[("the feed gives each entry once, in order", feeds)];

fn feeds(store: &dyn Store) {
    assert_eq!(fed(store, Seq(0), 0), []);
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let before = store.wait(Seq(0), Duration::ZERO).expect("a wait");
    for id in 1..=3 {
        commit(
            store,
            scope.clone(),
            &format!("{id}"),
            &[Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }],
        );
    }
    let first = fed(store, before, 2);
    let rest = fed(store, first[1].seq, 2);
    let ids: Vec<&str> = first.iter().chain(&rest).map(|record| record.write_id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3"]);
    assert_eq!(store.wait(before, Duration::from_secs(5)).expect("a wait"), rest[0].seq);
    assert_eq!(store.wait(rest[0].seq, Duration::ZERO).expect("a wait"), rest[0].seq);
}
