//! What lies at a place, and by what one knows it again.

use std::fmt;

use rustix::fs::FileType;

/// What lies at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, whatever it leads to.
    Link,
    /// A FIFO, at which a reader would wait.
    Fifo,
    /// A device, which may never end.
    Device,
    /// A socket.
    Socket,
    /// Something that this system alone knows.
    Other,
}

impl Kind {
    pub(crate) fn of(found: FileType) -> Self {
        match found {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Fifo,
            FileType::CharacterDevice | FileType::BlockDevice => Self::Device,
            FileType::Socket => Self::Socket,
            FileType::Unknown => Self::Other,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Fifo => "a FIFO",
            Self::Device => "a device",
            Self::Socket => "a socket",
            Self::Other => "no file",
        })
    }
}

/// By what a file is known not to have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// How long it is, in bytes.
    pub size: u64,
    /// When it was written last, in seconds.
    pub seconds: i64,
    /// What is left of these seconds.
    pub nanoseconds: i64,
    /// Its number on its file system.
    pub inode: u64,
    /// How many names it has.
    pub n_links: u64,
}

impl Stat {
    pub(crate) fn of(found: &rustix::fs::Stat) -> Self {
        Self {
            kind: Kind::of(FileType::from_raw_mode(found.st_mode)),
            size: number(found.st_size),
            seconds: number(found.st_mtime),
            nanoseconds: number(found.st_mtime_nsec),
            inode: number(found.st_ino),
            n_links: number(found.st_nlink),
        }
    }
}

/// Each system has other widths for the same number; none of them is too large.
fn number<T, U: TryFrom<T> + Default>(value: T) -> U {
    U::try_from(value).unwrap_or_default()
}
