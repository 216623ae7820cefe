//! Names and rows: what an older store calls its projects and desks, and what is gone has no name.

use vademecum_core::id::ProjectId;
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Body, Change, Erase, JournalFilter, Scope, Store, read};

use crate::scene::{PROJECT, SESSION, Scene, add_session, commit};

const OTHER: ProjectId = ProjectId([9; 16]);

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
    let sql = "SELECT CAST(undo AS TEXT) FROM journal ORDER BY seq DESC LIMIT 1";
    let undo: String = scene.raw().query_row(sql, [], |row| row.get(0)).expect("a body");
    assert_eq!(undo, r#"[{"change":"set_active_plan","session":2,"plan":1}]"#);
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
    assert_eq!(row, 4, "a row is never given twice");
}
