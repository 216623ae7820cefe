//! The old store: copied file by file while nobody writes it, and checked in the copy.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use rusqlite::{Connection, OptionalExtension as _};
use vademecum_core::hash::Key;

use super::Steps;
use super::draft::{key_of, with_ending};
use super::old::Old;

/// `vade` in ASCII, by which a file is known as a store.
const APPLICATION_ID: i32 = 0x7661_6465;

/// The versions that are read: 1.0 to 1.6, which was the last one.
const VERSIONS: std::ops::RangeInclusive<i32> = 1000..=1006;

/// The tables that came after 1.0, so that one query reads a store of each version.
const LATER: &str = include_str!("v1.sql");

/// A database is what lies in these files: all but the index of its log, which is made anew.
const PARTS: [&str; 3] = ["", "-wal", "-journal"];

/// What the old program says to do with a store that is not as it should be.
pub(super) const REPAIR: &str = "repair it with the vade that wrote it: vade doctor --repair";

/// Copies the store at `from` to `copy` and opens the copy. Not a byte beside `from` changes.
pub(super) fn take(from: &Path, copy: &Path, steps: Steps<'_>) -> Result<Old> {
    copy_files(from, copy, steps)?;
    steps("open the copy")?;
    let connection = Connection::open(copy)?;
    let version = check(&connection)?;
    connection.execute_batch(LATER)?;
    let key = key(from, &connection)?;
    Old::new(connection, version, key)
}

/// Copies what lies there of one moment: writers wait at the lock file, and who closes changes a file's times.
fn copy_files(from: &Path, copy: &Path, steps: Steps<'_>) -> Result<()> {
    let gate = match File::open(from.with_extension("lock")) {
        Ok(gate) => Some(gate),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).context("cannot open the lock file of the store"),
    };
    if let Some(gate) = &gate {
        gate.lock_shared()?;
    }
    let (index, log) = (with_ending(from, "-shm"), with_ending(from, "-wal"));
    ensure!(
        log.exists() || !index.exists(),
        "{} lies there without its log, which held the last writes: look with the vade that wrote it: vade doctor",
        index.display()
    );
    let marks = || PARTS.map(|part| with_ending(from, part).metadata().ok().as_ref().map(mark));
    let before = marks();
    for part in PARTS {
        let path = with_ending(from, part);
        if path.exists() {
            steps("copy a file")?;
            copy_file(&path, &with_ending(copy, part))?;
        }
    }
    ensure!(
        before == marks(),
        "{} was written meanwhile: end the programs that use it, and run it again",
        from.display()
    );
    Ok(())
}

fn mark(meta: &Metadata) -> [i64; 4] {
    let size = meta.size().cast_signed();
    [size, meta.mtime(), meta.mtime_nsec(), meta.ino().cast_signed()]
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let what = || format!("cannot copy {}", from.display());
    let mut file = File::open(from).with_context(what)?;
    let mut copy = OpenOptions::new().create_new(true).write(true).mode(0o600).open(to)?;
    io::copy(&mut file, &mut copy).with_context(what)?;
    Ok(())
}

/// The version of a store that can be brought over as it is.
fn check(connection: &Connection) -> Result<String> {
    let pragma = |name: &str| -> Result<i32> {
        Ok(connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?)
    };
    let is_ours = pragma("application_id")
        .context("the file is no database: name the file of a store, such as vade.db")?
        == APPLICATION_ID;
    ensure!(is_ours, "the file is no vademecum store: name the file of one, such as vade.db");
    let found = pragma("user_version")?;
    let version = format!("{}.{}", found / 1000, found % 1000);
    if !VERSIONS.contains(&found) {
        bail!(
            "the store is of version {version}, and 1.0 to 1.6 are read: nothing is to be done for a later one"
        );
    }
    let line: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    ensure!(line == "ok", "it is damaged ({line}): {REPAIR}");
    let begun: i64 = connection.query_row(
        "SELECT count(*) FROM store WHERE name GLOB 'forget:*'",
        [],
        |row| row.get(0),
    )?;
    ensure!(
        begun == 0,
        "{begun} things were begun to be forgotten there and are not gone yet: let the vade that wrote it end it: vade status"
    );
    Ok(version)
}

/// The key of the chain: beside the store, or in a backup of it; none if it was lost.
fn key(from: &Path, connection: &Connection) -> Result<Option<Key>> {
    let path = key_of(from);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => in_backup(connection)?,
        Err(error) => {
            return Err(error)
                .with_context(|| format!("{} cannot be read: make it readable", path.display()));
        }
    };
    // Half a key is none, as the program has it.
    Ok(bytes.first_chunk().map(|bytes| Key(*bytes)))
}

/// The key as a backup carries it; empty where there is none.
fn in_backup(connection: &Connection) -> Result<Vec<u8>> {
    let sql = "SELECT value FROM store WHERE name = 'key'";
    let digits: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(digits.as_deref().and_then(super::old::bytes).unwrap_or_default())
}
