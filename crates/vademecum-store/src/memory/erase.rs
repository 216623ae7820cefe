//! Erasing: what is erased is in no later state, and what others have of it by its number names nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, SessionKey};

use super::state::{SessionNumber, State};
use crate::store::{Erase, Parts};
use crate::write::Scope;

/// Erases; what is not there is gone already.
pub(super) fn erase(state: &mut State, what: &Erase) {
    match what {
        Erase::Nothing => {}
        Erase::Parts(parts) => erase_parts(state, parts),
        Erase::Sessions(keys) => erase_by_keys(state, keys),
        Erase::Project(id) => erase_project(state, *id),
    }
}

fn erase_parts(state: &mut State, parts: &Parts) {
    let journal = Arc::make_mut(&mut state.journal);
    parts.bodies.iter().for_each(|seq| journal.erase_body(*seq));
    for key in &parts.recaps {
        if let Ok(session) = state.session_mut(key) {
            session.recap = None;
        }
    }
    for (project, id) in &parts.entries {
        if let Ok(project) = state.project_mut(*project) {
            project.entries.remove(id);
        }
    }
}

/// Sub-agents go with the sessions that started them.
fn erase_by_keys(state: &mut State, keys: &[SessionKey]) {
    let named: BTreeSet<SessionNumber> =
        keys.iter().filter_map(|key| state.find_session(key)).collect();
    let spawned = state.sessions.iter().filter(|(_, session)| {
        session.about.began == Began::Spawn
            && session.parent.is_some_and(|parent| named.contains(&parent))
    });
    let gone: Vec<SessionNumber> =
        spawned.map(|(number, _)| *number).chain(named.iter().copied()).collect();
    erase_sessions(state, &gone);
}

fn erase_sessions(state: &mut State, gone: &[SessionNumber]) {
    let (names, journal) = (Arc::make_mut(&mut state.names), Arc::make_mut(&mut state.journal));
    for number in gone {
        let Some(session) = state.sessions.remove(number) else { continue };
        names.sessions.remove(&session.about.key);
        journal.erase_bodies_of(&number.0.to_string());
    }
}

/// The bodies of scope `store` hold the names and folders of projects: all of them go too.
fn erase_project(state: &mut State, id: ProjectId) {
    let Some(number) = state.find_project(id) else { return };
    let sessions = state.sessions.iter().filter(|(_, session)| session.project == number);
    let gone: Vec<SessionNumber> = sessions.map(|(number, _)| *number).collect();
    erase_sessions(state, &gone);

    let in_store = state.find_scope(&Scope::Store);
    state.projects.remove(&number);
    let names = Arc::make_mut(&mut state.names);
    names.projects.remove(&id);
    names.keys.retain(|_, of| *of != number);
    let journal = Arc::make_mut(&mut state.journal);
    journal.erase_bodies_of(&number.0.to_string());
    if let Some(scope) = in_store {
        journal.erase_bodies_of(&scope);
    }
}
