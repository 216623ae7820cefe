//! Where a repair puts what it cannot read: raw, in a file among the backups, which forgetting removes.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value, json};
use vademecum_core::hash::hex;
use vademecum_store::StoreError;

use crate::error::{Port, from_io};
use crate::files::{Files, new_file, private_folder};
use crate::texts::{self, Bad};

/// A file of one JSON object a line, made when the first comes.
#[derive(Debug)]
pub(super) struct Quarantine {
    path: PathBuf,
    file: Option<File>,
    n_kept: usize,
}

impl Quarantine {
    /// Beside the copies of this store.
    pub(super) fn of(files: &Files) -> Self {
        Self { path: files.free_backup("quarantine", "jsonl"), file: None, n_kept: 0 }
    }

    /// Keeps a text that is none.
    pub(super) fn text(&mut self, bad: &Bad) -> Result<(), StoreError> {
        let key = bad.key.iter().map(|(name, value)| (name.clone(), of_value(value.into())));
        self.put(&json!({
            "table": bad.table,
            "key": key.collect::<Map<_, _>>(),
            "column": bad.column,
            "bytes": hex(&bad.bytes, bad.bytes.len()),
        }))
    }

    /// Keeps a row that is none as the schema wants it.
    pub(super) fn row(&mut self, table: &str, row: &Row<'_>) -> Result<(), StoreError> {
        let names = row.as_ref().column_names().enumerate();
        let values =
            names.map(|(place, name)| Ok((name.to_owned(), of_value(row.get_ref(place)?))));
        let values = values.collect::<rusqlite::Result<Map<_, _>>>().port()?;
        self.put(&json!({ "table": table, "row": values }))
    }

    fn put(&mut self, line: &Value) -> Result<(), StoreError> {
        let failed = |error: std::io::Error| from_io(&error, "keep what cannot be read");
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                private_folder(folder).map_err(failed)?;
            }
            self.file = Some(new_file(&self.path).map_err(failed)?);
        }
        let file = self.file.as_mut().expect("it was made just now");
        writeln!(file, "{line}").map_err(failed)?;
        self.n_kept += 1;
        Ok(())
    }

    /// Puts it on disk; how many there are, and where. Called before what is in it leaves the store.
    pub(super) fn keep(&self) -> Result<(usize, Option<PathBuf>), StoreError> {
        let Some(file) = &self.file else { return Ok((0, None)) };
        file.sync_all().map_err(|error| from_io(&error, "keep what cannot be read"))?;
        Ok((self.n_kept, Some(self.path.clone())))
    }
}

/// A value as JSON; bytes that are no text as hexadecimal digits.
fn of_value(value: ValueRef<'_>) -> Value {
    match texts::raw(value) {
        rusqlite::types::Value::Null => Value::Null,
        rusqlite::types::Value::Integer(number) => number.into(),
        rusqlite::types::Value::Real(number) => number.into(),
        rusqlite::types::Value::Text(text) => text.into(),
        rusqlite::types::Value::Blob(bytes) => json!({ "bytes": hex(&bytes, bytes.len()) }),
    }
}
