//! Writing: only below the root, into files with one name, and never through what lies in the way.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::time::Duration;

use vademecum_files::{FileError, Root, draft_of};

use crate::world::World;

/// What writes at a path.
type Act = fn(&Root, &str) -> Result<(), FileError>;

const APPEND: Act = |root, path| root.append(path, b"more");
const SYNCED: Act = |root, path| root.append_synced(path, b"more");
const NEW: Act = |root, path| root.create_new(path, b"more");
const REPLACE: Act = |root, path| root.replace(path, b"more");
const FOLDER: Act = |root, path| root.make_folder(path).map(drop);

#[track_caller]
fn check(acts: &[Act], path: &str, wanted: Result<(), &str>) {
    for act in acts {
        for idx in [0, 1] {
            let world = World::new();
            let root = &world.roots()[idx];
            let done = world.said(act(root, path));
            assert_eq!(done, wanted.map_err(str::to_owned), "{path}");
            world.check_outside();
        }
    }
}

#[test]
fn a_file_below_the_root_is_written() {
    check(&[APPEND, SYNCED, REPLACE], "plain", Ok(()));
    check(&[APPEND, SYNCED, REPLACE], "sub/deep/plain", Ok(()));
    check(&[APPEND, SYNCED, REPLACE, NEW, FOLDER], "sub/deep/other", Ok(()));
    check(&[FOLDER], "sub/deep", Ok(()));
    check(&[FOLDER], "new/deep", Ok(()));
}

#[test]
fn nothing_is_written_through_a_link_or_into_what_is_no_file() {
    for (path, what) in [
        ("link", "a symbolic link"),
        ("dangling", "a symbolic link"),
        ("loop", "a symbolic link"),
        ("zero", "a symbolic link"),
        ("fifo", "a FIFO"),
        ("socket", "a socket"),
        ("sub", "a folder"),
    ] {
        let refusal = format!("/tree/{path} is {what}, not a regular file");
        check(&[APPEND, SYNCED, REPLACE], path, Err(&refusal));
        check(&[NEW], path, Err(&format!("/tree/{path} is there already")));
    }
    check(&[FOLDER], "away", Err("/tree/away is a symbolic link, not a folder"));
    check(&[FOLDER], "plain", Err("/tree/plain is a regular file, not a folder"));
}

#[test]
fn nothing_is_made_beyond_a_link() {
    let refusal = "/tree/sub/away is a symbolic link, not a folder";
    for path in ["sub/away/secret", "sub/away/new"] {
        check(&[APPEND, SYNCED, NEW, REPLACE, FOLDER], path, Err(refusal));
    }
}

/// A second name may be that of somebody else's file; what is put in its place has one.
#[test]
fn a_file_with_two_names_is_not_written_to() {
    let refusal = "/tree/second has 2 names (hard links), a file that is written to has one";
    check(&[APPEND, SYNCED], "second", Err(refusal));
    check(&[REPLACE], "second", Ok(()));
}

#[test]
fn a_replaced_file_is_whole_and_leaves_no_draft() {
    let world = World::new();
    for root in world.roots() {
        root.replace("sub/deep/plain", b"one").expect("it is written");
        assert_eq!(root.read("sub/deep/plain", 9).expect("a file").as_deref(), Some(&b"one"[..]));
        let names = fs::read_dir(world.path("tree/sub/deep")).expect("a folder");
        assert_eq!(names.count(), 1);
    }
    assert_eq!(draft_of("plain.0123456789abcdef.new"), Some("plain"));
}

#[test]
fn what_is_removed_is_the_name_and_nothing_behind_it() {
    let world = World::new();
    for root in world.roots() {
        for path in ["link", "fifo", "absent", "sub/absent/x"] {
            root.remove_file(path).expect("it goes");
        }
        root.remove_empty_folder("sub").expect("it stays");
        let beyond = world.said(root.remove_file("sub/away/secret"));
        assert_eq!(beyond, Err("/tree/sub/away is a symbolic link, not a folder".to_owned()));
        assert!(world.path("tree/sub/deep/plain").exists());
        let away = world.said(root.remove_folder("away"));
        assert_eq!(away, Err("/tree/away is a symbolic link, not a folder".to_owned()));
        world.check_outside();
    }
    let [root, _] = world.roots();
    root.remove_folder("sub").expect("it goes with all it holds");
    assert!(!world.path("tree/sub").exists());
    world.check_outside();
}

#[test]
fn a_rename_stays_below_the_root() {
    let world = World::new();
    for root in world.roots() {
        root.rename("plain", "sub/deep/moved").expect("it moves");
        root.rename("sub/deep/moved", "plain").expect("it moves");
        let away = world.said(root.rename("plain", "away/plain"));
        assert_eq!(away, Err("/tree/away is a symbolic link, not a folder".to_owned()));
    }
    world.check_outside();
}

#[test]
fn what_is_private_is_for_nobody_else() {
    let world = World::new();
    symlink(world.path("outside"), world.path("tree/person")).expect("a link");
    let root = Root::private(&world.path("tree/person/made/data")).expect("it is made");
    root.make_folder("sub/deep").expect("it is made");
    root.append("sub/file", b"x").expect("it is written");
    root.replace("sub/other", b"x").expect("it is written");
    let mode = |path: &str| {
        let meta = fs::metadata(root.path().join(path)).expect("it is there");
        meta.permissions().mode() & 0o777
    };
    assert_eq!([mode(""), mode("sub"), mode("sub/deep")], [0o700; 3]);
    assert_eq!([mode("sub/file"), mode("sub/other")], [0o600; 2]);
    let names = |path: &str| fs::metadata(root.path().join(path)).expect("it is there").nlink();
    assert_eq!(names("sub/file"), 1);
}

#[test]
fn a_locked_folder_is_waited_for_and_then_refused() {
    let world = World::new();
    let [root, other] = world.roots();
    let lock = root.lock(Duration::ZERO).expect("it is free");
    let said = world.said(other.lock(Duration::from_millis(4)).map(drop));
    assert_eq!(said, Err("/tree is locked by another process".to_owned()));
    drop(lock);
    other.lock(Duration::ZERO).expect("it is free again");
}
