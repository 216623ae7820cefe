//! Changes of what a project is and is known by, and the switch for all of them.

use std::sync::Arc;

use vademecum_core::id::ProjectId;
use vademecum_core::project::Project;

use crate::change::Change;
use crate::error::StoreError;
use crate::memory::state::{State, doubled};

pub(super) fn apply(state: &mut State, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { id, name, keys, at } => {
            if state.find_project(*id).is_some() {
                return Err(doubled(&format!("project {id}")));
            }
            let (name, created_at) = (name.clone(), *at);
            let number = state.add_project(Project { id: *id, name, off_at: None, created_at });
            state.add_keys(number, keys);
        }
        Change::AddProjectKeys { project, keys } => {
            let number = state.project(*project)?;
            state.add_keys(number, keys);
        }
        Change::RenameProject { project, name } => {
            state.project_mut(*project)?.about.name.clone_from(name);
        }
        Change::JoinProject { project, into } => join(state, *project, *into)?,
        Change::SetOff { project: None, off_at } => state.off_at = *off_at,
        Change::SetOff { project: Some(project), off_at } => {
            state.project_mut(*project)?.about.off_at = *off_at;
        }
        other => return Err(other.unmade()),
    }
    Ok(())
}

fn join(state: &mut State, project: ProjectId, into: ProjectId) -> Result<(), StoreError> {
    let (project, into) = (state.project(project)?, state.project(into)?);
    for of in Arc::make_mut(&mut state.names).keys.values_mut().filter(|of| **of == project) {
        *of = into;
    }
    for session in state.sessions.values_mut().filter(|session| session.project == project) {
        Arc::make_mut(session).project = into;
    }
    Ok(())
}
