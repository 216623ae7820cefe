//! Claude Code's transcripts: what is read of them, by line and leniently, and never written.

mod branch;
pub mod contexts;
pub(crate) mod received;
pub(crate) mod turns;
pub mod usage;

use std::path::PathBuf;

use vademecum_core::error::Kind;

/// A transcript that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the transcript {}", path.display())]
pub struct TranscriptError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

impl TranscriptError {
    /// The kind of the failure: a transcript that does not exist yet is nothing unusual.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.source.kind() {
            std::io::ErrorKind::NotFound => Kind::Missing,
            _ => Kind::Broken,
        }
    }
}
