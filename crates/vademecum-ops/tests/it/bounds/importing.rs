//! What comes in from a file: ids and times that a clock can give, slices, repeats, and what a prompt tells of it.

use std::io::{self, Read};

use serde_json::{Value, json};
use vademecum_core::time::Time;
use vademecum_ops::ops::import;
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller};
use vademecum_store::{Author, JournalFilter, Origin, Scope, Surface, read};

use super::{as_before, first};
use crate::desk::Desk;
use crate::moments::{Claude, SESSION};

const NOW: i64 = 1_763_700_000_000;

fn packed(id: i64) -> Value {
    let at = Time(NOW).to_rfc3339();
    json!({"id": format!("note_{id}"), "content": format!("note {id}"), "tags": ["a"],
           "created_at": at, "updated_at": at, "scratched": false})
}

fn package(session: &Value, notes: &[Value], plans: &Value) -> String {
    let mut session = session.clone();
    session["notes"] = json!(notes);
    json!({"vademecum": 2, "project": "p", "sessions": [session], "plans": plans}).to_string()
}

fn head(name: &str) -> Value {
    json!({"name": name, "started_at": Time(NOW).to_rfc3339()})
}

#[test]
fn what_no_clock_gave_is_refused() {
    let day = "at most ten years ahead is taken: 2035-11-21";
    let at = Time(NOW).to_rfc3339();
    let entry = |id: &str, at: &str| {
        json!([{"name": "x", "created_at": Time(NOW).to_rfc3339(),
                "entries": [{"id": id, "plan": "x", "category": "learning", "at": at, "content": "c"}]}])
    };
    let mut late = packed(NOW);
    late["updated_at"] = "9999-01-01T00:00:00Z".into();
    let far = "9999-01-01T00:00:00Z";
    for (content, said) in [
        (
            package(&head("test:a"), &[packed(NOW), packed(i64::MAX)], &json!([])),
            format!(
                "the id of note \"note_{}\" in the import is 9999-12-30 or later, {day}",
                i64::MAX
            ),
        ),
        (
            package(&head("test:a"), &[late], &json!([])),
            format!(
                "the updated_at of note \"note_{NOW}\" in the import is 9999-01-01 or later, {day}"
            ),
        ),
        (
            package(&json!({"name": "test:a", "started_at": far}), &[], &json!([])),
            format!(
                "the started_at of session \"test:a\" in the import is 9999-01-01 or later, {day}"
            ),
        ),
        (
            package(
                &json!({"name": "test:a", "started_at": "9999999-01-01T00:00:00Z"}),
                &[],
                &json!([]),
            ),
            "session \"test:a\" of the import has no legal started_at".to_owned(),
        ),
        (
            package(&head("test:a"), &[], &entry("entry_9223372036854775807", &at)),
            format!(
                "the id of entry \"entry_9223372036854775807\" in the import is 9999-12-30 or later, {day}"
            ),
        ),
        (
            package(&head("test:a"), &[], &entry("entry_5", far)),
            format!("the time of entry \"entry_5\" in the import is 9999-01-01 or later, {day}"),
        ),
    ] {
        let desk = Desk::new();
        assert_eq!(desk.error("import", json!({"content": content})), format!("usage: {said}"));
        assert_eq!(
            desk.object("list_sessions", json!({}))["sessions"],
            json!([]),
            "nothing is taken in"
        );
    }
}

#[test]
fn where_no_work_tree_can_have_stood_is_refused() {
    let long = "b".repeat(201);
    let upper = "A".repeat(40);
    for (name, given) in [
        ("branch", ""),
        ("branch", "a\nb"),
        ("branch", long.as_str()),
        ("commit", "0123456"),
        ("commit", upper.as_str()),
    ] {
        let at = Time(NOW).to_rfc3339();
        let mut entry =
            json!({"id": "entry_5", "plan": "x", "category": "learning", "at": at, "content": "c"});
        entry[name] = given.into();
        let plans = json!([{"name": "x", "created_at": at, "entries": [entry]}]);
        let content = package(&head("test:a"), &[], &plans);
        let desk = Desk::new();
        assert_eq!(
            desk.error("import", json!({"content": content})),
            format!("usage: entry \"entry_5\" of the import has no legal {name}"),
            "{given:?}"
        );
        assert_eq!(desk.object("list_sessions", json!({}))["sessions"], json!([]));
    }
}

