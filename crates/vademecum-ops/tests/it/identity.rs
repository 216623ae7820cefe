//! Who writes here: made once, the same in each process, and another machine in a copy of the folder.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tempfile::TempDir;
use vademecum_core::hash::plain;
use vademecum_core::id::{MachineId, ProjectId, WriteId};
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::time::Time;
use vademecum_ops::identity::{FILE, Identity};
use vademecum_ops::place::Place;
use vademecum_ops::{Folders, World};
use vademecum_sqlite::opencode::Opencode;
use vademecum_store::{
    Author, Change, Decision, Origin, Scope, SessionFilter, Store, Surface, View, Write, Writer,
    read,
};

use crate::desk::Desk;

/// A process on a host that the operating system calls so.
fn process(data: &Path, host_id: Option<&'static str>) -> World {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let data = data.to_owned();
    World {
        now: Box::new(|| Time(1_763_700_000_000)),
        east: Box::new(|_| 0),
        new_id: Box::new(|| format!("id-{}", NEXT.fetch_add(1, Ordering::SeqCst))),
        env: Box::new(|_| None),
        folders: Folders { home: data.clone(), config: data.clone(), work: data.clone(), data },
        host_name: "host".to_owned(),
        host_id: Box::new(move || host_id.map(|id| id.as_bytes().to_vec())),
        identity: Identity::default(),
        databases: Box::new(Opencode),
        process_began: Box::new(|_| None),
        process_above: Box::new(|_| None),
        store: OnceLock::new(),
        program: None,
    }
}

fn text(data: &Path) -> String {
    std::fs::read_to_string(data.join(FILE)).expect("a file")
}

#[test]
fn it_is_made_by_the_first_who_writes_and_kept() {
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("data");
    let looks = process(&data, Some("a"));
    assert_eq!((looks.machines(), data.exists()), (vec![], false), "who only looks makes nothing");
    let first = looks.writer();
    assert_ne!(first.machine, MachineId::NONE);
    assert_eq!(looks.machines(), [first.machine]);
    assert_eq!(process(&data, Some("a")).writer(), first);
    // The name of the host may change, and nothing may tell the operating system's.
    assert_eq!(process(&data, None).writer(), first);
    assert!(!text(&data).contains("\"a\""), "{}", text(&data));
}

#[test]
fn many_at_once_are_one() {
    let folder = TempDir::new().expect("a folder");
    let writers: Vec<Writer> = std::thread::scope(|scope| {
        let start = || process(folder.path(), Some("a")).writer();
        let running: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
        running.into_iter().map(|it| it.join().expect("a writer")).collect()
    });
    assert!(writers.iter().all(|writer| *writer == writers[0] && *writer != Writer::NONE));
}

