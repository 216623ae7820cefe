//! A store of version 1.0 in use: read as it is, migrated with a copy at the first write.

use vademecum_core::id::NoteId;
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_store::{Change, Depth, EntryFilter, Scope, Store, conformance, read};

use crate::scene::{FIRST, SESSION, Scene, add, commit, n_notes};

/// A store as a program of version 1.0 left it, with as many notes.
fn of_version_1_0(n_notes: i64) -> Scene {
    let scene = Scene::with_notes(n_notes);
    let sql = "DROP TABLE project_id; DROP TABLE worked; DROP TABLE borrowed; DROP TABLE running; DROP TABLE work; DROP TABLE recap; DROP TABLE handoff;
               DROP TABLE active_plan; DROP TABLE entry; DROP TABLE plan;
               PRAGMA user_version = 1000; PRAGMA wal_checkpoint(TRUNCATE);";
    scene.raw().execute_batch(sql).expect("an older store");
    scene
}

fn schema(store: &dyn Store) -> Option<String> {
    store.health(Depth::Deep).expect("health").schema
}

#[test]
fn an_older_store_is_read_without_being_changed() {
    let scene = of_version_1_0(3);
    let before = std::fs::read(scene.database()).expect("a file");
    let store = scene.open();
    for _ in 0..2 {
        let seen = read(&store, |view| {
            let project = FIRST;
            let of_project = EntryFilter { project: Some(project), ..EntryFilter::default() };
            let n_entries = view.entries(of_project, 0)?;
            // What a session lacks is asked of a holder, which no older store has.
            assert_eq!((view.notepad(&SESSION)?, view.note(&SESSION, NoteId(99))?), (None, None));
            Ok((view.plans(project, None)?.len(), n_entries.len(), view.last_entry(project)?))
        });
        assert_eq!(seen.expect("a read"), (0, 0, None));
    }
    assert_eq!((n_notes(&store).expect("notes"), schema(&store)), (3, Some("1.0".to_owned())));
    drop(store);
    assert_eq!(std::fs::read(scene.database()).expect("a file"), before);
}

#[test]
fn the_first_write_migrates_and_a_reader_from_before_sees_it() {
    let scene = of_version_1_0(3);
    let (reader, writer) = (scene.open(), scene.open());
    assert_eq!(n_notes(&reader).expect("notes"), 3);
    add(&writer, 9).expect("a note");
    let project = FIRST;
    let name = PlanName::new("a").expect("a name");
    let plan = Change::AddPlan { project, name: name.clone(), is_tracked: true, at: Time(1) };
    commit(&writer, Scope::Project(project), "plan", &[plan]).expect("a plan");
    let seen = read(&reader, |view| view.plan(project, &name)).expect("a read");
    assert_eq!(seen.map(|plan| plan.name), Some(name));
    assert_eq!(n_notes(&reader).expect("notes"), 4);
    conformance::check_sound(&reader);
    let copy = scene.path("backups/vade-1.0.db");
    let copy = rusqlite::Connection::open(copy).expect("a copy");
    let n: i64 =
        copy.query_row("SELECT count(*) FROM note", [], |row| row.get(0)).expect("its notes");
    assert_eq!(n, 3);
}
