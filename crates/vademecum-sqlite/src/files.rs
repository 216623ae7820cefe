//! The files of a store: where they lie, who may read them, and the key beside the database.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{Access, OFlags, access};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use crate::error::from_io;

/// Which file a name stood for when it was opened: its device and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

/// Which files a store's names stood for when it was opened.
///
/// A log or its index that was removed meanwhile is another one for all who open the store later: what is
/// written into the old one reaches nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The database.
    pub(crate) database: Option<Identity>,
    /// Its log.
    pub(crate) log: Option<Identity>,
    /// The index of the log.
    pub(crate) index: Option<Identity>,
}

/// What a write changes, to be seen by who holds no lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// How many bytes lie in the log.
    pub(crate) n_log_bytes: u64,
    /// The database: which file, how long it is, and when it was changed.
    database: Option<(Identity, u64, Option<SystemTime>)>,
}

/// Where the files of one store lie.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// The database.
    pub(crate) database: PathBuf,
    /// The last writes, until they are in the database.
    pub(crate) log: PathBuf,
    /// The index of the log, which all processes share.
    pub(crate) index: PathBuf,
    /// The lock file at which writers line up.
    pub(crate) gate: PathBuf,
    /// The key of the chain.
    pub(crate) key: PathBuf,
    /// Copies made before each migration, repair or restoring, and what a repair could not read.
    pub(crate) backups: PathBuf,
}

/// A larger database is not written anew by a process that ends within a quarter of a second.
///
/// A disk writes a hundred megabytes a second at least: this many take a hook a third of its time.
const QUICK_BYTES: u64 = 8 * 1024 * 1024;

/// How long a key is; none was ever written in part, for it is renamed to its name once it is on disk.
const KEY_BYTES: u64 = 32;

impl Files {
    /// Whether the database is too large to be copied or written anew by a hook.
    pub(crate) fn is_large(&self) -> bool {
        fs::metadata(&self.database).is_ok_and(|meta| QUICK_BYTES < meta.len())
    }

    /// The files beside `database`; links in its folder's path are followed once, here.
    pub(crate) fn of(database: &Path) -> Self {
        let folder = database.parent().unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let database =
            database.file_name().map_or_else(|| folder.clone(), |name| folder.join(name));
        Self {
            log: with_ending(&database, "-wal"),
            index: with_ending(&database, "-shm"),
            gate: database.with_extension("lock"),
            key: database.with_extension("key"),
            backups: folder.join("backups"),
            database,
        }
    }

