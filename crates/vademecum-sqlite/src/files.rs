//! The files of a store: where they lie, who may read them, and the key beside the database.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use crate::error::from_io;

/// Which file a name stood for when it was opened: its device and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

/// Where the files of one store lie.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// The database.
    pub(crate) database: PathBuf,
    /// The lock file at which writers line up.
    pub(crate) gate: PathBuf,
    /// The key of the chain.
    pub(crate) key: PathBuf,
    /// Copies made before each migration.
    pub(crate) backups: PathBuf,
}

impl Files {
    /// The files beside `database`; links in its folder's path are followed once, here.
    pub(crate) fn of(database: &Path) -> Self {
        let folder = database.parent().unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let database =
            database.file_name().map_or_else(|| folder.clone(), |name| folder.join(name));
        Self {
            gate: database.with_extension("lock"),
            key: database.with_extension("key"),
            backups: folder.join("backups"),
            database,
        }
    }

    /// Makes the folder (0700) and an empty database file (0600) where they are absent.
    pub(crate) fn create(&self) -> Result<(), StoreError> {
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

    /// The file that the database's name stands for now; none while there is none.
    pub(crate) fn identity(&self) -> Option<Identity> {
        let meta = self.database.metadata().ok()?;
        Some(Identity(meta.dev(), meta.ino()))
    }

    /// Whether a store was made here; a place that cannot be looked at is an error, not an empty one.
    pub(crate) fn is_made(&self) -> Result<bool, StoreError> {
        match self.database.metadata() {
            Ok(meta) => Ok(0 < meta.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => {
                Err(StoreError::Engine { what: format!("{}: {error}", self.database.display()) })
            }
        }
    }

    /// Whether the database and its folder can be written now.
    pub(crate) fn can_write(&self) -> bool {
        let folder = self.database.parent().unwrap_or(Path::new("."));
        let can_write = |path: &Path| access(path, Access::WRITE_OK).is_ok();
        can_write(folder) && can_write(&self.database)
    }

    /// Reads the key; none if there is no whole key.
    pub(crate) fn read_key(&self) -> Option<Key> {
        let mut key = [0; 32];
        let mut file = File::open(&self.key).ok()?;
        file.read_exact(&mut key).ok()?;
        Some(Key(key))
    }

    /// Makes a new key and puts it on disk before it is used.
    pub(crate) fn make_key(&self) -> Result<Key, StoreError> {
        // A key that lies there and is not whole is no key; the new one takes its place.
        let key = Key(random().map_err(|error| from_io(&error, "make a key"))?);
        let draft = self.key.with_extension("key.new");
        let put = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            let mut file =
                options.create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
            file.write_all(&key.0)?;
            file.sync_all()?;
            fs::rename(&draft, &self.key)?;
            File::open(self.key.parent().unwrap_or(Path::new(".")))?.sync_all()
        };
        put().map_err(|error| from_io(&error, "keep the key"))?;
        Ok(key)
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
