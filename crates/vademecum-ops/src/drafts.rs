//! Where texts lie while a person changes them: by session, so that forgetting one finds them all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use vademecum_core::id::NoteId;
use vademecum_core::session::SessionKey;

use crate::who::full_name;

/// The folder of all drafts, in the data folder.
const FOLDER: &str = "drafts";

/// The folder of a session's drafts; a note's begin with its id, the page's with `notepad`.
#[must_use]
pub fn folder(data: &Path, session: &SessionKey) -> PathBuf {
    of_name(data, &full_name(session))
}

/// Names of sessions hold neither `=` nor `+`: no two of them share a folder.
fn of_name(data: &Path, name: &str) -> PathBuf {
    data.join(FOLDER).join(name.replace(':', "=").replace('/', "+"))
}

/// Removes the drafts of these sessions.
pub(crate) fn forget(data: &Path, sessions: &[String]) -> io::Result<()> {
    for name in sessions {
        absent_or(fs::remove_dir_all(of_name(data, name)))?;
    }
    Ok(())
}

/// Removes the drafts of one note.
pub(crate) fn forget_note(data: &Path, session: &SessionKey, note: NoteId) -> io::Result<()> {
    let Ok(files) = fs::read_dir(folder(data, session)) else {
        return Ok(());
    };
    let opening = format!("{note}-");
    for file in files {
        let file = file?;
        if file.file_name().to_string_lossy().starts_with(&opening) {
            absent_or(fs::remove_file(file.path()))?;
        }
    }
    Ok(())
}

/// What is gone already is as good as removed.
pub(crate) fn absent_or(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
