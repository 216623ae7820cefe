//! The library as programs use it, and the example that the README shows.

#[path = "../../examples/agent.rs"]
#[expect(dead_code, unreachable_pub, reason = "an example is a program of its own")]
mod agent;
mod bench;
mod children;
mod controller;
mod dialect;
mod flow;
mod interleavings;
mod killed;
mod profiles;
mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vademecum::Vade;
use vademecum::core::error::Kind;
use vademecum::ops::ops::write_handoff::WriteHandoff;
use vademecum::ops::{Config, registry};

const README: &str = include_str!("../../../../README.md");
const EXAMPLE: &str = include_str!("../../examples/notes.rs");

#[test]
fn the_readme_shows_the_example() {
    let (_, rest) = README.split_once("```rust\n").expect("the README has an example");
    let (shown, _) = rest.split_once("```\n").expect("the example ends");
    assert_eq!(shown, EXAMPLE);
    assert!(EXAMPLE.lines().count() <= 40);
}

#[test]
fn sessions_keep_apart_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("notes.db").display());
    let vade = Vade::open(&address).expect("an address");
    let mine = vade.session("my-agent:1").expect("a name");
    mine.call("write_notepad", json!({"content": "mine"})).expect("a write");

    let again = Vade::open(&address).expect("an address");
    let page = |name: &str| {
        let session = again.session(name).expect("a name");
        session.call("read_notepad", json!({})).expect("a page").object["content"].clone()
    };
    assert_eq!(page("my-agent:1"), "mine");
    assert_eq!(page("my-agent:2"), "");
}

#[test]
fn refusals_say_what_is_taken() {
    let vade = Vade::open("sqlite:never-written.db").expect("an address");
    let refusal = vade.session("no colon").map(drop).expect_err("a name of another form");
    assert_eq!(
        refusal.message,
        "a session takes harness:id or harness:id/agent, \"no colon\" given"
    );
    assert!(Vade::open("mysql://host/db").is_err());
    let session = vade.session("my-agent:1").expect("a name");
    assert!(session.call("add_memory", json!({})).is_err());
}

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(path).expect("a file"));
        }
    }
    found
}

#[test]
fn nothing_is_written_where_the_environment_asks_for_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("notes.db").display());
    let opened = |value: &'static str| {
        let mut world = vademecum::world::real(Some(folder.path().join("work")));
        world.folders.data = folder.path().join("data");
        world.env = Box::new(move |name| (name == "VADE_READONLY").then(|| value.into()));
        Vade::with(&address, world, Config::default())
    };
    let writing = opened("no").expect("a store");
    let session = writing.session("my-agent:1").expect("a name");
    session.call("write_notepad", json!({"content": "kept"})).expect("a write");
    drop(writing);
    let before = files(folder.path());

    let vade = opened("yes").expect("a store");
    let session = vade.session("my-agent:1").expect("a name");
    assert_eq!(session.page().expect("a page"), "kept");
    for op in registry::ALL {
        let example: Value = serde_json::from_str(op.declaration.example).expect("JSON");
        let is_look = op.declaration.is_look() || example["dry_run"] == true;
        let called = session.call(op.declaration.name, example);
        let is_refused = called.is_err_and(|error| error.kind == Kind::Denied);
        assert_eq!(is_refused, !is_look, "{}", op.declaration.name);
    }
    let refusal = session
        .run::<WriteHandoff>(serde_json::from_value(json!({"content": "x"})).expect("it"))
        .expect_err("a refusal");
    assert_eq!(refusal.message, "write_handoff writes, and VADE_READONLY is set");
    assert!(before == files(folder.path()), "a byte has changed");
    assert_eq!(opened("on").map(drop).expect_err("a refusal").kind, Kind::Usage);
}
