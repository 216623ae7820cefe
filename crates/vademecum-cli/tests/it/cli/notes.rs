//! The notes as they are typed; what they do is in the shared cases.

use serde_json::{Value, json};

use super::home::Home;

#[track_caller]
fn contents(reply: &Value) -> Vec<&str> {
    let notes = reply["notes"].as_array().expect("notes");
    notes.iter().map(|note| note["content"].as_str().expect("text")).collect()
}

#[test]
fn c1_3_and_4_tags_are_checked_and_brought_into_form() {
    let home = Home::new();
    for (words, error) in [
        (&[][..], "a note takes 1 to 5 tags, 0 given"),
        (&["--tags", "a,b,c,d,e,f"], "a note takes 1 to 5 tags, 6 given"),
        (&["--tag", "a", "--tag", " "], "tag 2 is blank"),
        (&["--tag", "a,b"], "tag 1 holds a comma, line break or control character"),
    ] {
        let found = home.error(&[&["note", "add", "text"], words].concat());
        assert_eq!(found, format!("usage: {error}"), "{words:?}");
    }
    for (words, tags) in [
        (&["--tag", " Auth ", "--tag", "auth"][..], json!(["auth"])),
        (&["--tags", "a,b,c,d,e,A"], json!(["a", "b", "c", "d", "e"])),
        (&["--tag", "a", "--tags", "b,c", "--tag", "d"], json!(["a", "b", "c", "d"])),
    ] {
        assert_eq!(home.json(&[&["note", "add", "text"], words].concat())["tags"], tags);
    }
}

#[test]
fn c1_5_and_6_processes_get_distinct_rising_ids() {
    const PROCESSES: usize = 8;
    const NOTES: usize = 6;
    let home = Home::new();
    home.add("first", "t");
    let mut ids: Vec<i64> = std::thread::scope(|scope| {
        let many = |_| -> Vec<String> { (0..NOTES).map(|_| home.add("text", "t")).collect() };
        let workers: Vec<_> =
            (0..PROCESSES).map(|process| scope.spawn(move || many(process))).collect();
        let ids = workers.into_iter().flat_map(|worker| worker.join().expect("an end"));
        ids.map(|id| id.strip_prefix("note_").expect("note_").parse().expect("digits")).collect()
    });
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), PROCESSES * NOTES);
    assert_eq!(home.json(&["note", "list", "--limit", "1000"])["total"], 1 + PROCESSES * NOTES);
}

#[test]
fn c1_8_and_9_a_note_is_crossed_out_and_back() {
    let home = Home::new();
    let id = home.add("find me", "t");
    let before = home.json(&["note", "list"])["notes"][0].clone();
    let scratched = home.json(&["note", "scratch", &id, "true"]);
    assert_eq!(scratched["scratched"], true);
    assert_eq!(contents(&home.json(&["note", "search", "find"])), ["find me"]);
    assert_eq!(
        contents(&home.json(&["note", "search", "find", "--include-scratched=false"])).len(),
        0
    );
    assert_eq!(contents(&home.json(&["note", "list"])).len(), 0);
    assert_eq!(contents(&home.json(&["note", "list", "--include-scratched"])), ["find me"]);
    home.json(&["note", "scratch", &id, "false"]);
    assert_eq!(home.json(&["note", "list"])["notes"][0], before, "updated_at too");
    let error = home.error(&["call", "scratch_note", &format!("{{\"id\": \"{id}\"}}")]);
    assert_eq!(error, "usage: scratch_note needs scratched, true or false");
}

#[test]
fn c1_14_a_list_shows_the_ten_newest() {
    let home = Home::new();
    for n in 0..12 {
        home.add(&n.to_string(), "t");
    }
    let newest: Vec<String> = (2..12).rev().map(|n| n.to_string()).collect();
    for words in [&[][..], &["--limit", "0"], &["--limit", "-1"], &["--limit=-1"]] {
        let list = home.json(&[&["note", "list"], words].concat());
        assert_eq!(
            (contents(&list), &list["total"]),
            (newest.iter().map(String::as_str).collect(), &json!(12))
        );
    }
}
