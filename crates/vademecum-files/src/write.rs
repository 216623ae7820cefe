//! What is written below an open folder: appended, made anew, put in the place of another, removed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, OFlags, mkdirat, renameat, unlinkat};
use rustix::io::Errno;

use crate::draft::draft_name;
use crate::error::{FileError, Wanted};
use crate::kind::Kind;
use crate::root::{Holder, Root, regular};
use crate::walk;

/// How a file is made that must not be there.
const NEW: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL);

impl Root {
    /// Appends in one write to a file with one name, made where there is none.
    pub fn append(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
        self.appended(path.as_ref(), bytes).map(drop)
    }

    /// Appends as `append` does, and returns when the bytes, and a new file's name, are on disk.
    pub fn append_synced(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
        let path = path.as_ref();
        let (file, size) = self.appended(path, bytes)?;
        file.sync_data().map_err(|error| self.io("sync", path, error))?;
        if size == 0 { self.sync_holder(path) } else { Ok(()) }
    }

    /// The file that was appended to, and how long it was before.
    fn appended(&self, path: &Path, bytes: &[u8]) -> Result<(File, u64), FileError> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
        let file = self.open_at(path, flags, Wanted::File)?;
        let stat = regular(&file, &self.path.join(path))?;
        if stat.n_links != 1 {
            return Err(FileError::Names { path: self.path.join(path), n_links: stat.n_links });
        }
        let mut file = File::from(file);
        file.write_all(bytes).map_err(|error| self.io("write", path, error))?;
        Ok((file, stat.size))
    }

    /// Makes a file that is not there yet.
    pub fn create_new(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
        let path = path.as_ref();
        let (holder, name) = self.holder(path)?;
        let file = self.made(&holder, name, path)?;
        File::from(file).write_all(bytes).map_err(|error| self.io("write", path, error))
    }

    /// Puts `bytes` in the place of a file; a reader sees the old ones or the new ones.
    ///
    /// What lies there and is no file stays, and is an error.
    pub fn replace(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
        let path = path.as_ref();
        if let Some(found) = self.stat(path)?.map(|stat| stat.kind)
            && found != Kind::File
        {
            let path = self.path.join(path);
            return Err(FileError::Kind { path, found, wanted: Wanted::File });
        }
        let (holder, name) = self.holder(path)?;
        let draft = draft_name(name).map_err(|error| self.io("name", path, error))?;
        let file = self.made(&holder, &draft, path)?;
        let written = File::from(file).write_all(bytes);
        let moved = written.and_then(|()| {
            let at = holder.as_fd();
            renameat(at, &draft, at, name).map_err(io::Error::from)
        });
        moved.map_err(|error| {
            // The first error counts: a draft that stays is found by its name.
            drop(unlinkat(holder.as_fd(), &draft, AtFlags::empty()).map_err(io::Error::from));
            self.io("write", path, error)
        })
    }

    fn made(&self, holder: &Holder<'_>, name: &OsStr, path: &Path) -> Result<OwnedFd, FileError> {
        holder.open(name, NEW, self.modes.file).map_err(|error| match error {
            Errno::EXIST => FileError::Exists { path: self.path.join(path) },
            error => self.io("make", path, error),
        })
    }

    /// Gives a file another name in the same root; what has that name already goes.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), FileError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        let (old, from_name) = self.holder(from)?;
        let (new, to_name) = self.holder(to)?;
        renameat(old.as_fd(), from_name, new.as_fd(), to_name)
            .map_err(|error| self.io("rename", from, error))
    }

    /// Removes a file, or a link itself; what is gone already is as good as removed.
    pub fn remove_file(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        self.remove(path.as_ref(), AtFlags::empty())
    }

    /// Removes a folder if it is empty, else leaves it.
    pub fn remove_empty_folder(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        self.remove(path.as_ref(), AtFlags::REMOVEDIR)
    }

    fn remove(&self, path: &Path, flags: AtFlags) -> Result<(), FileError> {
        let (holder, name) = match self.holder(path) {
            Err(error) if error.is_absent() => return Ok(()),
            found => found?,
        };
        match unlinkat(holder.as_fd(), name, flags) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
            Err(error) => Err(self.io("remove", path, error)),
        }
    }

    /// Removes a folder with all it holds; links in it go, what they lead to stays.
    pub fn remove_folder(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        let Some(folder) = self.below(path)? else { return Ok(()) };
        for entry in folder.entries()? {
            match entry.kind {
                Kind::Folder => folder.remove_folder(&entry.name)?,
                Kind::File
                | Kind::Link
                | Kind::Fifo
                | Kind::Device
                | Kind::Socket
                | Kind::Other => folder.remove_file(&entry.name)?,
            }
        }
        self.remove_empty_folder(path)
    }

    /// Opens a folder below, made with those above it where it is absent.
    pub fn make_folder(&self, path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let outside = || FileError::Outside { path: self.path.join(path) };
        let names = walk::names(path).ok_or_else(outside)?;
        if let Some(folder) = self.below(path)? {
            return Ok(folder);
        }
        let mut way = std::path::PathBuf::new();
        for name in names {
            way.push(name);
            let (holder, name) = self.holder(&way)?;
            match mkdirat(holder.as_fd(), name, self.modes.folder) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(self.io("make", &way, error)),
            }
        }
        Ok(self.at(self.open_at(path, walk::FOLDER, Wanted::Folder)?, path))
    }

    /// Returns when the names in the folder are on disk.
    pub fn sync(&self) -> Result<(), FileError> {
        synced(self.folder.as_fd()).map_err(|error| FileError::io("sync", &self.path, error))
    }

    fn sync_holder(&self, path: &Path) -> Result<(), FileError> {
        let (holder, _) = self.holder(path)?;
        synced(holder.as_fd()).map_err(|error| self.io("sync", path, error))
    }

    fn io(&self, act: &'static str, path: &Path, error: impl Into<io::Error>) -> FileError {
        FileError::io(act, &self.path.join(path), error)
    }
}

/// Syncs by the C library, where a test that cuts the power sees each sync.
fn synced(folder: BorrowedFd<'_>) -> io::Result<()> {
    File::from(folder.try_clone_to_owned()?).sync_all()
}
