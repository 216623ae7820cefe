//! The file of a session's transcript: locked, only appended to, on disk before it is acknowledged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use vademecum_files::read_in;
use vademecum_ops::OpError;

use super::record::{Event, From, Record};

/// An open transcript.
#[derive(Debug)]
pub(super) struct Transcript {
    file: File,
    path: PathBuf,
    len: u64,
    /// The number of the next line.
    next: u64,
}

/// A record with the number of its line.
pub(super) type Numbered = (u64, Record);

/// A transcript is read whole; one that does not fit into memory is no conversation.
const MAX_BYTES: u64 = 1 << 30;

/// No fork goes on from a fork that lies deeper.
const LONGEST_CHAIN: usize = 8;

impl Transcript {
    /// Opens the file or makes it, and reads what it holds; a torn end is taken away.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Numbered>), OpError> {
        let file = create(path).map_err(|error| failed(path, &error))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => OpError::conflict("the session is open in another program")
                .hint("a transcript has one writer at a time"),
            TryLockError::Error(error) => failed(path, &error),
        })?;
        let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
        let whole = whole_lines(&bytes);
        let (records, whole) = (records(whole)?, whole.len());
        let (len, next) = (whole as u64, records.last().map_or(0, |(line, _)| line + 1));
        let mut transcript = Self { file, path: path.to_owned(), len, next };
        transcript.cut().map_err(|error| failed(path, &error))?;
        Ok((transcript, records))
    }

    /// Appends a record and gives the number of its line; it is on disk when this returns.
    pub(super) fn append(&mut self, record: &Record) -> Result<u64, OpError> {
        let mut line = serde_json::to_vec(record)
            .map_err(|error| OpError::broken(format!("a record is no JSON: {error}")))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let failure = failed(&self.path, &error);
            return self
                .cut()
                .map_or_else(|error| Err(failed(&self.path, &error)), |()| Err(failure));
        }
        self.len += line.len() as u64;
        self.next = self.next.max(first_line(record)) + 1;
        Ok(self.next - 1)
    }

    /// The number of the next line.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its path from the root, as bytes.
    pub(super) fn full_path(&self) -> Vec<u8> {
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        path.into_os_string().into_encoded_bytes()
    }

    /// Its name, by which a fork beside it goes on from it.
    pub(super) fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The history that a fork goes on from, the oldest record first.
    pub(super) fn history(&self, from: &From) -> Result<Vec<Numbered>, OpError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let (mut parts, mut from) = (Vec::new(), Some(from.clone()));
        while let Some(part) = from.take() {
            if LONGEST_CHAIN < parts.len() || Path::new(&part.file).components().count() != 1 {
                let message =
                    format!("the transcript goes on from \"{}\", which is none", part.file);
                return Err(OpError::broken(message));
            }
            let bytes = beside(folder, &part.file)?.ok_or_else(|| {
                let error = io::Error::from(io::ErrorKind::NotFound);
                failed(&folder.join(&part.file), &error)
            })?;
            let mut own = records(whole_lines(&bytes))?;
            own.retain(|(line, _)| *line < part.line);
            from = own.first().and_then(|(_, record)| origin(record).cloned());
            parts.push(own);
        }
        Ok(parts.into_iter().rev().flatten().collect())
    }

    /// Takes away what was never acknowledged.
    fn cut(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() != self.len {
            self.file.set_len(self.len)?;
            self.file.sync_all()?;
        }
        self.file.seek(io::SeekFrom::End(0)).map(drop)
    }
}

impl Drop for Transcript {
    /// Gives the lock back at once: a process that is just being started holds copies of open files.
    fn drop(&mut self) {
        // Should that fail, the lock ends with the file.
        self.file.unlock().ok();
    }
}

/// The lines that were acknowledged.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// The records with their numbers, which go on where a fork's history ends.
fn records(bytes: &[u8]) -> Result<Vec<Numbered>, OpError> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let read = lines.map(|(idx, line)| {
        serde_json::from_slice(line).map_err(|error| {
            OpError::broken(format!("line {idx} of the transcript does not read: {error}"))
        })
    });
    let records = read.collect::<Result<Vec<Record>, OpError>>()?;
    let first = records.first().map_or(0, first_line);
    Ok((first..).zip(records).collect())
}

/// The transcript that one with this first record goes on from.
pub(super) fn origin(record: &Record) -> Option<&From> {
    match record {
        Record::Event(Event::Session { from, .. }) => from.as_ref(),
        Record::Event(_) | Record::Message(_) => None,
    }
}

fn first_line(record: &Record) -> u64 {
    origin(record).map_or(0, |from| from.line)
}

/// The bytes of a transcript that another one names; none where there is none.
pub(super) fn beside(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, OpError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    read_in(folder, name, MAX_BYTES).map_err(|error| failed(&folder.join(name), &error.into()))
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let is_new = !path.exists();
    let file = options.open(path)?;
    if let Some(folder) = path.parent().filter(|_| is_new) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}

pub(super) fn failed(path: &Path, error: &io::Error) -> OpError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    OpError::broken(format!("the transcript {name} cannot be kept: {error}"))
}
