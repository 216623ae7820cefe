//! Who holds the lock at which writers line up, and who has the store open.

use std::fs::{self, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use vademecum::files::open_named;

/// The process that writes at this moment, or holds the store up; none if nobody does.
pub(crate) fn of(database: &Path) -> Option<String> {
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

/// The other processes that have the database open, by number and name; none where nothing tells.
///
/// Of processes of another person nothing is told.
pub(crate) fn openers(database: &Path) -> Option<Vec<(u32, String)>> {
    let wanted = database.metadata().ok().map(|meta| (meta.dev(), meta.ino()))?;
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").ok()?.flatten() {
        let name = process.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(open) = fs::read_dir(process.path().join("fd")) else { continue };
        // What a link of /proc leads to is the open file itself, whatever its name is now.
        let is_it =
            |file: &Path| file.metadata().is_ok_and(|meta| (meta.dev(), meta.ino()) == wanted);
        if pid != std::process::id() && open.flatten().any(|file| is_it(&file.path())) {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            found.push((pid, name.trim().to_owned()));
        }
    }
    found.sort_unstable();
    Some(found)
}
