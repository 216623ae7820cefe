//! How long the server has been away: all calls of one handle wait for the same end, and none begins to count anew.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The first pause before a server that is gone is tried again; each is as long as it has been away, up to a second.
const PAUSE: Duration = Duration::from_millis(50);

/// The longest pause, and what a last try is given.
const LAST: Duration = Duration::from_secs(1);

/// An outage that one handle lives through; a clone is the same one.
#[derive(Debug, Clone)]
pub(crate) struct Outage {
    /// How long one is waited for.
    most: Duration,
    /// When the server was found to be away; none while it answers.
    since: Arc<Mutex<Option<Instant>>>,
}

impl Outage {
    pub(crate) fn of(most: Duration) -> Self {
        Self { most, since: Arc::default() }
    }

    /// The server has answered.
    pub(crate) fn is_over(&self) {
        *self.slot() = None;
    }

    /// The server is away, and was silent for so long before that was known.
    pub(crate) fn begins(&self, silent: Duration) {
        let now = now();
        self.slot().get_or_insert(now.checked_sub(silent).unwrap_or(now));
    }

    /// How long it is still waited for.
    fn left(&self) -> Duration {
        let since = *self.slot();
        since.map_or(self.most, |since| self.most.saturating_sub(now().duration_since(since)))
    }

    /// How long one try may take of what it would be given while the server answers.
    pub(crate) fn limit(&self, wait: Duration) -> Duration {
        wait.min(self.left().max(LAST))
    }

    /// The pause before the next try; none once it has lasted too long.
    pub(crate) fn pause(&self) -> Option<Duration> {
        self.begins(Duration::ZERO);
        let left = self.left();
        let gone = self.most.saturating_sub(left);
        (!left.is_zero()).then(|| gone.clamp(PAUSE, LAST).min(left))
    }

    /// A panic in another thread leaves nothing half done here.
    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a pause between two tries, of which nobody can tell"
)]
pub(crate) fn wait(long: Duration) {
    std::thread::sleep(long);
}

#[expect(clippy::disallowed_methods, reason = "a wait has an end, whatever clock the caller has")]
fn now() -> Instant {
    Instant::now()
}
