//! How long this thread still waits for other processes, and the only look at the clock in this crate.
#![expect(
    clippy::disallowed_methods,
    reason = "a bounded wait needs the monotonic clock and a pause; nothing that is kept depends on them"
)]

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static WAIT: Cell<Option<(Instant, Instant)>> = const { Cell::new(None) };
}

/// A wait that is longer is one of this length.
const LONGEST: Duration = Duration::from_hours(100 * 365 * 24);

/// Starts a wait of at most `limit` on this thread.
pub(crate) fn start(limit: Duration) {
    let now = Instant::now();
    WAIT.set(Some((now, now + limit.min(LONGEST))));
}

/// How long is left of the wait.
pub(crate) fn left() -> Duration {
    WAIT.get().map_or(Duration::ZERO, |(_, end)| end.saturating_duration_since(Instant::now()))
}

/// How long was waited.
pub(crate) fn waited() -> Duration {
    WAIT.get().map_or(Duration::ZERO, |(begin, _)| begin.elapsed())
}

/// Called by SQLite while another process holds a lock; pauses and says whether to try again.
///
/// Pauses differ between processes and tries, so that waiters do not march in step.
pub(crate) fn busy(n_tries: i32) -> bool {
    let left = left();
    if left.is_zero() {
        return false;
    }
    let spread = u64::from(std::process::id()) * 7919 + u64::from(n_tries.unsigned_abs()) * 104_729;
    std::thread::sleep(Duration::from_micros(200 + spread % 1800).min(left));
    true
}

/// Pauses between two looks at whether something has changed.
pub(crate) fn pause(limit: Duration) {
    std::thread::sleep(limit.min(left()));
}
