//! The notes at the command line: conformance cases of group C1.

use serde_json::{Value, json};

use super::home::Home;

#[track_caller]
fn contents(reply: &Value) -> Vec<&str> {
    let notes = reply["notes"].as_array().expect("notes");
    notes.iter().map(|note| note["content"].as_str().expect("text")).collect()
}

#[test]
fn c1_1_and_2_a_note_takes_800_characters_of_any_kind() {
    let home = Home::new();
    for one in ["a", "漢", "😀"] {
        home.add(&one.repeat(800), "t");
        let error = home.error(&["note", "add", &one.repeat(801), "--tag", "t"]);
        assert_eq!(error, "usage: a note takes at most 800 characters, 801 given");
    }
    assert_eq!(home.json(&["note", "list"])["total"], 3);
}

#[test]
fn c1_3_and_4_tags_are_checked_and_brought_into_form() {
    let home = Home::new();
    for (words, error) in [
        (&[][..], "a note takes 1 to 5 tags, 0 given"),
        (&["--tags", "a,b,c,d,e,f"], "a note takes 1 to 5 tags, 6 given"),
        (&["--tag", "a", "--tag", " "], "tag 2 is blank"),
        (&["--tag", "a\nb"], "tag 1 holds a comma, line break or control character"),
    ] {
        let found = home.error(&[&["note", "add", "text"], words].concat());
        assert_eq!(found, format!("usage: {error}"), "{words:?}");
    }
    for (words, tags) in [
        (&["--tag", " Auth ", "--tag", "auth"][..], json!(["auth"])),
        (&["--tags", "a,b,c,d,e,A"], json!(["a", "b", "c", "d", "e"])),
        (&["--tag", "a", "--tags", "b,c"], json!(["a", "b", "c"])),
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
fn c1_7_and_19_the_published_search_finds_all() {
    let home = Home::configured("profile = 'seed1'");
    for n in 0..11 {
        home.add(&format!("Login number {n}"), if n % 2 == 0 { "auth,even" } else { "auth" });
    }
    home.add("other", "auth");
    let found = |words: &[&str]| contents(&home.json(&[&["note", "search"], words].concat())).len();
    assert_eq!(found(&["lOGIN"]), 11);
    assert_eq!(found(&["login", "--tag", "auth", "--tag", "even"]), 6);
    assert_eq!(found(&["--tags", "even"]), 6);
    assert_eq!(found(&[]), 12);
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
    let error = home.error(&["note", "scratch", &id]);
    assert_eq!(error, "usage: scratch_note needs scratched, true or false");
}

#[test]
fn c1_10_to_13_an_update_changes_what_it_names() {
    let home = Home::new();
    let id = home.add("old", "a,b");
    let before = home.json(&["note", "list"])["notes"][0].clone();
    let after = home.json(&["note", "update", &id, "new"]);
    for part in ["id", "tags", "created_at"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    assert_eq!(after["content"], "new");
    assert_eq!(home.json(&["note", "update", &id, "--tag", "c"])["tags"], json!(["c"]));

    let neither = "usage: update_note needs content or tags, neither given";
    assert_eq!(home.error(&["note", "update", &id]), neither);
    let empty = "usage: a note needs content, none given";
    assert_eq!(home.error(&["note", "update", &id, ""]), empty);
    let unknown = "missing: no note \"note_1\" in this session";
    assert_eq!(home.error(&["note", "update", "note_1", "x"]), unknown);
    assert_eq!(home.error(&["note", "delete", "note_1"]), unknown);
    assert_eq!(home.error(&["note", "scratch", "note_1", "true"]), unknown);
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

#[test]
fn c1_15_tags_are_counted_crossed_out_ones_too() {
    let home = Home::new();
    let id = home.add("one", "b,a");
    home.add("two", "b,c");
    home.json(&["note", "scratch", &id, "true"]);
    let count = |tag, count| json!({"tag": tag, "count": count});
    let all = json!({"tags": [count("b", 2), count("a", 1), count("c", 1)]});
    assert_eq!(home.json(&["tag", "list"]), all);
    let open = json!({"tags": [count("b", 1), count("c", 1)]});
    assert_eq!(home.json(&["tag", "list", "--include-scratched=false"]), open);
}

#[test]
fn c1_16_a_deleted_note_is_gone() {
    let home = Home::new();
    let id = home.add("text", "t");
    assert_eq!(
        home.steady(&home.text(&["note", "delete", &id])),
        "deleted note_ID (this session only; 0 open)\n"
    );
    let error = home.error(&["note", "update", &id, "x"]);
    assert_eq!(error, format!("missing: no note \"{id}\" in this session"));
}

#[test]
fn c1_17_and_18_notes_belong_to_their_session() {
    let home = Home::new();
    let list = |session| contents(&home.json(&["--session", session, "note", "list"])).len();
    home.json(&["--session", "test:one", "note", "add", "text", "--tag", "t"]);
    assert_eq!((list("test:one"), list("test:two"), list("desk")), (1, 0, 0));
    home.json(&["--session", "test:one", "session", "archive"]);
    assert_eq!(list("test:one"), 1);
}
