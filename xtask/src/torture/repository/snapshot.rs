//! What lies outside: each path with what it is, to be compared with what it was.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, Metadata};
use std::hash::Hasher as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Larger files are compared by what the file system says of them.
const HASHED: u64 = 1 << 20;

/// What a path was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct What {
    mode: u32,
    size: u64,
    inode: u64,
    modified: (i64, i64),
    /// Of a file its content, of a link its target.
    hash: u64,
}

/// Everything below a folder but what may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<PathBuf, What>);

/// What of it may change: these with all below them, and the lists of names in these.
pub(super) struct Allowed {
    /// With all that is below.
    pub(super) whole: Vec<PathBuf>,
    /// The folder's own list: something of what is allowed lies directly in it.
    pub(super) lists: Vec<PathBuf>,
}

impl Snapshot {
    pub(super) fn of(top: &Path, allowed: &Allowed) -> Result<Self> {
        let mut all = BTreeMap::new();
        walk(top, allowed, &mut all)?;
        Ok(Self(all))
    }

    /// What differs from `before`, one line for each path.
    pub(super) fn changes(&self, before: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for (path, now) in &self.0 {
            match before.0.get(path) {
                None => lines.push(format!("made {}", path.display())),
                Some(was) if was != now => lines.push(format!("changed {}", path.display())),
                Some(_) => {}
            }
        }
        let gone = before.0.keys().filter(|path| !self.0.contains_key(*path));
        lines.extend(gone.map(|path| format!("removed {}", path.display())));
        lines
    }
}

fn walk(path: &Path, allowed: &Allowed, all: &mut BTreeMap<PathBuf, What>) -> Result<()> {
    if allowed.whole.iter().any(|other| other == path) {
        return Ok(());
    }
    // What is gone between two looks is told as removed.
    let Ok(meta) = fs::symlink_metadata(path) else { return Ok(()) };
    let is_list = allowed.lists.iter().any(|other| other == path);
    let what = what(path, &meta, is_list).with_context(|| path.display().to_string())?;
    all.insert(path.to_owned(), what);
    if meta.is_dir() {
        for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
            walk(&entry?.path(), allowed, all)?;
        }
    }
    Ok(())
}

fn what(path: &Path, meta: &Metadata, is_list: bool) -> Result<What> {
    let mut hasher = DefaultHasher::new();
    if meta.is_symlink() {
        hasher.write(fs::read_link(path)?.as_os_str().as_encoded_bytes());
    } else if meta.is_file() && meta.len() <= HASHED {
        hasher.write(&fs::read(path)?);
    }
    Ok(What {
        mode: meta.mode(),
        size: if meta.is_dir() { 0 } else { meta.len() },
        inode: meta.ino(),
        modified: if is_list { (0, 0) } else { (meta.mtime(), meta.mtime_nsec()) },
        hash: hasher.finish(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_what_was_made_changed_and_removed() {
        let top = tempfile::tempdir().expect("a folder");
        let path = |name: &str| top.path().join(name);
        for name in ["same", "other", "gone"] {
            fs::write(path(name), name).expect("a file");
        }
        fs::create_dir(path("ours")).expect("a folder");
        let allowed = Allowed { whole: vec![path("ours")], lists: vec![top.path().to_owned()] };
        let before = Snapshot::of(top.path(), &allowed).expect("a look");
        fs::write(path("other"), "Other").expect("a file");
        fs::write(path("new"), "").expect("a file");
        fs::remove_file(path("gone")).expect("a file");
        fs::write(path("ours/free"), "").expect("a file");
        let changes = Snapshot::of(top.path(), &allowed).expect("a look").changes(&before);
        let line = |verb: &str, name: &str| format!("{verb} {}", path(name).display());
        assert_eq!(
            changes,
            [line("made", "new"), line("changed", "other"), line("removed", "gone")]
        );
    }
}
