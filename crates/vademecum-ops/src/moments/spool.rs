//! The spool: what the store could not take in time, one line each, taken in by the next hook.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum_core::time::Time;

use super::standing::Told;

/// The name of the spool in the data folder.
const FILE: &str = "spool.jsonl";

/// One line of the spool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// When it was queued.
    pub at: Time,
    /// What was wrong then.
    pub fault: String,
    /// What is to be noted; none where only the fault is.
    pub told: Option<Told>,
}

fn path(data: &Path) -> PathBuf {
    data.join(FILE)
}

/// Appends one line in one write, and waits until it is on disk.
pub(super) fn append(data: &Path, queued: &Queued) -> io::Result<()> {
    let mut line = serde_json::to_vec(queued)?;
    line.push(b'\n');
    if !data.is_dir() {
        use std::os::unix::fs::DirBuilderExt as _;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(data)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path(data))?;
    // Whoever drains holds the same lock: a line stands either before its look or behind it.
    file.lock()?;
    file.write_all(&line)?;
    file.sync_data()
}

/// What waits in the spool, oldest first.
#[must_use]
pub fn queued(data: &Path) -> Vec<Queued> {
    let mut text = String::new();
    let read = File::open(path(data)).and_then(|mut file| file.read_to_string(&mut text));
    if read.is_err() {
        return Vec::new();
    }
    lines(&text)
}

fn lines(text: &str) -> Vec<Queued> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Whether anything waits.
pub(super) fn is_empty(data: &Path) -> bool {
    !path(data).metadata().is_ok_and(|meta| 0 < meta.len())
}

/// Hands every line to `take`, and empties the spool if all were taken; what was taken.
///
/// Another process that drains at the same time leaves it to this one, and one that appends waits:
/// no line is taken twice and none is lost.
pub(super) fn drain(data: &Path, mut take: impl FnMut(&Queued) -> bool) -> io::Result<Vec<Queued>> {
    let mut file = OpenOptions::new().read(true).write(true).open(path(data))?;
    if file.try_lock().is_err() {
        return Ok(Vec::new());
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let mut lines = lines(&text);
    let n_taken = lines.iter().take_while(|queued| take(queued)).count();
    let mut rest = String::new();
    for queued in &lines[n_taken..] {
        rest.push_str(&serde_json::to_string(queued)?);
        rest.push('\n');
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(rest.as_bytes())?;
    file.set_len(rest.len() as u64)?;
    file.sync_data()?;
    lines.truncate(n_taken);
    Ok(lines)
}

/// Takes every line of these sessions out of the spool.
pub(super) fn forget(data: &Path, sessions: &[String]) -> io::Result<()> {
    if is_empty(data) {
        return Ok(());
    }
    let mut file = OpenOptions::new().read(true).write(true).open(path(data))?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let is_theirs = |queued: &Queued| {
        let name = queued.told.as_ref().map(|told| crate::who::full_name(&told.key));
        name.is_some_and(|name| sessions.contains(&name))
    };
    let mut rest = String::new();
    for queued in lines(&text).iter().filter(|queued| !is_theirs(queued)) {
        rest.push_str(&serde_json::to_string(queued)?);
        rest.push('\n');
    }
    // The old bytes are written over before the file is cut to its new length.
    let padded = format!("{rest}{}", " ".repeat(text.len().saturating_sub(rest.len())));
    file.seek(SeekFrom::Start(0))?;
    file.write_all(padded.as_bytes())?;
    file.sync_data()?;
    file.set_len(rest.len() as u64)
}
