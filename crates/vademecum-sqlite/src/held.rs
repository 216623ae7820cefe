//! A connection with the files that it has open, which need not be those that lie there now.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use vademecum_store::StoreError;

use crate::deadline;
use crate::files::{Files, Marks};

/// What all connections of this process have open.
static OPEN: Mutex<Vec<Marks>> = Mutex::new(Vec::new());

/// A connection, and the files that it was opened on.
#[derive(Debug)]
pub(crate) struct Held {
    /// None once it is closed.
    connection: Option<Connection>,
    files: Arc<Files>,
    marks: Marks,
}

impl Held {
    /// Notes what `connection` has open, which has read already: only then has it opened the log.
    ///
    /// SQLite gives all connections of a process to one database one index of the log. Where an older
    /// one is still in use, a new connection has that, and not the one that lies there.
    pub(crate) fn new(connection: Connection, files: &Arc<Files>) -> Result<Self, StoreError> {
        let marks = files.marks();
        let is_other = |other: &Marks| {
            other.index.is_some() && other.database == marks.database && *other != marks
        };
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that was made since the look is the newer one.
        let is_shared = open.iter().any(|other| is_other(other) && *other != files.marks());
        open.push(marks);
        drop(open);
        let held = Self { connection: Some(connection), marks, files: Arc::clone(files) };
        if is_shared {
            return Err(StoreError::Busy { waited: deadline::waited() });
        }
        Ok(held)
    }

    /// What it has open.
    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }
}

impl Deref for Held {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is closed when it is dropped")
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("it is closed when it is dropped")
    }
}

impl Drop for Held {
    /// The last one to close a database removes the log by its name, which may be another one's now.
    fn drop(&mut self) {
        if self.files.marks() != self.marks {
            // What cannot be set on a connection cannot be closed either, and removes nothing.
            drop(self.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true));
        }
        // Whoever opens meanwhile would take what is being closed for what somebody still uses.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.connection.take());
        if let Some(at) = open.iter().position(|marks| *marks == self.marks) {
            open.swap_remove(at);
        }
    }
}
