//! Saves what can be read of a damaged store into a new file; the old one is kept aside, never edited.

mod mend;
mod salvage;
mod scan;

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::{FlockOperation, fcntl_lock};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use self::scan::Pages;
use crate::error::{Port, from_io};
use crate::files::{Files, private_folder};
use crate::{deadline, gate, health, open, schema};

/// The longest wait for writers that are at work.
const WAIT: Duration = Duration::from_secs(30);

/// What a repair found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What was wrong and is mended, one line each.
    pub mended: Vec<String>,
    /// What is wrong still, one line each: what another program changed cannot be made undone.
    pub left: Vec<String>,
    /// Where the damaged file lies now; none if it was whole and stays in use.
    pub aside: Option<PathBuf>,
    /// What was saved of each table; empty if nothing had to be.
    pub tables: Vec<Saved>,
    /// How many notes the search index was made anew for.
    pub n_indexed: usize,
    /// In how many scopes the chain of the journal was begun anew.
    pub n_rechained: usize,
}

/// What was saved of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Its name.
    pub table: String,
    /// How many rows are in the new file.
    pub n_rows: usize,
    /// Whether a part of it could not be read.
    pub has_gaps: bool,
}

/// Checks the store at `path` in full, and makes its index and a lost key anew.
///
/// A damaged one is saved into a new file. Nobody else may have it open then: what closes a file
/// that was put aside removes the log of the new one.
pub fn repair(path: &Path) -> Result<Report, StoreError> {
    let files = Files::of(path);
    if !files.is_made()? {
        return Ok(Report::default());
    }
    deadline::start(WAIT);
    let _gate = gate::enter(&files)?;
    let damage = damage(&files)?;
    if damage.is_empty() {
        return make_anew(&files);
    }
    drop(check_alone(&files)?);
    let key = match files.read_key() {
        Some(key) => key,
        None => files.make_key()?,
    };
    private_folder(&files.backups)
        .map_err(|error| from_io(&error, "make the folder of backups"))?;
    let draft = files.backups.join("vade-recovered.db");
    let mut report = save(&files, &draft, &key)?;
    report.aside = Some(swap(&files, &draft)?);
    report.mended = damage;
    report.left = faults(&files)?;
    Ok(report)
}

/// What makes the file unfit for use; a store that is not ours is refused.
fn damage(files: &Files) -> Result<Vec<String>, StoreError> {
    match open::reader(files, false).and_then(|reader| health::pages(&reader.connection, true)) {
        Ok(lines) => Ok(lines),
        Err(error @ StoreError::Corrupt { .. }) => Ok(vec![error.to_string()]),
        // Only beside a key of ours can it have been a store.
        Err(error @ StoreError::Foreign) if files.key.exists() => Ok(vec![error.to_string()]),
        Err(error) => Err(error),
    }
}

fn faults(files: &Files) -> Result<Vec<String>, StoreError> {
    let reader = open::reader(files, false)?;
    Ok(health::check(&reader.connection, files.read_key().as_ref(), true)?.faults)
}

/// Makes the index, the counts and a lost key anew in a file that is whole.
fn make_anew(files: &Files) -> Result<Report, StoreError> {
    let before = faults(files)?;
    let mut writer = open::writer(files, false)?;
    let transaction =
        writer.connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
    let n_indexed = mend::derive(&transaction)?.n_notes;
    transaction.execute_batch("REINDEX").port()?;
    transaction.commit().port()?;
    let left = faults(files)?;
    let mended = before.into_iter().filter(|fault| !left.contains(fault)).collect();
    Ok(Report { mended, left, n_indexed, ..Report::default() })
}

/// Locks the database as nobody can who finds it open elsewhere.
fn check_alone(files: &Files) -> Result<File, StoreError> {
    let file = OpenOptions::new().read(true).write(true).open(&files.database);
    let file = file.map_err(|error| from_io(&error, "open the database"))?;
    match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::ACCESS) => {
            Err(StoreError::Busy { waited: Duration::ZERO })
        }
        Err(error) => Err(from_io(&error.into(), "lock the database")),
    }
}

