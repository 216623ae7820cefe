//! What lies beside a database: a log, its index, a key, a lock. None is believed or replaced unseen.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use vademecum_sqlite::backup::{back_up, restore};
use vademecum_sqlite::repair::repair;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Depth, Store, StoreError, unsaid};

use crate::scene::{Scene, add, begin, faults, files_below, n_notes};

/// A store whose notes are in the log only, left as a process leaves it that was killed.
fn killed(n_notes: i64) -> Scene {
    let scene = Scene::empty();
    let store = Sqlite::at(&scene.database(), Options::hook());
    begin(&store);
    for id in 1..=n_notes {
        add(&store, id).expect("a note");
    }
    drop(store);
    assert!(fs::metadata(scene.path("vade.db-wal")).expect("a log").len() > 0);
    scene
}

#[track_caller]
fn check_refused(scene: &Scene, expected: &str) {
    let before = scene.bytes();
    for options in [Options::patient(), Options::hook()] {
        let store = Sqlite::at(&scene.database(), options);
        for refused in [n_notes(&store).map(drop), add(&store, 99).map(drop)] {
            assert_eq!(refused.expect_err("a refusal").to_string(), expected);
        }
        assert_eq!(store.health(Depth::Deep).expect_err("a refusal").to_string(), expected);
    }
    assert_eq!(scene.bytes(), before);
}

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
}

#[test]
fn an_empty_database_beside_a_log_is_made_again_from_it() {
    for left in [0_usize, 1] {
        let scene = killed(45);
        let n_bytes = fs::metadata(scene.path("vade.db-wal")).expect("a log").len();
        fs::write(scene.database(), &[0_u8][..left]).expect("a file");
        let fault = format!("the database file is empty or gone, its log has {n_bytes} bytes");
        check_refused(&scene, &fault);

        let report = repair(&scene.database()).expect("a report");
        assert_eq!((&*report.mended, report.left.len()), (&[fault][..], 0), "{report:?}");
        assert_eq!(n_notes(&scene.open()).expect("a read"), 45);
        assert_eq!(faults(&scene.open()), Vec::<String>::new());
        add(&scene.open(), 46).expect("a note");
    }
}

#[test]
fn a_database_that_is_gone_is_made_again_from_its_log() {
    let scene = killed(45);
    fs::remove_file(scene.database()).expect("a file");
    n_notes(&scene.open()).expect_err("a refusal");
    add(&scene.open(), 1).expect_err("a refusal");
    repair(&scene.database()).expect("a report");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 45);
}

#[test]
fn an_empty_database_beside_what_a_store_left_is_no_new_one() {
    let scene = Scene::with_notes(3);
    fs::write(scene.database(), "").expect("a file");
    check_refused(&scene, "the database file is empty or gone, its log has 0 bytes");
    let refused = repair(&scene.database());
    assert!(matches!(refused, Err(StoreError::Emptied { n_log_bytes: 0 })), "{refused:?}");
    // Without a key or a copy it may be a store that was never begun.
    fs::remove_file(scene.path("vade.key")).expect("a key");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 0);
}

#[test]
fn a_log_that_cannot_be_opened_is_an_error() {
    let scene = killed(45);
    let n_bytes = fs::metadata(scene.path("vade.db-wal")).expect("a log").len();
    let index = scene.path("vade.db-shm");
    fs::remove_file(&index).expect("a file");
    symlink("nowhere", &index).expect("a link");
    for options in [Options::patient(), Options::hook()] {
        let store = Sqlite::at(&scene.database(), options);
        let refused = n_notes(&store).expect_err("a refusal");
        let StoreError::Log { n_bytes: found, .. } = refused else { panic!("{refused:?}") };
        assert_eq!(found, n_bytes);
        store.health(Depth::Quick).expect_err("a refusal");
    }
    fs::remove_file(&index).expect("a link");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 45);
    // Once all is in the database nothing is missing without a log.
    add(&scene.open(), 45).expect("a repeat");
    symlink("nowhere", &index).expect("a link");
    assert_eq!(fs::metadata(scene.path("vade.db-wal")).map_or(0, |meta| meta.len()), 0);
    assert_eq!(n_notes(&scene.open()).expect("a read"), 45);
}

