//! How long the server has been away: all calls of one handle wait for the same end, and none begins to count anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first pause before a server that is gone is tried again; each is as long as it has been away, up to [`PAUSES`].
const PAUSE: Duration = Duration::from_millis(50);

/// The longest pause.
const PAUSES: Duration = Duration::from_secs(1);

/// What a try is given however long the server has been away: a slow line needs that to get through.
const LAST: Duration = Duration::from_millis(1_500);

/// An outage that one handle lives through; a clone is the same one.
#[derive(Debug, Clone)]
pub(crate) struct Outage {
    /// How long one is waited for.
    most: Duration,
    away: Arc<Mutex<Option<Away>>>,
}

#[derive(Debug, Clone, Copy)]
struct Away {
    since: Instant,
    /// When it was found so last: what nobody has tried for long may be over.
    seen: Instant,
}

/// Since when one call fails: it comes to an end though others of its handle get answers.
#[derive(Debug, Default)]
pub(crate) struct Trying(Option<Instant>);

impl Outage {
    pub(crate) fn of(most: Duration) -> Self {
        Self { most, away: Arc::default() }
    }

    /// The server has answered.
    pub(crate) fn is_over(&self) {
        *self.slot() = None;
    }

    /// The server is away, and was silent for so long before that was known.
    pub(crate) fn begins(&self, silent: Duration) {
        let now = now();
        let mut away = self.slot();
        let since = match *away {
            Some(away) if self.lasts(away, now) => away.since,
            _ => now.checked_sub(silent).unwrap_or(now),
        };
        *away = Some(Away { since, seen: now });
    }

    fn lasts(&self, away: Away, now: Instant) -> bool {
        now.duration_since(away.seen) <= self.most * 2
    }

    /// How long it is still waited for.
    fn left(&self) -> Duration {
        let now = now();
        let away = self.slot().filter(|away| self.lasts(*away, now));
        away.map_or(self.most, |away| self.most.saturating_sub(now.duration_since(away.since)))
    }

    /// How long one try may take of what it would be given while the server answers.
    pub(crate) fn limit(&self, wait: Duration) -> Duration {
        wait.min(self.left().max(LAST))
    }

    /// The pause before the next try; none once it has lasted too long.
    pub(crate) fn pause(&self, trying: &mut Trying) -> Option<Duration> {
        self.begins(Duration::ZERO);
        let tried = trying.0.get_or_insert_with(now).elapsed();
        let left = self.left().min(self.most.saturating_sub(tried));
        let gone = self.most.saturating_sub(left);
        (!left.is_zero()).then(|| gone.clamp(PAUSE, PAUSES).min(left))
    }

    /// A panic in another thread leaves nothing half done here.
    fn slot(&self) -> MutexGuard<'_, Option<Away>> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits so long.
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
