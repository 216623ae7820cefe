//! The shapes of records that the world sees; the domain's own types stay inside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::Note;
use vademecum_core::session::Session;

/// A note as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteShape {
    /// Its id.
    pub id: String,
    /// The text.
    pub content: String,
    /// What it is about.
    pub tags: Vec<String>,
    /// When it was added (RFC 3339).
    pub created_at: String,
    /// When its content or tags last changed (RFC 3339).
    pub updated_at: String,
    /// Whether it is crossed out.
    pub scratched: bool,
}

impl NoteShape {
    /// The shape of `note`.
    #[must_use]
    pub fn of(note: &Note) -> Self {
        Self {
            id: note.id.to_string(),
            content: note.content.as_str().to_owned(),
            tags: note.tags.as_slice().to_vec(),
            created_at: note.created_at.to_rfc3339(),
            updated_at: note.updated_at.to_rfc3339(),
            scratched: note.is_scratched(),
        }
    }

    /// The note in full, as a model reads it: id, tags, text.
    #[must_use]
    pub fn line(&self) -> String {
        let scratched = if self.scratched { " (scratched)" } else { "" };
        format!("{}{scratched} [{}] {}", self.id, self.tags.join(", "), self.content)
    }
}

/// What a change of a note answers: the note, and where the session's notes stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// The note as it is now.
    #[serde(flatten)]
    pub note: NoteShape,
    /// What was done.
    pub done: String,
    /// The session whose note it is; no other session sees it.
    pub session: String,
    /// How many open notes the session has now.
    pub open: u64,
}

impl Kept {
    /// The answer to something done to a note of `session`.
    #[must_use]
    pub fn new(done: &str, session: &Session, note: NoteShape, open: u64) -> Self {
        Self { note, done: done.to_owned(), session: session.handle(), open }
    }

    /// The reply as a model reads it.
    #[must_use]
    pub fn say(&self) -> String {
        format!(
            "{} {} (this session only; {} open; back after compaction)",
            self.done, self.note.id, self.open
        )
    }
}
