//! Files that are named: links to them are followed, and what is no file costs nothing.

use std::io::Read as _;

use vademecum_files::{Kind, kind_at, open_named, read_in, read_named, stat_named};

use crate::world::{SECRET, World};

#[track_caller]
fn check(name: &str, most: u64, found: Result<Option<&str>, &str>) {
    let world = World::new();
    let read = world.said(read_named(&world.path(name), most));
    let read = read.map(|read| read.map(|it| String::from_utf8(it).expect("a text")));
    assert_eq!(read, found.map(|it| it.map(str::to_owned)).map_err(str::to_owned), "{name}");
}

#[test]
fn links_are_followed_to_a_file() {
    check("tree/link", 99, Ok(Some(SECRET)));
    check("tree/away/secret", 99, Ok(Some(SECRET)));
    check("tree/absent", 99, Ok(None));
    check("tree/dangling", 99, Ok(None));
}

#[test]
fn what_is_no_file_is_not_read() {
    check("tree/zero", 99, Err("/tree/zero is a device, not a regular file"));
    check("tree/fifo", 99, Err("/tree/fifo is a FIFO, not a regular file"));
    check("tree/socket", 99, Err("/tree/socket is a socket, not a regular file"));
    check("tree/sub", 99, Err("/tree/sub is a folder, not a regular file"));
    check("tree/long", 9, Err("/tree/long has 10 bytes, at most 9 bytes are read"));
}

/// Files of the system say that they are empty, and are not.
#[test]
fn what_comes_beyond_the_length_that_was_told_counts() {
    check("tree/environ", 0, Err("/tree/environ has 1 bytes, at most 0 bytes are read"));
}

#[test]
fn an_open_file_can_be_read_in_parts() {
    let world = World::new();
    let mut file = open_named(&world.path("tree/link")).expect("it opens");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("a text");
    assert_eq!(text, SECRET);
    assert!(open_named(&world.path("tree/fifo")).is_err());
    let absent = open_named(&world.path("tree/absent")).expect_err("nothing");
    assert_eq!(std::io::Error::from(absent).kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_file_in_a_folder_is_no_link_itself() {
    let world = World::new();
    for (folder, name, found) in [
        ("tree", "plain", Ok(Some("plain"))),
        ("tree/away", "secret", Ok(Some(SECRET))),
        ("tree", "absent", Ok(None)),
        ("tree", "link", Err("/tree/link is a symbolic link, not a regular file")),
        ("tree", "zero", Err("/tree/zero is a symbolic link, not a regular file")),
        ("tree", "dangling", Err("/tree/dangling is a symbolic link, not a regular file")),
        ("tree", "fifo", Err("/tree/fifo is a FIFO, not a regular file")),
        ("tree", "socket", Err("/tree/socket is a socket, not a regular file")),
        ("tree", "sub", Err("/tree/sub is a folder, not a regular file")),
    ] {
        let read = world.said(read_in(&world.path(folder), name, 99));
        let read = read.map(|read| read.map(|it| String::from_utf8(it).expect("a text")));
        assert_eq!(read, found.map(|it| it.map(str::to_owned)).map_err(str::to_owned), "{name}");
    }
}

#[test]
fn what_is_only_looked_at_is_not_opened() {
    let world = World::new();
    let kind = |name: &str| kind_at(&world.path(name));
    assert_eq!([kind("tree/zero"), kind("tree/fifo")], [Some(Kind::Link), Some(Kind::Fifo)]);
    assert_eq!([kind("tree/absent"), kind("tree/plain/x")], [None, None]);
    let size = |name: &str| stat_named(&world.path(name)).map(|stat| stat.size);
    assert_eq!([size("tree/plain"), size("tree/inner")], [Some(5), Some(5)]);
    assert_eq!([size("tree/zero"), size("tree/sub"), size("tree/absent")], [None; 3]);
}
