//! The files of a mirror: made when absent, appended to in one write, locked while they are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use vademecum_core::plan::PlanName;

/// So often another process that appends is waited for, a pause each time: ten seconds.
const TRIES: usize = 5_000;
const PAUSE: Duration = Duration::from_millis(2);

/// Holds the folder of all plans of a work tree until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _folder: File,
}

impl Lock {
    /// Locks the folder, which must be there; a folder can be locked like a file and leaves none behind.
    #[expect(
        clippy::disallowed_methods,
        reason = "locks wake nobody; the number of tries is bounded"
    )]
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let file = File::open(folder)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _folder: file }),
                Err(fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// Makes the folder of a plan, out of sight of version control unless that is wanted.
pub(super) fn make_folder(folder: &Path, plan: &PlanName, is_tracked: bool) -> io::Result<PathBuf> {
    let folder = folder.join(plan.as_str());
    fs::create_dir_all(&folder)?;
    if !is_tracked {
        match OpenOptions::new().write(true).create_new(true).open(folder.join(IGNORE)) {
            Ok(mut file) => file.write_all(IGNORE_ALL.as_bytes())?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(folder)
}

const IGNORE: &str = ".gitignore";
const IGNORE_ALL: &str = "*\n";

/// Appends in one write, so that whoever appends at the same time stands before it or behind it.
pub(super) fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// Puts a new text in the place of a file; a reader sees the old one or the new one.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, text)?;
    fs::rename(draft, path)
}

/// The text of a file; empty where there is none. Bytes that are no text are replaced.
pub(super) fn read(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// Removes one file.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    absent_or(fs::remove_file(path))
}

/// Removes the files of a plan and every folder that is empty without them.
pub(super) fn remove(folder: &Path, plan: &str, names: &[&str]) -> io::Result<()> {
    let plan = folder.join(plan);
    for name in names {
        absent_or(fs::remove_file(plan.join(name)))?;
    }
    if fs::read_to_string(plan.join(IGNORE)).is_ok_and(|text| text == IGNORE_ALL) {
        fs::remove_file(plan.join(IGNORE))?;
    }
    for folder in [plan.as_path(), folder].into_iter().chain(folder.parent()) {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            removed => absent_or(removed)?,
        }
    }
    Ok(())
}

fn absent_or(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
