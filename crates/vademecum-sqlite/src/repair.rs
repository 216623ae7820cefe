//! Mends a store: a copy comes first, what can be read is kept, and what cannot goes raw into quarantine.

mod later;
mod mend;
mod quarantine;
mod salvage;
mod scan;
mod whole;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rustix::fs::{FlockOperation, fcntl_lock};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use self::quarantine::Quarantine;
use self::scan::Pages;
use crate::error::{Port, from_io};
use crate::files::{Files, copy, new_file, remove, with_ending};
use crate::{deadline, gate, ground, health, open, rescue, schema};

/// The longest wait for writers that are at work.
const WAIT: Duration = Duration::from_secs(30);

/// What a repair found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What was wrong and is mended or accepted, one line each.
    pub mended: Vec<String>,
    /// What is wrong still, one line each.
    pub left: Vec<String>,
    /// Where the damaged file lies now; none if it was whole and stays in use.
    pub aside: Option<PathBuf>,
    /// Where the store lies as it was before rows were mended; none if nothing was wrong.
    pub copied: Option<PathBuf>,
    /// Where that lies which could not be read; none if all could.
    pub quarantine: Option<PathBuf>,
    /// How many texts and rows lie there.
    pub n_quarantined: usize,
    /// Copies of what only one process saw, which are told of no more.
    pub acknowledged: Vec<PathBuf>,
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

/// Checks the store at `path` in full, and mends what is wrong with it.
///
/// One whose pages are damaged is saved into a new file; so is one that is empty beside its log. Nobody
/// else may have it open then. What the disk refuses to read ends a repair, and the store is as it was.
pub fn repair(path: &Path) -> Result<Report, StoreError> {
    let files = Arc::new(Files::of(path));
    deadline::start(WAIT);
    match ground::is_made(&files) {
        Ok(false) => return Ok(Report::default()),
        Err(error @ StoreError::Engine { .. }) => return Err(error),
        Ok(true) | Err(_) => {}
    }
    let _gate = gate::enter(&files)?;
    match ground::is_made(&files) {
        Ok(false) => Ok(Report::default()),
        Ok(true) => pages_or_rows(&files),
        Err(error @ StoreError::LogGone { .. }) => {
            begin_log(&files)?;
            let mut report = pages_or_rows(&files)?;
            report.mended.insert(0, error.to_string());
            Ok(report)
        }
        Err(error @ StoreError::Emptied { n_log_bytes }) if n_log_bytes != 0 => {
            let source = from_log(&files)?;
            let report = replace(&files, &source, vec![error.to_string()]);
            remove_database(&source)?;
            report
        }
        Err(error) => Err(error),
    }
}

/// The copies of the store at `path` from which it could be restored, newest first.
pub fn copies(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut copies = Files::of(path).copies()?;
    copies.retain(|copy| copy.extension().is_some_and(|ending| ending == "db"));
    copies.sort_by_key(|copy| copy.metadata().and_then(|meta| meta.modified()).ok());
    copies.reverse();
    Ok(copies)
}

fn pages_or_rows(files: &Arc<Files>) -> Result<Report, StoreError> {
    let damage = damage(files)?;
    if damage.is_empty() {
        return whole::mend(files);
    }
    replace(files, &files.database, damage)
}

/// What makes the file unfit for use; a store that is not ours is refused.
fn damage(files: &Arc<Files>) -> Result<Vec<String>, StoreError> {
    match open::reader(files, false).and_then(|reader| health::pages(&reader.connection, true)) {
        Ok(lines) => Ok(lines),
        Err(error @ StoreError::Corrupt { .. }) => Ok(vec![error.to_string()]),
        // Only beside a key of ours can it have been a store.
        Err(error @ StoreError::Foreign) if files.key.exists() => Ok(vec![error.to_string()]),
        Err(error) => Err(error),
    }
}

/// What is wrong, as the doctor says it; what cannot be read is wrong too.
fn faults(files: &Arc<Files>) -> Result<Vec<String>, StoreError> {
    let reader = open::reader(files, false)?;
    match health::check(&reader.connection, files, true) {
        Ok(health) => Ok(health.faults),
        Err(StoreError::Corrupt { what }) => Ok(vec![what]),
        Err(error) => Err(error),
    }
}

/// Puts what can be read of the database at `source` in the place of the store, which is copied first.
fn replace(files: &Arc<Files>, source: &Path, damage: Vec<String>) -> Result<Report, StoreError> {
    let alone = check_alone(files)?;
    let aside = keep_aside(files)?;
    drop(alone);
    let key = match files.read_key()? {
        Some(key) => key,
        None => files.make_key()?,
    };
    let draft = files.backup("recovered.db");
    let mut report = save(files, source, &draft, &key)?;
    drop(check_alone(files)?);
    rescue::replace(files, &draft)?;
    report.aside = Some(aside);
    report.acknowledged = rescue::acknowledge(files)?;
    report.mended = damage;
    report.left = faults(files)?;
    Ok(report)
}

