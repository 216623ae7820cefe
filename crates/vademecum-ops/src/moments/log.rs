//! The list of contexts that were sent, by which `vade doctor` finds those that did not arrive.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The name of the list in the data folder.
const FILE: &str = "receipts.jsonl";

/// Beyond this size the older half of the list goes.
const MAX_BYTES: u64 = 1 << 20;

/// One context that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// When (RFC 3339).
    pub at: String,
    /// The full name of the session.
    pub session: String,
    /// The harness's name of the moment.
    pub event: String,
    /// The hash that the context ends with.
    pub receipt: String,
    /// How long it was, in the harness's unit.
    pub units: usize,
}

fn path(data: &Path) -> PathBuf {
    data.join(FILE)
}

/// Appends one line. It is no promise: what cannot be written is not missed by anybody but doctor.
pub(super) fn append(data: &Path, sent: &Sent) {
    let Ok(mut line) = serde_json::to_vec(sent) else {
        return;
    };
    line.push(b'\n');
    let path = path(data);
    if path.metadata().is_ok_and(|meta| MAX_BYTES < meta.len()) {
        halve(&path);
    }
    let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
    drop(opened.and_then(|mut file| file.write_all(&line)));
}

fn halve(path: &Path) {
    if let Ok(text) = fs::read_to_string(path) {
        let middle = text.len() / 2;
        let cut = text.as_bytes()[middle..].iter().position(|&byte| byte == b'\n');
        drop(fs::write(path, cut.map_or("", |at| &text[middle + at + 1..])));
    }
}

/// The contexts that were sent, oldest first; lines that are no such thing are left out.
#[must_use]
pub fn sent(data: &Path) -> Vec<Sent> {
    let text = fs::read_to_string(path(data)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Takes every line of these sessions out of the list.
pub(crate) fn forget(data: &Path, sessions: &[String]) -> std::io::Result<()> {
    let path = path(data);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let is_kept = |line: &&str| {
        let sent: Result<Sent, _> = serde_json::from_str(line);
        sent.is_ok_and(|sent| !sessions.contains(&sent.session))
    };
    let mut kept = text.lines().filter(is_kept).collect::<Vec<_>>().join("\n");
    if !kept.is_empty() {
        kept.push('\n');
    }
    fs::write(path, kept)
}
