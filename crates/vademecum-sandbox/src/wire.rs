//! What parent and child say to each other: frames of JSON, each behind its length.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::limits::Limits;
use crate::locks::Locks;

/// The first frame: what the child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Start {
    /// The program.
    pub(crate) code: String,
    /// The functions of `session`, such as `add_note` or `notepad.read`.
    pub(crate) functions: Vec<String>,
    /// What it may use.
    pub(crate) limits: Limits,
    /// Whether the child locks itself in before it runs the program.
    pub(crate) is_locked: bool,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Said {
    /// The program calls a function.
    Call {
        /// Its place among the functions.
        function: usize,
        /// An array.
        arguments: Box<RawValue>,
    },
    /// The program is over.
    Ended(Ended),
}

/// What the parent answers to a call: nothing stands for `undefined`.
pub(crate) type Answer = Result<Option<Box<RawValue>>, Refusal>;

/// Why a call was refused, as the program's error says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The kind of the error.
    pub kind: String,
    /// What was given and what is allowed.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

/// How a program ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    /// What it gave back, or why it gave nothing.
    pub(crate) outcome: Result<Option<Box<RawValue>>, Failure>,
    /// What it printed.
    pub(crate) printed: String,
    /// What held.
    pub(crate) locks: Locks,
}

/// Why a program gave nothing back, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Why.
    pub fault: Fault,
    /// Where it stood, if that is known.
    pub place: Option<Place>,
}

/// A place in a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// Why a program gave nothing back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// It threw, or could not be read.
    Threw {
        /// The error as the program would print it.
        message: String,
        /// What a refused call advised.
        hint: Option<String>,
    },
    /// It took too long.
    Time,
    /// It asked for too much memory.
    Memory,
    /// Its calls went too deep.
    Stack,
    /// It printed or gave back too much.
    Output,
    /// It made too many calls.
    Calls,
    /// It sent too much in its calls.
    Sent,
    /// It waits for something that never comes.
    Waits,
    /// What it gave back is no JSON.
    Value {
        /// Why.
        message: String,
    },
}

/// Writes one frame.
pub(crate) fn write(to: &mut impl Write, frame: &impl Serialize) -> io::Result<()> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, frame)?;
    let length = u32::try_from(bytes.len() - 4).map_err(|_| too_long(bytes.len()))?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    to.write_all(&bytes)?;
    to.flush()
}

/// Reads one frame of at most `most` bytes; nothing at the end of what comes.
pub(crate) fn read<T: DeserializeOwned>(
    from: &mut impl Read,
    most: usize,
) -> io::Result<Option<T>> {
    let mut head = [0; 4];
    match from.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(head);
    if usize::try_from(length).map_or(true, |length| most < length) {
        return Err(too_long(length));
    }
    // No memory is taken for what was only announced.
    let mut bytes = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != u64::from(length) {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&bytes)?))
}

fn too_long(length: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], wanted: &str) {
        let read: io::Result<Option<String>> = read(&mut &*bytes, 8);
        let said = match read {
            Ok(read) => format!("{read:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(said, wanted);
    }

    #[test]
    fn a_frame_is_whole_or_nothing() {
        let mut whole = Vec::new();
        write(&mut whole, &"ab").expect("a vector takes all");
        check(&whole, "Some(\"ab\")");
        check(&whole[..whole.len() - 1], "None");
        check(&whole[..3], "None");
        check(b"", "None");
        check(b"\xff\xff\xff\xffx", "a frame of 4294967295 bytes");
        check(b"\x02\0\0\0{}", "invalid type: map, expected a string at line 1 column 0");
    }
}
