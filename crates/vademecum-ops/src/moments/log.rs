//! The list of contexts that were sent, by which `vade doctor` finds those that did not arrive.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vademecum_core::id::{EntryId, Seq};
use vademecum_core::session::SessionKey;
use vademecum_files::{FileError, Root};

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
    /// Whether it told all that the conversation lacked, the model's own writes too.
    #[serde(default)]
    pub is_full: bool,
    /// Up to which write of the session it tells; none where an earlier program sent it.
    #[serde(default)]
    pub upto: Option<Seq>,
    /// Behind which write it begins, where it tells no more than what others changed.
    #[serde(default)]
    pub from: Seq,
    /// Up to which entry of the project it tells; none where it tells of no entries.
    #[serde(default)]
    pub entry: Option<EntryId>,
    /// The sub-agents that it tells of as running.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<String>,
    /// Those that it tells of as running no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<String>,
    /// The session of whose work it tells first; it goes with that one when it is forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<SessionKey>,
}

/// Appends one line. It is no promise: what cannot be written is not missed by anybody but doctor.
pub(super) fn append(data: &Path, sent: &Sent) {
    let Ok(mut line) = serde_json::to_vec(sent) else { return };
    line.push(b'\n');
    let Ok(Some(data)) = Root::open_private(data) else { return };
    if data.stat(FILE).is_ok_and(|found| found.is_some_and(|found| MAX_BYTES < found.size)) {
        drop(halve(&data));
    }
    drop(data.append(FILE, &line));
}

fn halve(data: &Root) -> Result<(), FileError> {
    let text = read(data)?;
    let middle = text.len() / 2;
    let cut = text[middle..].iter().position(|&byte| byte == b'\n');
    data.replace(FILE, cut.map_or(b"", |at| &text[middle + at + 1..]))
}

/// The list as it is, which is halved in time; one that is far longer is not ours.
fn read(data: &Root) -> Result<Vec<u8>, FileError> {
    Ok(data.read(FILE, 16 * MAX_BYTES)?.unwrap_or_default())
}

/// The contexts that were sent, oldest first; lines that are no such thing are left out.
#[must_use]
pub fn sent(data: &Path) -> Vec<Sent> {
    parsed(&text(data), |_| true)
}

/// Those alone that tell of open work: hardly any of a long list, of which no more is parsed.
pub(super) fn offers(data: &Path) -> Vec<Sent> {
    let field = b"\"offered\":";
    parsed(&text(data), |line| line.windows(field.len()).any(|bytes| bytes == field))
}

fn text(data: &Path) -> Vec<u8> {
    let read = Root::open_private(data).ok().flatten().and_then(|data| read(&data).ok());
    read.unwrap_or_default()
}

fn parsed(text: &[u8], is_wanted: impl FnMut(&&[u8]) -> bool) -> Vec<Sent> {
    let lines = text.split(|&byte| byte == b'\n').filter(is_wanted);
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Takes every line of these sessions out of the list, and their names out of the others.
pub(crate) fn forget(data: &Path, sessions: &[String]) -> Result<(), FileError> {
    let Some(data) = Root::open_private(data)? else { return Ok(()) };
    let text = read(&data)?;
    let is_gone = |name: &String| sessions.contains(name);
    let kept = |line: &[u8]| -> Option<Vec<u8>> {
        let mut sent: Sent = serde_json::from_slice(line).ok()?;
        if is_gone(&sent.session) {
            return None;
        }
        match sent.offered.take_if(|offered| is_gone(&offered.to_string())) {
            Some(_) => serde_json::to_vec(&sent).ok().map(|line| [line, b"\n".to_vec()].concat()),
            None => Some(line.to_vec()),
        }
    };
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter_map(kept);
    let mut kept = lines.collect::<Vec<_>>().concat();
    // What comes next must not stand behind half a line.
    if kept.last().is_some_and(|&byte| byte != b'\n') {
        kept.push(b'\n');
    }
    if kept == text { Ok(()) } else { data.replace(FILE, &kept) }
}
