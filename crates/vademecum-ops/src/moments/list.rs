//! A list in the data folder: a line of JSON for each thing, appended without waiting, the older half of which goes in time.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vademecum_files::{FileError, Root};

/// Beyond this size the older half of a list goes.
const MAX_BYTES: u64 = 1 << 20;

/// A list by the name of its file.
pub(super) struct List(pub(super) &'static str);

impl List {
    /// Appends one line. It is no promise: what cannot be written is left out.
    pub(super) fn append(&self, data: &Path, line: &impl Serialize) {
        let Ok(mut line) = serde_json::to_vec(line) else { return };
        line.push(b'\n');
        let Ok(Some(data)) = Root::open_private(data) else { return };
        if data.stat(self.0).is_ok_and(|found| found.is_some_and(|found| MAX_BYTES < found.size)) {
            drop(self.halve(&data));
        }
        drop(data.append(self.0, &line));
    }

    fn halve(&self, data: &Root) -> Result<(), FileError> {
        let text = self.read(data)?;
        let middle = text.len() / 2;
        let cut = text[middle..].iter().position(|&byte| byte == b'\n');
        data.replace(self.0, cut.map_or(b"", |at| &text[middle + at + 1..]))
    }

    /// The list as it is, which is halved in time; one that is far longer is not ours.
    fn read(&self, data: &Root) -> Result<Vec<u8>, FileError> {
        Ok(data.read(self.0, 16 * MAX_BYTES)?.unwrap_or_default())
    }

    /// All of it; nothing where it cannot be read.
    pub(super) fn text(&self, data: &Path) -> Vec<u8> {
        let read = Root::open_private(data).ok().flatten().map(|data| self.read(&data));
        read.and_then(Result::ok).unwrap_or_default()
    }

    /// The last `most` bytes of it, which may begin within a line; nothing where it cannot be read.
    pub(super) fn end(&self, data: &Path, most: u64) -> Vec<u8> {
        let read = Root::open_private(data).ok().flatten().map(|data| data.read_end(self.0, most));
        read.and_then(Result::ok).flatten().unwrap_or_default()
    }

    /// Leaves what `kept` makes of each line.
    pub(super) fn retain(
        &self,
        data: &Path,
        kept: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), FileError> {
        let Some(data) = Root::open_private(data)? else { return Ok(()) };
        let text = self.read(&data)?;
        let lines = text.split_inclusive(|&byte| byte == b'\n').filter_map(kept);
        let mut kept = lines.collect::<Vec<_>>().concat();
        // What comes next must not stand behind half a line.
        if kept.last().is_some_and(|&byte| byte != b'\n') {
            kept.push(b'\n');
        }
        if kept == text { Ok(()) } else { data.replace(self.0, &kept) }
    }
}

/// The lines of a text that are such things, in their order; others are left out.
pub(super) fn parsed<T: DeserializeOwned>(text: &[u8]) -> impl DoubleEndedIterator<Item = T> {
    let lines = text.split(|&byte| byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok())
}