/// Copies the files as they are to where forgetting finds them.
pub(crate) fn keep_aside(files: &Files) -> Result<PathBuf, StoreError> {
    files.make_backups()?;
    let aside = files.free_backup("damaged", "db");
    for (from, ending) in [(&files.database, ""), (&files.log, "-wal")] {
        copy(from, &with_ending(&aside, ending))
            .map_err(|error| from_io(&error, "copy the damaged file"))?;
    }
    Ok(aside)
}

/// Lets the log begin anew where it is gone, and with it what it alone held.
fn begin_log(files: &Files) -> Result<(), StoreError> {
    let _alone = check_alone(files)?;
    keep_aside(files)?;
    remove(&files.index)
}

/// Makes a database from the log alone, beside the copies.
///
/// The log holds whole pages, and SQLite takes them in where there is a file for them to go to.
fn from_log(files: &Files) -> Result<PathBuf, StoreError> {
    files.make_backups()?;
    let made = files.backup("from-log.db");
    remove_database(&made)?;
    let put = || -> io::Result<()> {
        let mut head = [0; 12];
        File::open(&files.log)?.read_exact_at(&mut head, 0)?;
        // The size of a page stands at 8: <https://www.sqlite.org/fileformat2.html>, section 4.1.
        let stated = u32::from_be_bytes(head[8..].try_into().expect("four bytes"));
        let is_size = stated.is_power_of_two() && (512..=65_536).contains(&stated);
        new_file(&made)?.set_len(if is_size { stated.into() } else { 4096 })?;
        copy(&files.log, &with_ending(&made, "-wal"))
    };
    put().map_err(|error| from_io(&error, "copy the log"))?;
    Ok(made)
}

pub(crate) fn remove_database(path: &Path) -> Result<(), StoreError> {
    ["", "-wal", "-shm", "-journal"]
        .into_iter()
        .try_for_each(|ending| remove(&with_ending(path, ending)))
}

/// Locks the database as nobody can who finds it open elsewhere.
fn check_alone(files: &Files) -> Result<Option<File>, StoreError> {
    let file = match OpenOptions::new().read(true).write(true).open(&files.database) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(from_io(&error, "open the database")),
    };
    match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::ACCESS) => {
            Err(StoreError::Busy { waited: Duration::ZERO })
        }
        Err(error) => Err(from_io(&error.into(), "lock the database")),
    }
}

/// Writes what can be read of the database at `source` into a new file.
fn save(files: &Files, source: &Path, draft: &Path, key: &Key) -> Result<Report, StoreError> {
    let mut new = begin(draft)?;
    let old = connect(files, source)?;
    let mut quarantine = Quarantine::of(files);

    // Rows come in any order; what belongs to no one is adopted at the end.
    new.execute_batch("PRAGMA foreign_keys = OFF;").port()?;
    let transaction = new.transaction().port()?;
    let mut tables = salvage::trees(&old, &transaction, &mut quarantine)?;
    if tables.iter().any(|saved| saved.has_gaps) {
        drop(old);
        scan_copy(files, source, |pages| {
            salvage::leaves(pages, &transaction, &mut tables, &mut quarantine)
        })?;
    }
    mend::adopt(&transaction)?;
    let derived = mend::derive(&transaction, &mut quarantine)?;
    mend::drop_foreign(&transaction, &mut quarantine)?;
    let n_rechained = mend::rechain(&transaction, key)?;
    let (n_quarantined, kept) = quarantine.keep()?;
    transaction.commit().port()?;
    for saved in &mut tables {
        if saved.table == "note" {
            saved.has_gaps |= 0 < derived.n_dropped;
            saved.n_rows = derived.n_notes;
        }
    }
    let n_indexed = derived.n_notes;
    let report = Report { n_quarantined, tables, n_indexed, n_rechained, ..Report::default() };
    Ok(Report { quarantine: kept, ..report })
}

/// A connection to a damaged file, which only reads it. One that was made of a log takes that in.
fn connect(files: &Files, source: &Path) -> Result<Connection, StoreError> {
    let access = if source == files.database {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let old = Connection::open_with_flags(source, flags).port()?;
    old.execute_batch("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;").port()?;
    Ok(old)
}

/// Gives `run` the pages of a copy in which the log is taken in; the damaged file stays as it is.
fn scan_copy(
    files: &Files,
    source: &Path,
    run: impl FnOnce(&Pages) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let scanned = files.backup("scanned.db");
    remove_database(&scanned)?;
    let copied = || -> io::Result<Pages> {
        for ending in ["", "-wal"] {
            copy(&with_ending(source, ending), &with_ending(&scanned, ending))?;
        }
        if let Ok(connection) = Connection::open(&scanned) {
            // Where the log cannot be taken in the file is read without it.
            drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        }
        Pages::open(&scanned)
    };
    let ran = match copied() {
        Ok(pages) => run(&pages),
        Err(error) => Err(from_io(&error, "copy the damaged file")),
    };
    remove_database(&scanned)?;
    ran
}

/// Makes an empty store at `draft`; what an earlier try left there gives way.
fn begin(draft: &Path) -> Result<Connection, StoreError> {
    remove_database(draft)?;
    new_file(draft).map_err(|error| from_io(&error, "make the new file"))?;
    let new = Connection::open(draft).port()?;
    new.execute_batch("PRAGMA synchronous = FULL;").port()?;
    schema::create(&new)?;
    Ok(new)
}
