//! What is known of the files of one work tree, so that a file that did not change costs one stat.
//!
//! It lies in the data folder and is no promise: without it every file is read once more.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum_core::hash::{Key, hex, keyed};
use vademecum_core::id::EntryId;
use vademecum_core::project::ProjectKey;
use vademecum_files::{FileError, Root};

use super::files::Folder;
use crate::place::Place;

/// The folder of all states, in the data folder.
const FOLDER: &str = "mirrors";

/// Ten thousand plans with three files each; a state that is longer is not ours.
const MAX_BYTES: u64 = 16 << 20;

/// By what a file is known not to have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stat {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
    inode: u64,
}

impl Stat {
    /// The stat of what lies at `path`, a link itself; none where there is nothing.
    pub(super) fn of(folder: &Root, path: impl AsRef<Path>) -> Result<Option<Self>, FileError> {
        Ok(folder.stat(path)?.map(|found| Self {
            size: found.size,
            seconds: found.seconds,
            nanoseconds: found.nanoseconds,
            inode: found.inode,
        }))
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
    /// The top of the work tree.
    top: Vec<u8>,
    /// The way from there to the folder of all plans.
    below: Vec<u8>,
    pub(super) files: BTreeMap<String, Known>,
}

impl State {
    /// The folder of the files.
    pub(super) fn folder(&self) -> Folder {
        let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        Folder { top: path(&self.top), below: path(&self.below) }
    }
}

/// The states of all work trees of one project, on this machine and in this store.
#[derive(Debug)]
pub(super) struct States {
    data: PathBuf,
    /// Their folder, in the data folder.
    folder: PathBuf,
    /// What the project is known by.
    keys: Vec<ProjectKey>,
}

impl States {
    /// The states of the project that is known by `keys`.
    ///
    /// A secret that is lost names no states: those under it are found by nobody any more.
    pub(super) fn of(data: &Path, secret: Option<Key>, keys: &[ProjectKey]) -> Self {
        let secret = secret.unwrap_or(Key([0; 32]));
        let first = keys.first().map_or(&[][..], |key| &key.value);
        let name = hex(&keyed(&secret, &[b"mirror", first]), 16);
        Self { data: data.to_owned(), folder: Path::new(FOLDER).join(name), keys: keys.to_vec() }
    }

    /// The folder of the states, open; none where there is none, or nobody can look into it.
    fn open(&self) -> Option<Root> {
        Root::open_private(&self.data).ok()??.below(&self.folder).ok()?
    }

    /// What is known of the files in `folder`.
    pub(super) fn load(&self, folder: &Folder) -> State {
        let known = self.open().and_then(|states| read(&states, &name(folder)));
        known.unwrap_or_else(|| State {
            top: folder.top.as_os_str().as_bytes().to_vec(),
            below: folder.below.as_os_str().as_bytes().to_vec(),
            files: BTreeMap::new(),
        })
    }

    /// Keeps what is known; another reader sees the old state or the new one.
    pub(super) fn save(&self, state: &State) -> Result<(), FileError> {
        let bytes = serde_json::to_vec(state).expect("a state is plain data");
        let states = Root::private(&self.data)?.make_folder(&self.folder)?;
        states.replace(name(&state.folder()), &bytes)
    }

    /// All states, in an order that does not change, but of folders where another project lies by now.
    pub(super) fn all(&self) -> Vec<State> {
        let Some(states) = self.open() else { return Vec::new() };
        let entries = states.entries().unwrap_or_default();
        let known = entries.iter().filter_map(|entry| read(&states, entry.name.to_str()?));
        known.filter(|state| self.is_ours(&state.folder().top)).collect()
    }

    /// Whether the work tree at `top` is one of the project's, and no repository that was put where one lay.
    fn is_ours(&self, top: &Path) -> bool {
        let is_known = |path: &[u8]| self.keys.iter().any(|key| key.value == path);
        if is_known(top.as_os_str().as_bytes()) {
            return true;
        }
        let there = Place::of(top).keys(None);
        there.first().is_some_and(|first| is_known(&first.value))
    }

    /// Removes all states.
    pub(super) fn forget(&self) -> Result<(), FileError> {
        match Root::open_private(&self.data)? {
            Some(data) => data.remove_folder(&self.folder),
            None => Ok(()),
        }
    }
}

/// The folders of plans that vade made in work trees, those that are still there.
#[must_use]
pub fn folders(data: &Path) -> Vec<PathBuf> {
    let open = || Root::open_private(data).ok()??.below(FOLDER).ok()?;
    let Some(states) = open() else { return Vec::new() };
    let mut folders = BTreeSet::new();
    for project in states.entries().unwrap_or_default() {
        let Ok(Some(project)) = states.below(&project.name) else { continue };
        let entries = project.entries().unwrap_or_default();
        let known = entries.iter().filter_map(|entry| read(&project, entry.name.to_str()?));
        folders.extend(known.map(|state| state.folder().path()).filter(|path| path.is_dir()));
    }
    folders.into_iter().collect()
}

fn name(folder: &Folder) -> String {
    let name = vademecum_core::hash::plain(folder.path().as_os_str().as_bytes());
    format!("{}.json", hex(&name, 16))
}

fn read(states: &Root, name: &str) -> Option<State> {
    let is_state = Path::new(name).extension().is_some_and(|ending| ending == "json");
    let read = || states.read(name, MAX_BYTES).ok()?;
    is_state.then(|| serde_json::from_slice(&read()?).ok()).flatten()
}
