//! Changes of a later program in an undo list, which the feature `later` can write.

use vademecum_postgres::later;
use vademecum_store::conformance;

use crate::scene::server;

#[test]
fn keeps_changes_of_a_later_program() {
    let Some(server) = server() else { return };
    let store = server.places()()();
    let put = |seq, undo: &str| later::put_undo(&store, seq, undo).expect("a list of changes");
    conformance::check_unknown_changes(&store, &put);
}
