//! The files of a store: their modes, what opening leaves alone, and whose files are refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use vademecum_core::hash::plain;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Depth, Store, StoreError};

use crate::scene::{Scene, VERSION, add, begin, faults, files_below, n_notes};

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn only_the_owner_may_look() {
    let scene = Scene::with_notes(3);
    let store = scene.open();
    add(&store, 4).expect("a note");
    assert_eq!(mode(&scene.path(".")), 0o700);
    for file in files_below(&scene.path(".")) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn looking_makes_no_file() {
    let scene = Scene::empty();
    let store = scene.open();
    assert_eq!(n_notes(&store).expect("a read"), 0);
    assert_eq!(store.health(Depth::Deep).expect("health").schema, None);
    assert!(!scene.path(".").exists());
}

#[test]
fn opening_changes_no_byte_and_waits_for_no_writer() {
    let scene = Scene::with_notes(3);
    let before = scene.bytes();
    let other = scene.raw();
    other.execute_batch("BEGIN IMMEDIATE").expect("the write lock");
    {
        let store = scene.open();
        assert_eq!(n_notes(&store).expect("a read"), 3);
        assert_eq!(faults(&store), Vec::<String>::new());
    }
    other.execute_batch("ROLLBACK").expect("given back");
    drop(other);
    let kept = |files: Vec<(String, Vec<u8>)>| -> Vec<_> {
        files.into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect()
    };
    assert_eq!(kept(scene.bytes()), kept(before));
}

/// Sets the version and the owner's mark, as another program would.
fn stamp(scene: &Scene, application: i32, version: i32) {
    let sql = format!(
        "PRAGMA application_id = {application}; PRAGMA user_version = {version};
         PRAGMA wal_checkpoint(TRUNCATE);"
    );
    scene.raw().execute_batch(&sql).expect("a stamp");
}

#[track_caller]
fn check_refused(scene: &Scene, expected: &str) {
    // A file that this process opened already keeps its version.
    let copy = scene.path("copy");
    fs::copy(scene.database(), &copy).expect("a copy");
    fs::rename(&copy, scene.database()).expect("a file");
    // Their names too, and a few letters for their bytes.
    let files = || {
        let digest = |path: &PathBuf| plain(&fs::read(path).expect("a file"));
        let all = files_below(&scene.path(".")).into_iter();
        all.map(|path| (digest(&path), path)).collect::<Vec<_>>()
    };
    let before = files();
    for is_brief in [false, true] {
        let store = Sqlite::at(&scene.database(), Options { is_brief, ..Options::patient() });
        for refused in [n_notes(&store).map(drop), add(&store, 9).map(drop)] {
            assert_eq!(refused.expect_err("a refusal").to_string(), expected);
        }
        assert_eq!(
            store.health(Depth::Deep).map(drop).expect_err("a refusal").to_string(),
            expected
        );
    }
    assert_eq!(files(), before);
}

/// Of a store that was made and never moved out of its log, the log alone says what it is.
#[test]
fn another_major_version_is_known_by_the_log_alone() {
    for (version, refused) in [
        (1006, "the store is of version 1.6, this vade needs 2.1"),
        (3000, "the store has schema 3.0, this program knows 2.1"),
    ] {
        let (made, scene) = (Scene::empty(), Scene::empty());
        for scene in [&made, &scene] {
            fs::create_dir_all(scene.database().parent().expect("a folder")).expect("a folder");
        }
        let writer = made.raw();
        let sql = format!(
            "PRAGMA journal_mode = WAL; BEGIN; PRAGMA application_id = {};
             PRAGMA user_version = {version}; CREATE TABLE note (id INTEGER PRIMARY KEY); COMMIT;
             INSERT INTO note VALUES (1);",
            0x7661_6465
        );
        writer.execute_batch(&sql).expect("a store");
        for name in ["vade.db", "vade.db-wal"] {
            fs::copy(made.path(name), scene.path(name)).expect("a copy");
        }
        let header = fs::read(scene.database()).expect("a file");
        assert_eq!(header[60..72], [0; 12]);
        check_refused(&scene, refused);
    }
}

#[test]
fn a_later_major_version_is_refused_and_left_alone() {
    let scene = Scene::with_notes(3);
    stamp(&scene, 0x7661_6465, 99_001);
    check_refused(&scene, "the store has schema 99.1, this program knows 2.1");
}

#[test]
fn an_earlier_major_version_is_refused_and_left_alone() {
    for (version, found) in [(1000, "1.0"), (1006, "1.6")] {
        let scene = Scene::with_notes(3);
        stamp(&scene, 0x7661_6465, version);
        let refused = format!("the store is of version {found}, this vade needs 2.1");
        check_refused(&scene, &refused);
    }
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let foreign = "the file is no vademecum store";
    for version in [0, 1000, 7] {
        let scene = Scene::with_notes(1);
        stamp(&scene, 0x0000_1234, version);
        check_refused(&scene, foreign);
    }
    let scene = Scene::with_notes(0);
    fs::write(scene.database(), "no database".repeat(1000)).expect("a file");
    check_refused(&scene, foreign);
}

#[test]
fn a_later_minor_version_is_used_as_it_is() {
    let scene = Scene::with_notes(2);
    stamp(&scene, 0x7661_6465, VERSION + 7);
    scene
        .raw()
        .execute_batch(
            "CREATE TABLE later (id INTEGER PRIMARY KEY);
             ALTER TABLE note ADD COLUMN later INTEGER NOT NULL DEFAULT 0;",
        )
        .expect("what a later version added");
    let store = scene.open();
    add(&store, 3).expect("a note");
    assert_eq!(n_notes(&store).expect("a read"), 3);
    assert_eq!(faults(&store), Vec::<String>::new());
    assert_eq!(store.health(Depth::Quick).expect("health").schema.as_deref(), Some("2.8"));
}

#[test]
fn a_file_that_was_put_in_the_place_of_the_store_is_the_store() {
    let (scene, other) = (Scene::with_notes(2), Scene::with_notes(5));
    let store = scene.open();
    add(&store, 3).expect("a note");
    for ending in ["-wal", "-shm"] {
        let log = scene.path(&format!("vade.db{ending}"));
        assert!(fs::remove_file(&log).is_ok(), "{}", log.display());
    }
    fs::rename(other.database(), scene.database()).expect("moved");
    fs::rename(other.path("vade.key"), scene.path("vade.key")).expect("moved");
    assert_eq!(n_notes(&store).expect("a read"), 5);
    add(&store, 6).expect("a note");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 6);
}

