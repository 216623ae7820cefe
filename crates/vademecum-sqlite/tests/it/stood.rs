//! Where the work tree stood is in a table that 2.1 added: a store of 2.0 is read, written, mended and erased from.

use std::fs;
use std::os::unix::fs::FileExt;

use vademecum_core::entry::{Category, Commit, Entry, Line, Said, Stood, Text};
use vademecum_core::error::Kind;
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_sqlite::Sqlite;
use vademecum_sqlite::repair::repair;
use vademecum_store::{Change, Depth, EntryFilter, Erase, Parts, Scope, Store, read};

use crate::scene::{PROJECT, Scene, commit, faults};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn entry(id: i64, stood: Option<Stood>) -> Entry {
    let said = Said::bare(Category::Learning, Text::new(format!("text {id}")).expect("a text"));
    let plan = PlanName::new("a").expect("a name");
    Entry { stood: stood.map(Box::new), ..Entry::new(EntryId(id), plan, Time(id), said) }
}

fn stood(branch: &str) -> Option<Stood> {
    Stood::some(Line::new(branch).ok(), Commit::new(COMMIT))
}

fn add(store: &Sqlite, entry: &Entry) {
    let change = Change::AddEntry { project: PROJECT, entry: entry.clone() };
    commit(store, Scope::Project(PROJECT), &entry.id.to_string(), &[change]).expect("an entry");
}

fn entries(store: &Sqlite) -> Vec<Entry> {
    read(store, |view| view.entries(EntryFilter::default(), 0)).expect("a read")
}

/// A store with a plan and these entries, closed.
fn scene(entries: &[Entry]) -> Scene {
    let scene = Scene::with_notes(1);
    let (name, is_tracked) = (PlanName::new("a").expect("a name"), false);
    let plan = Change::AddPlan { project: PROJECT, name, is_tracked, at: Time(1) };
    let store = scene.open();
    commit(&store, Scope::Project(PROJECT), "plan", &[plan]).expect("a plan");
    for entry in entries {
        add(&store, entry);
    }
    drop(store);
    scene
}

/// A store of 2.0 with these entries.
fn older(entries: &[Entry]) -> Scene {
    let scene = scene(entries);
    let sql = "DROP TABLE stood; PRAGMA user_version = 2000; PRAGMA wal_checkpoint(TRUNCATE);";
    scene.raw().execute_batch(sql).expect("an older store");
    scene
}

fn n_rows(scene: &Scene) -> i64 {
    scene.raw().query_row("SELECT count(*) FROM stood", [], |row| row.get(0)).expect("a count")
}

/// Damages the first page of a table.
fn spoil(scene: &Scene, table: &str) {
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: i64 = scene.raw().query_row(sql, [table], |row| row.get(0)).expect("a page");
    scene.raw().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
    let file = fs::OpenOptions::new().write(true).open(scene.database()).expect("a file");
    let place = u64::try_from(root - 1).expect("a page") * 4096;
    file.write_all_at(&[0xa5; 4096], place).expect("bytes");
}

#[test]
fn an_older_store_is_read_as_it_is_and_brought_on_by_a_write() {
    let (old, new) = (entry(1, None), entry(2, stood("a b")));
    for is_brief in [false, true] {
        let scene = older(std::slice::from_ref(&old));
        let open = || if is_brief { scene.open_brief() } else { scene.open() };
        let schema = |store: &Sqlite| store.health(Depth::Quick).expect("health").schema;
        let store = open();
        assert_eq!(entries(&store), std::slice::from_ref(&old));
        assert_eq!(schema(&store).as_deref(), Some("2.0"));
        assert_eq!(faults(&store), Vec::<String>::new());
        add(&store, &new);
        for store in [store, open()] {
            assert_eq!(entries(&store), [new.clone(), old.clone()]);
            assert_eq!(schema(&store).as_deref(), Some("2.1"));
            assert_eq!(faults(&store), Vec::<String>::new());
        }
        assert!(scene.path("backups/vade-2.0.db").exists());
    }
}

