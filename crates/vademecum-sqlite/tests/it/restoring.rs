//! A store in one file, and the way back from it: checked first, and never over what is there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};

use vademecum_sqlite::backup::{back_up, restore};
use vademecum_store::{StoreError, unsaid};

use crate::scene::{Scene, add, faults, n_notes};

#[test]
fn a_backup_is_a_store_on_another_machine() {
    let scene = Scene::with_notes(5);
    let (store, copy) = (scene.open(), scene.path("copy.db"));
    add(&store, 6).expect("a note");
    assert_eq!(back_up(&scene.database(), &copy, false).expect("a copy"), Some(6));
    assert_eq!(fs::metadata(&copy).expect("a file").permissions().mode() & 0o777, 0o600);
    back_up(&scene.database(), &copy, false).expect_err("it is there");

    let other = Scene::empty();
    let restored = restore(&other.database(), &copy).expect("a store");
    assert_eq!((restored.saved, restored.n_notes), (None, 6));
    assert_eq!(faults(&other.open()), Vec::<String>::new());
    let key = |scene: &Scene| fs::read(scene.path("vade.key")).expect("a key");
    assert_eq!(key(&other), key(&scene));
    // The key stands in the copy alone.
    let digits = vademecum_core::hash::hex(&key(&other), 32);
    let text = |path| String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned();
    assert!(text(copy).contains(&digits));
    assert!(!text(other.database()).contains(&digits));
    add(&other.open(), 7).expect("a note");
}

#[test]
fn a_backup_has_its_name_when_it_is_whole_and_what_a_killed_one_left_goes() {
    let scene = Scene::with_notes(300);
    fs::create_dir(scene.path("kept")).expect("a folder");
    let (name, copy) = ("copy.db", scene.path("kept/copy.db"));
    let draft = |of: &str, ending: &str| format!("kept/{of}.0123456789abcdef.new{ending}");
    for left in [draft(name, ""), draft(name, "-journal"), draft("other.db", "")] {
        fs::write(scene.path(&left), "torn").expect("a file");
    }
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !copy.exists() && !is_over.load(Ordering::Relaxed) {}
            // Whoever is killed now leaves this.
            let other = Scene::empty();
            assert_eq!(restore(&other.database(), &copy).expect("it is whole").n_notes, 300);
        });
        let made = back_up(&scene.database(), &copy, false);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(made.expect("a copy"), Some(300));
    });
    let mut names: Vec<_> = fs::read_dir(scene.path("kept"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a text"))
        .collect();
    names.sort();
    assert_eq!(names, ["copy.db", "other.db.0123456789abcdef.new"]);
}

#[test]
fn what_was_there_is_saved_and_servers_go_on() {
    let scene = Scene::with_notes(3);
    let (store, copy) = (scene.open(), scene.path("copy.db"));
    add(&store, 4).expect("a note");
    back_up(&scene.database(), &copy, false).expect("a copy");
    add(&store, 5).expect("a note");
    assert_eq!(n_notes(&store).expect("a read"), 5);

    let saved = restore(&scene.database(), &copy).expect("a store").saved.expect("a copy");
    assert_eq!(n_notes(&store).expect("a read"), 4);
    add(&store, 6).expect("a note");
    drop(store);
    assert_eq!(n_notes(&scene.open()).expect("a read"), 5);
    restore(&scene.database(), &saved).expect("a store");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 5);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

#[test]
fn what_is_no_whole_store_is_refused_and_nothing_changes() {
    let scene = Scene::with_notes(3);
    let copy = scene.path("copy.db");
    back_up(&scene.database(), &copy, false).expect("a copy");
    let mut bytes = fs::read(&copy).expect("a file");
    bytes[8192..12288].fill(0xa5);
    fs::write(&copy, bytes).expect("a file");
    let before = fs::read(scene.database()).expect("a file");
    let refused = restore(&scene.database(), &copy);
    assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{refused:?}");
    fs::write(&copy, "no store".repeat(1000)).expect("a file");
    let refused = restore(&scene.database(), &copy);
    assert!(matches!(refused, Err(StoreError::Foreign)), "{refused:?}");
    assert_eq!(fs::read(scene.database()).expect("a file"), before);
    assert_eq!(unsaid(&scene.open()), Vec::<String>::new());
    assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
}

#[test]
fn an_empty_database_is_restored_from_a_copy() {
    let scene = Scene::with_notes(3);
    let copy = scene.path("copy.db");
    back_up(&scene.database(), &copy, false).expect("a copy");
    fs::write(scene.database(), "").expect("a file");
    restore(&scene.database(), &copy).expect("a store");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}
