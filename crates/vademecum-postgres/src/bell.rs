//! Waiting for the next commit: writers notify, and where no notification comes through it is looked from time to time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::link::{Link, Step};
use crate::pool::Pool;

/// So often it is looked as long as nothing was heard: a pooler may take `LISTEN` and deliver nothing.
const UNHEARD: Duration = Duration::from_secs(1);

/// So often it is looked where notifications come through, for one that was lost.
const HEARD: Duration = Duration::from_secs(5);

/// A connection that listens, and what it has heard.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    link: Mutex<Option<Link>>,
    rung: Arc<Rung>,
}

#[derive(Debug, Default)]
struct Rung {
    state: Mutex<State>,
    told: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Whether it rang since somebody set it.
    is_rung: bool,
    /// Whether it ever rang.
    was_heard: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bell {
    /// Listens from now on; where that cannot be, the wait is shorter.
    pub(crate) fn set(&self, pool: &Pool) {
        let mut slot = lock(&self.link);
        lock(&self.rung.state).is_rung = false;
        if slot.as_ref().is_some_and(|link| !link.is_closed()) {
            return;
        }
        *slot = None;
        let rung = Arc::clone(&self.rung);
        let Ok(link) = pool.open_heard(move || rung.ring()) else { return };
        let listen = Step::Plain(format!("LISTEN {}", pool.channel()));
        if link.trip(vec![listen]).is_ok() {
            *slot = Some(link);
        }
    }

    /// Waits until it rings, for a while; what is left to wait.
    pub(crate) fn wait(&self, left: Duration) -> Duration {
        let state = lock(&self.rung.state);
        let slice = if state.was_heard { HEARD } else { UNHEARD }.min(left);
        let is_silent = |state: &mut State| !state.is_rung;
        let waited = self.rung.told.wait_timeout_while(state, slice, is_silent);
        let (state, ended) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(state);
        if ended.timed_out() { left.saturating_sub(slice) } else { left }
    }
}

impl Rung {
    fn ring(&self) {
        let mut state = lock(&self.state);
        (state.is_rung, state.was_heard) = (true, true);
        self.told.notify_all();
    }
}
