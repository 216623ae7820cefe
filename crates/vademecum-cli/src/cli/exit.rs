//! How a command ends: one table from the kind of a failure to the exit code.

use vademecum::core::error::Kind;
use vademecum::ops::{OpError, Reply};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was refused, or something that vade knows about went wrong.
    Op(OpError),
    /// Something went wrong around it: a stream, an editor, a file.
    Unexpected(anyhow::Error),
    /// It was done and answered, and what it found is bad.
    Found(Reply),
    /// It was done and answered, and what it compared differs.
    Differs(Reply),
}

impl From<OpError> for Failure {
    fn from(error: OpError) -> Self {
        Self::Op(error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Unexpected(error)
    }
}

impl Failure {
    /// The exit code: 0 is success, 1 is what nobody foresaw, and what two that are compared differ in.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Op(error) => code(error.kind),
            Self::Unexpected(_) | Self::Differs(_) => 1,
            Self::Found(_) => code(Kind::Broken),
        }
    }
}

/// The exit code of each kind.
fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Usage => 2,
        Kind::Missing => 3,
        Kind::Conflict => 4,
        Kind::Busy => 5,
        Kind::Denied => 6,
        Kind::Broken => 7,
    }
}
