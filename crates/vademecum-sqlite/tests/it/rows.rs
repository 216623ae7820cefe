//! Rows that cannot be read in a file whose pages are whole: found, copied, mended, and never just gone.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rusqlite::Connection;
use vademecum_sqlite::repair::{Report, repair};
use vademecum_store::{Depth, NoteFilter, Scope, Store, StoreError, read};

use crate::scene::{SESSION, Scene, VERSION, add, faults, n_notes};

/// A store of four notes and a page, with `sql` done to it behind our back.
fn spoiled(sql: &str) -> Scene {
    let scene = Scene::with_notes(4);
    scene.raw().execute_batch(sql).expect("a change behind our back");
    scene
}

fn contents(scene: &Scene) -> Result<Vec<String>, StoreError> {
    read(&scene.open(), |view| {
        let notes = view.notes(&SESSION, &NoteFilter::default(), 0)?;
        Ok(notes.into_iter().map(|note| note.content.as_str().to_owned()).collect())
    })
}

fn mended(scene: &Scene) -> Report {
    repair(&scene.database()).expect("a report")
}

fn quarantine(report: &Report) -> String {
    let path = report.quarantine.as_ref().expect("a file");
    assert_eq!(fs::metadata(path).expect("a file").permissions().mode() & 0o777, 0o600);
    fs::read_to_string(path).expect("a text")
}

