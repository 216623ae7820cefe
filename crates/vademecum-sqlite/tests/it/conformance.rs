//! The suite of the port, run on the embedded engine.

use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::conformance;

#[test]
fn passes_the_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut n = 0;
    conformance::run(&mut || {
        n += 1;
        Box::new(Sqlite::at(&folder.path().join(format!("{n}/vade.db")), Options::patient()))
    });
}
