//! A folder that is held until it is let go: it is locked like a file, and no lock file is left.

use std::fs::{File, TryLockError};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, openat};

use crate::error::FileError;
use crate::root::Root;
use crate::walk::FOLDER;

/// A pause between two tries: short beside a write, long beside a system call.
const PAUSE: Duration = Duration::from_millis(2);

/// Holds a folder until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _folder: File,
}

impl Root {
    /// Locks the folder, waiting for at most `patience` for whoever has it.
    #[expect(
        clippy::disallowed_methods,
        reason = "locks wake nobody; the number of tries is bounded"
    )]
    pub fn lock(&self, patience: Duration) -> Result<Lock, FileError> {
        let failed = |error| FileError::io("lock", &self.path, error);
        // Opened anew: a lock belongs to an opening, and would go with any copy of this one.
        let opened = openat(&self.folder, ".", FOLDER | OFlags::CLOEXEC, Mode::empty());
        let folder = File::from(opened.map_err(|error| failed(error.into()))?);
        let n_pauses = patience.as_millis() / PAUSE.as_millis();
        for _ in 0..n_pauses {
            match folder.try_lock() {
                Ok(()) => return Ok(Lock { _folder: folder }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        match folder.try_lock() {
            Ok(()) => Ok(Lock { _folder: folder }),
            Err(TryLockError::WouldBlock) => Err(FileError::Busy { path: self.path.clone() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}
