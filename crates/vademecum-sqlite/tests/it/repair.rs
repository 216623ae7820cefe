//! What a repair saves of stores that were damaged in every way that a disk knows.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vademecum_core::entry::{Category, Entry, Said, Text};
use vademecum_core::id::{EntryId, NoteId, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_sqlite::repair::{Report, repair};
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Depth, EntryFilter, NoteFilter, Origin, Outcome, Scope,
    SessionFilter, Store, StoreError, Surface, Write, Writer, read,
};

use crate::full::fill;
use crate::scene::{PROJECT, SESSION, Scene, add_session, n_notes};

const N_NOTES: usize = 600;

fn write(store: &Sqlite, name: &str, scope: Scope, changes: &[Change]) {
    let write = Write {
        scope,
        is_fresh: false,
        id: WriteId::new(name.to_owned()).expect("an id"),
        arguments: [0; 32],
        kind: "test",
        origin: Origin { surface: Surface::Cli, author: Author::User },
        by: Writer::NONE,
        at: Time(1),
    };
    let outcome = store.write(&write, &mut |_| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: String::new() })
    });
    assert!(matches!(outcome, Ok(Outcome::Done { .. })), "{outcome:?}");
}

fn note(n: usize) -> Note {
    let at = Time(i64::try_from(n).expect("a number"));
    Note {
        id: NoteId(at.0),
        content: Content::new(format!("note number {n} about parse_config")).expect("a text"),
        tags: Tags::new(&["finding"]).expect("a tag"),
        created_at: at,
        updated_at: at,
        scratched_at: None,
    }
}

/// A store with one session of many notes, closed.
fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data/vade.db");
    let store = Sqlite::at(&path, Options::patient());
    write(
        &store,
        "begin",
        Scope::Store,
        &[
            Change::AddProject { id: PROJECT, name: "p".to_owned(), keys: Vec::new(), at: Time(1) },
            add_session(SESSION.clone()),
        ],
    );
    for chunk in (1..=N_NOTES).collect::<Vec<_>>().chunks(100) {
        let add = |n: &usize| Change::AddNote { session: SESSION.clone(), note: note(*n) };
        let changes: Vec<Change> = chunk.iter().map(add).collect();
        write(&store, &format!("notes-{}", chunk[0]), Scope::Session(SESSION.clone()), &changes);
    }
    (folder, path)
}

/// What the store has now: notes, those found by word, and what its own check says.
fn seen(path: &Path) -> (usize, usize, Vec<String>) {
    let store = Sqlite::at(path, Options::patient());
    let listed = |filter: &NoteFilter| {
        // Of a session whose name was lost, too.
        let in_all = read(&store, |view| {
            let all = view.sessions(SessionFilter::ALL)?;
            all.iter().map(|session| Ok(view.notes(&session.key, filter, 0)?.len())).sum()
        });
        in_all.expect("notes")
    };
    let notes: usize = listed(&NoteFilter::default());
    assert_eq!(notes as u64, n_notes(&store).expect("a read"));
    let tagged = NoteFilter { include_scratched: true, ..NoteFilter::open(&["finding"]) };
    let tagged = listed(&tagged);
    (notes, tagged, store.health(Depth::Deep).expect("a check").faults)
}

fn spoil(path: &Path, from: u64, n_bytes: usize) {
    let file = fs::OpenOptions::new().write(true).open(path).expect("a file");
    file.write_all_at(&vec![0xa5; n_bytes], from).expect("bytes");
}

#[test]
fn a_whole_store_stays_in_use() {
    let (_folder, path) = store();
    let report = repair(&path).expect("a report");
    assert_eq!(report, Report { n_indexed: N_NOTES, ..Report::default() });
    assert_eq!(seen(&path), (N_NOTES, N_NOTES, Vec::new()));
    assert_eq!(repair(Path::new("/nowhere/vade.db")).expect("nothing"), Report::default());
}

#[test]
fn what_is_around_the_damage_is_saved() {
    let (_folder, path) = store();
    let size = fs::metadata(&path).expect("a file").len();
    let before = fs::read(&path).expect("a file");
    let mut worst = N_NOTES;
    // One damaged page at a time, all over the file but for the first.
    for page in (1..size / 4096).step_by(8) {
        fs::write(&path, &before).expect("a file");
        spoil(&path, page * 4096, 4096);
        let damaged = fs::read(&path).expect("a file");
        let report = repair(&path).unwrap_or_else(|error| panic!("page {page}: {error}"));
        let (notes, tagged, faults) = seen(&path);
        assert_eq!((notes, faults), (tagged, Vec::new()), "page {page}: {report:?}");
        if let Some(aside) = &report.aside {
            assert_eq!(fs::read(aside).expect("the old file"), damaged, "page {page}");
        }
        worst = worst.min(notes);
    }
    // What stood on the page itself is gone, some dozens of notes; nothing else is.
    assert!(N_NOTES - 100 < worst, "{worst} of {N_NOTES} saved");
}

