//! An open folder and what is read below it.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use crate::error::{FileError, Wanted, or_absent};
use crate::kind::{Kind, Stat};
use crate::walk::{self, Means};

/// A folder that is open: what lies below it is reached from here, and through no link.
///
/// Paths are relative to it and lead down. A link in the path *to* the folder is the person's, and is
/// followed once, when it is opened.
#[derive(Debug)]
pub struct Root {
    pub(crate) folder: OwnedFd,
    pub(crate) path: PathBuf,
    pub(crate) modes: Modes,
    means: Means,
}

/// With which rights files and folders are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modes {
    pub(crate) file: Mode,
    pub(crate) folder: Mode,
}

/// As the person's umask has it: what is made in a work tree is theirs to share.
const SHARED: Modes =
    Modes { file: Mode::from_raw_mode(0o666), folder: Mode::from_raw_mode(0o777) };

/// For nobody else: what is made in a folder of our own.
const PRIVATE: Modes = Modes { file: Mode::RUSR.union(Mode::WUSR), folder: Mode::RWXU };

/// What a folder holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the folder.
    pub name: OsString,
    /// What it is; a link is one, whatever it leads to.
    pub kind: Kind,
}

impl Root {
    /// Opens a folder in which files are made as the umask has it; none where there is none.
    pub fn open(path: &Path) -> Result<Option<Self>, FileError> {
        or_absent(Self::of(path, SHARED))
    }

    /// Opens a folder as [`open`](Self::open) does; an error where there is none.
    pub fn existing(path: &Path) -> Result<Self, FileError> {
        Self::of(path, SHARED)
    }

    /// Opens a folder of our own, in which what is made is for nobody else; none where there is none.
    pub fn open_private(path: &Path) -> Result<Option<Self>, FileError> {
        or_absent(Self::of(path, PRIVATE))
    }

    /// Opens a folder of our own, made with those above it (0700) where it is absent.
    pub fn private(path: &Path) -> Result<Self, FileError> {
        match Self::of(path, PRIVATE) {
            Err(error) if error.is_absent() => {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
                made.map_err(|error| FileError::io("make", path, error))?;
                Self::of(path, PRIVATE)
            }
            opened => opened,
        }
    }