#[test]
fn a_log_that_is_gone_is_told_of_until_a_repair() {
    let scene = killed(45);
    fs::remove_file(scene.path("vade.db-wal")).expect("a log");
    let refused = n_notes(&scene.open()).expect_err("a refusal");
    let StoreError::LogGone { n_pages } = refused else { panic!("{refused:?}") };
    check_refused(&scene, &refused.to_string());
    assert!(0 < n_pages);
    let report = repair(&scene.database()).expect("a report");
    assert!(report.mended[0].contains("was removed while it held"), "{report:?}");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 0);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

/// A process that has the log open makes it the store's again, whichever it does first.
#[test]
fn what_only_an_open_log_holds_is_saved() {
    for (gone, is_read_first) in [
        (&["vade.db-wal"][..], true),
        (&["vade.db-wal"], false),
        (&["vade.db-shm"], true),
        (&["vade.db-shm"], false),
        (&["vade.db-wal", "vade.db-shm"], true),
        (&["vade.db-wal", "vade.db-shm"], false),
    ] {
        let scene = Scene::with_notes(0);
        let store = scene.open();
        for id in 1..=20 {
            add(&store, id).expect("a note");
            assert_eq!(n_notes(&store).expect("a read"), id.unsigned_abs());
        }
        for name in gone {
            fs::remove_file(scene.path(name)).expect("a file");
        }
        if is_read_first {
            assert_eq!(n_notes(&store).expect("a read"), 20, "{gone:?}");
        }
        add(&store, 21).expect("a note");
        assert_eq!(n_notes(&store).expect("a read"), 21, "{gone:?}");
        let is_rescued = gone.contains(&"vade.db-wal");
        assert_eq!(unsaid(&store).len(), usize::from(is_rescued), "{gone:?}");
        drop(store);
        assert_eq!(n_notes(&scene.open()).expect("a read"), 21, "{gone:?}");
        assert_eq!(faults(&scene.open()), unsaid(&scene.open()));
        if is_rescued {
            let report = repair(&scene.database()).expect("a report");
            assert_eq!((report.acknowledged.len(), report.left.len()), (1, 0), "{report:?}");
            assert_eq!(faults(&scene.open()), Vec::<String>::new());
        }
    }
}

#[test]
fn a_database_with_two_names_is_refused() {
    let scene = Scene::with_notes(3);
    let other = scene.path("hard.db");
    fs::hard_link(scene.database(), &other).expect("a link");
    for path in [scene.database(), other.clone()] {
        let store = Sqlite::at(&path, Options::patient());
        let refused = n_notes(&store).expect_err("a refusal");
        assert!(matches!(refused, StoreError::Linked { n_names: 2 }), "{refused:?}");
        add(&store, 4).expect_err("a refusal");
    }
    fs::remove_file(other).expect("a link");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
}

