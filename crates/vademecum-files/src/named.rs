//! Files that a person or a harness names: links on the way are theirs, devices are not read.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use crate::error::{FileError, Wanted, or_absent};
use crate::kind::Stat;
use crate::root::{read_whole, regular};

/// Opens a regular file to read, without waiting; none where there is none.
pub fn open_named(path: &Path) -> Result<Option<File>, FileError> {
    let Some(file) = or_absent(opened(path))? else { return Ok(None) };
    regular(&file, path)?;
    Ok(Some(file.into()))
}

/// The bytes of a regular file of at most `most`; none where there is none.
pub fn read_named(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    let file = or_absent(opened(path))?;
    file.map(|file| read_whole(file, path, most)).transpose()
}

fn opened(path: &Path) -> Result<OwnedFd, FileError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match open(path, flags, Mode::empty()) {
        // A socket cannot be opened at all: say that it is one.
        Err(Errno::NXIO) => match rustix::fs::stat(path) {
            Ok(stat) => Err(FileError::Kind {
                path: path.to_owned(),
                found: Stat::of(&stat).kind,
                wanted: Wanted::File,
            }),
            Err(_) => Err(FileError::io("open", path, Errno::NXIO)),
        },
        opened => opened.map_err(|error| FileError::io("open", path, error)),
    }
}