/// The copy that is made before takes longer than a hook has.
#[test]
fn a_large_older_store_is_read_by_a_hook_and_left_to_who_has_time() {
    let old = entry(1, None);
    let scene = older(std::slice::from_ref(&old));
    let sql = "CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(9000000));
               PRAGMA wal_checkpoint(TRUNCATE);";
    scene.raw().execute_batch(sql).expect("a large store");
    let change = Change::AddEntry { project: PROJECT, entry: entry(2, stood("one")) };
    let hook = scene.open_brief();
    let refused = commit(&hook, Scope::Project(PROJECT), "2", std::slice::from_ref(&change));
    let error = refused.expect_err("no time");
    assert_eq!(error.kind(), Kind::Busy);
    let said = "the store is of version 2.0: the next command or MCP server brings it to 2.1";
    assert_eq!(error.to_string(), said);
    assert_eq!(entries(&hook), std::slice::from_ref(&old));
    assert!(!scene.path("backups/vade-2.0.db").exists());
    add(&scene.open(), &entry(2, stood("one")));
    add(&hook, &entry(3, None));
    assert_eq!(entries(&hook).len(), 3);
}

#[test]
fn a_store_that_is_saved_row_by_row_keeps_where_entries_stood() {
    let all = [entry(2, stood("a b")), entry(1, None)];
    let scene = scene(&all);
    spoil(&scene, "tag_count");
    let report = repair(&scene.database()).expect("a report");
    assert!(report.aside.is_some() && report.n_quarantined == 0, "{report:?}");
    assert_eq!(entries(&scene.open()), all);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

#[test]
fn a_table_that_an_older_store_never_had_is_no_loss() {
    let all = [entry(1, None)];
    let scene = older(&all);
    spoil(&scene, "tag_count");
    let report = repair(&scene.database()).expect("a report");
    assert!(report.aside.is_some(), "{report:?}");
    assert!(report.tables.iter().all(|saved| !saved.has_gaps), "{:?}", report.tables);
    assert_eq!(entries(&scene.open()), all);
}

#[test]
fn where_a_lost_entry_stood_goes_with_it() {
    let scene = scene(&[entry(1, stood("one")), entry(2, stood("two"))]);
    let sql = "PRAGMA foreign_keys = OFF; DELETE FROM entry WHERE id = 2;";
    scene.raw().execute_batch(sql).expect("a loss");
    repair(&scene.database()).expect("a report");
    assert_eq!(n_rows(&scene), 1);
    let next = entry(3, stood("three"));
    add(&scene.open(), &next);
    assert_eq!(entries(&scene.open()), [next, entry(1, stood("one"))]);
}

#[test]
fn an_erased_entry_leaves_no_row_whichever_program_erased_it() {
    let scene = scene(&[entry(1, stood("one")), entry(2, stood("two")), entry(3, stood("three"))]);
    let parts = Parts { entries: vec![(PROJECT, EntryId(1))], ..Parts::default() };
    scene.open().erase(&Erase::Parts(parts), None).expect("erased");
    assert_eq!(n_rows(&scene), 2);
    // What a program of 2.0 does, which does not know the table.
    let sql = "PRAGMA foreign_keys = ON; DELETE FROM entry WHERE id = 2;";
    scene.raw().execute_batch(sql).expect("erased");
    assert_eq!(n_rows(&scene), 1);
    scene.open().erase(&Erase::Project(PROJECT), None).expect("erased");
    assert_eq!(n_rows(&scene), 0);
}

#[test]
fn a_branch_that_is_no_text_is_found_and_mended() {
    let scene = scene(&[entry(1, stood("one"))]);
    let sql = "UPDATE stood SET branch = CAST(x'61ff62' AS TEXT)";
    scene.raw().execute_batch(sql).expect("a change");
    let fault = "1 text in stood.branch is no UTF-8 and cannot be read";
    assert_eq!(faults(&scene.open()), [fault]);
    repair(&scene.database()).expect("a report");
    assert_eq!(entries(&scene.open()), [entry(1, stood("a\u{fffd}b"))]);
}
