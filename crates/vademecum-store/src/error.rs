//! Why a store could not do what was asked.

use std::time::Duration;

use vademecum_core::error::Kind;

/// Why a store could not do what was asked; nothing has changed then, but after `Unfinished`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process held the store for the whole of the bounded wait.
    #[error("the store is busy: another process held it for {} ms", waited.as_millis())]
    Busy {
        /// How long was waited.
        waited: Duration,
    },
    /// What was to be erased is gone for readers, but its bytes are not gone from the disk yet.
    #[error(
        "the rows are erased, but after {} ms another process still reads an older state",
        waited.as_millis()
    )]
    Unfinished {
        /// How long was waited.
        waited: Duration,
    },
    /// The write id was used before, with other arguments.
    #[error("write id \"{id}\" was used before with other arguments")]
    Reused {
        /// The write id.
        id: String,
    },
    /// The write id was used before, and what it answered was erased since.
    #[error("write id \"{id}\" was used before and its reply was erased since")]
    Erased {
        /// The write id.
        id: String,
    },
    /// The store was written by a later program.
    #[error("the store has schema {found}, this program knows {known}")]
    Newer {
        /// The version found, as major.minor.
        found: String,
        /// The version of this program.
        known: String,
    },
    /// The file is no store of vade.
    #[error("the file is no vademecum store")]
    Foreign,
    /// The store can be read and not written.
    #[error("the store is read-only")]
    ReadOnly,
    /// The disk is full.
    #[error("the disk of the store is full")]
    Full,
    /// The store is damaged.
    #[error("the store is damaged: {what}")]
    Corrupt {
        /// What the engine found.
        what: String,
    },
    /// Anything else that the engine or the operating system reported.
    #[error("the store failed: {what}")]
    Engine {
        /// What was reported.
        what: String,
    },
}

impl StoreError {
    /// The kind, from which surfaces take their code.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Busy { .. } | Self::Unfinished { .. } => Kind::Busy,
            Self::Reused { .. } | Self::Erased { .. } => Kind::Conflict,
            Self::ReadOnly => Kind::Denied,
            Self::Newer { .. }
            | Self::Foreign
            | Self::Full
            | Self::Corrupt { .. }
            | Self::Engine { .. } => Kind::Broken,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "nothing was changed: try the same call again in a second",
            Self::Unfinished { .. } => {
                "the next write finishes it once that reader has ended; vade doctor says when"
            }
            Self::Reused { .. } => "use a new write id, or leave it out",
            Self::Erased { .. } => {
                "read what is there now; if it must be written, use a new write id"
            }
            Self::Newer { .. } => "install a current vade; the store was left as it was",
            Self::Foreign => "name another file with --store, or move this one away",
            Self::ReadOnly => "make the file and its folder writable, then run: vade doctor",
            Self::Full => "free some space: nothing that was acknowledged is lost",
            Self::Corrupt { .. } | Self::Engine { .. } => "run: vade doctor",
        }
    }
}
