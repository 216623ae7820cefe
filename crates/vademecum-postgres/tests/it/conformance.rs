//! The suite of the port, run on PostgreSQL.

use vademecum_store::conformance;

use crate::scene::server;

#[test]
fn passes_the_suite() {
    let Some(server) = server() else { return };
    let mut place = server.places();
    conformance::run(&mut || Box::new(place()()));
}

#[test]
fn passes_the_suite_with_every_call_failing_in_turn() {
    let Some(server) = server() else { return };
    let n_faults = conformance::run_with_faults(&mut server.emptied());
    assert!(500 < n_faults, "only {n_faults} calls were made to fail");
}

#[test]
fn passes_the_suite_of_two_handles() {
    let Some(server) = server() else { return };
    conformance::run_with_handles(&mut server.places());
}
