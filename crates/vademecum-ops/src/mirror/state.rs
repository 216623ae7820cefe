//! What is known of the files of one work tree, so that a file that did not change costs one stat.
//!
//! It lies in the data folder and is no promise: without it every file is read once more.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum_core::hash::{Key, hex, keyed};
use vademecum_core::id::EntryId;
use vademecum_core::project::ProjectKey;

/// The folder of all states, in the data folder.
const FOLDER: &str = "mirrors";

/// By what a file is known not to have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stat {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
    inode: u64,
}

impl Stat {
    /// The stat of a file; none where there is none.
    pub(super) fn of(path: &Path) -> io::Result<Option<Self>> {
        match path.metadata() {
            Ok(meta) => Ok(Some(Self {
                size: meta.size(),
                seconds: meta.mtime(),
                nanoseconds: meta.mtime_nsec(),
                inode: meta.ino(),
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How long the file is, in bytes.
    pub(super) fn size(self) -> u64 {
        self.size
    }
}

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Known {
    /// Its stat when all of it was known; none when it has to be read.
    pub(super) stat: Option<Stat>,
    /// All entries up to this one were in it.
    pub(super) last: Option<EntryId>,
    /// Later entries that it held as well: they were read from it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) also: BTreeSet<EntryId>,
}

impl Known {
    /// Whether this entry stood in the file when it was last read or written.
    pub(super) fn held(&self, id: EntryId) -> bool {
        Some(id) <= self.last || self.also.contains(&id)
    }
}

/// What is known of the files in one folder, by `plan/category`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct State {
    folder: Vec<u8>,
    pub(super) files: BTreeMap<String, Known>,
}

impl State {
    /// The folder of the files.
    pub(super) fn folder(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.folder.clone()))
    }
}

/// The states of all work trees of one project, on this machine and in this store.
#[derive(Debug)]
pub(super) struct States {
    folder: PathBuf,
}

impl States {
    /// The states of the project that is known by `keys`.
    pub(super) fn of(data: &Path, secret: Option<&Key>, keys: &[ProjectKey]) -> Self {
        let secret = secret.cloned().unwrap_or(Key([0; 32]));
        let first = keys.first().map_or(&[][..], |key| &key.value);
        let name = hex(&keyed(&secret, &[b"mirror", first]), 16);
        Self { folder: data.join(FOLDER).join(name) }
    }

    fn path(&self, folder: &Path) -> PathBuf {
        let name = vademecum_core::hash::plain(folder.as_os_str().as_bytes());
        self.folder.join(format!("{}.json", hex(&name, 16)))
    }

    /// What is known of the files in `folder`.
    pub(super) fn load(&self, folder: &Path) -> State {
        read(&self.path(folder)).unwrap_or_else(|| State {
            folder: folder.as_os_str().as_bytes().to_vec(),
            files: BTreeMap::new(),
        })
    }

    /// Keeps what is known; another reader sees the old state or the new one.
    pub(super) fn save(&self, state: &State) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let path = self.path(&state.folder());
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)?;
        io::Write::write_all(&mut file, &serde_json::to_vec(state)?)?;
        fs::rename(draft, path)
    }

    /// All states, in an order that does not change.
    pub(super) fn all(&self) -> Vec<State> {
        let Ok(files) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        paths.sort();
        paths.iter().filter_map(|path| read(path)).collect()
    }

    /// Removes all states.
    pub(super) fn forget(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

fn read(path: &Path) -> Option<State> {
    let is_state = path.extension().is_some_and(|extension| extension == "json");
    is_state.then(|| serde_json::from_slice(&fs::read(path).ok()?).ok()).flatten()
}
