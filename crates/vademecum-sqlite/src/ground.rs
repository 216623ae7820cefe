//! What lies where a store is opened: nothing yet, a store, or something that must not be taken for either.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use vademecum_store::StoreError;

use crate::error::from_io;
use crate::files::{Files, identity, open_plain};
use crate::{first_page, schema, shared};

/// SQLite takes a file of so many bytes for an empty one, and removes the log beside it.
const EMPTY: u64 = 1;

/// So often a log that is just being made or removed is looked at again.
const LOOKS: usize = 3;

/// Whether a store was made here.
///
/// A place that cannot be looked at is an error, not an empty one; so is an empty database beside what a
/// store has left, and a database whose log is gone.
pub(crate) fn is_made(files: &Files) -> Result<bool, StoreError> {
    let Some((meta, n_bytes)) = database(files)? else {
        return match files.n_log_bytes()? {
            0 => Ok(false),
            n_log_bytes if database(files)?.is_none() => Err(StoreError::Emptied { n_log_bytes }),
            // It was made between the two looks.
            _ => is_made(files),
        };
    };
    if !meta.is_file() {
        return Err(StoreError::Foreign);
    }
    if 1 < meta.nlink() {
        return Err(StoreError::Linked { n_names: meta.nlink() });
    }
    if n_bytes <= EMPTY {
        return check_bare(files).map(|()| false);
    }
    check_owner(files)?;
    shared::check(&files.database)?;
    check_log(files)?;
    Ok(true)
}

/// Refuses what another program made, and a store of another major version, before anything is made beside it.
pub(crate) fn check_owner(files: &Files) -> Result<(), StoreError> {
    first_page::look(files, schema::check_owner)
}

fn database(files: &Files) -> Result<Option<(std::fs::Metadata, u64)>, StoreError> {
    match files.database.metadata() {
        Ok(meta) => Ok(Some((meta.clone(), meta.len()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(StoreError::Engine { what: format!("{}: {error}", files.database.display()) })
        }
    }
}

/// Refuses an empty file beside a log, a key or copies: it held a store.
fn check_bare(files: &Files) -> Result<(), StoreError> {
    let n_log_bytes = files.n_log_bytes()?;
    let has_rest = n_log_bytes != 0 || files.key.exists() || !files.copies()?.is_empty();
    // A store that is being made has its first page before it has any of these.
    let is_empty = database(files)?.is_none_or(|(_, n_bytes)| n_bytes <= EMPTY);
    if has_rest && is_empty { Err(StoreError::Emptied { n_log_bytes }) } else { Ok(()) }
}

/// Refuses a log's index whose log is gone: whoever opened the log still writes into it.
///
/// The log is made before its index and removed after it, so that the index is never alone.
fn check_log(files: &Files) -> Result<(), StoreError> {
    for _ in 0..LOOKS {
        let index = identity(&files.index);
        if index.is_none() || identity(&files.log).is_some() {
            return Ok(());
        }
        let n_pages = n_only_in_log(files)?;
        if index == identity(&files.index) && identity(&files.log).is_none() {
            return if n_pages == 0 { Ok(()) } else { Err(StoreError::LogGone { n_pages }) };
        }
    }
    Ok(())
}

/// How many pages of the log were not in the database yet, as its index says.
///
/// The index begins with two headers of 48 bytes, which say at 16 how many pages the log has; behind them
/// stands how many of these are in the database: <https://www.sqlite.org/walformat.html>, section 2.
fn n_only_in_log(files: &Files) -> Result<u32, StoreError> {
    let mut head = [0; 100];
    let read = open_plain(OpenOptions::new().read(true), &files.index)
        .and_then(|file| file.read_exact_at(&mut head, 0));
    match read {
        Ok(()) => {}
        // Half an index was never in use.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(from_io(&error, "read the index of the log")),
    }
    let number = |at: usize| u32::from_ne_bytes(head[at..at + 4].try_into().expect("four bytes"));
    Ok(number(16).saturating_sub(number(96)))
}
