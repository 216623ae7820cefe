//! Which files have changed since they were last looked into.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What tells a state of a file from another one.
type State = (u64, i64, i64);

/// All files that were looked into, by number: a second name of one is no copy of it.
#[derive(Default)]
pub(super) struct Looked(HashMap<u64, State>);

impl Looked {
    /// The regular files below `folder` that are new or changed; no link is followed.
    pub(super) fn changed(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            // The program may take a file away while we look.
            let entries = fs::read_dir(folder).into_iter().flatten().map_while(Result::ok);
            for path in entries.map(|entry| entry.path()) {
                let Ok(meta) = fs::symlink_metadata(&path) else { continue };
                let state = (meta.len(), meta.mtime(), meta.mtime_nsec());
                if meta.is_dir() {
                    folders.push(path);
                } else if meta.is_file() && self.0.insert(meta.ino(), state) != Some(state) {
                    found.push(path);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_of_a_file_is_found_once() {
        let top = tempfile::tempdir().expect("a folder");
        let path = top.path().join("a");
        fs::write(&path, "one").expect("a file");
        let mut looked = Looked::default();
        assert_eq!(looked.changed(top.path()), std::slice::from_ref(&path));
        fs::hard_link(&path, top.path().join("b")).expect("a file");
        assert_eq!(looked.changed(top.path()), [] as [PathBuf; 0]);
        fs::write(&path, "two more").expect("a file");
        assert_eq!(looked.changed(top.path()).len(), 1);
    }
}
