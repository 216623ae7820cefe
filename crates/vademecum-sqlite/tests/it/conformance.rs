//! The suite of the port, run on the embedded engine.

use std::path::PathBuf;

use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::conformance;

use crate::scene::in_memory;

/// Ways to open handles on one new store after the other.
fn places(folder: &tempfile::TempDir) -> impl FnMut() -> Box<dyn Fn() -> Sqlite + Send + Sync> {
    places_for(folder, Options::patient())
}

fn places_for(
    folder: &tempfile::TempDir,
    options: Options,
) -> impl FnMut() -> Box<dyn Fn() -> Sqlite + Send + Sync> {
    let folder: PathBuf = folder.path().to_owned();
    let mut n = 0;
    move || {
        n += 1;
        let path = folder.join(format!("{n}/vade.db"));
        Box::new(move || Sqlite::at(&path, options))
    }
}

#[test]
fn passes_the_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut place = places(&folder);
    conformance::run(&mut || Box::new(place()()));
}

/// Asks for all faults, some 4,500; a slice of them else.
const ALL_FAULTS: &str = "VADE_ALL_FAULTS";

#[test]
fn passes_the_suite_with_every_call_failing_in_turn() {
    // What is asked is not what a power cut leaves: memory will do, and takes seconds.
    let folder = in_memory();
    #[expect(clippy::disallowed_methods, reason = "all of it takes minutes, and is asked for")]
    let is_all = std::env::var_os(ALL_FAULTS).is_some();
    let every = if is_all { 1 } else { 7 };
    let n_faults = conformance::run_with_faults(&mut places(&folder), every);
    assert!(2_500 < n_faults * every, "only {n_faults} calls were made to fail");
}

#[test]
fn passes_the_suite_of_two_handles() {
    let folder = tempfile::tempdir().expect("a folder");
    conformance::run_with_handles(&mut places(&folder));
    // As hooks have them, which remember what a snapshot told them until the next.
    let folder = tempfile::tempdir().expect("a folder");
    let brief = Options { is_brief: true, ..Options::patient() };
    conformance::run_with_handles(&mut places_for(&folder, brief));
}
