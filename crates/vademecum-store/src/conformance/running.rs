//! Running sub-agents: listed while they run, of a session or of a project, and gone with either.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::sub_agent::{Running, SubAgent};

use super::scene::{START, commit, key, project, session};
use crate::change::Change;
use crate::store::{Erase, Store, read};
use crate::view::Whose;
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("a sub-agent is listed from its start to its stop", listed),
    ("what is known of a running sub-agent goes with it and with its parent", erased),
];

fn running(asked: Option<&str>, ms: i64) -> Running {
    let asked = asked.map(str::to_owned);
    Running { began_at: START.plus(ms), host_pid: Some(7), kind: Some("Explore".to_owned()), asked }
}

fn child(
    store: &dyn Store,
    project: ProjectId,
    parent: (&str, &SessionKey),
    id: &str,
) -> SessionKey {
    let key = key(parent.0, Some(id));
    let add = Change::AddSession {
        project,
        key: key.clone(),
        parent: Some(parent.1.clone()),
        began: Began::Spawn,
        instance: 0,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: START,
    };
    commit(store, Scope::Project(project), &format!("child {id} of {}", parent.0), &[add]);
    let found = read(store, |view| view.session(&key)).expect("a read");
    found.expect("the child is there").key
}

fn set(store: &dyn Store, session: &SessionKey, id: &str, running: Option<Running>) {
    commit(
        store,
        Scope::Session(session.clone()),
        id,
        &[Change::SetRunning { session: session.clone(), running }],
    );
}

fn ids(store: &dyn Store, whose: Whose) -> Vec<String> {
    let found = read(store, |view| view.running(whose)).expect("a read");
    found.into_iter().map(|agent| agent.id).collect()
}

fn listed(store: &dyn Store) {
    let (here, there) = (project(store, "/p"), project(store, "/q"));
    let (one, two) = (session(store, here, "one"), session(store, here, "two"));
    let a = child(store, here, ("one", &one), "a");
    let b = child(store, here, ("one", &one), "b");
    let c = child(store, here, ("two", &two), "c");
    assert_eq!(ids(store, Whose::Project(here)), [""; 0]);
    set(store, &b, "b starts", Some(running(None, 2)));
    set(store, &a, "a starts", Some(running(None, 1)));
    set(store, &c, "c starts", Some(running(None, 0)));
    set(store, &a, "a is told of", Some(running(Some("what it does"), 1)));
    let of_a = SubAgent {
        session: a.clone(),
        parent: one.clone(),
        id: "a".to_owned(),
        running: running(Some("what it does"), 1),
    };
    let first = read(store, |view| view.running(Whose::Parent(&one))).expect("a read");
    assert_eq!(first.first(), Some(&of_a));
    assert_eq!(ids(store, Whose::Parent(&one)), ["a", "b"]);
    assert_eq!(ids(store, Whose::Project(here)), ["c", "a", "b"]);
    assert_eq!(ids(store, Whose::Project(there)), [""; 0]);
    for id in ["a stops", "a stops again"] {
        set(store, &a, id, None);
        assert_eq!(ids(store, Whose::Parent(&one)), ["b"]);
    }
    // A session without a parent is no sub-agent.
    set(store, &one, "no sub-agent", Some(running(None, 0)));
    assert_eq!(ids(store, Whose::Project(here)), ["c", "b"]);
}

fn erased(store: &dyn Store) {
    let here = project(store, "/p");
    let one = session(store, here, "one");
    let (a, b) = (child(store, here, ("one", &one), "a"), child(store, here, ("one", &one), "b"));
    set(store, &a, "a starts", Some(running(None, 1)));
    set(store, &b, "b starts", Some(running(None, 2)));
    store.erase(&Erase::Sessions(vec![a]), None).expect("erased");
    assert_eq!(ids(store, Whose::Project(here)), ["b"]);
    store.erase(&Erase::Sessions(vec![one]), None).expect("erased");
    assert_eq!(ids(store, Whose::Project(here)), [""; 0]);
}
