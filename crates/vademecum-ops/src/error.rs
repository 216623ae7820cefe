//! What an operation answers when it cannot do what was asked.

use serde::Serialize;
use vademecum_core::entry::PartError;
use vademecum_core::error::Kind;
use vademecum_core::frame;
use vademecum_core::intake::IntakeError;
use vademecum_core::note::{ContentError, TagError, Tags};
use vademecum_core::notepad::EditError;
use vademecum_core::plan::PlanNameError;
use vademecum_core::scratchpad::ModeError;
use vademecum_files::FileError;
use vademecum_store::StoreError;

/// A refusal or failure: what was given and what is allowed, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct OpError {
    /// The kind, from which surfaces take their code.
    pub kind: Kind,
    /// What was given and what is allowed: lower case, no full stop.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl OpError {
    /// An error of `kind` that says `message`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The call was wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// What was named does not exist.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(Kind::Missing, message)
    }

    /// The thing has changed since.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// It is not allowed here.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(Kind::Denied, message)
    }

    /// Something is damaged.
    pub fn broken(message: impl Into<String>) -> Self {
        Self::new(Kind::Broken, message)
    }

    /// The same error with advice.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<StoreError> for OpError {
    fn from(error: StoreError) -> Self {
        Self::new(error.kind(), error.to_string()).hint(error.hint())
    }
}

impl From<FileError> for OpError {
    fn from(error: FileError) -> Self {
        let plain = Self::new(error.kind(), error.to_string());
        match error.hint() {
            Some(hint) => plain.hint(hint),
            None => plain,
        }
    }
}

impl From<ContentError> for OpError {
    fn from(error: ContentError) -> Self {
        let plain = Self::usage(error.to_string());
        match error {
            ContentError::Empty => plain.hint("say one decision, cause or relation, and why"),
            ContentError::Long { .. } => plain.hint("shorten it or split it: one idea a note"),
        }
    }
}

impl From<IntakeError> for OpError {
    fn from(error: IntakeError) -> Self {
        Self::new(error.kind(), error.to_string()).hint(error.hint())
    }
}

impl From<TagError> for OpError {
    fn from(error: TagError) -> Self {
        let plain = Self::usage(error.to_string());
        match error {
            TagError::Long { .. } => plain.hint("a tag is a word or two; the rest is content"),
            TagError::Count { given } if Tags::MAX < given => {
                plain.hint("leave some out, or put them into the text")
            }
            TagError::Count { .. } | TagError::Blank { .. } | TagError::Character { .. } => plain,
        }
    }
}

impl From<PlanNameError> for OpError {
    fn from(error: PlanNameError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<PartError> for OpError {
    fn from(error: PartError) -> Self {
        let plain = Self::usage(error.to_string());
        match error {
            PartError::Long { .. } => {
                plain.hint("say what was found and leave long output in a file")
            }
            PartError::Line { .. } => plain.hint("put the rest into the content"),
            PartError::Empty | PartError::Count { .. } | PartError::Tag(_) => plain,
        }
    }
}

/// So many characters of a text that was looked for are quoted.
const SOUGHT: usize = 80;

impl From<EditError> for OpError {
    fn from(error: EditError) -> Self {
        let plain = Self::new(error.kind(), error.to_string());
        match error {
            EditError::Long { .. } => {
                plain.hint("keep the findings and leave long output in a file")
            }
            EditError::Operation { .. }
            | EditError::Content { .. }
            | EditError::Replacement { .. } => plain,
            EditError::NotFound { sought } | EditError::NothingToDelete { sought } => {
                let sought = frame::line(&sought, SOUGHT);
                plain.hint(format!("looked for \"{sought}\"; read_notepad shows what is there"))
            }
        }
    }
}

impl From<ModeError> for OpError {
    fn from(error: ModeError) -> Self {
        Self::new(error.kind(), error.to_string())
    }
}