#[test]
fn a_copy_of_the_folder_is_the_same_person_on_another_machine() {
    let folder = TempDir::new().expect("a folder");
    let first = process(folder.path(), Some("a")).writer();
    let further = text(folder.path()).replacen('{', r#"{"later":[1],"#, 1);
    std::fs::write(folder.path().join(FILE), further).expect("a file");
    let elsewhere = process(folder.path(), Some("b"));
    assert_eq!(elsewhere.machines(), [first.machine], "it has none of its own yet");
    let second = elsewhere.writer();
    assert_eq!(second.person, first.person);
    assert_ne!(second.machine, first.machine);
    assert_eq!(elsewhere.machines(), [second.machine, first.machine]);
    assert_eq!(process(folder.path(), Some("b")).machines(), [second.machine, first.machine]);
    assert!(text(folder.path()).contains(r#""later":[1]"#), "{}", text(folder.path()));
}

const HOSTS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/// A folder that is mounted into one container after the other goes through many.
#[test]
fn the_last_machines_alone_are_remembered() {
    let folder = TempDir::new().expect("a folder");
    let made: Vec<MachineId> =
        HOSTS.map(|host| process(folder.path(), Some(host)).writer().machine).into();
    let last = process(folder.path(), Some("l")).machines();
    assert_eq!(last, made.into_iter().rev().take(9).collect::<Vec<_>>());
}

#[test]
fn a_damaged_file_stays_and_stops_nobody() {
    let folder = TempDir::new().expect("a folder");
    for damaged in ["", "{", r#"{"person":"x","machine":"y"}"#] {
        std::fs::write(folder.path().join(FILE), damaged).expect("a file");
        let process = process(folder.path(), Some("a"));
        assert_eq!((process.machines(), process.writer()), (vec![], Writer::NONE));
        let error = process.known_identity().expect_err("damaged").to_string();
        assert!(error.starts_with("identity.json in the data folder holds no ids: "), "{error}");
        assert_eq!(text(folder.path()), damaged);
    }
}

/// The numbers of the projects of all sessions, in the order in which these began.
fn projects(desk: &Desk) -> Vec<ProjectId> {
    let sessions = read(&desk.store, |view| view.sessions(SessionFilter::ALL)).expect("sessions");
    let mut sessions: Vec<_> =
        sessions.into_iter().map(|it| (it.key.external, it.project)).collect();
    sessions.sort_unstable();
    sessions.into_iter().map(|(_, project)| project).collect()
}

#[test]
fn a_path_keeps_its_project_on_another_machine_whatever_is_copied_in() {
    let mut desk = Desk::new();
    let mut keep = |host: &str, session: &str| {
        let host = host.to_owned();
        desk.world.host_id = Box::new(move || Some(host.clone().into_bytes()));
        desk.world.identity = Identity::default();
        desk.session = Some(format!("test:{session}"));
        desk.object("add_note", json!({ "content": session, "tags": ["a"] }));
        (projects(&desk), desk.world.machines())
    };
    let (first, _) = keep("a", "1");
    let (moved, machines) = keep("b", "2");
    assert_eq!((moved, machines.len()), (vec![first[0]; 2], 2));
    // Another machine's project has the same path, and an id that comes before each other.
    let value = Place::of(&desk.world.folders.work).keys(None).remove(0).value;
    let machine = Some(MachineId([0; 16]));
    let keys = vec![ProjectKey { kind: KeyKind::Folder, machine, value }];
    let (id, at) = (ProjectId([0; 16]), Time(1));
    let add = Change::AddProject { id, name: "elsewhere".to_owned(), keys, at };
    let write = Write {
        scope: Scope::Store,
        id: WriteId::new("w").expect("an id"),
        is_fresh: false,
        arguments: plain(b"w"),
        kind: "test",
        origin: Origin { surface: Surface::Import, author: Author::Tool },
        by: Writer::NONE,
        at,
    };
    let mut decide =
        |_: &dyn View| Ok(Decision::Commit { changes: vec![add.clone()], reply: String::new() });
    desk.store.write(&write, &mut decide).expect("a write");
    let mut keep = |host: Option<&str>, session: &str| {
        if let Some(host) = host.map(str::to_owned) {
            desk.world.host_id = Box::new(move || Some(host.clone().into_bytes()));
        } else {
            std::fs::remove_file(desk.world.folders.data.join(FILE)).expect("a file");
        }
        desk.world.identity = Identity::default();
        desk.session = Some(format!("test:{session}"));
        desk.object("add_note", json!({ "content": session, "tags": ["a"] }));
        projects(&desk)
    };
    assert_eq!(keep(Some("b"), "3"), [first[0]; 3]);
    assert_eq!(keep(Some("c"), "4"), [first[0]; 4]);
    // Who knows of no machine takes neither of two projects for this one.
    let last = keep(None, "5")[4];
    assert!(last != first[0] && last != id, "{last}");
}

/// A store that came from elsewhere knows paths such as `/workspace`, at which anything may lie here.
#[test]
fn another_repository_at_the_path_of_another_machine_gets_nothing_of_it() {
    for (remote, n_projects) in [("team/one", 1), ("stranger/two", 2)] {
        let mut desk = Desk::new();
        let mut keep = |host: &'static str, remote: &str, session: &str| {
            let work = desk.world.folders.work.clone();
            std::fs::create_dir_all(work.join(".git")).expect("a folder");
            std::fs::write(work.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
            let config = format!("[remote \"origin\"]\n\turl = https://example.org/{remote}.git\n");
            std::fs::write(work.join(".git/config"), config).expect("a file");
            desk.world.host_id = Box::new(move || Some(host.as_bytes().to_vec()));
            desk.world.identity = Identity::default();
            desk.session = Some(format!("test:{session}"));
            desk.object("add_note", json!({ "content": session, "tags": ["a"] }));
            let mut known = projects(&desk);
            known.sort_unstable();
            known.dedup();
            known.len()
        };
        assert_eq!(keep("a", "team/one", "1"), 1);
        // The same machine may get another remote; it stays the folder's project.
        assert_eq!(keep("a", "team/renamed", "2"), 1);
        assert_eq!(keep("b", remote, "3"), n_projects);
    }
}
