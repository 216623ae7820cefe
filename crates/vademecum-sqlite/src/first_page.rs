//! Whose a database is and of which version, as its first page says, before anything is opened.
//!
//! SQLite makes files beside a database that it only reads, and of another version's not a byte may change.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use vademecum_store::StoreError;

use crate::error::from_io;
use crate::files::{Files, open_plain};

/// What the header of a database says of it: <https://www.sqlite.org/fileformat2.html>, section 1.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FirstPage {
    /// The mark of the program whose it is; 0 while nobody set one.
    pub(crate) application_id: i32,
    /// The version of the schema; 0 while nobody set one.
    pub(crate) user_version: i32,
}

impl FirstPage {
    const SIZE: usize = 100;

    fn of(header: &[u8; Self::SIZE]) -> Self {
        let number =
            |at: usize| i32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
        Self { application_id: number(68), user_version: number(60) }
    }
}

/// The files that this process has looked at, by device, number and birth: a number is given again.
static LOOKED_AT: Mutex<BTreeSet<(u64, u64, Option<SystemTime>)>> = Mutex::new(BTreeSet::new());

/// Lets `check` decide on the first page of a database before this process opens it for the first time.
///
/// Never later: who closes a file loses all locks that its process has on it, those of SQLite's connections too
/// (<https://www.sqlite.org/howtocorrupt.html>, section 2.2). No store becomes one of another version in its place.
pub(crate) fn look(
    files: &Files,
    check: impl FnOnce(FirstPage) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let Ok(meta) = files.database.metadata() else { return Ok(()) };
    let identity = (meta.dev(), meta.ino(), meta.created().ok());
    let mut looked_at = LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if !looked_at.contains(&identity) {
        if let Some(found) = read(files)? {
            check(found)?;
        }
        looked_at.insert(identity);
    }
    Ok(())
}

/// The first page as whoever opens the database sees it; none of one that has none yet, or is no database.
///
/// What the file says holds as soon as it says anything. Of one that is new all may stand in the log.
fn read(files: &Files) -> Result<Option<FirstPage>, StoreError> {
    let mut header = [0; FirstPage::SIZE];
    let open = |path| match open_plain(OpenOptions::new().read(true), path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(from_io(&error, "read the first page")),
    };
    let Some(file) = open(&files.database)? else { return Ok(None) };
    match file.read_exact_at(&mut header, 0) {
        Ok(()) if header.starts_with(b"SQLite format 3\0") => {}
        Ok(()) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(from_io(&error, "read the first page")),
    }
    let found = FirstPage::of(&header);
    if found != FirstPage::default() {
        return Ok(Some(found));
    }
    let in_log = open(&files.log)?.map(in_log).transpose();
    Ok(in_log.map_err(|error| from_io(&error, "read the log"))?.flatten())
}

/// The last first page that was committed to a log: <https://www.sqlite.org/walformat.html>, sections 1 to 3.
fn in_log(mut log: File) -> std::io::Result<Option<FirstPage>> {
    const HEAD: usize = 32;
    const FRAME: usize = 24;
    let mut bytes = Vec::new();
    log.read_to_end(&mut bytes)?;
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes(four.try_into().ok()?))
    };
    let page_size = number(8).unwrap_or(0) as usize;
    if page_size < FirstPage::SIZE {
        return Ok(None);
    }
    let salt = bytes.get(16..24);
    let (mut written, mut committed) = (None, None);
    let mut at = HEAD;
    // A frame of before the log began anew has other salt, and is none of it.
    while let Some(page) = bytes.get(at + FRAME..at + FRAME + page_size) {
        if bytes.get(at + 8..at + 16) != salt {
            break;
        }
        if number(at) == Some(1) {
            written = page.first_chunk().map(FirstPage::of);
        }
        if number(at + 4) != Some(0) {
            committed = written;
        }
        at += FRAME + page_size;
    }
    Ok(committed)
}
