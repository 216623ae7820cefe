//! Reading and looking: through no link, without waiting, and never more than was asked for.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use vademecum_files::{Entry, Kind};

use crate::world::{SECRET, World};

#[track_caller]
fn check(path: &str, found: Result<Option<&str>, &str>) {
    let world = World::new();
    for root in world.roots() {
        let read = world.said(root.read(path, 9));
        let read = read.map(|read| read.map(|it| String::from_utf8(it).expect("a text")));
        let found = found.map(|it| it.map(str::to_owned)).map_err(str::to_owned);
        assert_eq!(read, found, "{root:?}");
    }
}

#[test]
fn a_file_is_read_and_an_absent_one_is_none() {
    check("plain", Ok(Some("plain")));
    check("sub/deep/plain", Ok(Some("plain")));
    check("absent", Ok(None));
    check("absent/plain", Ok(None));
    check("sub/absent/plain", Ok(None));
}

#[test]
fn whatever_is_no_file_is_refused_by_what_it_is() {
    for link in ["link", "inner", "zero", "environ", "dangling", "loop", "away"] {
        check(link, Err(&format!("/tree/{link} is a symbolic link, not a regular file")));
    }
    check("fifo", Err("/tree/fifo is a FIFO, not a regular file"));
    check("socket", Err("/tree/socket is a socket, not a regular file"));
    check("sub", Err("/tree/sub is a folder, not a regular file"));
    check("long", Err("/tree/long has 10 bytes, at most 9 bytes are read"));
}

#[test]
fn of_a_long_file_the_end_is_read() {
    let world = World::new();
    for root in world.roots() {
        for (path, end) in [("long", 4_u8), ("plain", 9), ("plain", 0), ("absent", 9)] {
            let read = root.read_end(path, end.into()).expect("an end");
            let whole = root.read(path, 99).expect("a file");
            let wanted = whole.map(|it| it[it.len() - it.len().min(end.into())..].to_vec());
            assert_eq!(read, wanted, "{path}");
        }
        let refused = world.said(root.read_end("link", 9)).expect_err("a link");
        assert_eq!(refused, "/tree/link is a symbolic link, not a regular file");
    }
}

#[test]
fn no_link_on_the_way_is_followed() {
    check("away/secret", Err("/tree/away is a symbolic link, not a folder"));
    check("sub/away/secret", Err("/tree/sub/away is a symbolic link, not a folder"));
    check("sub/away/absent", Err("/tree/sub/away is a symbolic link, not a folder"));
    check("plain/deep", Err("/tree/plain is a regular file, not a folder"));
    check("fifo/deep", Err("/tree/fifo is a FIFO, not a folder"));
}

#[test]
fn a_path_leads_down() {
    for path in ["", ".", "..", "../outside/secret", "sub/../../outside/secret", "/etc/passwd"] {
        let world = World::new();
        for root in world.roots() {
            let said = world.said(root.read(path, 9)).expect_err(path);
            assert!(said.ends_with("is not a path below its folder"), "{path}: {said}");
        }
    }
}

#[test]
fn a_folder_is_listed_by_what_it_holds() {
    let world = World::new();
    for root in world.roots() {
        let sub = root.below("sub").expect("it opens").expect("it is there");
        let entry = |name: &str, kind| Entry { name: name.into(), kind };
        let entries = [entry("away", Kind::Link), entry("deep", Kind::Folder)];
        assert_eq!(sub.entries().expect("a list"), entries);
        assert!(root.below("absent").expect("it opens").is_none());
        let away = world.said(root.below("sub/away").map(drop));
        assert_eq!(away, Err("/tree/sub/away is a symbolic link, not a folder".to_owned()));
        let kind = |path| root.stat(path).expect("a stat").map(|stat| stat.kind);
        assert_eq!([kind("fifo"), kind("sub/away")], [Some(Kind::Fifo), Some(Kind::Link)]);
        assert_eq!([kind("sub/deep/plain"), kind("sub/absent/x")], [Some(Kind::File), None]);
    }
}

/// A link to the root is the person's; a file in its place is none.
#[test]
fn the_root_itself_may_be_a_link() {
    let world = World::new();
    symlink(world.path("tree"), world.path("outside/link")).expect("a link");
    let root = vademecum_files::Root::open(&world.path("outside/link"));
    let root = root.expect("it opens").expect("it is there");
    assert_eq!(root.read("plain", 9).expect("a file").as_deref(), Some(&b"plain"[..]));
    let file = world.said(vademecum_files::Root::open(&world.path("tree/plain")).map(drop));
    assert_eq!(file, Err("/tree/plain is a regular file, not a folder".to_owned()));
}

/// Somebody puts a link in the place of a folder and back, all the time.
#[test]
fn a_folder_that_turns_into_a_link_is_not_followed() {
    let world = World::new();
    let (turning, folder) = (world.path("tree/turning"), world.path("tree/folder"));
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("secret"), "ours").expect("a file");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::rename(&folder, &turning).expect("a folder");
                fs::rename(&turning, &folder).expect("a folder");
                symlink(world.path("outside"), &turning).expect("a link");
                fs::remove_file(&turning).expect("a link");
            }
        });
        for root in world.roots() {
            for _ in 0..300 {
                if let Ok(Some(bytes)) = root.read("turning/secret", 99) {
                    assert_ne!(bytes, SECRET.as_bytes());
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
