//! The port to transcripts that harnesses keep in databases: they are read as they stand, never written.

use std::path::Path;

use vademecum_core::time::Time;

use crate::error::StoreError;

/// Opens the databases in which harnesses keep transcripts; opencode alone does.
///
/// A file that is no such database is [`StoreError::Foreign`]. Who holds one is waited for, for milliseconds.
pub trait Databases: Send + Sync {
    /// Every session in the database at `path`, the newest first.
    fn sessions(&self, path: &Path) -> Result<Vec<DatabaseSession>, StoreError>;

    /// What a reader of transcripts needs of the session itself, as JSON; none if it is not there.
    fn about(&self, path: &Path, session_id: &str) -> Result<Option<String>, StoreError>;

    /// Tells every part of the session to `each`, in the order they were made.
    fn parts(
        &self,
        path: &Path,
        session_id: &str,
        each: &mut dyn FnMut(DatabasePart<'_>),
    ) -> Result<(), StoreError>;
}

/// One session in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseSession {
    /// Its id, as its harness names it.
    pub id: String,
    /// The folder it was started in.
    pub directory: String,
    /// The session that it is a sub-agent of.
    pub parent: Option<String>,
    /// When it was written last.
    pub modified: Option<Time>,
}

/// One part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabasePart<'a> {
    /// The id of its message.
    pub message_id: &'a str,
    /// The message and the part as JSON; none if either is too long or no text.
    pub json: Option<(&'a str, &'a str)>,
}
