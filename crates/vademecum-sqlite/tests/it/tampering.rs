//! What the journal says when somebody else was at it, and when its key is lost.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use vademecum_store::{Depth, Scope, Store, read};

use crate::scene::{SESSION, Scene, add, faults, n_notes};

#[track_caller]
fn check(sql: &str, expected: &[&str]) {
    check_of(4, sql, expected);
}

#[track_caller]
fn check_of(n_notes: i64, sql: &str, expected: &[&str]) {
    let scene = Scene::with_notes(n_notes);
    scene.raw().execute_batch(sql).expect("a change behind our back");
    assert_eq!(faults(&scene.open()), expected);
}

#[test]
fn a_changed_row_is_found() {
    check(
        "UPDATE journal SET at = 7 WHERE seq = 3",
        &["journal entry 3 was changed by another program"],
    );
    check("DELETE FROM journal WHERE seq = 3", &["journal entry 4 was changed by another program"]);
    // The last one, of which no other entry tells.
    check(
        "DELETE FROM journal WHERE seq = 5",
        &["what follows up to journal entry 5 was taken away"],
    );
    check(
        "UPDATE holder SET head = 4 WHERE head = 5",
        &["what follows up to journal entry 5 was taken away"],
    );
    check(
        "UPDATE journal SET undo = x'5b5d' WHERE seq = 2",
        &["the body of journal entry 2 was changed by another program"],
    );
    check("UPDATE journal SET arguments = NULL, reply = NULL, undo = NULL WHERE seq = 2", &[]);
}

/// Of 18 notes 16 are in the index and in the counts of their tags, and two wait for it. Each has the place of its id.
#[test]
fn what_no_longer_agrees_with_the_notes_is_found() {
    const COUNTS: &str = "the number of notes of a session is not that of its rows";
    const ORDER: &str = "a note is out of the order of lists";
    const USES: &str = "the number of uses of a tag is not that of its notes";
    const INDEX: &str = "the search index does not hold the documents that there are";
    for (sql, expected) in [
        ("DELETE FROM note WHERE id = 2", &[COUNTS, USES, INDEX][..]),
        ("DELETE FROM note WHERE id = 17", &[COUNTS, INDEX]),
        ("DELETE FROM waiting WHERE number & 31 = 17", &[USES, INDEX]),
        ("UPDATE waiting SET number = number + (1 << 28) WHERE number & 31 = 17", &[USES, INDEX]),
        ("UPDATE waiting SET number = number - 16 WHERE number & 31 = 17", &[INDEX]),
        ("INSERT INTO waiting SELECT number - 15, keys FROM waiting LIMIT 1", &[USES, INDEX]),
        ("UPDATE tag_count SET n_open = 9", &[USES]),
        ("UPDATE note SET tags = 'other' WHERE id = 1", &[USES]),
        ("UPDATE note SET updated_at = 19 WHERE id = 3", &[ORDER]),
        ("UPDATE holder SET top_at = 3 WHERE n_notes = 18", &[ORDER]),
        ("UPDATE holder SET last_place = 3 WHERE n_notes = 18", &[COUNTS]),
    ] {
        check_of(18, sql, expected);
    }
    check_of(18, "UPDATE note SET tags = 'other' WHERE id = 17", &[]);
}

#[test]
fn a_lost_key_is_made_anew_and_said() {
    let scene = Scene::with_notes(3);
    fs::remove_file(scene.path("vade.key")).expect("a key");
    assert_eq!(faults(&scene.open()), ["the key of the journal is missing"]);

    add(&scene.open(), 4).expect("a note");
    add(&scene.open(), 5).expect("a note");
    let store = scene.open();
    let health = store.health(Depth::Deep).expect("health");
    assert_eq!(health.faults, Vec::<String>::new());
    assert_eq!(
        health.notices,
        ["the key of the journal was lost and made anew: entries up to 4 are held by their order \
         alone"]
    );
    let kinds = |scope| {
        let records = read(&store, |view| view.records(&scope, 0)).expect("a read");
        records.iter().map(|record| record.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(Scope::Store), ["rekey", "test"]);
    assert_eq!(kinds(Scope::Session(SESSION.clone())).len(), 5);

    scene.raw().execute_batch("UPDATE journal SET at = 7 WHERE write_id = 'add 5'").expect("a row");
    assert_eq!(faults(&store), ["journal entry 7 was changed by another program"]);
}

#[test]
fn a_write_that_is_only_repeated_says_it_later() {
    let scene = Scene::with_notes(3);
    fs::write(scene.path("vade.key"), "").expect("an empty file");
    add(&scene.open(), 3).expect("a repeat");
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
    add(&scene.open(), 4).expect("a note");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 4);
    let store = scene.open();
    let newest = read(&store, |view| view.records(&Scope::Store, 1)).expect("a read");
    assert_eq!(newest[0].write_id, "rekey-4");
    assert_eq!(faults(&store), Vec::<String>::new());
}

#[test]
fn what_others_are_writing_is_no_damage() {
    let scene = Scene::with_notes(1);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let store = scene.open();
            for id in 2.. {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                add(&store, id).expect("a note");
            }
        });
        let store = scene.open();
        let all: Vec<_> = (0..200).map(|_| store.health(Depth::Quick)).collect();
        is_over.store(true, Ordering::Relaxed);
        for health in all {
            assert_eq!(health.expect("health").faults, Vec::<String>::new());
        }
    });
}
