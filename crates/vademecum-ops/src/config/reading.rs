//! A configuration file is opened as what it must be, and what is wrong in it is said.
//!
//! That of a project is the repository's own: its words are never shown, only where they stand.

use std::path::{Path, PathBuf};

use toml::de::Error;
use vademecum_files::{read_in, read_named};

use super::{File, PROJECT_FILE};
use crate::error::OpError;

/// Longer than any that a person writes, and parsed in a fraction of a hook's time.
const MAX_BYTES: u64 = 64 << 10;

/// A file with its path, which errors name.
type Found = Option<(PathBuf, File)>;

/// The person's own file, in `folder`.
pub(super) fn own(folder: &Path) -> Result<Found, OpError> {
    let path = folder.join("config.toml");
    let bytes = read_named(&path, MAX_BYTES)?;
    let parsed =
        |bytes| parse(&path, bytes, |_, error| error.to_string().trim_end().replace('\n', "\n  "));
    let file = bytes.map(parsed).transpose()?;
    Ok(file.map(|file| (path, file)))
}

/// The file of the project at `root`.
pub(super) fn of_project(root: &Path) -> Result<Found, OpError> {
    let path = root.join(PROJECT_FILE);
    let bytes = read_in(root, PROJECT_FILE, MAX_BYTES)?;
    let file = bytes.map(|bytes| parse(&path, bytes, unquoted)).transpose()?;
    Ok(file.map(|file| (path, file)))
}

fn parse(
    path: &Path,
    bytes: Vec<u8>,
    words: impl FnOnce(&str, &Error) -> String,
) -> Result<File, OpError> {
    let text = String::from_utf8(bytes)
        .map_err(|_| OpError::usage(format!("{}: its text is no UTF-8", path.display())))?;
    toml::from_str(&text).map_err(|error| {
        OpError::usage(format!("{}: {}", path.display(), words(&text, &error)))
            .hint("vade config show --explain lists the keys")
    })
}

/// What is wrong and where, without a word of the text.
fn unquoted(text: &str, error: &Error) -> String {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..at].split(|&byte| byte == b'\n').count();
    match text.parse::<toml::Table>() {
        Ok(_) => {
            format!("line {line} sets a key that is not known, or to a value that it cannot have")
        }
        Err(_) => format!("line {line} is no TOML"),
    }
}
