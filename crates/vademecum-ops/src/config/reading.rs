//! A configuration file is opened as what it must be, and what is wrong in it is said.
//!
//! Its words are never shown, only where they stand: a project's file is the repository's own, and what is
//! wrong is told to models in our voice.

use std::path::{Path, PathBuf};

use toml::de::Error;
use vademecum_files::{read_in, read_named};

use super::{File, PROJECT_FILE};
use crate::error::OpError;
use crate::operation::wanted_as;

/// Longer than any that a person writes, and parsed in a fraction of a hook's time.
const MAX_BYTES: u64 = 64 << 10;

/// A file with its path, which errors name.
type Found = Option<(PathBuf, File)>;

/// The person's own file, in `folder`.
pub(super) fn own(folder: &Path) -> Result<Found, OpError> {
    let path = folder.join("config.toml");
    let bytes = read_named(&path, MAX_BYTES)?;
    parsed(path, bytes)
}

/// The file of the project at `root`.
pub(super) fn of_project(root: &Path) -> Result<Found, OpError> {
    let bytes = read_in(root, PROJECT_FILE, MAX_BYTES)?;
    parsed(root.join(PROJECT_FILE), bytes)
}

fn parsed(path: PathBuf, bytes: Option<Vec<u8>>) -> Result<Found, OpError> {
    let Some(bytes) = bytes else { return Ok(None) };
    let text = String::from_utf8(bytes)
        .map_err(|_| OpError::usage(format!("{}: its text is no UTF-8", path.display())))?;
    let file = toml::from_str(&text).map_err(|error| wrong(&path, &text, &error))?;
    Ok(Some((path, file)))
}

/// Where a file is wrong and how; nothing of it is quoted, but the person's own key or value.
fn wrong(path: &Path, text: &str, error: &Error) -> OpError {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    // The words of a repository would be told to models in our own voice.
    let is_project = path.file_name().is_some_and(|name| name == PROJECT_FILE);
    let what = match error.message() {
        message if is_project => kind_of(text, message).to_owned(),
        message => plainly(message),
    };
    OpError::usage(format!("{}: line {line}, column {column}: {what}", path.display()))
        .hint("vade config show --explain lists the keys")
}

/// The message without the words of the language that reads the file.
fn plainly(message: &str) -> String {
    match message.rsplit_once(", expected ") {
        Some((given, wanted)) => format!("{given}, expected {}", wanted_as(wanted)),
        None => message.to_owned(),
    }
}

/// What is wrong, in words of ours.
fn kind_of(text: &str, message: &str) -> &'static str {
    let kinds = [
        ("unknown field", "an unknown key"),
        ("unknown variant", "a value that is none of those it takes"),
        ("invalid type", "a value of the wrong type"),
        ("invalid value", "a value that it does not take"),
        ("duplicate", "a key that stands there twice"),
    ];
    let is_toml = text.parse::<toml::Table>().is_ok();
    let unknown = if is_toml { "a value that it does not take" } else { "no TOML" };
    let kind = kinds.into_iter().find(|(start, _)| message.starts_with(start));
    kind.map_or(unknown, |(_, what)| what)
}
