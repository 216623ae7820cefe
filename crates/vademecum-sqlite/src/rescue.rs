//! What a process does whose log was taken away: it alone sees the last writes, and saves them.
//!
//! Where nobody has written since, what it sees becomes the store; else it is kept among the backups.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use vademecum_store::StoreError;
use vademecum_store::chain::Seal;

use crate::error::{Port, from_io};
use crate::files::{Files, new_file, remove, sync_folder};

use crate::held::Held;
use crate::{ground, health};

/// Of a copy whose content became the store.
const RESCUED: &str = "rescued";

/// Of a copy whose content is not in the store.
const UNMERGED: &str = "unmerged";

/// Of a copy that was told of and acknowledged.
const KEPT: &str = "kept";

/// Saves what `held` sees, if its log was taken away from beside its database. Called behind the gate.
pub(crate) fn save(files: &Files, held: &Held) -> Result<(), StoreError> {
    let (now, then) = (files.marks(), held.marks());
    // Another database was put there by somebody who wanted it; an index is made anew from its log.
    if now.database != then.database || then.log.is_none() || now.log == then.log {
        return Ok(());
    }
    let newest = newest(held)?;
    // What cannot be compared is kept.
    let is_ahead = files.n_log_bytes()? != 0;
    if is_ahead && is_in_store(files, newest).unwrap_or(false) {
        return Ok(());
    }
    let what = if is_ahead { UNMERGED } else { RESCUED };
    let copy = files.free_backup(what, "db");
    files.make_backups()?;
    copy_into(held, &copy)?;
    if is_ahead { Ok(()) } else { adopt(files, &copy) }
}

/// The newest entry of the journal by its number and hash.
fn newest(connection: &Connection) -> Result<Option<(i64, Seal)>, StoreError> {
    let sql = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1";
    connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).optional().port()
}

/// Whether the store as others see it has this entry, and with it all before it.
fn is_in_store(files: &Files, newest: Option<(i64, Seal)>) -> Result<bool, StoreError> {
    let Some((seq, hash)) = newest else { return Ok(true) };
    ground::check_owner(files)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let others = Connection::open_with_flags(&files.database, flags).port()?;
    let sql = "SELECT hash FROM journal WHERE seq = ?1";
    let found: Option<Seal> = others.query_row(sql, [seq], |row| row.get(0)).optional().port()?;
    Ok(found == Some(hash))
}

/// Writes all that `connection` sees into a new file at `copy`, which is whole and on disk then.
pub(crate) fn copy_into(connection: &Connection, copy: &Path) -> Result<(), StoreError> {
    // SQLite fills an empty file and leaves its mode; one that it made itself all could read.
    let file = new_file(copy).map_err(|error| from_io(&error, "make the copy"))?;
    let made = fill(connection, copy)
        .and_then(|()| file.sync_all().map_err(|error| from_io(&error, "keep the copy")));
    if made.is_err() {
        remove(copy)?;
    }
    made
}

fn fill(connection: &Connection, copy: &Path) -> Result<(), StoreError> {
    // As bytes, since the name of a folder need be no text.
    let name = copy.as_os_str().as_encoded_bytes();
    connection.execute("VACUUM INTO CAST(?1 AS TEXT)", [name]).port()?;
    let copied = Connection::open(copy).port()?;
    match health::pages(&copied, false)?.first() {
        None => Ok(()),
        Some(line) => Err(StoreError::Corrupt { what: line.clone() }),
    }
}

/// Makes the copy the store: others find another database and open it.
fn adopt(files: &Files, copy: &Path) -> Result<(), StoreError> {
    let draft = files.backup("draft.db");
    remove(&draft)?;
    let put = || -> io::Result<()> {
        io::copy(&mut File::open(copy)?, &mut new_file(&draft)?)?;
        Ok(())
    };
    put().map_err(|error| from_io(&error, "copy what was saved"))?;
    replace(files, &draft)
}

/// Puts the database at `draft` in the place of the store, without its log. Called behind the gate.
///
/// It is put there in one step, so that at each moment the one or the other is there.
pub(crate) fn replace(files: &Files, draft: &Path) -> Result<(), StoreError> {
    let new = Connection::open(draft).port()?;
    new.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE);").port()?;
    drop(new);
    File::open(draft)
        .and_then(|file| file.sync_all())
        .map_err(|error| from_io(&error, "keep the new file"))?;
    // The log goes first: beside a new database it would be taken for the new one's.
    remove(&files.index)?;
    remove(&files.log)?;
    fs::rename(draft, &files.database)
        .and_then(|()| sync_folder(&files.database))
        .map_err(|error| from_io(&error, "put the new file in its place"))
}

/// One sentence for each copy that nobody has acknowledged.
pub(crate) fn unsaid(files: &Files) -> Vec<String> {
    // What cannot be listed is told of by what needs it.
    let copies = files.copies().unwrap_or_default();
    copies.iter().filter_map(|copy| sentence(copy)).collect()
}

fn sentence(copy: &Path) -> Option<String> {
    let name = copy.file_name()?.to_string_lossy().into_owned();
    match kind(copy)? {
        RESCUED => Some(format!(
            "the log was removed while the store was in use: nothing was lost, a copy is backups/{name}"
        )),
        _ => Some(format!(
            "the log was removed and replaced while the store was in use: backups/{name} has writes that the \
             store has not"
        )),
    }
}

fn kind(copy: &Path) -> Option<&'static str> {
    let name = copy.file_stem()?.to_str()?;
    [RESCUED, UNMERGED].into_iter().find(|kind| name.contains(&format!("-{kind}-")))
}

/// Gives the copies that were told of another name, under which they stay and are told of no more.
pub(crate) fn acknowledge(files: &Files) -> Result<Vec<PathBuf>, StoreError> {
    let mut kept = Vec::new();
    for copy in files.copies()?.into_iter().filter(|copy| kind(copy).is_some()) {
        let name = files.free_backup(KEPT, "db");
        fs::rename(&copy, &name).map_err(|error| from_io(&error, "rename a copy"))?;
        kept.push(name);
    }
    Ok(kept)
}
