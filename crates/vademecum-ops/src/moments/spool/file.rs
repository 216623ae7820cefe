//! The files of the spool: named by time and session, locked by whoever works on one.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The folder of the spool in the data folder.
const FOLDER: &str = "spool";

/// More than the events that one file holds ever take.
const MAX_BYTES: u64 = 16 << 20;

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// It is appended to.
    Open,
    /// Somebody takes it in, or died over it.
    Taken,
    /// It holds lines that could not be read.
    Aside,
}

impl State {
    const ALL: [Self; 3] = [Self::Open, Self::Taken, Self::Aside];

    fn ending(self) -> &'static str {
        match self {
            Self::Open => "jsonl",
            Self::Taken => "taken",
            Self::Aside => "aside",
        }
    }
}

/// The name of a file, by which files sort as they were begun.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::moments) struct Name {
    /// When it was begun, in milliseconds; rises within a session whatever the clock does.
    pub(super) at: u64,
    /// Whose events it holds.
    pub(super) session: String,
    /// What becomes of it.
    pub(super) state: State,
}

impl Name {
    pub(super) fn open(at: u64, session: &str) -> Self {
        Self { at, session: session.to_owned(), state: State::Open }
    }

    fn parse(text: &str) -> Option<Self> {
        let (stem, ending) = text.split_once('.')?;
        let (at, session) = stem.split_once('-')?;
        let state = State::ALL.into_iter().find(|state| state.ending() == ending)?;
        Some(Self { at: at.parse().ok()?, session: session.to_owned(), state })
    }

    fn with(&self, state: State) -> Self {
        Self { state, ..self.clone() }
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016}-{}.{}", self.at, self.session, self.state.ending())
    }
}

/// The folder of the spool.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

/// What became of an attempt to lock a file.
pub(super) enum Lock<T> {
    /// It is not there any more.
    Gone,
    /// Somebody else holds it.
    Held,
    /// It is locked.
    Had(T),
}

impl Folder {
    pub(super) fn of(data: &Path) -> Self {
        Self(data.join(FOLDER))
    }

    /// Whether there is no folder, as long as nothing ever waited: one look, which each start pays for.
    pub(super) fn is_absent(data: &Path) -> bool {
        !Self::of(data).0.is_dir()
    }

    /// The folder, made where it is absent and kept on disk.
    pub(super) fn make(data: &Path) -> io::Result<Self> {
        let folder = Self::of(data);
        if !folder.0.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder.0)?;
            File::open(data)?.sync_all()?;
        }
        Ok(folder)
    }

    /// The names of all files, in no order; what is named otherwise, or no file, is none of ours.
    pub(super) fn names(&self) -> io::Result<Vec<Name>> {
        let files = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let name = |file: fs::DirEntry| {
            // A link or a pipe would hold up every hook and command, and more than a few events are none of ours.
            let meta = file.metadata().ok()?;
            let is_ours = meta.is_file() && meta.len() <= MAX_BYTES;
            is_ours.then(|| Name::parse(file.file_name().to_str()?)).flatten()
        };
        Ok(files.filter_map(|file| name(file.ok()?)).collect())
    }

    fn path(&self, name: &Name) -> PathBuf {
        self.0.join(name.to_string())
    }

    /// All bytes of a file; none where it is gone.
    pub(super) fn read(&self, name: &Name) -> io::Result<Vec<u8>> {
        fs::read(self.path(name))
    }

    /// Appends a line to an open file of less than `most` lines; whether it did.
    pub(super) fn append(&self, name: &Name, line: &[u8], most: usize) -> io::Result<bool> {
        let Lock::Had(mut file) = self.lock(name)? else { return Ok(false) };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if most <= bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count() {
            return Ok(false);
        }
        // A line that a crash tore must not take this one along.
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n")?;
        }
        file.write_all(line)?;
        file.sync_data()?;
        Ok(true)
    }

    /// Makes a file of one line; false where there is one of this name, or the folder went meanwhile.
    pub(super) fn create(&self, name: &Name, line: &[u8]) -> io::Result<bool> {
        let made =
            OpenOptions::new().create_new(true).write(true).mode(0o600).open(self.path(name));
        match made {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
                ) =>
            {
                return Ok(false);
            }
            made => made.map(drop)?,
        }
        // Who takes it before there is a line in it takes nothing, and the line goes to another one.
        Ok(self.append(name, line, 1)? && self.sync().map(|()| true)?)
    }

    /// Closes a file by a name that nobody appends to, and gives it to the caller alone.
    pub(super) fn take(&self, name: &Name) -> io::Result<Lock<Taken>> {
        let mut file = match self.lock(name)? {
            Lock::Gone => return Ok(Lock::Gone),
            Lock::Held => return Ok(Lock::Held),
            Lock::Had(file) => file,
        };
        let taken = name.with(State::Taken);
        let was_open = name.state != State::Taken;
        if was_open {
            fs::rename(self.path(name), self.path(&taken))?;
            // Came the old name back after a power cut, later events would make another write of it.
            self.sync()?;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Lock::Had(Taken { folder: self.clone(), name: taken, was_open, _lock: file, bytes }))
    }

    /// Opens a file and locks it, without waiting.
    fn lock(&self, name: &Name) -> io::Result<Lock<File>> {
        let path = self.path(name);
        let file = match OpenOptions::new().read(true).append(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Lock::Gone),
            file => file?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Lock::Held),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Between the two it may have been taken in, and the name may stand for another one.
        let id = |meta: fs::Metadata| (meta.dev(), meta.ino());
        let (there, mine) = (fs::metadata(&path).map(id), file.metadata().map(id)?);
        Ok(if there.is_ok_and(|there| there == mine) { Lock::Had(file) } else { Lock::Gone })
    }

    /// Whether a file has this name still: who takes it gives it another.
    pub(super) fn has(&self, name: &Name) -> bool {
        self.path(name).exists()
    }

    /// Writes a file anew in place, or removes it where nothing is left; whether it had to.
    ///
    /// Waits for whoever holds it.
    pub(super) fn rewrite(
        &self,
        name: &Name,
        change: impl Fn(&[u8]) -> Vec<u8>,
    ) -> io::Result<bool> {
        let path = self.path(name);
        let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file?,
        };
        file.lock()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let kept = change(&bytes);
        if kept.len() == bytes.len() {
            return Ok(false);
        }
        // The old bytes are written over before the file is cut to its new length.
        let padded = [kept.as_slice(), &vec![b'\n'; bytes.len() - kept.len()]].concat();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&padded)?;
        file.sync_data()?;
        file.set_len(kept.len() as u64)?;
        if kept.is_empty() {
            absent_or(fs::remove_file(path))?;
            self.leave();
        }
        Ok(true)
    }

    /// Removes the folder behind the last file; where others wait in it, or begin to, it stays.
    fn leave(&self) {
        drop(fs::remove_dir(&self.0));
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.0)?.sync_all()
    }
}

