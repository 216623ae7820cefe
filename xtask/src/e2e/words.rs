//! The phrases of vade that scenarios look for, in one place: what else they look for is the agent's or the user's.

/// Stands in each offer of work that was left unfinished.
pub(super) const OFFER: &str = "left work open";

/// Stands in the offer of a session that was killed.
pub(super) const KILLED: &str = "(it was killed in the middle of the work)";

/// Stands in front of the sub-agents that still run.
pub(super) const RUNNING: &str = "## Sub-agents still running";

/// Stands in front of those that ended with their process.
pub(super) const STOPPED: &str = "## Sub-agents no longer running";

/// How the recap's block begins.
pub(super) const RECAP: &str = "## Recap of this session so far";

/// Stands in the context of a session that has kept nothing.
pub(super) const EMPTY: &str = "notepad is empty";

/// Stands in the warning before a compaction.
pub(super) const WARNING: &str = "Kept now: notepad";

/// Stands in front of the facts that the summariser gets.
pub(super) const SUMMARISER: &str = "What summaries lose first";

/// The session that an offer names to be taken over.
#[must_use]
pub(super) fn offered(offer: &str) -> Option<&str> {
    let (_, rest) = offer.split_once("read_handoff")?;
    let (_, rest) = rest.split_once("from=")?;
    let rest = rest.trim_start_matches('"');
    rest.split(|character: char| !character.is_ascii_alphanumeric() && character != '-').next()
}

/// How the line on files begins that are as the session read them.
pub(super) const UNCHANGED: &str =
    "Read in full earlier, and the same on disk at this compaction: ";
