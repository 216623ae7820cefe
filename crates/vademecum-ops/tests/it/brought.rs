//! A word on the desk that the user of this store did not write: it is told as what it is.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use vademecum_ops::copying::{Side, copy};
use vademecum_ops::identity::{FILE, Identity};
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, registry};
use vademecum_store::{Author, Origin, Surface};

use crate::desk::Desk;
use crate::moments::Claude;

const OWN: [&str; 3] = [
    "vade: the user left word for the next session (desk, 21 Nov). It says: \"Mind the lock.\"",
    "Word of the user for the next session (desk, 21 Nov).",
    "## The user's words",
];

const ANOTHERS: [&str; 3] = [
    "vade: word for the next session, imported or of another person (desk, 21 Nov). It says: \"Mind the lock.\"",
    "Word for the next session, imported or of another person (desk, 21 Nov).",
    "## Its own words",
];

/// A person who left word.
fn person() -> Claude {
    let claude = Claude::new();
    leaves_word(&claude);
    claude
}

fn leaves_word(claude: &Claude) {
    let Desk { store, world, config, .. } = &claude.desk;
    let origin = Origin { surface: Surface::Cli, author: Author::User };
    let clues = Clues { is_person: true, ..Clues::default() };
    let call = Call::new(store, world, config, Caller { origin, clues, write_id: None });
    let op = registry::find("write_handoff").expect("an operation");
    op.run(&call, json!({"content": "Mind the lock."})).expect("an answer");
}

/// How the word is told at the start of a session, and by a handoff that is asked for.
#[track_caller]
fn check(claude: &Claude, told: [&str; 3]) {
    let start = claude.starts("startup");
    let handoff = claude.desk.call("read_handoff", json!({"from": "desk"})).expect("a handoff");
    for (text, expected) in [&start, &handoff.text, &handoff.text].into_iter().zip(told) {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_word_of_ones_own_is_told_as_such() {
    check(&person(), OWN);
}

#[test]
fn an_imported_word_is_told_as_such_until_one_of_ones_own_replaces_it() {
    let from = person();
    let export = from.desk.person("export", json!({"format": "json", "all": true}));
    let to = Claude::new();
    to.desk.object("import", json!({"content": export.expect("an export").object["content"]}));
    check(&to, ANOTHERS);
    to.desk.clock.fetch_add(1000, Ordering::Relaxed);
    leaves_word(&to);
    let start = to.starts("startup");
    assert!(start.contains(OWN[0]), "{start}");
    // Words of one's own stay, and are no others' by what was brought beside them.
    let export = from.desk.person("export", json!({"format": "json", "all": true}));
    to.desk.object("import", json!({"content": export.expect("an export").object["content"]}));
    check(&to, OWN);
}

/// From here on another person works in the data folder.
fn changes_hands(claude: &mut Claude) {
    let file = claude.desk.folder().join("data").join(FILE);
    let text = std::fs::read_to_string(&file).expect("a file");
    let mut kept: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let other = kept["person"].as_str().expect("an id").replace(|c: char| c.is_ascii_digit(), "a");
    kept["person"] = other.into();
    std::fs::write(file, kept.to_string()).expect("a file");
    claude.desk.world.identity = Identity::default();
}

#[test]
fn a_word_of_another_person_is_told_as_such() {
    let mut claude = person();
    changes_hands(&mut claude);
    check(&claude, ANOTHERS);
    claude.desk.clock.fetch_add(1000, Ordering::Relaxed);
    leaves_word(&claude);
    check(&claude, OWN);
}

#[test]
fn a_word_that_waits_is_called_ones_own_only_where_it_is() {
    let mut claude = person();
    claude.desk.object("write_notepad", json!({"content": "- [ ] theirs"}));
    for whose in ["Your own word of", "A word that is not yours, of"] {
        let shown = claude.desk.person("read_handoff", json!({})).expect("a handoff").text;
        let line = format!("\n{whose} 21 Nov was not read yet: vade handoff show desk\n");
        assert!(shown.contains(&line), "{shown}");
        changes_hands(&mut claude);
    }
}

#[test]
fn a_word_that_a_copied_store_brought_is_told_as_the_other_persons() {
    let from = person();
    let mut other = Claude::new();
    other.desk.world.folders.work.clone_from(&from.desk.world.folders.work);
    // Else both would make the same person.
    let next = AtomicU64::new(1);
    other.desk.world.new_id =
        Box::new(move || format!("other-{}", next.fetch_add(1, Ordering::Relaxed)));
    let by = other.desk.world.writer();
    let now = (other.desk.world.now)();
    let sides = [("FROM", &from), ("TO", &other)];
    let [from, to] = sides.map(|(name, it)| Side { store: &it.desk.store, name });
    let origin = Origin { surface: Surface::Cli, author: Author::User };
    copy(from, to, (&origin, by), now).expect("a copy");
    check(&other, ANOTHERS);
}
