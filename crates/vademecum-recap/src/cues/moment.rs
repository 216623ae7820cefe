//! Sentences that held at the moment at which they were said.

use super::{CHECKS, Cues, DECISION, DEFECT, FAILURE, Seen, count, is_report};
use crate::digest::low;

/// What such a sentence tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// That something is not at its end.
    Waiting,
    /// How far a run of its agent's is.
    UnderWay,
    /// How checks and reviews stand that others make: the next one that does takes its place.
    Elsewhere,
    /// What its agent is about to find out.
    FindingOut,
}

/// What a sentence tells that held for a moment, if it tells no more.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let low = low(text);
    let seen = Seen::of(&low);
    let is_elsewhere = || seen.has(&OTHERS) && seen.has(&STANDING) && !is_report(&low);
    match () {
        () if is_waiting(&low, &seen) => Some(Moment::Waiting),
        () if seen.has(&FINDING_OUT) && !seen.has(&DECISION) => Some(Moment::FindingOut),
        () if is_under_way(&seen) => Some(Moment::UnderWay),
        () if is_elsewhere() && !seen.has(&DECISION) => Some(Moment::Elsewhere),
        () => None,
    }
}

/// What others make of the work, and say on a server.
static OTHERS: Cues = Cues::new(
    "ci|pr checks|github checks|required checks|checks are|checks have|remaining checks|check runs|github actions|shard|shards|workflow run|review threads|review thread|review comments|\
    unresolved comments|coderabbit|greptile|bugbot|codecov|status checks",
);

/// By what a sentence is known to tell how that stands.
static STANDING: Cues = Cues::new(
    "green|passing|pending|queued|failing|failures|no new|no unresolved|no failing|no actionable|zero|unresolved|all pass|has passed|have passed|\
    has settled|have settled|still|at the moment|currently|so far|stuck|in progress|completed|remaining|left|are clean|is clean",
);

/// By what one is known to tell what its agent is about to find out.
static FINDING_OUT: Cues = Cues::new(
    "i'm checking|i'm verifying|i'm confirming|let me check|let me verify|let me confirm|let me see|need to check|need to verify|checking whether|\
    checking if|to see whether|to see if|i'll check|i'll verify",
);

/// Whether a short sentence says only that something is not at its end: `Still building.`
fn is_waiting(low: &str, seen: &Seen<'_>) -> bool {
    // What runs still may be what was found: `the old server is still running`.
    let is_still = || {
        let still = STILL.opening(low).map(|(_, doing)| doing.trim_start());
        still.is_some_and(|doing| UNDER_WAY.opening(doing).is_some())
    };
    // What is broken still is no wait.
    (is_still() || seen.has(&PATIENT))
        && count(low) <= WAITED
        && !seen.has(&FAILURE)
        && !seen.has(&DEFECT)
}

/// Whether a sentence says only how far a run of its agent's is, or that its agent waits for one: `The suite is running now.`
fn is_under_way(seen: &Seen<'_>) -> bool {
    let is_run = || seen.has(&AT_WORK) && (seen.has(&CHECKS) || seen.has(&RUNS));
    (is_run() || seen.has(&WATCHING))
        && ![&FAILURE, &DEFECT, &DECISION].into_iter().any(|it| seen.has(it))
}

/// What runs, beside checks.
static RUNS: Cues = Cues::new(
    "suites|builds|run|runs|job|jobs|workflow|pipeline|matrix|poll|worker|workers|compile|phase|task|benchmark",
);

/// By what a sentence is known to tell that something has not come to its end.
static AT_WORK: Cues = Cues::new(
    "is running|are running|is building|are building|is rebuilding|is compiling|are compiling|is still|are still|still running|\
    still building|still compiling|still pending|is pending|are pending|is queued|are queued|is waiting|are waiting|is sleeping|\
    is progressing|progressing through|continuing into|in progress|in flight|so far|has started|have started|running now|building now",
);

/// By what one is known to tell that its agent waits and watches.
static WATCHING: Cues = Cues::new(
    "keeping an eye|letting it run|letting it finish|i'll wait|i'll keep waiting|i'm waiting|still waiting|watching ci|watching that|next poll|last poll",
);

/// How many words such a sentence has at most.
const WAITED: usize = 16;

/// How one begins whose agent waits for what it started itself, and what that is doing.
static STILL: Cues = Cues::new(
    "still|it's still|the build is still|the test is still|the tests are still|the suite is still|the run is still|the agent is still|the worker is still|\
    ci is still|the checks are still",
);
static UNDER_WAY: Cues = Cues::new(
    "working|running|building|compiling|waiting|going|active|in progress|in flight|queued|pending|processing|installing|executing|no output|no completion",
);

/// By what a sentence is known to tell that its agent waits.
static PATIENT: Cues = Cues::new(
    "keep waiting|keep monitoring|keep polling|keep watching|no new output|no output yet|no result yet|no completion signal|no completion yet|\
    no transition yet|let it continue|letting it continue|letting it finish|is taking a few minutes|läuft noch|warte noch|还在运行|まだ実行中",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_or_missing_is_no_wait() {
        for waits in [
            "Still building, mostly the last crates.",
            "The agent is still active.",
            "No output yet.",
        ] {
            assert!(moment(waits) == Some(Moment::Waiting), "{waits}");
        }
        for tells in [
            "Still failing on Windows because the key is empty.",
            "Still no test for the refund path.",
            "Still not fixed: the race in parse_key.",
            "No tests cover the retry path yet.",
            "The test is still running into the failing lock.",
            "The old server is still running on the port of the new one.",
            "The key is still in the old table.",
            "增加等待时间",
        ] {
            assert!(moment(tells) != Some(Moment::Waiting), "{tells}");
        }
    }

    #[test]
    fn how_far_a_run_is_is_told_from_what_was_found() {
        for under_way in [
            "The broader lock and release-age suites are running now.",
            "GitHub has picked up the commit and the checks are queued.",
            "CLI integration tests are in progress and passing.",
            "I'll wait a bit longer for the final rollup.",
        ] {
            assert!(moment(under_way) == Some(Moment::UnderWay), "{under_way}");
        }
        for tells in [
            "The old server is still running on the port of the new one.",
            "The tests are still failing on Windows.",
            "The build is still slow because nothing is cached.",
            "There is no merge currently in progress.",
            "All three suites pass.",
        ] {
            assert!(moment(tells) != Some(Moment::UnderWay), "{tells}");
        }
    }

    #[test]
    fn what_others_make_of_the_work_is_told_from_what_was_done_about_it() {
        for stands in [
            "No unresolved review threads, and CI is green.",
            "The PR checks have settled into four failures now: lint and three units.",
            "CodeRabbit is still stuck on its placeholder.",
        ] {
            assert_eq!(moment(stands), Some(Moment::Elsewhere), "{stands}");
        }
        for finds_out in [
            "There is a dependency serial_test in the workspace, so I'm checking whether it can be used.",
            "The prop batchInfo is still there — Let me check…",
        ] {
            assert_eq!(moment(finds_out), Some(Moment::FindingOut), "{finds_out}");
        }
        for tells in [
            "I fixed the failing checks of CI.",
            "CI is still red because the runner has no python3.",
            "The checks of a request run before it is signed.",
            "It checks whether the key is empty.",
        ] {
            assert_eq!(moment(tells), None, "{tells}");
        }
    }
}
