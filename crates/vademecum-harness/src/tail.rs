//! The end of a file that only grows: lines looked at from the last one back, never more than a limit.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use vademecum_files::open_named;

/// The first step into the tail; most turns end well within it.
const STEP: u64 = 16 * 1024;

/// Gives `search` the last bytes of the file at `path`, more of them each time until it is content.
///
/// `search` also hears whether that is the whole file; what it says last is the answer.
pub(crate) fn search<T>(
    path: &Path,
    limit: u64,
    search: impl Fn(&[u8], bool) -> (T, bool),
) -> std::io::Result<T> {
    let mut file = open_named(path)?;
    let len = file.metadata()?.len();
    let mut step = STEP.min(limit);
    loop {
        let start = len.saturating_sub(step);
        let (found, is_content) = search(&read(&mut file, start, len)?, start == 0);
        if is_content || start == 0 || step == limit {
            return Ok(found);
        }
        step = (step * 4).min(limit);
    }
}

/// The last `limit` bytes of the file at `path`.
pub(crate) fn last(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut file = open_named(path)?;
    let len = file.metadata()?.len();
    read(&mut file, len.saturating_sub(limit), len)
}

/// The lines of a tail from the last one back; its first one only where that is whole.
pub(crate) fn lines(tail: &[u8], is_whole: bool) -> impl Iterator<Item = &[u8]> {
    let first =
        if is_whole { 0 } else { memchr::memchr(b'\n', tail).map_or(tail.len(), |at| at + 1) };
    tail[first..].rsplit(|&byte| byte == b'\n').filter(|line| !line.is_empty())
}

/// The bytes from `start` to `end`, or to where the file ends by now.
fn read(file: &mut File, start: u64, end: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end - start).read_to_end(&mut bytes)?;
    Ok(bytes)
}
