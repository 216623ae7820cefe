//! What the server or the way to it reports, as errors of the port. No message holds a password.

use std::error::Error as _;
use std::fmt::Display;
use std::time::Duration;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;
use vademecum_store::StoreError;

/// What the driver says where the server asks for a password and there is none.
const NO_PASSWORD: &str = "password missing";

/// What went wrong between this program and the server.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The connection is gone or was never there: the call may be made again on another one.
    Lost(StoreError),
    /// There is no schema of this name: nothing was ever written.
    NoSchema,
    /// Anything else, which a repeat does not mend.
    Told(StoreError),
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Lost(error) | Fault::Told(error) => error,
            Fault::NoSchema => failed(&"there is no store in this database"),
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

/// What the server at `place` reported of a statement; `waited` is how long it was given for a lock.
pub(crate) fn of(error: &Error, place: &str, waited: Duration) -> Fault {
    let lost = |what| Fault::Lost(StoreError::Unreachable { place: place.to_owned(), what });
    let Some(state) = error.code() else { return lost(said(error)) };
    let told = |error| Fault::Told(error);
    match state {
        &SqlState::UNDEFINED_TABLE
        | &SqlState::UNDEFINED_FUNCTION
        | &SqlState::INVALID_SCHEMA_NAME => Fault::NoSchema,
        &SqlState::LOCK_NOT_AVAILABLE
        | &SqlState::QUERY_CANCELED
        | &SqlState::T_R_SERIALIZATION_FAILURE
        | &SqlState::T_R_DEADLOCK_DETECTED => told(StoreError::Busy { waited }),
        &SqlState::INSUFFICIENT_PRIVILEGE if is_of_rows(error) => told(StoreError::Uninvited),
        &SqlState::READ_ONLY_SQL_TRANSACTION | &SqlState::INSUFFICIENT_PRIVILEGE => {
            told(StoreError::ReadOnly)
        }
        &SqlState::UNIQUE_VIOLATION if is_of_projects(error) => told(failed(
            &"somebody else has a project of this id here: ask who made it for an invitation",
        )),
        &SqlState::DISK_FULL => told(StoreError::Full),
        &SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED => told(corrupt(&said(error))),
        &SqlState::ADMIN_SHUTDOWN
        | &SqlState::CRASH_SHUTDOWN
        | &SqlState::CANNOT_CONNECT_NOW
        | &SqlState::TOO_MANY_CONNECTIONS => lost(said(error)),
        // A pooler whose server is gone says so in this class, and ends the connection.
        state if state.code().starts_with("08") => lost(said(error)),
        _ => told(failed(&said(error))),
    }
}

/// Whether the role may write to the table, and not this row.
fn is_of_rows(error: &Error) -> bool {
    // A message in another language has no other mark: then it is read-only, which is true too.
    error.as_db_error().is_some_and(|told| told.routine() == Some("ExecWithCheckOptions"))
}

/// Whether a project that is not seen has the id already: the same one was copied here by another person.
fn is_of_projects(error: &Error) -> bool {
    error.as_db_error().and_then(|told| told.constraint()) == Some("project_uid_key")
}

/// Whether nothing of what was sent was acknowledged for as long as the system waits.
pub(crate) fn is_timed_out(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|error| error.kind() == std::io::ErrorKind::TimedOut)
}

/// What was reported of a try to connect to `place`; `unread` is why no password was found, where that is known.
pub(crate) fn of_connecting(error: &Error, place: &str, unread: Option<String>) -> Fault {
    let (place, what) = (place.to_owned(), said(error));
    if what == NO_PASSWORD {
        let what = unread.map_or(what, |why| format!("{NO_PASSWORD}: {why}"));
        return Fault::Told(StoreError::Closed { place, what });
    }
    // What a server answers to a name or a password, it answers again.
    let is_for_good = |state: &SqlState| {
        [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ]
        .contains(state)
    };
    if error.code().is_some_and(is_for_good) {
        Fault::Told(StoreError::Closed { place, what })
    } else {
        Fault::Lost(StoreError::Unreachable { place, what })
    }
}

/// An error in the words of the server, or of the system where the server said nothing.
fn said(error: &Error) -> String {
    if let Some(told) = error.as_db_error() {
        return format!("{} ({})", told.message(), told.code().code());
    }
    match error.source() {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

pub(crate) fn failed(what: &dyn Display) -> StoreError {
    StoreError::Engine { what: what.to_string() }
}

pub(crate) fn corrupt(what: &dyn Display) -> StoreError {
    StoreError::Corrupt { what: what.to_string() }
}

/// Says what a change or a write needs and nobody knows.
pub(crate) fn missing(what: &dyn Display) -> StoreError {
    failed(&format!("there is no {what} to write to"))
}

/// Says what is there already and can be there only once.
pub(crate) fn doubled(what: &dyn Display) -> StoreError {
    failed(&format!("there is a {what} already"))
}
