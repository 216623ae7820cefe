//! Where a transcript says what its recap says.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vademecum_core::secrets::samples;
use vademecum_sqlite::opencode::made;

use crate::desk::Desk;
use crate::secrets::transcript;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vademecum-harness/tests/fixtures").join(name)
}

/// The lines of a recap that quote; those of files and commands are put together.
fn quotes(recap: &Value) -> Vec<String> {
    let sections = recap["sections"].as_array().expect("sections").iter();
    let quoting = sections.filter(|it| {
        !["edited", "read", "commands"].contains(&it["part"].as_str().unwrap_or_default())
    });
    let lines = quoting.flat_map(|it| it["lines"].as_array().expect("lines"));
    lines.map(|line| line.as_str().expect("text").to_owned()).collect()
}

#[test]
fn every_line_of_a_recap_is_found_where_it_was_said() {
    let desk = Desk::new();
    for name in [
        "claude_code/session.jsonl",
        "codex/rollout.jsonl",
        "copilot/events.jsonl",
        "opencode/export.json",
    ] {
        let path = fixture(name);
        let file = fs::read_to_string(&path).expect("a fixture");
        let recap = desk.object("recap", json!({"path": path, "budget": 1_000}));
        let quotes = quotes(&recap);
        assert!(1 < quotes.len(), "{recap}");
        for quote in quotes {
            let found = desk.call("why", json!({"words": quote, "path": path}));
            let found = found.unwrap_or_else(|error| panic!("{quote}: {error:?}")).object;
            let newest = &found["places"][0];
            let passage = newest["passage"].as_str().expect("a passage");
            if let Some(line) = newest["line"].as_u64() {
                let line = file.lines().nth(usize::try_from(line).expect("a line") - 1);
                let words = passage.split(|c: char| !c.is_ascii_alphabetic());
                let word = words.max_by_key(|word| word.len());
                let word = word.expect("a word");
                assert!(line.expect("a line").contains(word), "{quote}: {found}");
            }
        }
    }
}

#[test]
fn the_newest_places_come_first_and_the_others_are_counted() {
    let desk = Desk::new();
    let log = desk.folder().join("log.jsonl");
    let line = |n: usize| json!({"role": "user", "content": format!("Wish {n}: parse the `RefundKey` once.")});
    let lines: Vec<String> = (1..=8).map(|n| format!("{}\n", line(n))).collect();
    fs::write(&log, lines.concat()).expect("a file");
    let found = desk.object("why", json!({"words": "parse the refundkey", "path": log}));
    let lines: Vec<_> =
        found["places"].as_array().expect("places").iter().map(|it| it["line"].as_u64()).collect();
    assert_eq!((lines, &found["more"]), ([8, 7, 6, 5, 4].map(Some).to_vec(), &json!(3)));
    let one = desk.call("why", json!({"words": "… wish 3 …", "path": log})).expect("found");
    insta::assert_snapshot!(one.text.replace(log.to_str().expect("text"), "LOG"));
}

#[test]
fn a_line_whose_parts_stand_apart_is_found_by_the_longest() {
    let desk = Desk::new();
    let log = desk.folder().join("log.jsonl");
    let lines = [
        json!({"role": "user", "content": "Shall the key hold the shop?"}),
        json!({"role": "assistant", "content": "It shall hold the order and its customer."}),
    ];
    fs::write(&log, lines.map(|line| format!("{line}\n")).concat()).expect("a file");
    let words = "the key hold … it shall hold the order";
    let found = desk.object("why", json!({"words": words, "path": log}));
    assert_eq!((&found["is_part"], &found["places"][0]["line"]), (&json!(true), &json!(2)));
}

#[test]
fn a_session_in_a_database_is_told_by_its_messages_and_an_export_by_its_parts() {
    let desk = Desk::new();
    let export = fixture("opencode/export.json");
    let session: Value =
        serde_json::from_slice(&fs::read(&export).expect("a fixture")).expect("JSON");
    let database = desk.folder().join("opencode.db");
    fs::write(&database, "").expect("a file");
    made::lay(&database, std::slice::from_ref(&session)).expect("a database");
    let mut n_told = 0;
    for message in session["messages"].as_array().expect("messages") {
        let texts = message["parts"].as_array().expect("parts").iter();
        let texts = texts.filter(|part| part["type"] == "text" && part["synthetic"] != true);
        for text in texts.filter_map(|part| part["text"].as_str()) {
            let of = |path: &Path| {
                let found = desk.call("why", json!({"words": text, "path": path}));
                found.ok().map(|found| found.object["places"][0].clone())
            };
            // What was undone, or written by a program, is none of the session's.
            let Some(place) = of(&database) else { continue };
            n_told += 1;
            assert_eq!(place["message"], message["info"]["id"], "{text}");
            assert!(of(&export).expect("the same").get("part").is_some(), "{text}");
        }
    }
    assert!(0 < n_told, "{n_told}");
}

#[test]
fn nothing_of_it_shows_a_secret() {
    let desk = Desk::new();
    let path = desk.folder().join("t.jsonl");
    for sample in samples::all(3).into_iter().step_by(29) {
        for (place, words) in
            [(0, "deploy use"), (1, "deploy with"), (2, "loaded"), (4, "cargo test"), (5, "next")]
        {
            fs::write(&path, transcript(place, &sample.text)).expect("a file");
            let told = |words: &str| match desk.call("why", json!({"words": words, "path": path})) {
                Ok(reply) => reply.object.to_string(),
                Err(error) => error.message,
            };
            assert!(!told(words).contains(&sample.secret), "{} at {place}", sample.kind);
            assert!(!told(&sample.secret).contains(&sample.secret), "{} at {place}", sample.kind);
        }
    }
}

#[test]
fn what_is_not_said_is_told_with_what_to_do() {
    let desk = Desk::new();
    let errors = ["no such words here", "… `**`"]
        .map(|words| desk.error("why", json!({"words": words, "sample": true})));
    insta::assert_snapshot!(errors.join("\n\n"));
}
