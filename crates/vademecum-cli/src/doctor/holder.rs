//! Who holds the lock at which writers line up.

use std::fs::{self, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use vademecum::files::open_named;

/// The process that writes at this moment, or holds the store up; none if nobody does.
pub(super) fn of(database: &Path) -> Option<String> {
    let file = open_named(&database.with_extension("lock")).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let inode = file.metadata().ok()?.ino();
    Some(process(inode).unwrap_or_else(|| "another process".to_owned()))
}

/// The process behind an exclusive lock, where the kernel lists them.
fn process(inode: u64) -> Option<String> {
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let holder = locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, access) = (words.get(1)?, words.get(3)?);
        let is_it = *kind == "FLOCK"
            && *access == "WRITE"
            && words.get(5)?.rsplit(':').next() == Some(inode.to_string().as_str());
        is_it.then(|| words[4].to_owned())
    })?;
    let name = fs::read_to_string(format!("/proc/{holder}/comm")).unwrap_or_default();
    Some(format!("process {holder} ({})", name.trim()))
}
