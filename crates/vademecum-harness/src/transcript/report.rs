//! What was read of a transcript, and what was not.

use vademecum_core::time::Time;

use super::Format;

/// What was read of one transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it is written.
    pub format: Format,
    /// How many records were understood, on the live branch and off it.
    pub records: u64,
    /// How many of them are not on the live branch: undone, or of sub-agents.
    pub dead: u64,
    /// How many turns they made.
    pub turns: u64,
    /// How many records were passed over.
    pub skipped: Skipped,
    /// How many records had bytes replaced that no text can hold.
    pub replaced: u64,
    /// How many texts were cut in their middle.
    pub clipped: u64,
    /// The folders the agent worked in, in the order they first appear.
    pub cwds: Vec<String>,
    /// The session, as the harness names it.
    pub session: Option<String>,
    /// The version of the harness that wrote last.
    pub version: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// When the first record was written.
    pub first_at: Option<Time>,
    /// When the last record was written.
    pub last_at: Option<Time>,
    /// How much of it was read.
    pub coverage: Coverage,
    /// Whether it grew while it was read.
    pub is_growing: bool,
}

/// How many records were passed over, by what was wrong with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// The last line, written in part.
    pub torn: u64,
    /// No JSON, or none of this format.
    pub foreign: u64,
    /// NUL bytes, as a crash leaves them.
    pub nul: u64,
    /// Longer than [`super::LINE_MAX`].
    pub too_long: u64,
}

impl Skipped {
    /// How many in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.torn + self.foreign + self.nul + self.too_long
    }
}

/// How much of a transcript was read, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How long it was when reading began; nothing is known of a database.
    pub size: u64,
    /// How much of that was read.
    pub read: u64,
}

impl Coverage {
    /// Whether all of it was read.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.read == self.size
    }
}
