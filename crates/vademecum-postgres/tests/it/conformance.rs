//! The suite of the port, run on PostgreSQL.

use vademecum_store::conformance;

use crate::scene::{Server, server};

#[test]
fn passes_the_suite() {
    let Some(server) = server().map(Server::of_person) else { return };
    let mut place = server.places();
    conformance::run(&mut || Box::new(place()()));
}

/// Asks for all faults, some 4,500; a slice of them else.
const ALL_FAULTS: &str = "VADE_ALL_FAULTS";

#[test]
fn passes_the_suite_with_every_call_failing_in_turn() {
    let Some(server) = server().map(Server::of_person) else { return };
    #[expect(clippy::disallowed_methods, reason = "all of it takes minutes, and is asked for")]
    let is_all = std::env::var_os(ALL_FAULTS).is_some();
    let every = if is_all { 1 } else { 27 };
    let n_faults = conformance::run_with_faults(&mut server.emptied(), every);
    assert!(2_500 < n_faults * every, "only {n_faults} calls were made to fail");
}

#[test]
fn passes_the_suite_of_two_handles() {
    let Some(server) = server().map(Server::of_person) else { return };
    conformance::run_with_handles(&mut server.places());
}