#[test]
fn a_key_that_cannot_be_read_is_not_replaced() {
    let scene = Scene::with_notes(3);
    let key = scene.path("vade.key");
    let aside = scene.path("aside");
    fs::rename(&key, &aside).expect("moved");
    // A folder cannot be read as a file, not even by the superuser; a pipe keeps its reader waiting.
    for make in [|path: &Path| fs::create_dir(path).expect("a folder"), pipe as fn(&Path)] {
        make(&key);
        let refused = add(&scene.open(), 4).expect_err("a refusal");
        assert!(matches!(refused, StoreError::Key { .. }), "{refused:?}");
        assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
        let faults = faults(&scene.open());
        assert!(faults[0].starts_with("the key of the journal cannot be read"), "{faults:?}");
        if key.is_dir() {
            fs::remove_dir(&key).expect("a folder");
        } else {
            fs::remove_file(&key).expect("a pipe");
        }
    }
    fs::rename(&aside, &key).expect("moved");
    add(&scene.open(), 4).expect("a note");
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

/// A store may be named beside a file of somebody's that is called like its key.
#[test]
fn a_file_that_is_no_key_is_not_replaced() {
    let refused = |result: Result<(), StoreError>| result.expect_err("a refusal").to_string();
    let said = "the key of the journal cannot be read: vade.key is no key of a store: it has fewer than 32 bytes";
    let long = "-----BEGIN PRIVATE KEY-----".repeat(60);
    let more = said.replace("fewer", "more");
    for (theirs, said) in [("my notes", said), (&long, &more)] {
        let scene = Scene::empty();
        let folder = scene.database();
        fs::create_dir_all(folder.parent().expect("a folder")).expect("a folder");
        fs::write(scene.path("vade.key"), theirs).expect("a file");
        assert_eq!(refused(add(&scene.open(), 1).map(drop)), said);
        assert_eq!(fs::read_to_string(scene.path("vade.key")).expect("a file"), theirs);
        assert!(!scene.database().exists());
    }

    let scene = Scene::with_notes(3);
    let (key, copy) = (scene.path("vade.key"), scene.path("copy.db"));
    let store = scene.open();
    add(&store, 4).expect("a note");
    back_up(&scene.database(), &copy, false).expect("a backup");
    fs::write(&key, "my notes").expect("a file");
    for store in [store, scene.open()] {
        assert_eq!(refused(add(&store, 5).map(drop)), said);
        assert_eq!(faults(&store), [said]);
        assert_eq!(n_notes(&store).expect("a read"), 4);
    }
    assert_eq!(refused(restore(&scene.database(), &copy).map(drop)), said);
    assert_eq!(fs::read(&key).expect("a file"), b"my notes");
}

#[test]
fn who_knows_the_key_puts_it_back() {
    let scene = Scene::with_notes(3);
    let store = scene.open();
    add(&store, 4).expect("a note");
    let key = scene.path("vade.key");
    let before = fs::read(&key).expect("a key");
    fs::remove_file(&key).expect("a key");
    add(&store, 5).expect("a note");
    assert_eq!(fs::read(&key).expect("a key"), before);
    assert_eq!(fs::metadata(&key).expect("a key").permissions().mode() & 0o777, 0o600);

    // Another process was first and made a new one.
    fs::remove_file(&key).expect("a key");
    add(&scene.open(), 6).expect("a note");
    assert_ne!(fs::read(&key).expect("a key"), before);
    add(&store, 7).expect("a note");
    let health = store.health(Depth::Deep).expect("health");
    assert_eq!((health.faults, health.notices.len()), (Vec::new(), 1));
}

#[test]
fn a_pipe_for_a_lock_keeps_nobody_waiting() {
    let scene = Scene::with_notes(3);
    let lock = scene.path("vade.lock");
    fs::remove_file(&lock).expect("a lock");
    pipe(&lock);
    let refused = add(&scene.open(), 4).expect_err("a refusal").to_string();
    assert!(refused.ends_with("vade.lock is no file of bytes"), "{refused}");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
}

/// A store that is only looked at, with every file of it: the index of the log too.
#[track_caller]
fn check_look(scene: &Scene, expected: u64) {
    let all = || -> Vec<_> {
        let files = files_below(scene.database().parent().expect("a folder")).into_iter();
        files.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
    };
    let before = all();
    for options in [Options::patient(), Options::hook()] {
        let store = Sqlite::at(&scene.database(), Options { is_look: true, ..options });
        assert_eq!(n_notes(&store).expect("a read"), expected);
        assert_eq!(n_notes(&store).expect("another read"), expected);
        assert_eq!(faults(&store), Vec::<String>::new());
        assert!(matches!(add(&store, 99), Err(StoreError::ReadOnly)));
        drop(store);
        assert!(before == all(), "a byte has changed");
    }
}

#[test]
fn a_look_changes_no_byte() {
    let closed = Scene::with_notes(3);
    assert!(!closed.path("vade.db-wal").exists());
    check_look(&closed, 3);
    check_look(&killed(45), 45);
}

/// The index alone says where in a log its writes are: who reads one without it makes it.
#[test]
fn a_look_at_a_log_without_its_index_makes_that_and_nothing_else() {
    let scene = killed(45);
    fs::remove_file(scene.path("vade.db-shm")).expect("an index");
    let before = scene.bytes();
    let store = Sqlite::at(&scene.database(), Options { is_look: true, ..Options::patient() });
    assert_eq!(n_notes(&store).expect("a read"), 45);
    drop(store);
    assert_eq!(scene.bytes(), before);
}
