//! A copy that was killed, at each of its writes: the next one goes on.

use std::process::Stdio;
use std::time::Duration;

use vademecum::core::id::Seq;
use vademecum::port::Store;

use super::scene::Scene;

#[test]
fn a_copy_that_was_killed_at_any_of_its_writes_is_gone_on_with() {
    let scene = Scene::whole();
    let before = scene.bytes("one.db");
    let mut n_killed = 0;
    let mut at = Seq(0);
    for _ in 0..200 {
        let mut child = scene
            .copying("one.db", "two.db")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a copy");
        // The first write that is more than there was ends it.
        let store = scene.open("two.db");
        let mut ended = None;
        while ended.is_none() {
            match store.wait(at, Duration::from_millis(20)) {
                Ok(seq) if seq != at => break,
                Ok(_) | Err(_) => ended = child.try_wait().expect("a child"),
            }
        }
        if let Some(status) = ended {
            assert!(status.success(), "{status:?}");
            break;
        }
        child.kill().expect("a kill");
        child.wait().expect("an end");
        drop(store);
        at = scene.seq("two.db");
        n_killed += 1;
    }
    assert!(4 < n_killed, "{n_killed} kills are too few to show anything");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.same("one.db", "two.db");
    scene.sound("two.db");
    assert_eq!(scene.bytes("one.db"), before, "FROM changed");
}