/// Writes what can be read into a new file.
fn save(files: &Files, draft: &Path, key: &Key) -> Result<Report, StoreError> {
    let mut new = begin(draft)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let old = Connection::open_with_flags(&files.database, flags).port()?;
    old.execute_batch("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;").port()?;

    let transaction = new.transaction().port()?;
    let mut tables = salvage::trees(&old, &transaction)?;
    if tables.iter().any(|saved| saved.has_gaps) {
        drop(old);
        scan_copy(files, |pages| salvage::leaves(pages, &transaction, &mut tables))?;
    }
    mend::adopt(&transaction)?;
    let derived = mend::derive(&transaction)?;
    let n_rechained = mend::rechain(&transaction, key)?;
    transaction.commit().port()?;
    for saved in &mut tables {
        if saved.table == "note" {
            saved.has_gaps |= 0 < derived.n_dropped;
            saved.n_rows = derived.n_notes;
        }
    }
    new.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE);").port()?;
    drop(new);
    let file = File::open(draft).and_then(|file| file.sync_all());
    file.map_err(|error| from_io(&error, "keep the new file"))?;
    Ok(Report { tables, n_indexed: derived.n_notes, n_rechained, ..Report::default() })
}

/// Gives `run` the pages of a copy in which the log is taken in; the damaged file stays as it is.
fn scan_copy(
    files: &Files,
    run: impl FnOnce(&Pages) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let copy = files.backups.join("vade-scanned.db");
    let copied = || -> std::io::Result<Pages> {
        for ending in ["", "-wal"] {
            let from = with_ending(&files.database, ending);
            if from.exists() {
                fs::copy(from, with_ending(&copy, ending))?;
            }
        }
        if let Ok(connection) = Connection::open(&copy) {
            // Where the log cannot be taken in the file is read without it.
            drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        }
        Pages::open(&copy)
    };
    let ran = match copied() {
        Ok(pages) => run(&pages),
        Err(error) => Err(from_io(&error, "copy the damaged file")),
    };
    for ending in ["", "-wal", "-shm"] {
        remove(&with_ending(&copy, ending))?;
    }
    ran
}

/// Makes an empty store at `draft`; what an earlier try left there gives way.
fn begin(draft: &Path) -> Result<Connection, StoreError> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        remove(&with_ending(draft, ending))?;
    }
    OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(draft)
        .map_err(|error| from_io(&error, "make the new file"))?;
    let new = Connection::open(draft).port()?;
    new.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = FULL;").port()?;
    schema::create(&new)?;
    Ok(new)
}

/// Puts the new file in the place of the old one, which gets a name of its own.
fn swap(files: &Files, draft: &Path) -> Result<PathBuf, StoreError> {
    let alone = check_alone(files)?;
    let aside = free_name(&files.backups);
    let put = || {
        // The log goes first: beside a new database it would be taken for the new one's.
        for ending in ["-wal", "-shm"] {
            let log = with_ending(&files.database, ending);
            if log.exists() {
                fs::rename(&log, with_ending(&aside, ending))?;
            }
        }
        fs::rename(&files.database, &aside)?;
        fs::rename(draft, &files.database)?;
        let folder = files.database.parent().unwrap_or(Path::new("/"));
        File::open(folder)?.sync_all()
    };
    put().map_err(|error| from_io(&error, "put the new file in its place"))?;
    drop(alone);
    Ok(aside)
}

/// A name among the backups, where forgetting finds it.
fn free_name(backups: &Path) -> PathBuf {
    let mut names = (1..).map(|n| backups.join(format!("vade-damaged-{n}.db")));
    names.find(|name| !name.exists()).expect("numbers do not end")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(from_io(&error, "remove an unfinished file"))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
