//! Who continues whom: the session before, and whether it still runs.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{SessionFilter, StoreError, View};

use crate::world::World;

/// So many sessions are looked at for one that worked.
const LOOKED_AT: usize = 50;

/// The session whose work `this` may continue: the last one of the project that worked, if it has ended.
///
/// Sessions that were only opened are passed over. While the last one that worked still runs there is
/// none: nobody is given what another one is at.
pub fn predecessor(
    view: &dyn View,
    this: &Session,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<Option<Session>, StoreError> {
    before(view, this.project, Some(this), is_running)
}

/// The same for a caller whose session may not be known yet.
pub fn before(
    view: &dyn View,
    project: ProjectId,
    this: Option<&Session>,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<Option<Session>, StoreError> {
    let filter = SessionFilter {
        project: Some(project),
        include_archived: true,
        include_agents: false,
        limit: LOOKED_AT,
    };
    for session in view.sessions(filter)? {
        let is_this = this.is_some_and(|this| this.id == session.id);
        if !is_this && session.key.harness != SessionKey::DESK && has_worked(view, &session)? {
            return Ok(Some(session).filter(|session| !is_running(session)));
        }
    }
    Ok(None)
}

/// Whether a session did or kept anything.
pub fn has_worked(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    Ok(view.worked_at(session.id)?.is_some()
        || view.notepad(session.id)?.is_some()
        || 0 < view.counts(session.id)?.notes
        || view.handoff(session.id)?.is_some())
}

/// Whether the session's own process still runs.
///
/// A harness that was killed never says so; without a process to look for, silence counts.
#[must_use]
pub fn is_running(world: &World, session: &Session) -> bool {
    if session.ended_at.is_some() {
        return false;
    }
    match session.place.host_pid {
        Some(pid) if session.machine == world.machine => is_alive(pid),
        Some(_) | None => world.now().since(session.seen_at) <= crate::who::LIVE_MS,
    }
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    match pid.map(rustix::process::test_kill_process) {
        Some(Ok(())) => true,
        // A process that may not be signalled is there.
        Some(Err(error)) => error == rustix::io::Errno::PERM,
        None => false,
    }
}
