//! One store, many handles: what each sees, and what the store says of itself.

use std::thread;

use vademecum_store::{Change, Depth, Erase, Scope, Store, read};

use crate::scene::{PROJECT, add_project, commit, request, store};

fn rename(name: &str) -> Change {
    Change::RenameProject { project: PROJECT, name: name.to_owned() }
}

fn name(store: &dyn Store) -> Option<String> {
    let found = read(store, |view| view.project(PROJECT)).expect("a read");
    found.map(|project| project.name)
}

#[test]
fn a_write_in_a_read_is_not_seen_there() {
    let store = store();
    commit(&store, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    let names = read(&store, |view| {
        commit(&store.clone(), Scope::Store, "name", &[rename("new")])?;
        Ok((view.project(PROJECT)?.map(|project| project.name), name(&store)))
    });
    let (then, now) = names.expect("a read");
    assert_eq!((then, now.as_deref()), (Some(PROJECT.to_string()), Some("new")));
}

#[test]
fn a_panic_while_it_is_decided_leaves_the_store_as_it_was() {
    let store = store();
    commit(&store, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    let other = store.clone();
    let panics = move || {
        let request = request(Scope::Store, "panic");
        other.write(&request, &mut |_| panic!("the caller fails"))
    };
    assert!(thread::spawn(panics).join().is_err());
    commit(&store, Scope::Store, "name", &[rename("new")]).expect("a name");
    assert_eq!(name(&store).as_deref(), Some("new"));
}

#[test]
fn two_stores_have_nothing_in_common() {
    let (one, other) = (store(), store());
    commit(&one, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    assert_eq!((name(&one).is_some(), name(&other)), (true, None));
}

#[test]
fn the_secret_is_there_from_the_first_write_on() {
    let store = store();
    store.intend("forget").expect("an intention");
    assert!(store.secret().expect("no secret").is_none());
    commit(&store, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    assert_eq!(store.secret().expect("a secret").map(|key| key.0), Some([7; 32]));
}

#[test]
fn an_intention_has_a_number_of_its_own_for_ever() {
    let store = store();
    let first = store.intend("one").expect("an intention");
    store.erase(&Erase::Nothing, Some(first)).expect("erased");
    let second = store.intend("two").expect("an intention");
    // The repeat of an erasure whose answer was lost fulfils nothing else.
    store.erase(&Erase::Nothing, Some(first)).expect("erased");
    let left = read(&store, |view| Ok(view.store()?.unfinished.intents)).expect("a read");
    assert_eq!(left, [(second, "two".to_owned())]);
}

#[test]
fn says_what_it_is() {
    let health = store().health(Depth::Deep).expect("health");
    assert!(health.engine.starts_with("memory "), "{}", health.engine);
    assert_eq!((health.schema, health.faults, health.notices), (None, vec![], vec![]));
    assert_eq!(store().shrink().expect("a size"), (0, 0));
}
