//! What the disk tells of a store without opening it: which file it is, how large, how fast the disk keeps things.

use std::fs::File;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::{identity, with_ending};

/// Whether two paths name one store: the same file, or the same place for one that is not made yet.
#[must_use]
pub fn is_same(one: &Path, other: &Path) -> bool {
    let (one, other) = (plain(one), plain(other));
    match (identity(&one), identity(&other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one == other,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// A path without steps back: a folder on the way that is not there yet would be made.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if !path.exists() => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// How many bytes a store takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The database.
    pub database: u64,
    /// Its log: the last writes, until they are in the database.
    pub log: u64,
}

/// How many bytes the store at `path` takes; 0 for what is not there.
#[must_use]
pub fn size(path: &Path) -> Size {
    let bytes = |path: &Path| path.metadata().map_or(0, |meta| meta.len());
    Size { database: bytes(path), log: bytes(&with_ending(path, "-wal")) }
}

/// How long the disk of the store at `path` takes to keep 4 KiB; none where that cannot be tried.
///
/// They go into a file without a name, of which nothing is left.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a stretch of time is measured, no time is told")]
pub fn sync_time(path: &Path) -> Option<Duration> {
    let mut file = tempfile(path.parent()?)?;
    let began = Instant::now();
    file.write_all(&[0; 4096]).ok()?;
    file.sync_all().ok()?;
    Some(began.elapsed())
}

/// A file in a folder that nobody else can name.
#[cfg(target_os = "linux")]
fn tempfile(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;

    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    File::options().write(true).mode(0o600).custom_flags(flags).open(folder).ok()
}

#[cfg(not(target_os = "linux"))]
fn tempfile(_: &Path) -> Option<File> {
    None
}
