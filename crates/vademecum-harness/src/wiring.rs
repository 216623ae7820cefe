//! What wiring a harness has in common: a file of somebody else with our entries in it, or without.

pub mod command;
pub(crate) mod hooks;
pub(crate) mod shell;

use std::path::Path;

use serde_json::{Map, Value};
use vademecum_core::error::Kind;

use crate::json_edit::{Document, JsonError, Step};

/// What is to be wired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wiring {
    command: String,
    allow: Vec<String>,
    has_status_line: bool,
}

/// A wiring or a file that nothing is done with.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A binary that the harness could not start from anywhere.
    #[error("{0} is no absolute path in UTF-8")]
    Command(String),
    /// An MCP server of somebody else has our name.
    #[error("an MCP server named \"{0}\" is there already, and it is not ours")]
    Taken(&'static str),
    /// An entry of ours in a place that we would not have put it.
    #[error("the entry of the MCP server \"{0}\" is not a table of its own")]
    Place(&'static str),
    /// A JSON file itself.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Text that is no TOML.
    #[error("no TOML at line {line}: {message}")]
    Toml {
        /// The line.
        line: usize,
        /// What is wrong there.
        message: String,
    },
}

impl SettingsError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Command(_) => Kind::Usage,
            Self::Taken(_) | Self::Place(_) => Kind::Conflict,
            Self::Toml { .. } => Kind::Broken,
            Self::Json(error) => error.kind(),
        }
    }
}

impl Wiring {
    /// Wires the binary `command` and allows the tools `allow`, such as `mcp__vade__add_note`.
    pub fn new(command: &Path, allow: Vec<String>) -> Result<Self, SettingsError> {
        let text = command.to_str().filter(|_| command.is_absolute());
        let command = text.ok_or_else(|| SettingsError::Command(command.display().to_string()))?;
        Ok(Self { command: command.to_owned(), allow, has_status_line: false })
    }

    /// The same with our status line where the person has none.
    #[must_use]
    pub fn with_status_line(self) -> Self {
        Self { has_status_line: true, ..self }
    }

    /// The program.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// The tools that are to be allowed.
    pub(crate) fn allow(&self) -> &[String] {
        &self.allow
    }

    /// Whether our status line is wired where there is none.
    pub(crate) fn has_status_line(&self) -> bool {
        self.has_status_line
    }
}

/// What to do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// Nothing: it is as wanted.
    Same,
    /// Write these bytes.
    Write(Vec<u8>),
    /// Remove it: we made it, and nothing else is in it.
    Remove,
}

/// A change of one file, to be shown before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What to do with the file.
    pub after: After,
    /// What that changes, one line each.
    pub changes: Vec<String>,
}

/// A file in the middle of a change.
pub(crate) struct Edit {
    /// The file; none while there is none or nothing is left of it.
    document: Option<Document>,
    /// What the object of the file gets in the end, all at once so that it looks like one piece.
    pub(crate) added: Map<String, Value>,
    pub(crate) changes: Vec<String>,
}

pub(crate) fn edit(
    existing: Option<&[u8]>,
    change: impl FnOnce(&mut Edit) -> Result<(), SettingsError>,
) -> Result<Plan, SettingsError> {
    let mut edit = Edit::of(existing)?;
    change(&mut edit)?;

    if edit.changes.is_empty() {
        return Ok(Plan { after: After::Same, changes: edit.changes });
    }
    let added = std::mem::take(&mut edit.added);
    if !added.is_empty() {
        match &mut edit.document {
            Some(document) => document.append(&[], &keyed(&added)),
            None => edit.document = Some(Document::new(&Value::Object(added))),
        }
    }
    let after = match edit.document {
        Some(document) => After::Write(document.into_bytes()),
        None => After::Remove,
    };
    Ok(Plan { after, changes: edit.changes })
}

impl Edit {
    /// The file as it stands; a blank one is none.
    pub(crate) fn of(existing: Option<&[u8]>) -> Result<Self, JsonError> {
        let existing = existing.filter(|bytes| !bytes.trim_ascii().is_empty());
        let document = existing.map(Document::parse).transpose()?;
        Ok(Self { document, added: Map::new(), changes: Vec::new() })
    }

    /// The object at the end of `keys`; none if there is none.
    pub(crate) fn object(&self, keys: &[&str]) -> Result<Option<Map<String, Value>>, JsonError> {
        match self.value(keys)? {
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(_) => Err(JsonError::Shape { path: keys.join("."), wanted: "object" }),
            None => Ok(None),
        }
    }

    /// The array at the end of `keys`; none if there is none.
    pub(crate) fn array(&self, keys: &[&str]) -> Result<Option<Vec<Value>>, JsonError> {
        match self.value(keys)? {
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(_) => Err(JsonError::Shape { path: keys.join("."), wanted: "array" }),
            None => Ok(None),
        }
    }

    pub(crate) fn value(&self, keys: &[&str]) -> Result<Option<Value>, JsonError> {
        let Some(document) = &self.document else { return Ok(None) };
        let path: Vec<Step<'_>> = keys.iter().map(|key| Step::Key(key)).collect();
        document.value(&path)
    }

    pub(crate) fn append(&mut self, keys: &[&str], values: &[(Option<&str>, Value)]) {
        let path: Vec<Step<'_>> = keys.iter().map(|key| Step::Key(key)).collect();
        if let Some(document) = &mut self.document
            && !values.is_empty()
        {
            document.append(&path, values);
        }
    }

    pub(crate) fn replace(&mut self, path: &[Step<'_>], value: &Value) {
        if let Some(document) = &mut self.document {
            document.replace(path, value);
        }
    }

    pub(crate) fn remove(&mut self, path: &[Step<'_>]) {
        let is_gone = self.document.as_mut().is_some_and(|document| document.remove(path));
        if is_gone {
            self.document = None;
        }
    }
}

pub(crate) fn keyed(object: &Map<String, Value>) -> Vec<(Option<&str>, Value)> {
    object.iter().map(|(key, value)| (Some(key.as_str()), value.clone())).collect()
}

/// Whether `command` starts our binary, wherever it lies.
pub(crate) fn is_our_binary(command: &str) -> bool {
    let file = command.rsplit(['/', '\\']).next().unwrap_or(command);
    matches!(file, "vade" | "vade.exe")
}
