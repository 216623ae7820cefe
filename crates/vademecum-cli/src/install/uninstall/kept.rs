//! What we keep in the data folder, which may be a link to one with files of somebody else.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::install::files;

/// What lies in the data folder.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Our files.
    pub(super) files: Vec<PathBuf>,
    /// Our folders, the innermost first.
    pub(super) folders: Vec<PathBuf>,
    /// What is not ours, and what is in it is nobody's business.
    pub(super) others: Vec<PathBuf>,
}

/// By one of these a folder is known to be one where we keep something.
const SIGNS: [&str; 5] =
    ["vade.db", "vade.key", "identity.json", "install/manifest.json", "receipts.jsonl"];

/// By one of these as well, where it is no link: others call their folders so, too.
const COMMON: [&str; 4] = ["spool", "mirrors", "renderings", "owed"];

/// How the names of our files begin: behind that a draft has a number, and what lies beside a store an ending.
const FILES: [&str; 6] =
    ["vade.db", "vade.key", "vade.lock", "identity.json", "receipts.jsonl", "recalls.jsonl"];

/// Our folders.
const FOLDERS: [&str; 8] =
    ["install", "spool", "owed", "handoffs", "drafts", "backups", "renderings", "mirrors"];

impl Kept {
    /// Lists the data folder; `named` are the files of the store that was named, wherever it lies.
    pub(super) fn of(data: &Path, named: &[PathBuf]) -> io::Result<Self> {
        let mut kept = Self::default();
        if !named.iter().any(|file| file.starts_with(data)) && !is_ours(data) {
            return Ok(kept);
        }
        for entry in fs::read_dir(data)? {
            let (path, is_folder) =
                entry.and_then(|it| Ok((it.path(), it.file_type()?.is_dir())))?;
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if is_folder && FOLDERS.contains(&name) {
                let inside = files::walk(&path)?;
                kept.folders.extend(folders(&inside, &path));
                kept.files.extend(inside);
            } else if !is_folder && (is_own(name) || named.contains(&path)) {
                kept.files.push(path);
            } else {
                kept.others.push(path);
            }
        }
        kept.files.sort();
        kept.others.sort();
        Ok(kept)
    }
}

fn is_ours(data: &Path) -> bool {
    let is_there = |name: &&str| data.join(name).symlink_metadata().is_ok();
    SIGNS.iter().any(is_there) || !data.is_symlink() && COMMON.iter().any(is_there)
}

/// Whether a file is called as ours are: `vade.db` and `vade.db-wal`, and not `vade.dbx`.
fn is_own(name: &str) -> bool {
    let rests = FILES.iter().filter_map(|own| name.strip_prefix(own));
    rests.into_iter().any(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
}

/// A folder and those in it that hold these files, the innermost first.
fn folders(files: &[PathBuf], top: &Path) -> Vec<PathBuf> {
    let above = files.iter().flat_map(|file| file.ancestors().skip(1));
    let inside = above.filter(|folder| folder.starts_with(top)).map(Path::to_owned);
    let all: BTreeSet<PathBuf> = inside.chain([top.to_owned()]).collect();
    // What lies in a folder is behind it in their order.
    all.into_iter().rev().collect()
}
