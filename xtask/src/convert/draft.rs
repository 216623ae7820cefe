//! The folder beside the new store in which it is made: nothing outside of it changes before all is compared.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use vademecum_core::hash::Key;

use super::Steps;

/// The working copy of the old store.
const OLD: &str = "old.db";

/// The new store until it gets its name.
const NEW: &str = "new.db";

/// The key of the new store.
const KEY: &str = "new.key";

/// What is locked while somebody works in the folder.
const LOCK: &str = "lock";

/// Everything that ever lies in the folder, so that nothing else is removed with it.
const ALL: [&str; 10] = [
    "old.db",
    "old.db-wal",
    "old.db-shm",
    "old.db-journal",
    NEW,
    "new.db-wal",
    "new.db-shm",
    "new.lock",
    "new.key.new",
    KEY,
];

/// A conversion that is at work.
pub(super) struct Draft {
    folder: PathBuf,
    to: PathBuf,
    /// Held for as long as this lives.
    _lock: File,
}

/// How a conversion begins.
pub(super) enum Begun {
    /// In an empty folder, whatever was left of an earlier one.
    Anew(Draft),
    /// An earlier one was stopped after it had done all.
    Finished,
}

impl Draft {
    /// Checks both paths and makes the folder, or empties the one that a killed conversion left.
    pub(super) fn begin(from: &Path, to: &Path, steps: Steps<'_>) -> Result<Begun> {
        check_names(from, to)?;
        let folder = with_ending(to, ".converting");
        let was_begun = folder.is_dir();
        steps("make the folder")?;
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).with_context(|| {
            format!("cannot make {}: name a place that can be written", folder.display())
        })?;
        let lock = lock(&folder)?;
        let draft = Self { folder, to: to.to_owned(), _lock: lock };
        if to.exists() {
            return draft.left(was_begun, steps);
        }
        if draft.has_given_key() {
            steps("take the key back")?;
            fs::remove_file(key_of(to))?;
        }
        for ending in ["-wal", "-shm"] {
            draft.refuse(&with_ending(to, ending), steps)?;
        }
        draft.refuse(&key_of(to), steps)?;
        draft.empty(steps)?;
        Ok(Begun::Anew(draft))
    }

    /// What there is to do where the new store has its name already.
    fn left(self, was_begun: bool, steps: Steps<'_>) -> Result<Begun> {
        // A conversion empties its folder, but for the lock, before it gives the last name.
        let is_finished = was_begun && !ALL.iter().any(|name| self.path(name).exists());
        self.remove(steps)?;
        let to = self.to.display();
        ensure!(
            is_finished,
            "{to} is there already: name a file that is not, or move this one away"
        );
        Ok(Begun::Finished)
    }

    fn refuse(&self, path: &Path, steps: Steps<'_>) -> Result<()> {
        if path.symlink_metadata().is_err() {
            return Ok(());
        }
        self.remove(steps)?;
        let (path, to) = (path.display(), self.to.display());
        bail!(
            "{path} is there already and belongs to a store {to} that is not: move it away, or name another file"
        )
    }

    /// Whether an earlier conversion was stopped between its last two steps.
    fn has_given_key(&self) -> bool {
        self.path(NEW).exists() && !self.path(KEY).exists() && key_of(&self.to).exists()
    }

    /// The working copy of the old store.
    pub(super) fn source(&self) -> PathBuf {
        self.path(OLD)
    }

    /// The new store, until it gets its name.
    pub(super) fn store(&self) -> PathBuf {
        self.path(NEW)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Puts the old store's key where the new one looks for its own, which makes one if there is none.
    ///
    /// Who was shown a text behind a mark of that key knows it again.
    pub(super) fn put_key(&self, key: Option<&Key>, steps: Steps<'_>) -> Result<()> {
        let Some(Key(bytes)) = key else { return Ok(()) };
        steps("put the key")?;
        let mut options = OpenOptions::new();
        let mut file = options.create_new(true).write(true).mode(0o600).open(self.path(KEY))?;
        file.write_all(bytes)?;
        Ok(file.sync_all()?)
    }

    /// Gives the new store its name; its key comes first, for a store without one would make another.
    pub(super) fn finish(self, steps: Steps<'_>) -> Result<()> {
        let log = with_ending(&self.store(), "-wal");
        let n_bytes = log.metadata().map_or(0, |meta| meta.len());
        ensure!(n_bytes == 0, "{n_bytes} bytes are left in {}: run it again", log.display());
        self.remove_all(&[NEW, KEY], steps)?;
        File::open(self.store())?.sync_all()?;
        steps("give the key its name")?;
        fs::rename(self.path(KEY), key_of(&self.to))?;
        sync_folder(&self.to)?;
        steps("give the store its name")?;
        fs::rename(self.store(), &self.to)?;
        sync_folder(&self.to)?;
        self.remove(steps)
    }

    /// Takes away all that was made, which holds what the old store holds.
    pub(super) fn give_up(self, steps: Steps<'_>) -> Result<()> {
        let removed = self.empty(steps).and_then(|()| self.remove(steps));
        removed.with_context(|| format!("what was made lies in {}", self.folder.display()))
    }

    fn empty(&self, steps: Steps<'_>) -> Result<()> {
        self.remove_all(&[], steps)
    }

    /// Removes what a conversion makes, but for `kept`.
    fn remove_all(&self, kept: &[&str], steps: Steps<'_>) -> Result<()> {
        for name in ALL.iter().filter(|name| !kept.contains(name)) {
            let path = self.path(name);
            if path.symlink_metadata().is_ok() {
                steps("remove a file")?;
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Removes the folder, if nothing lies in it that is not of a conversion.
    fn remove(&self, steps: Steps<'_>) -> Result<()> {
        if ALL.iter().any(|name| self.path(name).exists()) {
            return Ok(());
        }
        steps("remove the folder")?;
        fs::remove_file(self.path(LOCK))?;
        let folder = self.folder.display();
        fs::remove_dir(&self.folder).with_context(|| format!("cannot remove {folder}"))
    }
}

/// Refuses paths with which nothing can be done, before anything is made.
fn check_names(from: &Path, to: &Path) -> Result<()> {
    let shown = from.display();
    let meta = from.metadata()?;
    ensure!(meta.is_file(), "{shown} is no file: name the file of a store, such as vade.db");
    let n_names = meta.nlink();
    ensure!(
        n_names == 1,
        "{shown} has {n_names} names, and the last writes may lie beside another one: remove the others"
    );
    ensure!(
        to.file_name().is_some(),
        "{} names no file: say what the new store is called",
        to.display()
    );
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        folder.join(key_of(path).file_name().unwrap_or_default())
    };
    ensure!(
        place(from) != place(to),
        "{} would have the key of {shown} for its own, {}: name another folder, or another name before the ending",
        to.display(),
        key_of(from).display()
    );
    Ok(())
}

fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path)?;
    let what = || format!("another conversion works in {}: wait for its end", folder.display());
    file.try_lock().with_context(what)?;
    Ok(file)
}

/// The key of the store at `path`.
pub(super) fn key_of(path: &Path) -> PathBuf {
    path.with_extension("key")
}

/// A path with an ending behind its whole name.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?)
}
