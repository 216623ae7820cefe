//! The file of a session's transcript: locked, only appended to, on disk before it is acknowledged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use vademecum_ops::OpError;

use super::record::Record;

/// An open transcript.
#[derive(Debug)]
pub(super) struct Transcript {
    file: File,
    path: PathBuf,
    len: u64,
    n_lines: u64,
}

impl Transcript {
    /// Opens the file or makes it, and reads what it holds; a torn end is taken away.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Record>), OpError> {
        let file = create(path).map_err(|error| failed(path, &error))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => OpError::conflict("the session is open in another program")
                .hint("a transcript has one writer at a time"),
            TryLockError::Error(error) => failed(path, &error),
        })?;
        let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let records = records(&bytes[..whole])?;
        let (len, n_lines) = (whole as u64, records.len() as u64);
        let mut transcript = Self { file, path: path.to_owned(), len, n_lines };
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
        self.n_lines += 1;
        Ok(self.n_lines - 1)
    }

    /// How many lines there are: the number of the next one.
    pub(super) fn n_lines(&self) -> u64 {
        self.n_lines
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

fn records(bytes: &[u8]) -> Result<Vec<Record>, OpError> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let read = lines.map(|(idx, line)| {
        serde_json::from_slice(line).map_err(|error| {
            OpError::broken(format!("line {idx} of the transcript does not read: {error}"))
        })
    });
    read.collect()
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

fn failed(path: &Path, error: &io::Error) -> OpError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    OpError::broken(format!("the transcript {name} cannot be kept: {error}"))
}
