//! Handoffs: the agent's words with their history, the recap that is replaced, and who has worked.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;

use super::scene::{START, commit, key, project, session};
use crate::change::Change;
use crate::store::{Erase, Store, read};
use crate::view::{Handoff, KeptRecap};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("a handoff is replaced, and the words before are kept for undo", replaced),
    ("the words of sub-agents are known by their parent, the newest first", of_agents),
    ("a recap is replaced and not kept in the journal", recapped),
    ("the last work of a session is known", worked),
    ("what a session leaves goes with it", erased),
];

fn set(session: &SessionKey, text: Option<&str>, at: Time) -> Change {
    Change::SetHandoff { session: session.clone(), text: text.map(str::to_owned), at }
}

fn handoff(store: &dyn Store, session: &SessionKey) -> Option<Handoff> {
    read(store, |view| view.handoff(session)).expect("a read")
}

fn recap(store: &dyn Store, session: &SessionKey) -> Option<KeptRecap> {
    read(store, |view| view.recap(session)).expect("a read")
}

fn words(text: &str, at: Time) -> Handoff {
    Handoff { text: text.to_owned(), updated_at: at }
}

fn replaced(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "a");
    assert_eq!(handoff(store, &id), None);
    let (one, two) = (set(&id, Some("one"), START), set(&id, Some("two"), START.plus(1)));
    commit(store, Scope::Session(id.clone()), "one", std::slice::from_ref(&one));
    assert_eq!(handoff(store, &id), Some(words("one", START)));
    let undo = read(store, |view| two.reverse(view)).expect("a reverse");
    assert_eq!(undo, [one]);
    commit(store, Scope::Session(id.clone()), "two", &[two]);
    assert_eq!(handoff(store, &id), Some(words("two", START.plus(1))));
    commit(store, Scope::Session(id.clone()), "undo", &undo);
    assert_eq!(handoff(store, &id), Some(words("one", START)));
    commit(store, Scope::Session(id.clone()), "none", &[set(&id, None, START)]);
    assert_eq!(handoff(store, &id), None);
}

fn of_agents(store: &dyn Store) {
    let project = project(store, "/p");
    session(store, project, "a");
    let children = ["one", "two", "three"].map(|id| child(store, project, "a", id));
    let stranger = child(store, project, "ab", "four");
    for (id, ms) in [(children[0].clone(), 1), (children[1].clone(), 2), (stranger, 3)] {
        let words = set(&id, Some("words"), START.plus(ms));
        commit(store, Scope::Session(id), &format!("words {ms}"), &[words]);
    }
    let of = |external| read(store, |view| view.handoffs_of_agents(&key(external, None)));
    let expected =
        [("two", 2), ("one", 1)].map(|(id, ms)| (id.to_owned(), words("words", START.plus(ms))));
    assert_eq!(of("a").expect("a read"), expected);
    assert_eq!(of("b").expect("a read"), []);
}

fn child(store: &dyn Store, project: ProjectId, parent: &str, id: &str) -> SessionKey {
    let key = key(parent, Some(id));
    let add = Change::AddSession {
        project,
        key: key.clone(),
        parent: None,
        began: Began::Spawn,
        instance: 0,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: START,
    };
    commit(store, Scope::Project(project), &format!("child {id} of {parent}"), &[add]);
    let found = read(store, |view| view.session(&key)).expect("a read");
    found.expect("the child is there").key
}

fn recapped(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "a");
    for (body, ms) in [("first", 0), ("second", 1)] {
        let at = START.plus(ms);
        let change = Change::SetRecap { session: id.clone(), body: body.to_owned(), at };
        let undo = read(store, |view| change.reverse(view)).expect("a reverse");
        assert_eq!(undo, []);
        commit(store, Scope::Session(id.clone()), body, &[change]);
        assert_eq!(recap(store, &id), Some(KeptRecap { body: body.to_owned(), at }));
    }
}

fn worked(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "a");
    let worked_at = || read(store, |view| Ok(view.card(&id)?.worked_at)).expect("a read");
    assert_eq!(worked_at(), None);
    for (ms, last) in [(2, 2), (1, 2), (2, 2), (5, 5)] {
        let change = Change::SetWorked { session: id.clone(), at: START.plus(ms) };
        commit(store, Scope::Session(id.clone()), &format!("work {ms} {last}"), &[change]);
        assert_eq!(worked_at(), Some(START.plus(last)));
    }
}

fn erased(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "a");
    let changes = [
        set(&id, Some("words"), START),
        Change::SetRecap { session: id.clone(), body: "body".to_owned(), at: START },
        Change::SetWorked { session: id.clone(), at: START },
    ];
    commit(store, Scope::Session(id.clone()), "all", &changes);
    store.erase(&Erase::Sessions(vec![id.clone()]), None).expect("erased");
    assert_eq!((handoff(store, &id), recap(store, &id)), (None, None));
    assert_eq!(read(store, |view| Ok(view.card(&id)?.worked_at)).expect("a read"), None);
}
