//! Who continues whom: the session before, and whether it still runs.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{SessionFilter, StoreError, View};

use crate::world::World;

/// So many sessions, those started last, are looked at for the one that worked last.
const LOOKED_AT: usize = 50;

/// A process may have begun so many milliseconds after its session was heard of: clocks are coarse.
const COARSE_MS: i64 = 1_000;

/// The session whose work `this` may continue: the one of the project that worked last, if it has ended.
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
    let mut last: Option<(Time, Session)> = None;
    for session in view.sessions(filter)? {
        let is_other = this.is_none_or(|this| this.id != session.id);
        if !is_other || session.key.harness == SessionKey::DESK {
            continue;
        }
        // Of two that worked at the same time the one that started last is left.
        let Some(at) = last_work(view, &session)? else { continue };
        if last.as_ref().is_none_or(|(latest, _)| *latest < at) {
            last = Some((at, session));
        }
    }
    Ok(last.map(|(_, session)| session).filter(|session| !is_running(session)))
}

/// When a session did or kept anything last; none where it never did.
///
/// Its hooks note its calls; without them what it keeps tells.
pub fn last_work(view: &dyn View, session: &Session) -> Result<Option<Time>, StoreError> {
    if let Some(noted) = view.worked_at(session.id)? {
        return Ok(Some(noted));
    }
    let page = view.notepad_head(session.id, 0)?.map(|page| page.updated_at);
    let counts = view.counts(session.id)?;
    let note = counts.last.filter(|_| 0 < counts.notes).map(|note| Time(note.0));
    let words = view.handoff(session.id)?.map(|words| words.updated_at);
    Ok(page.into_iter().chain(note).chain(words).max())
}

/// Whether a session did or kept anything.
pub fn has_worked(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    Ok(last_work(view, session)?.is_some())
}

/// Whether the session's own process still runs.
///
/// A harness that was killed never says so, and its number may be another process's by now: one that began
/// after the session was last heard of. Without a process to look for, silence counts.
#[must_use]
pub fn is_running(world: &World, session: &Session) -> bool {
    if session.ended_at.is_some() {
        return false;
    }
    match session.place.host_pid {
        Some(pid) if session.machine == world.machine => {
            let began = || (world.process_began)(pid);
            is_alive(pid) && began().is_none_or(|began| began <= session.seen_at.plus(COARSE_MS))
        }
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
