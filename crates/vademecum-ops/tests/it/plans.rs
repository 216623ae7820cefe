//! Plans: conformance cases of group C3, and the traps that others fell into.

mod adopted;
mod cloned;
mod entries;
mod files;
mod links;
mod told;
mod traps;
mod worktrees;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::desk::Desk;

/// A desk with the plan `a`.
fn planned() -> Desk {
    let desk = Desk::new();
    desk.object("init_plan", json!({"name": "a"}));
    desk
}

/// The path of a file of a plan, in the project's folder.
fn path(desk: &Desk, plan: &str, file: &str) -> PathBuf {
    desk.world.folders.work.join(".planning/notepads").join(plan).join(file)
}

#[track_caller]
fn text(desk: &Desk, plan: &str, file: &str) -> String {
    fs::read_to_string(path(desk, plan, file)).expect("a file of the plan")
}

/// Appends as a shell does by `>>`.
fn append(desk: &Desk, plan: &str, file: &str, text: &str) {
    let file = fs::OpenOptions::new().append(true).create(true).open(path(desk, plan, file));
    file.expect("a file").write_all(text.as_bytes()).expect("appended");
}

/// A second passes.
fn tick(desk: &Desk) {
    desk.clock.fetch_add(1000, Ordering::SeqCst);
}

#[track_caller]
fn add(desk: &Desk, content: &str) -> Value {
    tick(desk);
    desk.object("add_learning", json!({"content": content}))
}

/// The contents of all entries of a plan, oldest first.
#[track_caller]
fn contents(desk: &Desk, plan: &str) -> Vec<String> {
    let shown = desk.object("show_plan", json!({"plan": plan, "all": true, "limit": 0}));
    let mut contents: Vec<String> = shown["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| entry["content"].as_str().expect("a text").to_owned())
        .collect();
    contents.reverse();
    contents
}

/// What a reader is told.
#[track_caller]
fn wisdom(desk: &Desk, arguments: Value) -> String {
    let told = desk.object("get_wisdom", arguments);
    told["wisdom"]["text"].as_str().expect("a text").to_owned()
}