#[test]
fn a_store_that_was_deleted_is_made_anew() {
    let scene = Scene::with_notes(2);
    let store = scene.open();
    add(&store, 3).expect("a note");
    fs::remove_dir_all(scene.database().parent().expect("a folder")).expect("removed");
    assert_eq!(n_notes(&store).expect("a read"), 0);
    begin(&store);
    add(&store, 1).expect("a note");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 1);
}

#[test]
fn a_damaged_file_says_so_and_is_not_written() {
    let scene = Scene::with_notes(30);
    let mut bytes = fs::read(scene.database()).expect("a file");
    let n_bytes = bytes.len();
    bytes[4096..n_bytes].fill(0xa5);
    fs::write(scene.database(), &bytes).expect("a file");
    let store = scene.open();
    for failed in [n_notes(&store).map(drop), add(&store, 31).map(drop)] {
        assert!(matches!(failed, Err(StoreError::Corrupt { .. })), "{failed:?}");
    }
    drop(store);
    assert_eq!(fs::read(scene.database()).expect("a file"), bytes);
}

#[test]
fn a_store_that_is_just_being_made_is_there_or_not() {
    for _ in 0..20 {
        let scene = Scene::empty();
        std::thread::scope(|scope| {
            let scene = &scene;
            let maker = scope.spawn(|| begin(&scene.open()));
            while !maker.is_finished() {
                assert_eq!(n_notes(&scene.open()).expect("a read"), 0);
            }
        });
    }
}
