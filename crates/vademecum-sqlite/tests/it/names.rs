//! Names and rows: what an older store calls its projects and desks, and what is gone has no name.

use vademecum_core::id::{NoteId, ProjectId};
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Body, Change, Erase, JournalFilter, Scope, Store, read};

use crate::scene::{FIRST, PROJECT, SESSION, Scene, add_session, commit};

const OTHER: ProjectId = ProjectId([9; 16]);

/// A store of version 1.5 whose one session is the desk of its one project.
fn older() -> Scene {
    let scene = Scene::with_notes(1);
    let sql = "DROP TABLE project_id; PRAGMA user_version = 1005;
               UPDATE session SET harness = 'desk', external = '1';
               PRAGMA wal_checkpoint(TRUNCATE);";
    scene.raw().execute_batch(sql).expect("an older store");
    scene
}

fn add_project(id: ProjectId) -> Change {
    Change::AddProject { id, name: "other".to_owned(), keys: Vec::new(), at: Time(1) }
}

fn rename(project: ProjectId) -> Change {
    Change::RenameProject { project, name: "renamed".to_owned() }
}

fn bodies(store: &dyn Store) -> Vec<(Scope, Option<Body>)> {
    let all = JournalFilter { bodies: u64::MAX, ..JournalFilter::default() };
    let entries = read(store, |view| view.journal(&all)).expect("a journal");
    entries.into_iter().map(|entry| (entry.record.scope, entry.body)).collect()
}

#[test]
fn a_project_of_before_1_6_is_called_by_its_row_and_its_desk_is_found() {
    let scene = older();
    let desk = SessionKey::desk(FIRST);
    // Read as it is, then migrated by the first write, then opened anew.
    for is_first in [true, false] {
        let store = scene.open();
        let seen = read(&store, |view| {
            let projects = view.projects(None)?.into_iter().map(|project| project.id);
            Ok((projects.collect::<Vec<_>>(), view.session(&desk)?, view.counts(&desk)?.notes))
        });
        let (projects, session, n_notes) = seen.expect("a read");
        assert_eq!((projects, n_notes), (vec![FIRST], u64::from(is_first)));
        let session = session.expect("the desk");
        assert_eq!((session.key, session.project), (desk.clone(), FIRST));
        if is_first {
            let drop = Change::DropNote { session: desk.clone(), id: NoteId(1) };
            commit(&store, Scope::Session(desk.clone()), "drop", &[drop]).expect("a write");
            commit(&store, Scope::Store, "add", &[add_project(FIRST)]).expect_err("it is there");
            assert_eq!(bodies(&store)[0].0, Scope::Session(desk.clone()));
        }
    }
    let kept: String = scene
        .raw()
        .query_row("SELECT external FROM session", [], |row| row.get(0))
        .expect("a session");
    assert_eq!(kept, "1");
}

#[test]
fn what_is_gone_has_no_name_and_is_not_undone() {
    let scene = Scene::with_notes(1);
    let store = scene.open();
    commit(&store, Scope::Store, "add", &[add_project(OTHER)]).expect("a project");
    commit(&store, Scope::Project(OTHER), "own", &[rename(OTHER)]).expect("a name");
    let scope = Scope::Session(SESSION.clone());
    commit(&store, scope.clone(), "by a session", &[rename(OTHER)]).expect("a name");
    store.erase(&Erase::Project(OTHER), None).expect("erased");
    let all = bodies(&store);
    assert!(all.iter().all(|(scope, _)| !matches!(scope, Scope::Project(_))), "{all:?}");
    let undo = all[0].1.clone().expect("a body").undo;
    assert!(matches!(undo[..], [Change::Unknown(_)]), "{undo:?}");
    let undone = commit(&store, scope, "undo", &undo).expect_err("it is gone");
    assert_eq!(undone.kind(), vademecum_core::error::Kind::Conflict);
    let name = OTHER.to_string();
    for (file, bytes) in scene.bytes() {
        assert!(!bytes.windows(32).any(|at| at == name.as_bytes()), "{file}");
    }
}

#[test]
fn an_undo_names_the_rows_of_before_its_write() {
    let scene = Scene::with_notes(1);
    let store = scene.open();
    let (session, plan) = (SESSION.clone(), PlanName::new("a").expect("a name"));
    let begin = [
        add_project(OTHER),
        Change::AddPlan { project: PROJECT, name: plan.clone(), is_tracked: false, at: Time(1) },
        Change::SetActivePlan { session: session.clone(), plan: Some(plan) },
    ];
    commit(&store, Scope::Store, "plans", &begin).expect("a plan");
    let join = [
        Change::SetActivePlan { session, plan: None },
        Change::JoinProject { project: PROJECT, into: OTHER },
    ];
    commit(&store, Scope::Project(OTHER), "join", &join).expect("joined");
    let sql = "SELECT body ->> '$.undo' FROM journal_body ORDER BY seq DESC LIMIT 1";
    let undo: String = scene.raw().query_row(sql, [], |row| row.get(0)).expect("a body");
    assert_eq!(undo, r#"[{"change":"set_active_plan","session":1,"plan":1}]"#);
}

#[test]
fn what_a_hook_remembers_of_an_erased_session_names_no_other() {
    let scene = Scene::with_notes(1);
    let hook = Sqlite::at(&scene.database(), Options::hook());
    assert_eq!(read(&hook, |view| Ok(view.counts(&SESSION)?.notes)).expect("a read"), 1);
    let others = scene.open();
    others.erase(&Erase::Sessions(vec![SESSION.clone()]), None).expect("erased");
    let newcomer = SessionKey { external: "newcomer".to_owned(), ..SESSION.clone() };
    let add = [add_session(newcomer.clone())];
    commit(&others, Scope::Project(PROJECT), "newcomer", &add).expect("a session");
    let (session, text) = (SESSION.clone(), Some("of the erased one".to_owned()));
    let late = Change::SetHandoff { session, text, at: Time(9) };
    commit(&hook, Scope::Session(SESSION.clone()), "late", &[late]).expect_err("it is gone");
    assert_eq!(read(&others, |view| view.handoff(&newcomer)).expect("a read"), None);
    let row = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    let row = scene.raw().query_row("SELECT id FROM session", [], row).expect("a session");
    assert_eq!(row, 2, "a row is never given twice");
}
