//! Who holds the lock at which writers line up.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// The process that writes at this moment, or holds the store up; none if nobody does.
pub(super) fn of(database: &Path) -> Option<String> {
    // A pipe under this name would keep us waiting.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let lock = database.with_extension("lock");
    let file = File::options().read(true).custom_flags(flags).open(lock).ok()?;
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
