//! The way from an open folder to what lies below it, on which no link is followed.
//!
//! Linux resolves a path in one call and refuses every link on it. Elsewhere, and where that call is
//! unknown or filtered, each folder is opened from the one before: the same answer, one call a step.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::io::{Errno, Result};

use crate::kind::Kind;

/// How a path of several parts is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// In one call where the system has it, else by steps.
    Best,
    /// Each folder from the one before.
    Steps,
}

/// What is given with every opening: never through a link, never waiting, never inherited.
const ALWAYS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// How a folder is opened.
pub(crate) const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// The names that `path` is made of, if each leads down.
pub(crate) fn names(path: &Path) -> Option<Vec<&OsStr>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => return None,
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Opens what lies at `path` below `root`; `path` has been looked at by [`names`].
pub(crate) fn open(
    means: Means,
    root: BorrowedFd<'_>,
    path: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd> {
    // One name has nothing on the way to it.
    let is_short = path.components().nth(1).is_none();
    match means {
        Means::Best if !is_short => match at_once(root, path, flags | ALWAYS, mode) {
            // Older kernels do not know the call; some filters say that it is not permitted.
            Err(Errno::NOSYS | Errno::PERM) => by_steps(root, path, flags | ALWAYS, mode),
            opened => opened,
        },
        Means::Best | Means::Steps => by_steps(root, path, flags | ALWAYS, mode),
    }
}

#[cfg(target_os = "linux")]
fn at_once(root: BorrowedFd<'_>, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};

    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    openat2(root, path, flags, mode, resolve)
}

#[cfg(not(target_os = "linux"))]
fn at_once(_: BorrowedFd<'_>, _: &Path, _: OFlags, _: Mode) -> Result<OwnedFd> {
    Err(Errno::NOSYS)
}

fn by_steps(root: BorrowedFd<'_>, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let mut folder: Option<OwnedFd> = None;
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let at = folder.as_ref().map_or(root, AsFd::as_fd);
        if parts.peek().is_none() {
            return openat(at, part.as_os_str(), flags, mode);
        }
        folder = Some(openat(at, part.as_os_str(), FOLDER | ALWAYS, Mode::empty())?);
    }
    Err(Errno::NOENT)
}

/// The first thing on the way that is no folder, or what the way ends at; none if it is gone.
pub(crate) fn obstacle(root: BorrowedFd<'_>, path: &Path) -> Option<(PathBuf, Kind)> {
    let mut folder: Option<OwnedFd> = None;
    let mut seen = PathBuf::new();
    for part in path.components() {
        let at = folder.as_ref().map_or(root, AsFd::as_fd);
        seen.push(part);
        let stat = statat(at, part.as_os_str(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let kind = Kind::of(FileType::from_raw_mode(stat.st_mode));
        if kind != Kind::Folder || seen == path {
            return Some((seen, kind));
        }
        folder = Some(openat(at, part.as_os_str(), FOLDER | ALWAYS, Mode::empty()).ok()?);
    }
    None
}