    /// Makes the folder (0700) and an empty database file (0600) where they are absent.
    pub(crate) fn create(&self) -> Result<(), StoreError> {
        // Beside somebody else's file nothing is begun.
        self.check_key_place()?;
        let folder = self.database.parent().unwrap_or(Path::new("."));
        private_folder(folder).map_err(|error| from_io(&error, "make the folder of the store"))?;
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&self.database)
            .map(drop)
            .map_err(|error| from_io(&error, "make the database file"))
    }

    /// The files that the names stand for now.
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            database: identity(&self.database),
            log: identity(&self.log),
            index: identity(&self.index),
        }
    }

    /// How the files stand now.
    pub(crate) fn state(&self) -> Result<State, StoreError> {
        let meta = self.database.metadata().ok();
        let database =
            meta.map(|meta| (Identity(meta.dev(), meta.ino()), meta.len(), meta.modified().ok()));
        Ok(State { n_log_bytes: self.n_log_bytes()?, database })
    }

    /// How many bytes lie in the log; one that cannot be looked at is no empty one.
    pub(crate) fn n_log_bytes(&self) -> Result<u64, StoreError> {
        match self.log.metadata() {
            Ok(meta) => Ok(meta.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(from_io(&error, "look at the log")),
        }
    }

    /// Makes the folder of the copies where it is absent.
    pub(crate) fn make_backups(&self) -> Result<(), StoreError> {
        private_folder(&self.backups).map_err(|error| from_io(&error, "make the folder of backups"))
    }

    /// A name among the copies that is of this store, and where forgetting finds it.
    pub(crate) fn backup(&self, what: &str) -> PathBuf {
        let mut name = self.stem();
        name.push("-");
        name.push(what);
        self.backups.join(name)
    }

    /// The same with the first number that is free, such as `vade-damaged-1.db`.
    pub(crate) fn free_backup(&self, what: &str, ending: &str) -> PathBuf {
        let mut names = (1..).map(|n: u32| self.backup(&format!("{what}-{n}.{ending}")));
        names.find(|name| !name.exists()).expect("numbers do not end")
    }

    /// The copies of this store, by name.
    pub(crate) fn copies(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut prefix = self.stem();
        prefix.push("-");
        let entries = match fs::read_dir(&self.backups) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(from_io(&error, "list the backups")),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| from_io(&error, "list the backups"))?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) {
                found.push(entry.path());
            }
        }
        found.sort();
        Ok(found)
    }

    fn stem(&self) -> OsString {
        self.database.file_stem().unwrap_or_default().to_owned()
    }

    /// Whether the database and its folder can be written now.
    pub(crate) fn can_write(&self) -> bool {
        let folder = self.database.parent().unwrap_or(Path::new("."));
        let can_write = |path: &Path| access(path, Access::WRITE_OK).is_ok();
        can_write(folder) && can_write(&self.database)
    }

    /// Reads the key; none if there is none, or an empty file.
    ///
    /// One that cannot be read is not lost: to make another one would take the old one away. Nor is a file that is too
    /// short or too long for one: a store may lie where a person named it, beside a file of theirs that is called so.
    pub(crate) fn read_key(&self) -> Result<Option<Key>, StoreError> {
        let file = match open_plain(OpenOptions::new().read(true), &self.key) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::Key { what: error.to_string() }),
        };
        // One byte more tells what is longer.
        let mut bytes = Vec::with_capacity(33);
        let read = file.take(KEY_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| StoreError::Key { what: error.to_string() })?;
        self.check_key(bytes.len() as u64)?;
        Ok(bytes.try_into().ok().map(Key))
    }

    /// Refuses a file in the place of the key that has something in it, and not as much as a key.
    fn check_key(&self, n_bytes: u64) -> Result<(), StoreError> {
        if [0, KEY_BYTES].contains(&n_bytes) {
            return Ok(());
        }
        let name = self.key.file_name().unwrap_or_default().to_string_lossy();
        let more = if KEY_BYTES < n_bytes { "more than" } else { "fewer than" };
        let what = format!("{name} is no key of a store: it has {more} {KEY_BYTES} bytes");
        Err(StoreError::Key { what })
    }

    /// Makes a new key and puts it on disk before it is used.
    pub(crate) fn make_key(&self) -> Result<Key, StoreError> {
        let key = Key(random().map_err(|error| from_io(&error, "make a key"))?);
        self.put_key(&key)?;
        Ok(key)
    }

    /// Refuses to take the place of what lies there if it is somebody else's.
    pub(crate) fn check_key_place(&self) -> Result<(), StoreError> {
        let there = fs::metadata(&self.key).ok().filter(fs::Metadata::is_file);
        there.map_or(Ok(()), |there| self.check_key(there.len()))
    }

    /// Puts a key on disk, in the place of an older one.
    pub(crate) fn put_key(&self, key: &Key) -> Result<(), StoreError> {
        self.check_key_place()?;
        let draft = self.key.with_extension("key.new");
        let put = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            let mut file =
                options.create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
            file.write_all(&key.0)?;
            file.sync_all()?;
            fs::rename(&draft, &self.key)?;
            sync_folder(&self.key)
        };
        put().map_err(|error| from_io(&error, "keep the key"))
    }
}

/// The file that a name stands for now; none while there is none.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let meta = path.metadata().ok()?;
    Some(Identity(meta.dev(), meta.ino()))
}

/// Opens a file of bytes; a pipe or a device under its name is refused, where it would keep us waiting.
pub(crate) fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = options.custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::other(format!("{} is no file of bytes", path.display())))
}

/// A path with an ending behind its whole name.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Puts what was renamed or removed in the folder of `path` on disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Makes an empty file that only its owner may read; one that lies there is refused.
pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)
}

/// Copies a file, if it is there, to a new one that is on disk then.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = match File::open(from) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut copy = new_file(to)?;
    io::copy(&mut file, &mut copy)?;
    copy.sync_all()
}

/// Removes a file that may be gone already.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(from_io(&error, "remove a file of the store"))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes a folder that only its owner may enter, with the folders above it.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    let mut filled = 0;
    while filled < bytes.len() {
        let flags = rustix::rand::GetRandomFlags::empty();
        filled += rustix::rand::getrandom(&mut bytes[filled..], flags)?;
    }
    Ok(bytes)
}
