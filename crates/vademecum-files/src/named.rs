//! Files at a path that a person or a harness names: links on the way are theirs, devices are not read.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, lstat, open, stat};
use rustix::io::Errno;

use crate::error::{FileError, Wanted, or_absent};
use crate::kind::{Kind, Stat};
use crate::root::{read_whole, regular};

/// Opens a regular file to read, without waiting.
pub fn open_named(path: &Path) -> Result<File, FileError> {
    let file = opened(path, OFlags::empty())?;
    regular(&file, path)?;
    Ok(file.into())
}

/// The bytes of a regular file of at most `most`; none where there is none.
pub fn read_named(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    let file = or_absent(opened(path, OFlags::empty()))?;
    file.map(|file| read_whole(file, path, most)).transpose()
}

/// The same of the file `name` directly in `folder`, which must itself be no link.
///
/// In one call where a [`Root`](crate::Root) takes three: for what every hook looks for.
pub fn read_in(folder: &Path, name: &str, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    let path = folder.join(name);
    let file = or_absent(opened(&path, OFlags::NOFOLLOW))?;
    file.map(|file| read_whole(file, &path, most)).transpose()
}

/// What lies at `path`, a link itself and not what it leads to; none where nothing can be seen.
#[must_use]
pub fn kind_at(path: &Path) -> Option<Kind> {
    lstat(path).ok().map(|found| Stat::of(&found).kind)
}

/// The stat of the regular file that `path` leads to; none of anything else.
#[must_use]
pub fn stat_named(path: &Path) -> Option<Stat> {
    let found = stat(path).ok().map(|found| Stat::of(&found));
    found.filter(|found| found.kind == Kind::File)
}

/// The path without a link in it; none where nothing is there.
#[must_use]
pub fn resolve(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

fn opened(path: &Path, more: OFlags) -> Result<OwnedFd, FileError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | more;
    open(path, flags, Mode::empty()).map_err(|error| {
        let refuses_links = more.contains(OFlags::NOFOLLOW);
        let found = match error {
            // A socket cannot be opened at all: say that it is one.
            Errno::NXIO => stat(path).ok(),
            Errno::LOOP | Errno::MLINK if refuses_links => lstat(path).ok(),
            _ => None,
        };
        match found.map(|found| Stat::of(&found).kind) {
            None | Some(Kind::File) => FileError::io("open", path, error),
            Some(found) => FileError::Kind { path: path.to_owned(), found, wanted: Wanted::File },
        }
    })
}