#[test]
fn a_note_with_one_bad_byte_is_kept_as_far_as_it_can_be_read() {
    let scene =
        spoiled("UPDATE note SET content = CAST(x'6e6f7465ff20626164' AS TEXT) WHERE id = 2");
    let refused = contents(&scene);
    assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{refused:?}");
    let fault = "1 text in note.content is no UTF-8 and cannot be read";
    assert_eq!(faults(&scene.open()), [fault]);

    let report = mended(&scene);
    assert_eq!((&*report.mended, report.left.len()), (&[fault.to_owned()][..], 0));
    assert_eq!(
        contents(&scene).expect("notes"),
        ["note number 4", "note number 3", "note\u{fffd} bad", "note number 1"]
    );
    let kept: serde_json::Value = serde_json::from_str(&quarantine(&report)).expect("one line");
    let expected = serde_json::json!({
        "table": "note", "key": {"rowid": (2 << 28) + 2}, "column": "content", "bytes": "6e6f7465ff20626164",
    });
    assert_eq!(kept, expected);
    // The copy is the store as it was.
    let copy = Connection::open(report.copied.expect("a copy")).expect("a database");
    let sql = "SELECT hex(content) FROM note WHERE id = 2";
    let kept: String = copy.query_row(sql, [], |row| row.get(0)).expect("a row");
    assert_eq!(kept, "6E6F7465FF20626164");
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

/// Each text of each table, as the schema lists them, is looked at and mended.
#[test]
fn every_text_of_every_table_is_looked_at() {
    let scene = Scene::with_notes(1);
    scene
        .raw()
        .execute_batch(
            "INSERT INTO store VALUES ('a', 'b');
             INSERT INTO notepad VALUES (2, 1, 1, 'page');
             INSERT INTO handoff VALUES (2, 1, 'word');
             INSERT INTO waiting VALUES ((2 << 28) | (2 << 25), NULL), ((2 << 28) | (3 << 25), NULL);
             CREATE TABLE later (id INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT;
             INSERT INTO later VALUES (7, 'x');",
        )
        .expect("rows");
    for place in ["store.value", "notepad.text", "handoff.text", "session.external", "later.word"] {
        let (table, column) = place.split_once('.').expect("two words");
        let sql = format!("UPDATE {table} SET {column} = CAST(x'61ff62' AS TEXT)");
        scene.raw().execute_batch(&sql).expect("a change");
        let fault = format!("1 text in {place} is no UTF-8 and cannot be read");
        assert_eq!(faults(&scene.open()), [fault]);
        let report = mended(&scene);
        assert_eq!((report.left.len(), report.n_quarantined), (0, 1), "{place}: {report:?}");
        let sql = format!("SELECT {column} FROM {table}");
        let text: String = scene.raw().query_row(&sql, [], |row| row.get(0)).expect("a row");
        assert_eq!(text, "a\u{fffd}b");
    }
}

#[test]
fn a_row_that_is_no_note_is_counted_and_kept_apart() {
    let scene = spoiled("UPDATE note SET tags = '' WHERE id = 3");
    let report = mended(&scene);
    assert_eq!((report.n_quarantined, report.n_indexed), (1, 3));
    let kept = quarantine(&report);
    assert!(kept.contains("\"content\":\"note number 3\""), "{kept}");
    assert_eq!(n_notes(&scene.open()).expect("a read"), 3);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

#[test]
fn where_nothing_can_be_kept_apart_nothing_is_changed() {
    let scene = spoiled("UPDATE note SET content = CAST(x'ff' AS TEXT) WHERE id = 2");
    fs::write(scene.path("backups"), "a file is in the way").expect("a file");
    let before = scene.bytes();
    repair(&scene.database()).expect_err("no place for a copy");
    assert_eq!(scene.bytes(), before);
}

const BODY_FAULT: &str = "the body of journal entry 2 was changed by another program";

#[test]
fn a_body_that_is_none_any_more_is_kept_apart() {
    let scene = spoiled("UPDATE journal SET undo = x'7bff7d' WHERE seq = 2");
    assert_eq!(faults(&scene.open()), [BODY_FAULT]);
    let report = mended(&scene);
    assert_eq!((&*report.mended, report.left.len()), (&[BODY_FAULT.to_owned()][..], 0));
    assert!(quarantine(&report).contains("7bff7d"));
    let health = scene.open().health(Depth::Deep).expect("health");
    assert_eq!((health.faults, health.notices), (Vec::new(), Vec::new()));
}

#[test]
fn a_body_that_was_changed_can_be_accepted() {
    let scene =
        spoiled("UPDATE journal SET undo = CAST(' ' || CAST(undo AS TEXT) AS BLOB) WHERE seq = 2");
    assert_eq!(faults(&scene.open()), [BODY_FAULT]);
    let report = mended(&scene);
    assert_eq!((&*report.mended, report.left.len()), (&[BODY_FAULT.to_owned()][..], 0));
    let store = scene.open();
    add(&store, 5).expect("a note");
    let health = store.health(Depth::Deep).expect("health");
    let notice = "the journal was accepted as it was by vade doctor --repair: entries up to 5 are \
                  held by their order alone";
    assert_eq!((health.faults, health.notices), (Vec::new(), vec![notice.to_owned()]));
    let said = read(&store, |view| view.records(&Scope::Store, 1)).expect("a read");
    assert_eq!((said[0].kind.as_str(), said[0].write_id.as_str()), ("accept", "accept-5"));
}

#[test]
fn what_a_later_program_added_is_saved_from_damaged_pages() {
    let scene = Scene::with_notes(200);
    scene
        .raw()
        .execute_batch(
            "CREATE TABLE later (id INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT;
             CREATE INDEX later_word ON later (word);
             INSERT INTO later VALUES (7, 'x');
             ALTER TABLE note ADD COLUMN later TEXT NOT NULL DEFAULT 'd';
             UPDATE note SET later = 'e' WHERE id = 3;
             PRAGMA wal_checkpoint(TRUNCATE);",
        )
        .expect("what a later program does");
    let version = VERSION + 9;
    scene.raw().pragma_update(None, "user_version", version).expect("stamped");
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'note_id'";
    let page: u64 =
        scene.raw().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a page").unsigned_abs();
    let mut bytes = fs::read(scene.database()).expect("a file");
    let at = usize::try_from((page - 1) * 4096).expect("a place");
    bytes[at..at + 4096].fill(0xa5);
    fs::write(scene.database(), bytes).expect("a file");

    let report = mended(&scene);
    assert!(report.aside.is_some(), "{report:?}");
    let raw = scene.raw();
    let text = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, String>(0)).expect("a row");
    assert_eq!(text("SELECT word FROM later WHERE id = 7"), "x");
    assert_eq!(text("SELECT later FROM note WHERE id = 3"), "e");
    let stamped = text("SELECT CAST(user_version AS TEXT) FROM pragma_user_version");
    assert_eq!(stamped, version.to_string());
    assert_eq!(n_notes(&scene.open()).expect("a read"), 200);
}
