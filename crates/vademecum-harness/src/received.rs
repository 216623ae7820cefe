//! What of ours a conversation still holds, by the harness's own record of it.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use memchr::memmem;

use crate::claude_code;
use crate::claude_code::transcript::contexts::{RECEIPT, State};
use crate::codex;
use crate::hook::Harness;
use crate::tail;

pub use crate::claude_code::transcript::contexts::Context;

/// The most that is read from the end of a record, in bytes.
///
/// A conversation between two compactions takes a few; what lies further back is taken for gone.
const TAIL: u64 = 8 << 20;

/// What stands behind the last compaction, on the branch that the conversation is on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Received {
    /// The receipts of contexts that arrived whole, oldest first.
    pub whole: Vec<String>,
    /// The receipts of those that did not, oldest first.
    pub broken: Vec<String>,
    /// The ids of the model's calls of our tools; none where calls carry no id that we get.
    pub calls: Option<BTreeSet<String>>,
    /// What stands on branches that the user left.
    pub left: Left,
    /// Whether all of the record was read.
    pub is_all: bool,
}

/// What stands on branches that the user left, behind the last compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// The receipts of contexts that arrived whole.
    pub whole: Vec<String>,
    /// Whether the model called a tool of ours there.
    pub has_calls: bool,
}

/// The most that is read for the last answer, or for a prompt that went back, in bytes.
const NEAR: u64 = 256 * 1024;

/// The contexts that prompts carried behind the last answer, as those of a prompt that the user took back.
pub fn unanswered(harness: Harness, path: &Path) -> io::Result<Vec<Context>> {
    match harness {
        Harness::ClaudeCode => tail::search(path, NEAR, |bytes, is_whole| {
            claude_code::transcript::received::unanswered_in(tail::lines(bytes, is_whole))
        }),
        // What it has said to a model stays in the conversation when the user interrupts.
        Harness::Codex => Ok(Vec::new()),
    }
}

/// Whether the user went back to an earlier place not long ago; the next prompt but one tells.
pub fn went_back(harness: Harness, path: &Path) -> io::Result<bool> {
    match harness {
        Harness::ClaudeCode => {
            Ok(claude_code::transcript::received::went_back(&tail::last(path, NEAR)?))
        }
        Harness::Codex => Ok(false),
    }
}

impl Received {
    /// Reads the record at `path`; one that is not there holds nothing.
    pub fn read(harness: Harness, path: &Path) -> io::Result<Self> {
        let bytes = match tail::last(path, TAIL) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            bytes => bytes?,
        };
        // Most records are read for nothing: what they cannot hold is not looked for line by line.
        if memmem::find(&bytes, RECEIPT.as_bytes()).is_none() {
            return Ok(Self::default());
        }
        Ok(Self::of(harness, &bytes))
    }

    /// Reads the model's calls alone, where [`Received::read`] found no receipt and did not look for them.
    pub fn calls(harness: Harness, path: &Path) -> io::Result<Option<BTreeSet<String>>> {
        Ok(Self::of(harness, &tail::last(path, TAIL)?).calls)
    }

    fn of(harness: Harness, bytes: &[u8]) -> Self {
        let is_whole = u64::try_from(bytes.len()).is_ok_and(|len| len < TAIL);
        let mut lines: Vec<&[u8]> = tail::lines(bytes, is_whole).collect();
        lines.reverse();
        match harness {
            Harness::ClaudeCode => claude_code::transcript::received::received_in(&lines),
            Harness::Codex => codex::contexts::received_in(&lines),
        }
        .read_as(is_whole)
    }

    fn read_as(self, is_all: bool) -> Self {
        Self { is_all, ..self }
    }

    /// Takes in what the record shows of a context.
    pub(crate) fn take(&mut self, context: Context) {
        match (context.state, context.receipt) {
            (State::Whole, Some(receipt)) => self.whole.push(receipt),
            (State::Changed | State::Preview, Some(receipt)) => self.broken.push(receipt),
            // What a hook printed is no proof; what the model got is another line.
            (State::Sent, _) | (_, None) => {}
        }
    }
}
