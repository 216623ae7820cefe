//! Changes of a session that need more of the state than what it keeps itself.

use std::sync::Arc;

use vademecum_core::plan::PlanName;
use vademecum_core::session::{Session, SessionKey, Standing};
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;

use crate::change::Change;
use crate::error::StoreError;
use crate::memory::state::{KeptSession, State, doubled, missing};
use crate::view::Notepad;

pub(super) fn apply(state: &mut State, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddSession { key, .. } => {
            if state.find_session(key).is_some() {
                return Err(doubled(&format!("session {key}")));
            }
            if let Some(session) = begun(state, change)? {
                state.add_session(session);
            }
        }
        Change::SetParent { session, parent } => {
            let parent = state.session(parent)?;
            state.session_mut(session)?.parent = Some(parent);
        }
        Change::SetSession { session, seen_at, ended_at, place, standing } => {
            let about = &mut state.session_mut(session)?.about;
            (about.seen_at, about.ended_at) = (*seen_at, *ended_at);
            about.place.clone_from(place);
            about.standing.clone_from(standing);
        }
        Change::Fork { session, from, page, notes, at, .. } => {
            let from = state.kept(from)?.clone();
            let session = state.session_mut(session)?;
            if *page {
                copy_page(session, &from, *at);
            }
            if *notes {
                Arc::make_mut(&mut session.notes).fork(&from.notes);
            }
        }
        Change::SetRunning { session, running } => set_running(state, session, running.as_ref())?,
        Change::SetActivePlan { session, plan } => set_plan(state, session, plan.as_ref())?,
        other => return Err(other.unmade()),
    }
    Ok(())
}

/// A session as it is when it becomes known: its project and its parent are.
fn begun(state: &State, change: &Change) -> Result<Option<KeptSession>, StoreError> {
    let Change::AddSession { project, key, parent, began, instance, host_name, place, at } = change
    else {
        return Ok(None);
    };
    let about = Session {
        project: *project,
        key: key.clone(),
        parent: None,
        began: began.clone(),
        instance: *instance,
        host_name: host_name.clone(),
        started_at: *at,
        seen_at: *at,
        ended_at: None,
        place: place.clone(),
        standing: Standing::default(),
    };
    let parent = parent.as_ref().map(|parent| state.session(parent)).transpose()?;
    Ok(Some(KeptSession::new(about, state.project(*project)?, parent)))
}

fn copy_page(session: &mut KeptSession, from: &KeptSession, at: Time) {
    if session.page.is_some() {
        return;
    }
    let copy = |page: &Arc<Notepad>| Notepad { rev: 1, updated_at: at, ..(**page).clone() };
    session.page = from.page.as_ref().map(copy).map(Arc::new);
}

/// A session without a parent is no sub-agent: nothing is noted of it.
fn set_running(
    state: &mut State,
    session: &SessionKey,
    running: Option<&Running>,
) -> Result<(), StoreError> {
    let Some(running) = running else {
        state.session_mut(session)?.running = None;
        return Ok(());
    };
    let parent = state.kept(session)?.parent;
    if let Some(parent) = parent.filter(|parent| state.sessions.contains_key(parent)) {
        state.session_mut(session)?.running = Some((parent, running.clone()));
    }
    Ok(())
}

fn set_plan(
    state: &mut State,
    session: &SessionKey,
    plan: Option<&PlanName>,
) -> Result<(), StoreError> {
    let kept = state.kept(session)?;
    let number = |name| state.find_plan(kept, name).ok_or_else(|| missing(&format!("plan {name}")));
    state.session_mut(session)?.active_plan = plan.map(number).transpose()?;
    Ok(())
}
