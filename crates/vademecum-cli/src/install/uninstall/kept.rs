//! What we keep in the data folder, which may be a link to one with files of somebody else.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use vademecum::files::draft_of;

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
///
/// A key alone is none: beside no store it may be somebody else's.
const SIGNS: [&str; 4] = ["vade.db", "identity.json", "install/manifest.json", "receipts.jsonl"];

/// By one of these as well, where it is no link: others call their folders so, too.
const COMMON: [&str; 4] = ["spool", "mirrors", "renderings", "owed"];

/// The names of our files; drafts of them go along.
const FILES: [&str; 12] = [
    "vade.db",
    "vade.db-journal",
    "vade.db-wal",
    "vade.db-shm",
    "vade.key",
    "vade.key.new",
    // What `vade doctor` tells to set aside.
    "vade.key.aside",
    "identity.json.old",
    "vade.lock",
    "identity.json",
    "receipts.jsonl",
    "recalls.jsonl",
];

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
                let is_its = |file: &PathBuf| named.contains(file) || is_of(name, &path, file);
                let (inside, others): (Vec<_>, Vec<_>) =
                    files::walk(&path)?.into_iter().partition(is_its);
                kept.folders.extend(folders(&inside, &path));
                kept.files.extend(inside);
                kept.others.extend(others);
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
    SIGNS.iter().any(is_there)
        || !data.is_symlink() && (COMMON.iter().any(is_there) || is_left_over(data))
}

/// Whether nothing lies there but folders that are called as ours.
fn is_left_over(data: &Path) -> bool {
    let Ok(entries) = fs::read_dir(data) else { return false };
    let mut entries = entries.flatten().peekable();
    let is_one = |name: &OsStr| name.to_str().is_some_and(|name| FOLDERS.contains(&name));
    entries.peek().is_some()
        && entries.all(|it| is_one(&it.file_name()) && it.file_type().is_ok_and(|it| it.is_dir()))
}

fn is_own(name: &str) -> bool {
    FILES.contains(&draft_of(name).unwrap_or(name))
}

/// Whether a file in our folder called `name`, which lies at `folder`, has a name as we give them there.
fn is_of(name: &str, folder: &Path, file: &Path) -> bool {
    let within = file.strip_prefix(folder).ok().and_then(Path::to_str).unwrap_or_default();
    let within = draft_of(within).unwrap_or(within);
    if name == "drafts" {
        // What an editor lays beside a text in a folder of a session holds that text too.
        return within.split_once('/').is_some_and(|(session, _)| session.contains('='));
    }
    let (stem, ending) = within.rsplit_once('.').unwrap_or((within, ""));
    if let Some((project, tree)) = stem.split_once('/') {
        return name == "mirrors" && is_hash(project) && is_hash(tree) && ending == "json";
    }
    match name {
        "install" => {
            let is_draft = within.starts_with(".vade-") && ending == "new";
            let is_backup = || stem.rsplit_once('.').is_some_and(|(_, hash)| is_hash(hash));
            within == "manifest.json" || is_draft || ending == "bak" && is_backup()
        }
        "spool" => {
            let is_begun = |(at, _): (&str, &str)| at.bytes().all(|it| it.is_ascii_digit());
            let is_state = ["jsonl", "taken", "aside"].contains(&ending);
            is_state && stem.split_once('-').is_some_and(is_begun)
        }
        "backups" => is_copy(OsStr::new(within), OsStr::new("vade")),
        "handoffs" => ending == "md" && stem.contains('='),
        // Those that are called by a hash.
        _ => is_hash(stem) && ["json", "looked", "wanted", "moved"].contains(&ending),
    }
}

/// Whether a file among the backups has a name as the engine gives copies of the store called `stem`.
pub(super) fn is_copy(name: &OsStr, stem: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(stem.as_encoded_bytes());
    let is_its = rest.is_some_and(|rest| rest.starts_with(b"-"));
    let ending = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
    is_its && ["db", "db-wal", "db-shm", "jsonl"].contains(&ending)
}

fn is_hash(text: &str) -> bool {
    16 <= text.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A folder and those in it that hold these files, the innermost first.
fn folders(files: &[PathBuf], top: &Path) -> Vec<PathBuf> {
    let above = files.iter().flat_map(|file| file.ancestors().skip(1));
    let inside = above.filter(|folder| folder.starts_with(top)).map(Path::to_owned);
    let all: BTreeSet<PathBuf> = inside.chain([top.to_owned()]).collect();
    // What lies in a folder is behind it in their order.
    all.into_iter().rev().collect()
}