#[test]
fn lines_and_a_document_hold_the_same() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "漢字\nplan"}));
    desk.object("write_handoff", json!({"content": "Next: the cli."}));
    for n in 0..1100 {
        desk.object("add_note", json!({"content": format!("note {n}"), "tags": ["a", "b"]}));
    }
    desk.object("init_plan", json!({"name": "x"}));
    desk.object("add_learning", json!({"plan": "x", "content": "a learning"}));
    let export = |desk: &Desk, format: &str| {
        desk.object("export", json!({"format": format, "all": true}))["content"].clone()
    };
    let lines = export(&desk, "jsonl");
    let kinds: Vec<String> =
        lines.as_str().expect("text").lines().map(|line| line.chars().take(9).collect()).collect();
    assert_eq!(kinds[0], r#"{"vademec"#);
    assert_eq!(kinds[1], r#"{"session"#);
    assert!(kinds[2..1102].iter().all(|kind| kind.starts_with(r#"{"note":"#)), "{kinds:?}");
    let of_lines = Desk::new();
    let taken = of_lines.object("import", json!({"content": lines}));
    let counts = json!({"sessions": 1, "notepads": 1, "notes": 1100, "handoffs": 1, "entries": 1, "kept": 0});
    assert_eq!(taken, counts);
    let of_document = Desk::new();
    assert_eq!(of_document.object("import", json!({"content": export(&desk, "json")})), counts);
    for format in ["json", "jsonl", "markdown"] {
        assert_eq!(export(&of_lines, format), export(&of_document, format));
    }
    let again = of_lines.object("import", json!({"content": lines}));
    assert_eq!((&again["notes"], &again["kept"]), (&json!(0), &json!(1103)));
}

#[test]
fn a_broken_package_is_said_to_be_one() {
    for (content, said) in [
        ("{}", "the import is no export of vade: missing field `vademecum` at line 1 column 2"),
        (
            r#"{"vademecum": 2, "project": "p"}"#,
            "the import is no export of vade: missing field `sessions`",
        ),
        (
            "{\"vademecum\": 2, \"project\": \"p\"}\n{\"note\": {}}",
            "the import is no export of vade: missing field `id` at line 2 column 11",
        ),
        (
            r#"{"vademecum": 3, "project": "p", "sessions": []}"#,
            "the export has version 3, this program reads up to 2",
        ),
        (
            r#"{"vademecum": 2, "project": "p", "sessions": [{"name": "test:a", "started_at": "x", "notes": [], "notepad": "late"}]}"#,
            "session \"test:a\" of the import has no legal started_at",
        ),
    ] {
        assert_eq!(
            Desk::new().error("import", json!({"content": content})),
            format!("usage: {said}")
        );
    }
    let homeless =
        format!("{}\n{}", json!({"vademecum": 2, "project": "p"}), json!({"note": packed(NOW)}));
    assert_eq!(
        Desk::new().error("import", json!({"content": homeless})),
        "usage: a note of the import stands before any session"
    );
}

/// Bytes that may break off.
struct Bytes<'a> {
    bytes: &'a [u8],
    breaks_off: bool,
}

impl Read for Bytes<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.bytes.read(to)? {
            0 if self.breaks_off => Err(io::Error::other("the medium is gone")),
            n => Ok(n),
        }
    }
}

#[test]
fn an_import_that_broke_off_is_done_again_without_doubles() {
    let desk = Desk::new();
    let notes: Vec<Value> = (0..1000).chain([0]).map(|n| packed(NOW - n)).collect();
    let content = package(&head("test:session-1"), &notes, &json!([]));
    let caller = Caller {
        origin: Origin { surface: Surface::Cli, author: Author::User },
        clues: Clues::default(),
        write_id: None,
    };
    let call = Call::new(&desk.store, &desk.world, &desk.config, caller);
    let (bytes, mut n_opened) = (content.as_bytes(), 0);
    // The first reading looks at all of it; the second one breaks off.
    let broken = import::from(&call, false, || {
        n_opened += 1;
        let breaks_off = 1 < n_opened;
        let end = if breaks_off { bytes.len() / 2 } else { bytes.len() };
        Ok(Bytes { bytes: &bytes[..end], breaks_off })
    });
    let error = broken.expect_err("it breaks off");
    assert!(error.message.contains("the medium is gone"), "{error}");
    let total = || desk.object("list_notes", json!({}))["total"].as_u64();
    assert!(total().is_some_and(|n| 0 < n && n < 1000), "{:?}", total());
    let taken = import::from(&call, false, || Ok(bytes)).expect("an import");
    assert_eq!(total(), Some(1000));
    assert_eq!(taken.notes + taken.kept, 1001, "one id stands there twice");
}

#[test]
fn no_entry_of_the_journal_is_large_and_a_prompt_tells_of_all() {
    let claude = Claude::new();
    claude.starts("startup");
    let notes: Vec<Value> = (0..6000).map(|n| packed(NOW - n)).collect();
    let name = format!("claude-code:{SESSION}");
    let content = package(&head(&name), &notes, &json!([]));
    claude.person("import", json!({"content": content}));
    let sizes = read(&claude.desk.store, |view| {
        let scope = Scope::Session(first(&claude.desk));
        let all = JournalFilter { scope: Some(&scope), bodies: 1, ..JournalFilter::default() };
        Ok(view.journal(&all)?.into_iter().filter_map(|entry| entry.size).max())
    });
    let largest = sizes.expect("a read");
    assert!(largest.is_some_and(|size| size < 64 * 1024), "{largest:?}");
    let told = claude.prompt();
    assert!(told.contains("of 6000, decisions and todos first"), "{told}");
    assert!(told.encode_utf16().count() <= 9_000);
    assert_eq!(claude.prompt(), "", "it is told once");
}

/// A store of an earlier program has imports of one entry, however large.
#[test]
fn what_is_too_large_to_be_read_is_told_of_all_the_same() {
    let claude = Claude::new();
    claude.starts("startup");
    let notes: Vec<_> = (0..8000).map(|id| super::note(&claude.desk, NOW - id, "a")).collect();
    as_before(&claude.desk, &notes);
    let context = claude.prompt();
    assert!(context.contains("of 8000, decisions and todos first"), "{context}");
    assert_eq!(claude.prompt(), "");
    claude.starts("resume");
    assert_eq!(claude.prompt(), "");
}
