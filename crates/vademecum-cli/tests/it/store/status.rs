//! How a store is: what is told of it, and that nothing is left behind by looking.

use serde_json::Value;
use vademecum::port::Store;

use super::scene::Scene;

#[test]
fn a_store_says_how_it_is_and_nothing_is_left_behind() {
    let scene = Scene::small();
    let before = (scene.bytes("one.db"), scene.seq("one.db"));
    let said = scene.vade(&["store", "status"]).success();
    let about: Vec<&str> = said.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(about, ["store", "size", "engine", "read", "write", "open", "waiting"], "{said}");
    assert!(said.ends_with("waiting  nothing\n"), "{said}");
    let said: Value =
        serde_json::from_str(&scene.vade(&["store", "status", "--json"]).success()).expect("JSON");
    assert!(said["read_ms"].is_f64() && said["write_ms"].is_f64(), "{said}");
    assert_eq!((scene.bytes("one.db"), scene.seq("one.db")), before);
    let names: Vec<_> = std::fs::read_dir(&scene.home.path).expect("a folder").collect();
    assert!(names.iter().flatten().all(|it| !it.file_name().to_string_lossy().contains("probe")));
}

#[test]
fn who_has_it_open_and_what_waits_is_told() {
    let scene = Scene::small();
    let store = scene.open("one.db");
    store.intend("{}").expect("an intention");
    let said = scene.vade(&["store", "status"]).success();
    let own = format!("open     process {} (", std::process::id());
    assert!(said.contains(&own), "{said}");
    assert!(said.contains("waiting  1 thing to be forgotten"), "{said}");
    assert_eq!(
        scene.vade(&["store", "status", "--store", "none.db"]).success(),
        "store    ~/none.db\nsize     not made yet: the first write makes it\n"
    );
}

#[test]
fn comparing_changes_nothing() {
    let scene = Scene::small();
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.of_store("two.db", "a", "s-a-1", &["note", "add", "one more", "-t", "x"]);
    let before = [scene.bytes("one.db"), scene.bytes("two.db")];
    assert_eq!(scene.vade(&["store", "check", "one.db", "two.db"]).code, Some(1));
    assert_eq!([scene.bytes("one.db"), scene.bytes("two.db")], before);
    let said = scene.vade(&["store", "check", "one.db", "two.db", "--json"]);
    let said: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!((&said["same"], &said["count"]), (&false.into(), &4.into()), "{said}");
}
