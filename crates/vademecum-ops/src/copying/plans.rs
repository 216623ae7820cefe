//! Plans: by project and name; one whose name differs by case alone from another gets the next free name.

use std::collections::BTreeMap;

use vademecum_core::id::ProjectId;
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::shown;
use vademecum_store::{Change, Scope, StoreError, View};

use super::lines::{Line, Touch};
use super::target::Target;
use crate::error::OpError;

/// What plans are called there, where that is another name.
pub(super) type Names = BTreeMap<(ProjectId, PlanName), PlanName>;

/// Begins every plan there; what those are called that could not keep their name.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<Names, OpError> {
    let mut names = Names::new();
    for project in from.projects(None)? {
        let plans = from.plans(project.id, None)?;
        let line = Line::of(from, to, &Scope::Project(project.id))?;
        for plan in &plans {
            to.write("plan", plan, |view, part| {
                if view.project(project.id)?.is_none() {
                    return Ok(Vec::new());
                }
                let name = name_for(view, plan)?;
                if let Some(known) = view.plan(plan.project, &name)? {
                    let touch = Touch::Plan(plan.name.clone());
                    let is_news = known != *plan && line.alone(view)?.is_ahead(&touch);
                    return Ok(is_news.then(|| set(plan, &name)).into_iter().collect());
                }
                part.report.plans += 1;
                if name != plan.name {
                    part.report.notices.push(format!(
                        "plan {} of project {} is called {name} there: another one has its name but for the case",
                        plan.name, shown(&project.name)
                    ));
                }
                Ok(begun(plan, &name))
            })?;
            let name = to.read(|view| name_for(view, plan))?;
            if name != plan.name {
                names.insert((plan.project, plan.name.clone()), name);
            }
        }
    }
    Ok(names)
}

/// What a plan is called there, or would be.
fn name_for(view: &dyn View, plan: &Plan) -> Result<PlanName, StoreError> {
    let there = view.plans(plan.project, None)?;
    let clashes = |name: &PlanName| there.iter().any(|other| other.name.clashes_with(name));
    if !clashes(&plan.name) || there.iter().any(|other| other.name == plan.name) {
        return Ok(plan.name.clone());
    }
    let is_it = |name: &PlanName| {
        let known = there.iter().find(|other| other.name == *name);
        !clashes(name) && known.is_none_or(|known| known.created_at == plan.created_at)
    };
    let numbered = (2..1000).filter_map(|n: u32| {
        let ending = format!("-{n}");
        let stem: String = plan.name.as_str().chars().take(PlanName::MAX - ending.len()).collect();
        PlanName::new(&format!("{stem}{ending}")).ok()
    });
    numbered.into_iter().find(is_it).ok_or_else(|| StoreError::Engine {
        what: format!("no name is free for the plan {}", plan.name),
    })
}

fn set(plan: &Plan, name: &PlanName) -> Change {
    Change::SetPlan {
        project: plan.project,
        name: name.clone(),
        completed_at: plan.completed_at,
        archived_at: plan.archived_at,
        is_tracked: plan.is_tracked,
    }
}

fn begun(plan: &Plan, name: &PlanName) -> Vec<Change> {
    let add = Change::AddPlan {
        project: plan.project,
        name: name.clone(),
        is_tracked: plan.is_tracked,
        at: plan.created_at,
    };
    let is_over = plan.completed_at.or(plan.archived_at).is_some();
    std::iter::once(add).chain(is_over.then(|| set(plan, name))).collect()
}
