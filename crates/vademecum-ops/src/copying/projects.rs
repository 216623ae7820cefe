//! Projects: they meet by their random id, and by nothing else.

use vademecum_core::id::ProjectId;
use vademecum_core::project::{Project, ProjectKey, shown};
use vademecum_store::{Change, EntryFilter, Scope, SessionFilter, StoreError, View};

use super::lines::{Line, Touch};
use super::target::{Part, Target};
use crate::error::OpError;
use crate::forgetting::Tombstone;

/// Makes every project known there.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    for project in from.projects(None)? {
        let keys = from.project_keys(project.id)?;
        let is_empty = is_empty(from, project.id)?;
        if is_empty && keys.is_empty() {
            // Nothing finds it: what it had went over to another one.
            continue;
        }
        let line = Line::of(from, to, &Scope::Project(project.id))?;
        to.write("project", &(&project, &keys, is_empty), |view, part| {
            if Tombstone::Project(project.id).stands_in(view)? {
                let (name, id) = (shown(&project.name), project.id);
                part.report.leave_out(&format_args!("project {name} ({id})"));
                return Ok(Vec::new());
            }
            if let Some(known) = view.project(project.id)? {
                let mut changes = further(view, project.id, &keys)?;
                if known.name != project.name && line.alone(view)?.is_ahead(&Touch::Name) {
                    let name = project.name.clone();
                    changes.push(Change::RenameProject { project: project.id, name });
                }
                return Ok(changes);
            }
            if let Some(other) = view.project_by_keys(&keys)? {
                return beside(view, (&project, &keys, is_empty), &other, part);
            }
            part.report.projects += 1;
            Ok(added(&project, &keys))
        })?;
    }
    Ok(())
}

/// Whether a project has neither plans nor entries nor texts.
fn is_empty(view: &dyn View, id: ProjectId) -> Result<bool, StoreError> {
    let all = EntryFilter { project: Some(id), ..EntryFilter::default() };
    if view.entry_count(all)? != 0 || !view.plans(id, None)?.is_empty() {
        return Ok(false);
    }
    for session in view.sessions(SessionFilter { project: Some(id), ..SessionFilter::ALL })? {
        let card = view.card(&session.key)?;
        let has_words = view.handoff(&session.key)?.is_some();
        if card.counts.last.is_some() || card.notepad_rev.is_some() || has_words {
            return Ok(false);
        }
    }
    Ok(true)
}

fn added(project: &Project, keys: &[ProjectKey]) -> Vec<Change> {
    let Project { id, name, off_at, created_at } = project.clone();
    let add = Change::AddProject { id, name, keys: keys.to_vec(), at: created_at };
    let off = off_at.map(|at| Change::SetOff { project: Some(id), off_at: Some(at) });
    std::iter::once(add).chain(off).collect()
}

/// The keys of a known project that find nothing there yet.
fn further(
    view: &dyn View,
    project: ProjectId,
    keys: &[ProjectKey],
) -> Result<Vec<Change>, StoreError> {
    let mut free = Vec::new();
    for key in keys {
        if view.project_by_keys(std::slice::from_ref(key))?.is_none() {
            free.push(key.clone());
        }
    }
    let is_any = !free.is_empty();
    Ok(is_any.then_some(Change::AddProjectKeys { project, keys: free }).into_iter().collect())
}

/// A project whose folder belongs to another one there: both stay, unless one of them is empty.
fn beside(
    view: &dyn View,
    (project, keys, is_nothing): (&Project, &[ProjectKey], bool),
    other: &Project,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let (name, known) = (shown(&project.name), shown(&other.name));
    if is_nothing {
        part.report.notices.push(format!(
            "project {name} is empty, and its folder belongs to project {known} there: it was left out"
        ));
        return Ok(Vec::new());
    }
    part.report.projects += 1;
    if !is_empty(view, other.id)? {
        part.report.notices.push(format!(
            "project {name} ({}) is another one than {known} ({}), to which the same folder belongs there: both are \
             kept, and the folder stays with the second; to make them one, run there: vade project join {}",
            project.id, other.id, project.id
        ));
        return Ok(added(project, keys));
    }
    part.report.notices.push(format!(
        "project {known} ({}) was empty there: its folders and sessions belong to project {name} ({}) now",
        other.id, project.id
    ));
    let of_other = SessionFilter { project: Some(other.id), ..SessionFilter::ALL };
    let mut changes = added(project, &[]);
    changes.extend(
        view.sessions(of_other)?
            .into_iter()
            .map(|session| Change::SetActivePlan { session: session.key, plan: None }),
    );
    changes.push(Change::JoinProject { project: other.id, into: project.id });
    changes.push(Change::AddProjectKeys { project: project.id, keys: keys.to_vec() });
    Ok(changes)
}
