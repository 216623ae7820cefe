//! Whose conversation the user cleared for a new session.

use vademecum_core::session::{Began, Session};
use vademecum_store::{StoreError, View};

use super::{Worker, accounts_since};

/// Those of `all` whose conversations the user cleared for `this`, one after the other, the last first.
///
/// Behind one that wrote a page or words of its own there is none: it had its own work.
pub fn cleared(
    view: &dyn View,
    all: &[Worker],
    this: Option<&Session>,
) -> Result<Vec<Worker>, StoreError> {
    let mut cleared: Vec<Worker> = Vec::new();
    let mut next = this.cloned();
    while let Some(worker) = next.and_then(|this| cleared_for(all, &cleared, &this)) {
        let has_own = accounts_since(view, &worker.session, worker.session.started_at)?;
        next = (!has_own).then(|| worker.session.clone());
        cleared.push(worker);
    }
    Ok(cleared)
}

/// The one of `all` whose conversation the user cleared for `this`; none where it began in another way.
fn cleared_for(all: &[Worker], known: &[Worker], this: &Session) -> Option<Worker> {
    if this.began != Began::Clear {
        return None;
    }
    let is_its = |worker: &&Worker| {
        let had_ended = worker.session.ended_at.is_some_and(|ended| ended <= this.started_at);
        // Of two in one millisecond each may have ended before the other began.
        let is_new = known.iter().all(|known| known.session.key != worker.session.key);
        is_new && !worker.is_person() && had_ended && may_be_one_process(&worker.session, this)
    };
    all.iter().rev().filter(is_its).max_by_key(|worker| worker.session.ended_at).cloned()
}

/// Whether two sessions may have run in one process, as far as both tell.
fn may_be_one_process(one: &Session, other: &Session) -> bool {
    let is_one_host =
        one.host_name == other.host_name || one.host_name.is_empty() || other.host_name.is_empty();
    let pids = one.place.host_pid.zip(other.place.host_pid);
    one.key.harness == other.key.harness
        && is_one_host
        && pids.is_none_or(|(one, other)| one == other)
}
