//! The line at which writers of all processes wait: a lock on a file beside the database.
//!
//! SQLite's own waiting is a race among those who poll. The kernel's file lock is a queue, so that
//! nobody starves; a thread waits in it when it is taken, so that the wait can end.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::mpsc;

use vademecum_store::StoreError;

use crate::files::{Files, open_plain, private_folder};
use crate::{deadline, error, ground};

/// The right to write, until dropped.
#[derive(Debug)]
pub(crate) struct Gate {
    _lock: File,
}

/// Waits for the right to write until the deadline of this thread.
pub(crate) fn enter(files: &Files) -> Result<Gate, StoreError> {
    if !files.gate.exists() {
        ground::check_owner(files)?;
    }
    let file = open(files)?;
    match file.try_lock() {
        Ok(()) => return Ok(Gate { _lock: file }),
        Err(std::fs::TryLockError::WouldBlock) => {}
        Err(std::fs::TryLockError::Error(error)) => return Err(error::from_io(&error, "lock")),
    }
    if deadline::left().is_zero() {
        return Err(StoreError::Busy { waited: deadline::waited() });
    }
    wait(file)
}

/// Opens the lock file, made with the folder of the store by its first writer.
fn open(files: &Files) -> Result<File, StoreError> {
    if let Some(folder) = files.gate.parent() {
        private_folder(folder)
            .map_err(|error| error::from_io(&error, "make the folder of the store"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true).mode(0o600);
    open_plain(&mut options, &files.gate)
        .map_err(|error| error::from_io(&error, "open the lock file"))
}

/// Waits in the kernel's queue; a thread that comes too late gives the lock back at once.
fn wait(file: File) -> Result<Gate, StoreError> {
    let (send, receive) = mpsc::sync_channel(0);
    std::thread::spawn(move || {
        let locked = file.lock().map(|()| file);
        // The receiver is gone when the wait has ended: dropping the file frees the lock.
        drop(send.send(locked));
    });
    match receive.recv_timeout(deadline::left()) {
        Ok(Ok(file)) => Ok(Gate { _lock: file }),
        Ok(Err(error)) => Err(error::from_io(&error, "lock")),
        Err(_) => Err(StoreError::Busy { waited: deadline::waited() }),
    }
}