/// A file that is ours until this is dropped.
pub(super) struct Taken {
    folder: Folder,
    name: Name,
    /// Whether it was appended to until it was taken: else somebody took it before, and may have taken it in.
    was_open: bool,
    _lock: File,
    bytes: Vec<u8>,
}

impl Taken {
    /// What it holds.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes the file, and the folder where it was the last one.
    pub(super) fn remove(self) -> io::Result<()> {
        absent_or(fs::remove_file(self.folder.path(&self.name)))?;
        self.folder.leave();
        Ok(())
    }

    /// Keeps all of it, or what is given of it, under the name of what could not be read.
    pub(super) fn set_aside(self, part: Option<&[u8]>) -> io::Result<()> {
        let aside = self.folder.path(&self.name.with(State::Aside));
        let Some(part) = part else {
            return fs::rename(self.folder.path(&self.name), aside);
        };
        // Cut short by a crash it is written again: until then the whole lies beside it.
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(true).write(true).mode(0o600).open(aside)?;
        file.write_all(part)?;
        file.sync_data()?;
        self.folder.sync()?;
        self.remove()
    }

    /// Gives the file back as it was, so that later events are appended to it: but one whose events may be in the store
    /// already, for with others they would be another write.
    pub(super) fn reopen(self) -> io::Result<()> {
        if !self.was_open {
            return Ok(());
        }
        let open = self.folder.path(&self.name.with(State::Open));
        fs::rename(self.folder.path(&self.name), open)
    }
}

/// What is gone already is as good as removed.
fn absent_or(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that was taken before is never appended to again: with other events it would be another write.
    #[test]
    fn a_file_is_given_back_as_it_was_found() {
        let data = tempfile::tempdir().expect("a folder");
        let folder = Folder::make(data.path()).expect("a spool");
        let open = Name::open(1, "a");
        let had = |lock| match lock {
            Lock::Had(had) => had,
            Lock::Gone | Lock::Held => panic!("not to be had"),
        };
        assert!(folder.create(&open, b"one\n").expect("a file"));
        had(folder.take(&open).expect("a look")).reopen().expect("given back");
        assert_eq!(folder.names().expect("names"), std::slice::from_ref(&open));
        drop(had(folder.take(&open).expect("a look")));
        let taken = open.with(State::Taken);
        had(folder.take(&taken).expect("a look")).reopen().expect("given back");
        assert_eq!(folder.names().expect("names"), [taken]);
    }
}
