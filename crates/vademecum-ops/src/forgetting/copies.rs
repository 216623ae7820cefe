//! What lies in `backups/` of the data folder: copies of vade's own, which go along, and what somebody put there.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use vademecum_files::{FileError, Root};

use super::unremoved;
use crate::error::OpError;
use crate::shapes::path_line;

/// The engine's folder for copies of the store.
const FOLDER: &str = "backups";

/// The names of what lies there.
pub(crate) fn copies(data: &Path) -> Result<BTreeSet<OsString>, OpError> {
    let names = || -> Result<BTreeSet<OsString>, FileError> {
        let folder = Root::open_private(data)?.map(|data| data.below(FOLDER)).transpose()?;
        let entries = folder.flatten().map_or_else(|| Ok(Vec::new()), |it| it.entries())?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    };
    names().map_err(|error| unremoved(&error))
}

/// What is there still once all copies of vade's own are gone.
pub(crate) fn left_of_copies(data: &Path, names: &BTreeSet<OsString>) -> Vec<String> {
    let said = |name: &OsString| {
        let path = data.join(FOLDER).join(name);
        let path = path_line(&path);
        format!(
            "it may stand in a file that is none of vade's own copies; if so, delete it: {path}"
        )
    };
    names.iter().map(said).collect()
}
