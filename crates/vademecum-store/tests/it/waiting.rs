//! Waiting for the next write, on another thread.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use vademecum_core::id::Seq;
use vademecum_store::{Change, Outcome, Scope, Store};

use crate::scene::{PROJECT, add_project, commit, store};

/// Longer than any machine takes to wake a thread; only a bell that does not ring lets it pass.
const LONG: Duration = Duration::from_secs(30);

#[test]
fn who_waits_is_woken_by_each_write() {
    let store = store();
    let (tell, told) = mpsc::channel();
    let waiting = store.clone();
    // Not joined: without a bell it waits for ever.
    thread::spawn(move || {
        let mut newest = Seq(0);
        while newest < Seq(50) {
            newest = waiting.wait(newest, Duration::MAX).expect("a wait");
            tell.send(newest).expect("somebody listens");
        }
    });
    commit(&store, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    for n in 1..=50 {
        assert_eq!(told.recv_timeout(LONG), Ok(Seq(n)));
        let rename = Change::RenameProject { project: PROJECT, name: n.to_string() };
        let renamed = commit(&store, Scope::Store, &format!("{n}"), &[rename]);
        assert_eq!(renamed.expect("a name"), Outcome::Done { seq: Seq(n + 1) });
    }
}

#[test]
fn a_wait_ends_with_its_time() {
    let store = store();
    assert_eq!(store.wait(Seq(0), Duration::from_millis(1)).expect("a wait"), Seq(0));
    assert_eq!(store.wait(Seq(7), Duration::MAX).expect("a wait"), Seq(0));
}
