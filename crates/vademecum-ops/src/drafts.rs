//! Where texts lie while a person changes them: by session, so that forgetting one finds them all.

use std::path::{Path, PathBuf};

use vademecum_core::id::NoteId;
use vademecum_core::session::SessionKey;
use vademecum_files::{FileError, Root};

/// The folder of all drafts, in the data folder.
const FOLDER: &str = "drafts";

/// The folder of a session's drafts, seen from the data folder; a note's begin with its id, the page's
/// with `notepad`.
#[must_use]
pub fn folder(session: &SessionKey) -> PathBuf {
    below(&session.to_string())
}

/// Names of sessions hold neither `=` nor `+`: no two of them share a folder.
fn below(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name.replace(':', "=").replace('/', "+"))
}

/// Removes the drafts of these sessions.
pub(crate) fn forget(data: &Path, sessions: &[String]) -> Result<(), FileError> {
    let Some(data) = Root::open_private(data)? else { return Ok(()) };
    sessions.iter().try_for_each(|name| data.remove_folder(below(name)))
}

/// Removes the drafts of one note.
pub(crate) fn forget_note(
    data: &Path,
    session: &SessionKey,
    note: NoteId,
) -> Result<(), FileError> {
    let Some(data) = Root::open_private(data)? else { return Ok(()) };
    let Some(drafts) = data.below(folder(session))? else { return Ok(()) };
    let opening = format!("{note}-");
    for entry in drafts.entries()? {
        if entry.name.to_string_lossy().starts_with(&opening) {
            drafts.remove_file(&entry.name)?;
        }
    }
    Ok(())
}
