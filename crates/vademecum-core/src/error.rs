//! What kinds of failure there are; surfaces turn the kind into a code in one table.

use serde::{Deserialize, Serialize};

/// The kind of a failure, from which every surface takes its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The call was wrong: what was given is not allowed.
    Usage,
    /// The thing that was named does not exist.
    Missing,
    /// The thing has changed since, or the write id was used for something else.
    Conflict,
    /// Another process held the store for too long; the same call may work again.
    Busy,
    /// The call is understood and not allowed here.
    Denied,
    /// The store, a file or this program is damaged.
    Broken,
}

impl Kind {
    /// The word for the kind, as `--json` shows it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Missing => "missing",
            Self::Conflict => "conflict",
            Self::Busy => "busy",
            Self::Denied => "denied",
            Self::Broken => "broken",
        }
    }
}
