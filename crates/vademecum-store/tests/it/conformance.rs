//! The suite of the port, run on the engine `memory:`.

use vademecum_store::{Memory, conformance};

use crate::scene::store;

/// Ways to open handles on one new store after the other.
fn places() -> impl FnMut() -> Box<dyn Fn() -> Memory + Send + Sync> {
    || {
        let store = store();
        Box::new(move || store.clone())
    }
}

#[test]
fn passes_the_suite() {
    conformance::run(&mut || Box::new(store()));
}

#[test]
fn passes_the_suite_with_every_call_failing_in_turn() {
    let n_faults = conformance::run_with_faults(&mut places(), 1);
    assert!(500 < n_faults, "only {n_faults} calls were made to fail");
}

#[test]
fn passes_the_suite_of_two_handles() {
    conformance::run_with_handles(&mut places());
}
