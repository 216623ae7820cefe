//! Changes of a later program in an undo list, which the feature `later` can write.

use std::fs;

use vademecum_sqlite::later;
use vademecum_sqlite::repair::repair;
use vademecum_store::conformance;

use crate::scene::Scene;

#[test]
fn keeps_changes_of_a_later_program() {
    let scene = Scene::empty();
    let path = scene.database();
    let put = |seq, undo: &str| later::put_undo(&path, seq, undo).expect("a list of changes");
    conformance::check_unknown_changes(&scene.open(), &put);
    let before = fs::read(scene.path("vade.key")).expect("a key");
    let report = repair(&path).expect("a report");
    assert_eq!((report.mended, report.n_quarantined), (Vec::new(), 0));
    assert_eq!(fs::read(scene.path("vade.key")).expect("a key"), before);
    let body: String = scene
        .raw()
        .query_row("SELECT CAST(undo AS TEXT) FROM journal WHERE undo LIKE '%weave%'", [], |row| {
            row.get(0)
        })
        .expect("a body");
    assert!(body.contains(r#""thread":[1, 2.50, 1e400],"session":1,"b":"\u00e9""#), "{body}");
}