/// Whatever table a damaged place belongs to, a store comes of it that agrees with itself and is written to.
#[test]
fn whatever_is_damaged_of_any_table_a_store_comes_of_it() {
    let scene = Scene::empty();
    let store = Sqlite::at(&scene.database(), Options::patient());
    fill(&store);
    store.shrink().expect("a store");
    drop(store);
    let path = scene.database();
    let (before, key) = (fs::read(&path).expect("a file"), fs::read(path.with_extension("key")));
    let key = key.expect("a key");
    let hurts: [fn(&mut Vec<u8>, usize); 4] = [
        |bytes, at| bytes[at + 100] ^= 4,
        |bytes, at| bytes[at..at + 4096].fill(0xa5),
        |bytes, at| bytes[at + 1024..at + 1536].fill(0),
        |bytes, at| bytes.truncate(at + 2048),
    ];
    let mut n_damages = 0;
    for at in (4096..before.len()).step_by(4096) {
        for (kind, hurt) in hurts.iter().enumerate() {
            let folder = tempfile::tempdir_in(scene.path("..")).expect("a folder");
            let path = folder.path().join("vade.db");
            let mut bytes = before.clone();
            hurt(&mut bytes, at);
            fs::write(&path, bytes).expect("a file");
            fs::write(path.with_extension("key"), &key).expect("a key");
            let what = format!("page {}, damage {kind}", at / 4096 + 1);
            repair(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
            let store = Sqlite::at(&path, Options::patient());
            let faults = store.health(Depth::Deep).expect("a check").faults;
            assert_eq!(faults, Vec::<String>::new(), "{what}");
            crate::scene::switch_off(&store);
            n_damages += 1;
        }
    }
    assert!(150 < n_damages, "{n_damages}");
}

#[test]
fn without_its_first_page_a_store_is_read_leaf_by_leaf() {
    let (_folder, path) = store();
    spoil(&path, 0, 4096);
    let report = repair(&path).expect("a report");
    assert!(report.aside.is_some() && !report.mended.is_empty(), "{report:?}");
    assert_eq!(seen(&path), (N_NOTES, N_NOTES, Vec::new()));
}

#[test]
fn a_store_of_which_nothing_can_be_read_is_begun_anew() {
    let (_folder, path) = store();
    let size = fs::metadata(&path).expect("a file").len();
    spoil(&path, 0, usize::try_from(size).expect("a size"));
    let report = repair(&path).expect("a report");
    assert!(report.aside.is_some() && !report.mended.is_empty(), "{report:?}");
    let (notes, ..) = seen(&path);
    assert_eq!(notes, 0);
}

#[test]
fn a_lost_key_is_made_anew_with_the_chain_of_what_is_saved() {
    let (_folder, path) = store();
    fs::remove_file(path.with_extension("key")).expect("a key");
    let report = repair(&path).expect("a report");
    let missing = "the key of the journal is missing".to_owned();
    let copied = Some(path.with_file_name("backups").join("vade-before-repair-1.db"));
    let mended = vec![missing];
    assert_eq!(report, Report { mended, copied, n_indexed: N_NOTES, ..Report::default() });
    assert_eq!(seen(&path), (N_NOTES, N_NOTES, Vec::new()));

    fs::remove_file(path.with_extension("key")).expect("a key");
    spoil(&path, 3 * 4096, 4096);
    let report = repair(&path).expect("a report");
    assert!(report.aside.is_some() && report.left.is_empty(), "{report:?}");
    assert_eq!(seen(&path), (N_NOTES, N_NOTES, Vec::new()));
}

#[test]
fn what_another_program_changed_is_accepted_and_derived_rows_are_mended() {
    let (_folder, path) = store();
    let other = rusqlite::Connection::open(&path).expect("a connection");
    other
        .execute_batch(
            "DELETE FROM tag_count;
             UPDATE holder SET n_notes = 3;
             UPDATE journal SET kind = 'other' WHERE seq = 2;",
        )
        .expect("changes");
    drop(other);
    let report = repair(&path).expect("a report");
    assert_eq!(report.mended[0], "journal entry 2 was changed by another program");
    assert_eq!((report.mended.len(), &report.aside), (3, &None), "{report:?}");
    assert_eq!(seen(&path), (N_NOTES, N_NOTES, Vec::new()));
}

#[test]
fn a_file_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("taxes.db");
    fs::write(&path, "not a database".repeat(1000)).expect("a file");
    let refused = repair(&path);
    assert!(matches!(refused, Err(StoreError::Foreign)), "{refused:?}");
    assert_eq!(fs::read(&path).expect("a file").len(), 14_000);
}

#[test]
fn plans_and_their_entries_are_saved() {
    let (_folder, path) = store();
    let project = PROJECT;
    let name = PlanName::new("a").expect("a name");
    let plan = Change::AddPlan { project, name: name.clone(), is_tracked: false, at: Time(1) };
    let entry = |id: i64| {
        let content = Text::new(format!("learning number {id}")).expect("a text");
        let said = Said::bare(Category::Learning, content);
        let (at, plan) = (Time(id), name.clone());
        Entry::new(EntryId(id), plan, at, said)
    };
    let add = |id| Change::AddEntry { project, entry: entry(id) };
    let changes: Vec<Change> = std::iter::once(plan).chain((1..=40).map(add)).collect();
    write(&Sqlite::at(&path, Options::patient()), "plan", Scope::Project(project), &changes);
    let sql = "PRAGMA foreign_keys = OFF; DELETE FROM plan; PRAGMA wal_checkpoint(TRUNCATE);";
    rusqlite::Connection::open(&path).expect("a database").execute_batch(sql).expect("a loss");
    let n_bytes = fs::metadata(&path).expect("a file").len();
    spoil(&path, n_bytes / 2, 4096);
    repair(&path).expect("a report");
    let store = Sqlite::at(&path, Options::patient());
    let found = read(&store, |view| {
        let plans = view.plans(project, None)?;
        let entries = view.entries(EntryFilter::of(&plans[0]), 0)?;
        Ok((plans[0].name.to_string(), entries.len()))
    });
    assert_eq!(found.expect("a read"), ("recovered-1".to_owned(), 40));
}
