//! Waiting for others: bounded, in a line, and never answered with success that did not happen.

use std::fs::{self, File};
use std::time::Duration;

use vademecum_sqlite::repair::repair;
use vademecum_store::{Depth, Erase, Store, StoreError, read};

use crate::scene::{SESSION, Scene, add, faults, n_notes, switch_off};

#[track_caller]
fn check_busy(result: Result<impl std::fmt::Debug, StoreError>, at_least: u64) {
    let error = result.expect_err("busy");
    let waited = match &error {
        StoreError::Busy { waited } => Some(*waited),
        _ => None,
    };
    let bounds = Duration::from_millis(at_least)..Duration::from_secs(5);
    assert!(waited.is_some_and(|waited| bounds.contains(&waited)), "{error:?}");
}

#[test]
fn a_writer_of_another_make_makes_us_busy() {
    let scene = Scene::with_notes(1);
    let store = scene.open_for(60);
    let other = scene.raw();
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM note;").expect("the write lock");
    check_busy(add(&store, 2), 60);
    other.execute_batch("ROLLBACK").expect("given back");
    assert_eq!(n_notes(&store).expect("a read"), 1);
    add(&store, 2).expect("the same call again");
    assert_eq!(faults(&store), Vec::<String>::new());
}

#[test]
fn the_line_ends_after_a_bounded_wait() {
    let scene = Scene::with_notes(1);
    let store = scene.open_for(60);
    let gate = File::open(scene.path("vade.lock")).expect("a lock file");
    gate.lock().expect("the gate");
    check_busy(add(&store, 2), 60);
    assert_eq!(n_notes(&store).expect("a read"), 1);
    drop(gate);
    add(&store, 2).expect("the same call again");
}

#[test]
fn threads_of_one_process_wait_no_longer_than_processes() {
    let scene = Scene::with_notes(1);
    let store = scene.open_for(60);
    let gate = File::open(scene.path("vade.lock")).expect("a lock file");
    gate.lock().expect("the gate");
    std::thread::scope(|scope| {
        let waiters: Vec<_> = (2..12)
            .map(|id| {
                scope.spawn({
                    let store = &store;
                    move || add(store, id)
                })
            })
            .collect();
        for waiter in waiters {
            check_busy(waiter.join().expect("a thread"), 60);
        }
    });
}

#[test]
fn a_reader_that_does_not_end_delays_the_end_of_an_erasure_only() {
    let scene = Scene::with_notes(3);
    let (store, reader) = (scene.open_for(60), scene.open());
    let held = read(&reader, |view| {
        let before = view.counts(&SESSION)?.notes;
        let erased = store.erase(&Erase::Sessions(vec![SESSION.clone()]), None);
        assert!(matches!(erased, Err(StoreError::Unfinished { .. })), "{erased:?}");
        assert_eq!(n_notes(&store)?, 0);
        assert_eq!(store.health(Depth::Quick)?.faults.len(), 1);
        Ok((before, view.counts(&SESSION)?.notes))
    });
    assert_eq!(held.expect("a read"), (3, 3));

    let other = scene.open();
    switch_off(&other);
    assert_eq!(faults(&other), Vec::<String>::new());
    for file in ["vade.db", "vade.db-wal"] {
        let bytes = fs::read(scene.path(file)).expect("a file");
        assert!(!String::from_utf8_lossy(&bytes).contains("note number"), "{file}");
    }
}

/// The rows went with whoever was first; that it is all gone is for nobody to say before the bytes are.
#[test]
fn who_comes_late_to_an_erasure_ends_it_or_says_that_it_has_no_end() {
    let scene = Scene::with_notes(3);
    let (first, late, reader) = (scene.open_for(60), scene.open_for(60), scene.open());
    let intent = Some(first.intend("forget s").expect("an intention"));
    let what = Erase::Sessions(vec![SESSION.clone()]);
    let held = read(&reader, |view| {
        let before = view.counts(&SESSION)?.notes;
        for store in [&first, &late] {
            let erased = store.erase(&what, intent);
            assert!(matches!(erased, Err(StoreError::Unfinished { .. })), "{erased:?}");
        }
        Ok((before, view.counts(&SESSION)?.notes))
    });
    assert_eq!(held.expect("a read"), (3, 3));

    late.erase(&what, intent).expect("nobody reads an older state");
    for file in ["vade.db", "vade.db-wal"] {
        let bytes = fs::read(scene.path(file)).expect("a file");
        assert!(!String::from_utf8_lossy(&bytes).contains("note number"), "{file}");
    }
}

#[test]
fn a_repair_ends_an_erasure_before_it_copies() {
    let scene = Scene::with_notes(3);
    let (store, reader) = (scene.open_for(60), scene.open());
    let repaired = || repair(&scene.database()).expect("a report");
    let fault = "erased bytes are still on disk: whoever erased them was stopped, or an older state is still read";
    read(&reader, |view| {
        view.counts(&SESSION)?;
        let erased = store.erase(&Erase::Sessions(vec![SESSION.clone()]), None);
        assert!(matches!(erased, Err(StoreError::Unfinished { .. })), "{erased:?}");
        assert_eq!(repaired().left, [fault]);
        Ok(())
    })
    .expect("a read");
    drop((store, reader));
    assert_eq!((repaired().mended, repaired().left), (vec![fault.to_owned()], Vec::new()));
    for (file, bytes) in scene.bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains("note number"), "{file}");
    }
}
