//! Plans that were begun and never completed: their entries reach nobody but those who work on them.

use vademecum::core::plan::{Plan, Stage};
use vademecum::core::time::Time;
use vademecum::ops::place::Place;
use vademecum::port::{EntryFilter, Store, StoreError, View, read};

use super::{Doctor, Finding};

/// After so many days without a new entry an open plan is taken for a forgotten one.
const IDLE_DAYS: i64 = 14;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

const ABOUT: &str = "plans";

/// A finding for each forgotten plan, else one for all; none without a plan.
pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let keys = Place::of(&doctor.world.folders.work).clues(&doctor.world.machines());
    let open = read(store, |view| {
        let Some(project) = view.project_by_keys(&keys)? else { return Ok(Vec::new()) };
        let plans = view.plans(project.id, None)?.into_iter();
        let is_open = |plan: &Plan| plan.stage() == Stage::Open && !plan.name.is_project();
        plans.filter(is_open).map(|plan| Ok((last_said(view, &plan)?, plan))).collect()
    });
    // A store that cannot be read is told of above.
    let open: Vec<(Time, Plan)> = open.unwrap_or_default();
    let now = doctor.world.now();
    let idle = open.iter().filter_map(|(last, plan)| finding(plan, now.since(*last) / DAY_MS));
    let idle: Vec<Finding> = idle.collect();
    match (idle.is_empty(), open.len()) {
        (false, _) => idle,
        (true, 0) => Vec::new(),
        (true, 1) => vec![Finding::ok(ABOUT, "1 is open and worked on")],
        (true, n) => vec![Finding::ok(ABOUT, format!("{n} are open and worked on"))],
    }
}

/// When the last thing was said in a plan: its newest entry, else its beginning.
fn last_said(view: &dyn View, plan: &Plan) -> Result<Time, StoreError> {
    let newest = view.entries(EntryFilter::of(plan), 1)?;
    Ok(newest.first().map_or(plan.created_at, |entry| entry.at.max(plan.created_at)))
}

fn finding(plan: &Plan, days: i64) -> Option<Finding> {
    let name = &plan.name;
    let text = format!("{name} was never completed: nothing new in it for {days} days");
    let mend = format!(
        "vade plan complete {name} (its entries go to the project), or vade plan archive {name}"
    );
    (IDLE_DAYS <= days).then(|| Finding::warn(ABOUT, text, mend))
}

#[cfg(test)]
mod tests {
    use vademecum::core::id::ProjectId;
    use vademecum::core::plan::PlanName;

    use super::*;

    #[test]
    fn a_plan_without_anything_new_for_two_weeks_is_told_of() {
        let plan = Plan {
            project: ProjectId([1; 16]),
            name: PlanName::new("03-01").expect("a name"),
            created_at: Time(0),
            completed_at: None,
            archived_at: None,
            is_tracked: false,
        };
        assert_eq!(finding(&plan, 13), None);
        let told = finding(&plan, 14).expect("a finding");
        assert_eq!(told.text, "03-01 was never completed: nothing new in it for 14 days");
        let mend =
            "vade plan complete 03-01 (its entries go to the project), or vade plan archive 03-01";
        assert_eq!(told.mend.as_deref(), Some(mend));
    }
}