    fn of(path: &Path, modes: Modes) -> Result<Self, FileError> {
        let flags = walk::FOLDER | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(folder) => Ok(Self { folder, path: path.to_owned(), modes, means: Means::Best }),
            Err(Errno::NOTDIR) => match rustix::fs::stat(path) {
                Ok(stat) => Err(FileError::Kind {
                    path: path.to_owned(),
                    found: Stat::of(&stat).kind,
                    wanted: Wanted::Folder,
                }),
                Err(_) => Err(FileError::io("open", path, Errno::NOTDIR)),
            },
            Err(error) => Err(FileError::io("open", path, error)),
        }
    }

    /// Goes each path step by step, as systems must that cannot resolve it in one call.
    #[doc(hidden)]
    #[must_use]
    pub fn by_steps(self) -> Self {
        Self { means: Means::Steps, ..self }
    }

    /// The path that the folder was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder below; none where there is none.
    pub fn below(&self, path: impl AsRef<Path>) -> Result<Option<Self>, FileError> {
        let path = path.as_ref();
        let folder = or_absent(self.open_at(path, walk::FOLDER, Wanted::Folder))?;
        Ok(folder.map(|folder| self.at(folder, path)))
    }

    pub(crate) fn at(&self, folder: OwnedFd, path: &Path) -> Self {
        Self { folder, path: self.path.join(path), modes: self.modes, means: self.means }
    }

    /// What lies at `path`, without opening it; none where nothing does.
    pub fn stat(&self, path: impl AsRef<Path>) -> Result<Option<Stat>, FileError> {
        let path = path.as_ref();
        let Some((folder, name)) = or_absent(self.holder(path))? else { return Ok(None) };
        let found = statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW);
        let found = found.map_err(|error| self.fault("look at", path, Wanted::File, error));
        Ok(or_absent(found)?.map(|found| Stat::of(&found)))
    }

    /// The bytes of a regular file of at most `most`; none where there is none.
    pub fn read(&self, path: impl AsRef<Path>, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        let path = path.as_ref();
        let file = or_absent(self.open_at(path, OFlags::RDONLY, Wanted::File))?;
        file.map(|file| read_whole(file, &self.path.join(path), most)).transpose()
    }

    /// The last `most` bytes of a regular file, however long it is; none where there is none.
    pub fn read_end(
        &self,
        path: impl AsRef<Path>,
        most: u64,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let path = path.as_ref();
        let file = or_absent(self.open_at(path, OFlags::RDONLY, Wanted::File))?;
        let Some(file) = file else { return Ok(None) };
        let path = self.path.join(path);
        let begin = regular(&file, &path)?.size.saturating_sub(most);
        let (mut file, mut bytes) = (File::from(file), Vec::new());
        let read =
            file.seek(SeekFrom::Start(begin)).and_then(|_| file.take(most).read_to_end(&mut bytes));
        read.map_err(|error| FileError::io("read", &path, error))?;
        Ok(Some(bytes))
    }

    /// What the folder holds, in the order of the names.
    pub fn entries(&self) -> Result<Vec<Entry>, FileError> {
        let failed = |error: Errno| FileError::io("list", &self.path, error);
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
            if name == "." || name == ".." {
                continue;
            }
            let kind = match Kind::of(entry.file_type()) {
                // Not every file system says it here.
                Kind::Other => self.stat(&name)?.map(|stat| stat.kind),
                kind => Some(kind),
            };
            entries.extend(kind.map(|kind| Entry { name, kind }));
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Opens what lies below, through no link and without waiting.
    pub(crate) fn open_at(
        &self,
        path: &Path,
        flags: OFlags,
        wanted: Wanted,
    ) -> Result<OwnedFd, FileError> {
        let outside = || FileError::Outside { path: self.path.join(path) };
        walk::names(path).ok_or_else(outside)?;
        let mode = if flags.contains(OFlags::CREATE) { self.modes.file } else { Mode::empty() };
        walk::open(self.means, self.folder.as_fd(), path, flags, mode)
            .map_err(|error| self.fault("open", path, wanted, error))
    }

    /// The open folder that holds `path`, and the name of `path` in it.
    pub(crate) fn holder<'p>(&self, path: &'p Path) -> Result<(Holder<'_>, &'p OsStr), FileError> {
        let outside = || FileError::Outside { path: self.path.join(path) };
        let name = walk::names(path).and_then(|names| names.last().copied()).ok_or_else(outside)?;
        match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => {
                let folder = self.open_at(parent, walk::FOLDER, Wanted::Folder)?;
                Ok((Holder::Below(folder), name))
            }
            None => Ok((Holder::Itself(self.folder.as_fd()), name)),
        }
    }

    /// What went wrong at `path`, as far as one can see what lies there.
    pub(crate) fn fault(
        &self,
        act: &'static str,
        path: &Path,
        wanted: Wanted,
        error: Errno,
    ) -> FileError {
        let is_of_kind = matches!(
            error,
            Errno::LOOP | Errno::NOTDIR | Errno::NXIO | Errno::ISDIR | Errno::MLINK
        );
        let obstacle = if is_of_kind { walk::obstacle(self.folder.as_fd(), path) } else { None };
        match obstacle {
            Some((at, found)) => {
                let wanted = if at == path { wanted } else { Wanted::Folder };
                FileError::Kind { path: self.path.join(at), found, wanted }
            }
            None => FileError::io(act, &self.path.join(path), error),
        }
    }
}

/// The folder that holds a path: the root itself, or one below it.
#[derive(Debug)]
pub(crate) enum Holder<'r> {
    Itself(BorrowedFd<'r>),
    Below(OwnedFd),
}

impl Holder<'_> {
    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Itself(folder) => *folder,
            Self::Below(folder) => folder.as_fd(),
        }
    }

    /// Opens a name in it, through no link.
    pub(crate) fn open(
        &self,
        name: &OsStr,
        flags: OFlags,
        mode: Mode,
    ) -> rustix::io::Result<OwnedFd> {
        openat(self.as_fd(), name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, mode)
    }
}

/// Reads an open file if it is regular and not too long, however much comes while it is read.
pub(crate) fn read_whole(file: OwnedFd, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let stat = regular(&file, path)?;
    let too_long = |size| FileError::Size { path: path.to_owned(), size, most };
    if most < stat.size {
        return Err(too_long(stat.size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size + 1).unwrap_or_default());
    let read = File::from(file).take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error: io::Error| FileError::io("read", path, error))?;
    let size = bytes.len() as u64;
    if most < size { Err(too_long(size)) } else { Ok(bytes) }
}

/// The stat of an open file, which must be a regular one.
pub(crate) fn regular(file: &OwnedFd, path: &Path) -> Result<Stat, FileError> {
    let stat = fstat(file).map_err(|error| FileError::io("look at", path, error))?;
    let stat = Stat::of(&stat);
    match stat.kind {
        Kind::File => Ok(stat),
        found => Err(FileError::Kind { path: path.to_owned(), found, wanted: Wanted::File }),
    }
}
