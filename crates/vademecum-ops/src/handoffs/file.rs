//! The file of a handoff with all that it leaves out; only what we wrote is written over or removed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use vademecum_core::session::Session;
use vademecum_files::{FileError, Root, draft_of};

use super::Left;
use super::text::{Reader, rest, text};
use crate::call::Call;
use crate::config::Config;
use crate::error::OpError;
use crate::gather;

/// Where the files of handoffs are, in the data folder.
const FOLDER: &str = "handoffs";

/// The file of the design, in the workspace.
const IN_WORKSPACE: &str = "_handoff.md";

/// A handoff holds a page and a recap's rest, a few hundred kilobytes; longer ones are not ours.
const MAX_BYTES: u64 = 64 << 20;

/// Writes the handoff within `budget` and all that it leaves out to its file; where that is.
///
/// In the data folder, by session; under profile seed4 in the workspace, as the design has it.
pub fn write_file(
    call: &Call<'_>,
    session: &Session,
    left: &Left,
    budget: usize,
) -> Result<PathBuf, OpError> {
    let nonce = gather::nonce(call.store, call.world, &session.key);
    let full = session.key.to_string();
    let injected = text(session, left, budget, Reader::File, &nonce);
    let rest = rest(left, budget, usize::MAX, &nonce);
    let whole = format!("{}\n\n## Injected\n{injected}\n\n## Rest\n{rest}\n", title(&full));
    let (folder, file) = place(call, &full).map_err(|error| unwritten(&error))?;
    let is_shared = call.config.recap.handoff_file.is_some();
    if is_shared && is_foreign(&folder, &file).map_err(|error| unwritten(&error))? {
        return Err(OpError::conflict(format!("{file} is no handoff: it stays as it is"))
            .hint("move it, or name another recap.handoff_file"));
    }
    folder.replace(&file, whole.as_bytes()).map_err(|error| unwritten(&error))?;
    Ok(folder.path().join(file))
}

fn unwritten(error: &FileError) -> OpError {
    let plain =
        OpError::new(error.kind(), format!("the handoff file could not be written: {error}"));
    error.hint().into_iter().fold(plain, OpError::hint)
}

/// Whether a file of this name is somebody else's.
fn is_foreign(folder: &Root, file: &str) -> Result<bool, FileError> {
    let text = folder.read(file, MAX_BYTES)?;
    Ok(text.is_some_and(|text| !text.is_empty() && !text.starts_with(b"# Session ")))
}

/// The first line of the file of the session called `name`.
fn title(name: &str) -> String {
    format!("# Session {name}")
}

/// The folder that holds the handoff file of the session called `name`, open, and the file's name.
fn place(call: &Call<'_>, name: &str) -> Result<(Root, String), FileError> {
    if let Some(file) = &call.config.recap.handoff_file {
        return Ok((Root::existing(&call.place().root)?, file.clone()));
    }
    let folder = Root::private(&call.world.folders.data)?.make_folder(FOLDER)?;
    Ok((folder, format!("{}.md", stem(name))))
}

/// The name of a session as that of a file.
fn stem(name: &str) -> String {
    name.replace(':', "=").replace('/', "+")
}

/// Removes the handoff files of these sessions, with what killed writers left of them; those of the
/// workspace too that are theirs.
pub(crate) fn forget(
    data: &Path,
    (workspace, config): (&Path, &Config),
    sessions: &[String],
) -> Result<(), FileError> {
    let of_sessions: BTreeSet<String> =
        sessions.iter().map(|name| format!("{}.md", stem(name))).collect();
    let folder = Root::open_private(data)?.map(|data| data.below(FOLDER)).transpose()?.flatten();
    if let Some(folder) = folder {
        for entry in folder.entries()? {
            let name = entry.name.to_string_lossy();
            if of_sessions.contains(draft_of(&name).unwrap_or(&name)) {
                folder.remove_file(&entry.name)?;
            }
        }
    }
    let Some(workspace) = Root::open(workspace)? else { return Ok(()) };
    let titles: Vec<String> = sessions.iter().map(|name| title(name)).collect();
    for entry in workspace.entries()? {
        let name = entry.name.to_string_lossy();
        if is_in_workspace(&name, config) && is_titled(&workspace, &name, &titles) {
            workspace.remove_file(&entry.name)?;
        }
    }
    Ok(())
}

/// Removes the handoff files whose text is meant, those of the workspace too: reading writes them again.
pub(crate) fn forget_where(
    data: &Path,
    (workspace, config): (&Path, &Config),
    is_meant: impl Fn(&str) -> bool,
) -> Result<(), FileError> {
    let remove = |folder: &Root, is_ours: &dyn Fn(&str, &[u8]) -> bool| -> Result<(), FileError> {
        for entry in folder.entries()? {
            let name = entry.name.to_string_lossy();
            // What is no file of ours, or longer than any, quotes nothing that we wrote.
            let text = folder.read(&entry.name, MAX_BYTES).ok().flatten().unwrap_or_default();
            if is_ours(&name, &text) && is_meant(&String::from_utf8_lossy(&text)) {
                folder.remove_file(&entry.name)?;
            }
        }
        Ok(())
    };
    let folder = Root::open_private(data)?.map(|data| data.below(FOLDER)).transpose()?.flatten();
    if let Some(folder) = folder {
        remove(&folder, &|_, _| true)?;
    }
    let Some(workspace) = Root::open(workspace)? else { return Ok(()) };
    remove(&workspace, &|name, text| {
        is_in_workspace(name, config) && text.starts_with(b"# Session ")
    })
}

/// Whether a file of the work tree, or its draft, has the name of the handoffs that are written there.
fn is_in_workspace(name: &str, config: &Config) -> bool {
    let name = draft_of(name).unwrap_or(name);
    name == IN_WORKSPACE || config.recap.handoff_file.as_deref() == Some(name)
}

/// Whether a file begins with one of these lines; what is no file of ours does not.
fn is_titled(folder: &Root, name: &str, titles: &[String]) -> bool {
    let text = folder.read(name, MAX_BYTES).ok().flatten().unwrap_or_default();
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    titles.iter().any(|title| title.as_bytes() == first)
}
