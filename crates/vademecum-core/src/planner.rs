//! The planner: decides from counts alone whether the warning before a compaction is due, and why.

mod limits;

use std::fmt;

pub use limits::{Limits, Settings, SettingsError};

/// How many tokens the conversation holds, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// Nothing has said so yet.
    Unknown,
    /// The last known total, which still holds.
    Fresh(u64),
    /// The last known total does not hold any more.
    Stale {
        /// What it is thought to be by now, without what is pending.
        projected: Option<u64>,
    },
}

/// What runs already and must not be entered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// The agent is answering a warning.
    Flush,
    /// The conversation is being compacted.
    Compaction,
}

/// What is known of a session at a prompt or after a tool batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The tokens in the conversation.
    pub used: Used,
    /// The tokens that the next request adds.
    pub pending: u64,
    /// The compaction cycle: how often the conversation was compacted.
    pub cycle: u64,
    /// The cycle of the last warning; none is not the same as cycle 0.
    pub flushed_in: Option<u64>,
    /// What runs already.
    pub running: Option<Running>,
    /// Whether a compaction went by that no check had seen coming.
    pub slipped: bool,
}

/// Whether the warning is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The warning is due; the host decides whether it is spoken or silent.
    Warn(Due),
    /// It is not.
    Hold(Cause),
}

impl Decision {
    /// Whether the warning is given now.
    #[must_use]
    pub fn is_due(&self) -> bool {
        matches!(self, Self::Warn(_))
    }

    /// The same for a model that is compacted before it answers: past that point no warning helps it.
    #[must_use]
    pub fn if_in_time(self) -> Self {
        match self {
            Self::Warn(Due::Reached { total, compact_at, .. }) if compact_at <= total => {
                Self::Hold(Cause::Late { total, compact_at })
            }
            decision => decision,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Warn(due) => due.fmt(f),
            Self::Hold(cause) => cause.fmt(f),
        }
    }
}

/// Why the warning is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The line is reached.
    Reached {
        /// The tokens used and pending.
        total: u64,
        /// Where the line is.
        flush_at: u64,
        /// Where the conversation is compacted.
        compact_at: u64,
    },
    /// A compaction slipped by unseen; this warning makes up for it.
    CatchUp {
        /// The cycle that began unseen.
        cycle: u64,
    },
}

impl Due {
    /// The word for the cause, as `--json` shows it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Reached { .. } => "reached",
            Self::CatchUp { .. } => "catch_up",
        }
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached { total, flush_at, compact_at } => write!(
                f,
                "due: {total} tokens used and pending, the warning comes at {flush_at}, the compaction at {compact_at}"
            ),
            Self::CatchUp { cycle } => {
                write!(
                    f,
                    "due: a compaction passed without a warning, cycle {cycle} makes up for it"
                )
            }
        }
    }
}

/// Why the warning is not due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The configuration switches it off.
    Disabled,
    /// A flush or a compaction is under way.
    Running(Running),
    /// The warning of this cycle was given.
    Flushed {
        /// The cycle.
        cycle: u64,
    },
    /// Nobody has said how large the window is.
    UnknownWindow,
    /// Nobody has said where the harness compacts.
    UnknownThreshold,
    /// The window is too small for what is to be kept free.
    NoRoom {
        /// The window.
        window: u64,
        /// Where the line would be, at or below nothing.
        flush_at: i64,
    },
    /// Nobody has said how many tokens are used.
    UnknownCount,
    /// The count is out of date and there is no projection.
    Stale,
    /// The line is not reached.
    Below {
        /// The tokens used and pending.
        total: u64,
        /// Where the line is.
        flush_at: u64,
    },
    /// The compaction comes before the model could answer.
    Late {
        /// The tokens used and pending.
        total: u64,
        /// Where the conversation is compacted, at or below them.
        compact_at: u64,
    },
}

impl Cause {
    /// The word for the cause, as `--json` shows it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Running(_) => "running",
            Self::Flushed { .. } => "flushed",
            Self::UnknownWindow => "unknown_window",
            Self::UnknownThreshold => "unknown_threshold",
            Self::NoRoom { .. } => "no_room",
            Self::UnknownCount => "unknown_count",
            Self::Stale => "stale",
            Self::Below { .. } => "below",
            Self::Late { .. } => "late",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not due: ")?;
        match self {
            Self::Disabled => f.write_str("precompact.enabled is false"),
            Self::Running(Running::Flush) => f.write_str("a warning is being answered"),
            Self::Running(Running::Compaction) => f.write_str("a compaction is under way"),
            Self::Flushed { cycle } => write!(f, "given in this cycle already (cycle {cycle})"),
            Self::UnknownWindow => f.write_str("the size of the context window is not known"),
            Self::UnknownThreshold => {
                f.write_str("the point where the harness compacts is not known")
            }
            Self::NoRoom { window, flush_at } => {
                write!(
                    f,
                    "a window of {window} tokens has no room for it, it would come at {flush_at}"
                )
            }
            Self::UnknownCount => f.write_str("the tokens used are not known"),
            Self::Stale => f.write_str("the tokens used are out of date and none are projected"),
            Self::Below { total, flush_at } => {
                write!(f, "{total} tokens used and pending, the warning comes at {flush_at}")
            }
            Self::Late { total, compact_at } => write!(
                f,
                "{total} tokens used and pending, the compaction at {compact_at} comes before any answer"
            ),
        }
    }
}

/// Decides whether the warning is due, and says why or why not.
#[must_use]
pub fn plan(state: &State, limits: &Limits) -> Decision {
    due(state, limits).map_or_else(Decision::Hold, Decision::Warn)
}

fn due(state: &State, limits: &Limits) -> Result<Due, Cause> {
    let (window, compact_at, flush_at) = match *limits {
        Limits::Off => return Err(Cause::Disabled),
        Limits::UnknownWindow => return Err(Cause::UnknownWindow),
        Limits::UnknownThreshold => return Err(Cause::UnknownThreshold),
        Limits::Known { window, compact_at, flush_at } => (window, compact_at, flush_at),
    };
    if let Some(running) = state.running {
        return Err(Cause::Running(running));
    }
    let cycle = state.cycle;
    if state.flushed_in == Some(cycle) {
        return Err(Cause::Flushed { cycle });
    }
    let (Ok(compact_at), Ok(flush_at @ 1..)) = (u64::try_from(compact_at), u64::try_from(flush_at))
    else {
        return Err(Cause::NoRoom { window, flush_at });
    };
    if state.slipped {
        return Ok(Due::CatchUp { cycle });
    }

    let total = used(state.used)?.saturating_add(state.pending);
    if total < flush_at {
        return Err(Cause::Below { total, flush_at });
    }
    Ok(Due::Reached { total, flush_at, compact_at })
}

fn used(used: Used) -> Result<u64, Cause> {
    match used {
        Used::Unknown => Err(Cause::UnknownCount),
        Used::Fresh(total) => Ok(total),
        Used::Stale { projected } => projected.ok_or(Cause::Stale),
    }
}

#[cfg(test)]
mod tests;
