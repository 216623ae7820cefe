//! A whole copy of a store in one file, with its key in it, and the way back from such a file.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use vademecum_core::hash::{Key, hex};
use vademecum_files::{draft_name, draft_of};
use vademecum_store::StoreError;

use crate::error::{Port, from_io};
use crate::files::{Files, copy, remove, sync_folder, with_ending};
use crate::{deadline, gate, ground, health, open, repair, rescue, schema};

/// The fact in table `store` that only a backup has: the key, so that one file is all there is to keep.
const KEY: &str = "key";

/// The longest wait for writers that are at work.
const WAIT: Duration = Duration::from_secs(30);

/// What a restoring did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Where the store lies as it was before; none if there was none.
    pub saved: Option<PathBuf>,
    /// How many notes there are now.
    pub n_notes: u64,
}

/// Copies the store at `path` into a new file that only its owner may read; how many notes it has.
///
/// Others may write meanwhile: the copy is of one moment. None if there is no store yet. Where the store `is_looked_at`
/// only, nothing is made beside it. The file has its name once it is whole; what a killed call left of a draft goes with
/// the next one for the same file.
pub fn back_up(path: &Path, to: &Path, is_looked_at: bool) -> Result<Option<u64>, StoreError> {
    let files = Arc::new(Files::of(path));
    deadline::start(WAIT);
    if !ground::is_made(&files)? {
        return Ok(None);
    }
    if to.symlink_metadata().is_ok() {
        return Err(from_io(&io::ErrorKind::AlreadyExists.into(), "make the copy"));
    }
    let draft = free_draft(to)?;
    let made = fill(&files, &draft, is_looked_at).and_then(|n_notes| {
        put(&draft, to).map_err(|error| from_io(&error, "put the copy in its place"))?;
        Ok(Some(n_notes))
    });
    if made.is_err() {
        repair::remove_database(&draft)?;
    }
    made
}

fn fill(files: &Arc<Files>, draft: &Path, is_looked_at: bool) -> Result<u64, StoreError> {
    if is_looked_at {
        open::look(files, |connection| {
            // It was written while it was copied: our own copy goes, and no other file.
            repair::remove_database(draft)?;
            copy_with_key(files, connection, draft)
        })?;
    } else {
        let reader = open::reader(files, false)?;
        copy_with_key(files, &reader.connection, draft)?;
    }
    n_notes(&Connection::open(draft).port()?)
}

/// A new name beside `to`; drafts of the same file that a killed call left are removed.
fn free_draft(to: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error| from_io(&error, "make the copy");
    let name = to.file_name().unwrap_or_default();
    let folder = to.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let left = entry.map_err(failed)?.file_name();
        let left = left.to_string_lossy();
        let left = left.strip_suffix("-journal").unwrap_or(&left);
        if draft_of(left).is_some_and(|of| OsStr::new(of) == name) {
            remove(&folder.join(left))?;
            remove(&folder.join(format!("{left}-journal")))?;
        }
    }
    Ok(folder.join(draft_name(name).map_err(failed)?))
}

/// Gives a draft that is whole its name, which nobody else has taken meanwhile.
fn put(draft: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, draft, CWD, to, RenameFlags::NOREPLACE) {
        // Not every disk knows how to refuse; a second name refuses by itself.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            fs::hard_link(draft, to)?;
            fs::remove_file(draft)?;
        }
        renamed => renamed?,
    }
    sync_folder(to)
}

fn copy_with_key(files: &Files, connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let key = files.read_key()?;
    rescue::copy_into(connection, to)?;
    let Some(Key(bytes)) = key else { return Ok(()) };
    let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)";
    let made = Connection::open(to).port()?;
    made.execute(sql, params![KEY, hex(&bytes, bytes.len())]).port()?;
    drop(made);
    let synced = File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| from_io(&error, "keep the backup"))
}

fn n_notes(connection: &Connection) -> Result<u64, StoreError> {
    let n: i64 = connection.query_row("SELECT count(*) FROM note", [], |row| row.get(0)).port()?;
    Ok(n.unsigned_abs())
}

/// Puts the copy at `from` in the place of the store at `path`, which is saved among the backups first.
///
/// The copy is checked in full before anything changes, and stays as it is. Servers that run find another
/// file and open it.
pub fn restore(path: &Path, from: &Path) -> Result<Restored, StoreError> {
    let files = Arc::new(Files::of(path));
    deadline::start(WAIT);
    // The folder of a store that is to be made by this comes with the gate.
    let _gate = gate::enter(&files)?;
    files.check_key_place()?;
    files.make_backups()?;
    let draft = files.backup("restored.db");
    repair::remove_database(&draft)?;
    let restored = check(from, &draft).and_then(|(key, n_notes)| {
        let saved = save(&files)?;
        settle(&files);
        rescue::replace(&files, &draft)?;
        if let Some(key) = key {
            files.put_key(&key)?;
        }
        Ok(Restored { saved, n_notes })
    });
    repair::remove_database(&draft)?;
    restored
}

/// Copies `from` to `draft`, checks it there and takes the key out of it.
fn check(from: &Path, draft: &Path) -> Result<(Option<Key>, u64), StoreError> {
    File::open(from)
        .and_then(|_| copy(from, draft))
        // A copy of the files themselves has its last writes in the log.
        .and_then(|()| copy(&with_ending(from, "-wal"), &with_ending(draft, "-wal")))
        .map_err(|error| from_io(&error, &format!("copy {}", from.display())))?;
    let copied = Connection::open(draft).port()?;
    if schema::version(&copied)?.is_none() {
        return Err(StoreError::Foreign);
    }
    if let Some(line) = health::pages(&copied, true)?.first() {
        return Err(StoreError::Corrupt { what: line.clone() });
    }
    let sql = "SELECT value FROM store WHERE name = ?1";
    let key: Option<String> = copied.query_row(sql, [KEY], |row| row.get(0)).optional().port()?;
    copied.execute_batch("PRAGMA secure_delete = ON;").port()?;
    copied.execute("DELETE FROM store WHERE name = ?1", [KEY]).port()?;
    Ok((key.as_deref().and_then(parse), n_notes(&copied)?))
}

fn parse(digits: &str) -> Option<Key> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes = digits.as_bytes().chunks(2).map(byte).collect::<Option<Vec<u8>>>()?;
    bytes.try_into().ok().map(Key)
}

/// Moves the log into the database as far as nobody reads an older state: who is stopped between the end of the one and
/// of the other leaves a store that has all of it.
fn settle(files: &Files) {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let moved = Connection::open_with_flags(&files.database, flags)
        .and_then(|old| old.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    // What could not be moved is in the copy that was saved.
    drop(moved);
}

/// Saves the store as it is; what cannot be read of it is copied file by file.
fn save(files: &Arc<Files>) -> Result<Option<PathBuf>, StoreError> {
    let read = match ground::is_made(files) {
        Ok(false) => return Ok(None),
        Ok(true) => open::reader(files, false),
        Err(error) => Err(error),
    };
    match read {
        Ok(reader) => {
            let saved = files.free_backup("before-restore", "db");
            copy_with_key(files, &reader.connection, &saved).map(|()| Some(saved))
        }
        Err(
            StoreError::Corrupt { .. }
            | StoreError::Foreign
            | StoreError::Emptied { .. }
            | StoreError::LogGone { .. },
        ) => repair::keep_aside(files).map(Some),
        Err(error) => Err(error),
    }
}
