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
        (&["--tags", "a,b,c,d,e,f"][..], "a note takes 1 to 5 tags, 6 given"),
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
fn a_note_without_tags_gets_likely_ones_and_says_so() {
    let home = Home::new();
    home.add("about the queue", "queue");
    let said = home.text(&["note", "add", "Root cause: the queue loops"]);
    assert!(said.ends_with("; no tags given, taken from its words: queue, bug\n"), "{said}");
    assert_eq!(home.json(&["note", "add", "so be it"])["tags"], json!(["untagged"]));
}

#[test]
fn a_note_from_standard_input_has_no_line_break_at_its_end() {
    let home = Home::new();
    for (input, content) in [("one\n", "one"), ("two\nlines\n\n", "two\nlines"), ("three", "three")]
    {
        let said = home.vade_reading(input, &["note", "add", "--tag", "x"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(contents(&home.json(&["note", "list"]))[0], content);
    }
}

#[test]
fn a_note_can_be_had_again_as_it_was() {
    let home = Home::new();
    let id = home.add("one", "t");
    home.json(&["note", "update", &id, "two"]);
    home.json(&["note", "delete", &id]);
    let history = home.json(&["note", "history", &id]);
    let said =
        |rev: &Value| (rev["rev"].as_u64(), rev["note"]["content"].as_str().map(str::to_owned));
    let said: Vec<_> = history["revisions"].as_array().expect("a list").iter().map(said).collect();
    let two = Some("two".to_owned());
    assert_eq!(said, [(Some(3), None), (Some(2), two), (Some(1), Some("one".to_owned()))]);
    assert_eq!(home.json(&["note", "restore", &id])["content"], "two");
    assert_eq!(home.json(&["note", "restore", &id, "1"])["content"], "one");
    assert_eq!(contents(&home.json(&["note", "list"])), ["one"]);
    let error = home.error(&["note", "restore", &id, "9"]);
    assert_eq!(error, "missing: the note has no rev 9: 1 to 5 are known");
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
    assert_eq!(contents(&home.json(&["note", "list", "--limit", "0"])).len(), 12);
    for words in [&[][..], &["--limit", "-1"], &["--limit=-1"]] {
        let list = home.json(&[&["note", "list"], words].concat());
        assert_eq!(
            (contents(&list), &list["total"]),
            (newest.iter().map(String::as_str).collect(), &json!(12))
        );
    }
}
