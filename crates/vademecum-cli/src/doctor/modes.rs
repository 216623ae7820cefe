//! Whether nobody else can read what is kept.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Doctor, Finding};
use crate::install::shell::quoted;

const ABOUT: &str = "files";

pub(super) fn check(doctor: &Doctor<'_>) -> Vec<Finding> {
    let folder = doctor.database.parent().unwrap_or(Path::new("/"));
    let mut paths = vec![folder.to_owned()];
    if doctor.world.folders.data != *folder {
        paths.push(doctor.world.folders.data.clone());
    }
    let name = doctor.database.file_name().unwrap_or_default().to_os_string();
    for ending in ["", "-wal", "-shm"] {
        let mut name = name.clone();
        name.push(ending);
        paths.push(folder.join(name));
    }
    paths.extend(["key", "lock"].map(|ending| doctor.database.with_extension(ending)));
    let lists = ["spool", "receipts.jsonl", "recalls.jsonl", "owed"];
    paths.extend(lists.map(|name| doctor.world.folders.data.join(name)));
    let open: Vec<Finding> = paths.iter().filter_map(|path| finding(doctor, path)).collect();
    let is_any = paths.iter().any(|path| path.exists());
    if open.is_empty() && is_any {
        return vec![Finding::ok(ABOUT, "only you can read what is kept")];
    }
    open
}

fn finding(doctor: &Doctor<'_>, path: &PathBuf) -> Option<Finding> {
    let meta = fs::metadata(path).ok()?;
    let mode = meta.permissions().mode() & 0o777;
    let of_others = mode & 0o077;
    if of_others == 0 {
        return None;
    }
    let wanted = if meta.is_dir() { 0o700 } else { 0o600 };
    let text = format!("{} can be entered or read by others: {mode:o}", doctor.short(path));
    Some(Finding::warn(ABOUT, text, format!("chmod {wanted:o} {}", quoted(path))))
}
