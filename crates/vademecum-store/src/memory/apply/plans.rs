//! Changes of the plans of a project and of what they hold.

use std::sync::Arc;

use vademecum_core::entry::Entry;
use vademecum_core::plan::Plan;

use crate::change::Change;
use crate::error::StoreError;
use crate::memory::state::{KeptEntry, KeptProject, PlanNumber, State, doubled, missing};

pub(super) fn apply(state: &mut State, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddPlan { project, name, is_tracked, at } => {
            let plan = Plan {
                project: *project,
                name: name.clone(),
                created_at: *at,
                completed_at: None,
                archived_at: None,
                is_tracked: *is_tracked,
            };
            let number = state.number_plan();
            add(state.project_mut(*project)?, number, plan)
        }
        Change::SetPlan { project, name, completed_at, archived_at, is_tracked } => {
            if let Some((_, plan)) = state.project_mut(*project)?.plans.get_mut(name) {
                plan.completed_at = *completed_at;
                plan.archived_at = *archived_at;
                plan.is_tracked = *is_tracked;
            }
            Ok(())
        }
        Change::AddEntry { project, entry } => {
            let session = entry.session.as_ref().map(|key| state.session(key)).transpose()?;
            let entry = Entry { session: None, ..entry.clone() };
            add_entry(state.project_mut(*project)?, KeptEntry { entry, session, place: 0 })
        }
        other => Err(other.unmade()),
    }
}

/// Adds a plan whose name differs by more than case: a file system may take two such folders for one.
fn add(project: &mut KeptProject, number: PlanNumber, plan: Plan) -> Result<(), StoreError> {
    let is_taken = |name: &str| name.eq_ignore_ascii_case(plan.name.as_str());
    if project.plans.keys().any(|name| is_taken(name.as_str())) {
        return Err(doubled(&format!("plan {}", plan.name)));
    }
    project.plans.insert(plan.name.clone(), (number, plan));
    Ok(())
}

fn add_entry(project: &mut KeptProject, mut kept: KeptEntry) -> Result<(), StoreError> {
    let Entry { id, plan, .. } = &kept.entry;
    if !project.plans.contains_key(plan) {
        return Err(missing(&format!("plan {plan}")));
    }
    if project.entries.contains_key(id) {
        return Err(doubled(&id.to_string()));
    }
    project.last_entry = project.last_entry.max(Some(*id));
    let id = *id;
    project.last_place += 1;
    kept.place = project.last_place;
    project.entries.insert(id, Arc::new(kept));
    Ok(())
}
