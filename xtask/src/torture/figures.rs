//! How long calls took.

use std::time::Duration;

/// The waits of many calls.
#[derive(Default)]
pub(super) struct Waits(Vec<Duration>);

impl Waits {
    pub(super) fn push(&mut self, wait: Duration) {
        self.0.push(wait);
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// `p50 1.2 ms, p99 8.0 ms, max 12.5 ms`.
    pub(super) fn say(mut self) -> String {
        self.0.sort_unstable();
        let at = |percent: usize| {
            let idx = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
            self.0.get(idx).copied().unwrap_or_default().as_secs_f64() * 1e3
        };
        format!("p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms", at(50), at(99), at(100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_the_middle_the_late_and_the_last() {
        let waits = Waits((1..=200).rev().map(Duration::from_millis).collect());
        assert_eq!(waits.say(), "p50 101.0 ms, p99 199.0 ms, max 200.0 ms");
        assert_eq!(Waits::default().say(), "p50 0.0 ms, p99 0.0 ms, max 0.0 ms");
    }
}
