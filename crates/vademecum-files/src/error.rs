//! Why a file was not touched: what was found and where, never what is in it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use vademecum_core::error;

use crate::kind::Kind;

/// Why a file was not read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// Something else lies where a file or a folder is expected.
    #[error("{} is {found}, not {wanted}", path.display())]
    Kind {
        /// Where.
        path: PathBuf,
        /// What lies there.
        found: Kind,
        /// What is expected.
        wanted: Wanted,
    },
    /// The file has more than is ever read.
    #[error("{} has {}, at most {} are read", path.display(), Bytes(*size), Bytes(*most))]
    Size {
        /// Where.
        path: PathBuf,
        /// How long it is, as far as that is known.
        size: u64,
        /// How long it may be.
        most: u64,
    },
    /// The file has a second name, under which it may be somebody else's.
    #[error("{} has {n_links} names (hard links), a file that is written to has one", path.display())]
    Names {
        /// Where.
        path: PathBuf,
        /// How many names it has.
        n_links: u64,
    },
    /// There is a file where a new one was to be made.
    #[error("{} is there already", path.display())]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// The path leads out of its folder, or names nothing.
    #[error("{} is not a path below its folder", path.display())]
    Outside {
        /// What was given.
        path: PathBuf,
    },
    /// Another process has the lock.
    #[error("{} is locked by another process", path.display())]
    Busy {
        /// What was to be locked.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {act} {}: {source}", path.display())]
    Io {
        /// What was tried, in one word.
        act: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl FileError {
    /// The kind, from which every surface takes its code.
    #[must_use]
    pub fn kind(&self) -> error::Kind {
        match self {
            Self::Kind { .. } | Self::Size { .. } | Self::Names { .. } | Self::Outside { .. } => {
                error::Kind::Denied
            }
            Self::Exists { .. } => error::Kind::Conflict,
            Self::Busy { .. } => error::Kind::Busy,
            Self::Io { .. } => error::Kind::Broken,
        }
    }

    /// What a person can do about it; nothing where the system's word says all.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Kind { wanted: Wanted::File, .. } => {
                Some("look at what made it, then remove it or put a regular file there")
            }
            Self::Kind { wanted: Wanted::Folder, .. } => {
                Some("look at what made it, then remove it or put a folder there")
            }
            Self::Size { .. } => Some("shorten it or move it away"),
            Self::Names { .. } => Some("put a copy in its place, which has one name"),
            Self::Busy { .. } => Some("try again when the other process is done"),
            Self::Exists { .. } | Self::Outside { .. } | Self::Io { .. } => None,
        }
    }

    pub(crate) fn io(act: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { act, path: path.to_owned(), source: source.into() }
    }

    /// Whether there is nothing at the place.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// For whoever names the file itself: the system's own word alone, else what was refused.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        let kind = match error {
            FileError::Io { source, .. } => return source,
            FileError::Exists { .. } => io::ErrorKind::AlreadyExists,
            FileError::Busy { .. } => io::ErrorKind::WouldBlock,
            FileError::Kind { .. }
            | FileError::Size { .. }
            | FileError::Names { .. }
            | FileError::Outside { .. } => io::ErrorKind::InvalidInput,
        };
        Self::new(kind, error)
    }
}

/// What is expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
        })
    }
}

/// A length as people say it.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(n) = self;
        match n {
            0..=9_999 => write!(f, "{n} bytes"),
            10_000..=9_999_999 => write!(f, "{} KiB", n >> 10),
            10_000_000..=9_999_999_999 => write!(f, "{} MiB", n >> 20),
            _ => write!(f, "{} GiB", n >> 30),
        }
    }
}

/// Nothing where there is no such file.
pub(crate) fn or_absent<T>(found: Result<T, FileError>) -> Result<Option<T>, FileError> {
    match found {
        Err(error) if error.is_absent() => Ok(None),
        found => found.map(Some),
    }
}
