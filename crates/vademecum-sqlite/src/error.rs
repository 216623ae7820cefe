//! Turns what SQLite and the operating system report into the errors of the port.

use std::io;

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHORT_READ};
use rusqlite::types::Type;
use vademecum_store::StoreError;

/// What SQLite reported, as an error of the port.
pub(crate) fn from_sqlite(error: &rusqlite::Error) -> StoreError {
    let what = error.to_string();
    let Some(code) = error.sqlite_error_code() else {
        return if is_value(error) {
            StoreError::Corrupt { what: if is_text(error) { NO_TEXT.to_owned() } else { what } }
        } else {
            StoreError::Engine { what }
        };
    };
    // The index of the log is a file of a fixed first size: where it cannot be made, there is no room.
    if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) {
        return StoreError::Full;
    }
    // Codes that SQLite has and this list does not name are failures of the engine.
    match code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            StoreError::Busy { waited: crate::deadline::waited() }
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly,
        ErrorCode::DiskFull => StoreError::Full,
        ErrorCode::NotADatabase => StoreError::Foreign,
        ErrorCode::DatabaseCorrupt => StoreError::Corrupt { what },
        _ => StoreError::Engine { what },
    }
}

/// What is said of a text that is none, whatever byte it is.
const NO_TEXT: &str = "a text in it is no UTF-8";

/// Whether a text is none.
fn is_text(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, why) => why.is::<std::str::Utf8Error>(),
        error => matches!(error, rusqlite::Error::Utf8Error(..)),
    }
}

/// Whether a value is none that a program of ours wrote there.
pub(crate) fn is_value(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
    };
    matches!(
        error,
        FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | InvalidColumnType(..)
            | Utf8Error(..)
    )
}

/// Whether reading failed for what lies outside of the file: nothing is known then of what it holds.
pub(crate) fn is_outside(error: &rusqlite::Error) -> bool {
    // A file that is too short is damaged; its disk is not.
    if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHORT_READ) {
        return false;
    }
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::SystemIoFailure
                | ErrorCode::OutOfMemory
                | ErrorCode::CannotOpen
                | ErrorCode::DiskFull
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
        )
    )
}

/// What the operating system reported, as an error of the port.
pub(crate) fn from_io(error: &io::Error, doing: &str) -> StoreError {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full,
        _ => StoreError::Engine { what: format!("{doing}: {error}") },
    }
}

/// A column whose value cannot have been written by a program of ours.
pub(crate) fn unreadable(
    column: usize,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
}

/// The short way to an error of the port.
pub(crate) trait Port<T> {
    /// The value, or the error as the port names it.
    fn port(self) -> Result<T, StoreError>;
}

impl<T> Port<T> for rusqlite::Result<T> {
    fn port(self) -> Result<T, StoreError> {
        self.map_err(|error| from_sqlite(&error))
    }
}
