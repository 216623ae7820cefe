//! What a conversation holds when the user writes: how often they have, what failed since, and what stands in it.

use std::io::Cursor;
use std::path::Path;

use memchr::memmem;
use vademecum_core::turn::Event;

use crate::hook::Harness;
use crate::tail;
use crate::transcript::{Format, Span, TranscriptError, read};

/// The most that is read from the end of a record, in bytes.
const MOST: u64 = 4 << 20;

/// The end of the record of a conversation.
#[derive(Debug)]
pub struct SoFar {
    harness: Harness,
    bytes: Vec<u8>,
    /// Where what is in the model's context begins.
    begin: usize,
    /// Whether all that is in it was read.
    is_whole: bool,
}

/// What the turns of it say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// How often the user asked since the last compaction.
    pub n_asked: usize,
    /// What failed since they asked last, as it was printed.
    pub failed: Vec<String>,
}

impl SoFar {
    /// Reads the end of the record at `path`; of a conversation that has none yet there is nothing to read.
    pub fn read(harness: Harness, path: Option<&Path>) -> Result<Self, TranscriptError> {
        let bytes = match path.map(|path| tail::last(path, MOST)).transpose() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes?.unwrap_or_default(),
        };
        // In a text the quotes would stand behind backslashes.
        let marker = match harness {
            Harness::ClaudeCode => r#""subtype":"compact_boundary""#,
            Harness::Codex => r#""type":"compacted""#,
        };
        let compacted = memmem::rfind(&bytes, marker.as_bytes());
        let begin = compacted.map_or(0, |at| at + marker.len());
        let is_whole =
            compacted.is_some() || bytes.len() < usize::try_from(MOST).unwrap_or(usize::MAX);
        Ok(Self { harness, bytes, begin, is_whole })
    }

    /// Whether the conversation was compacted.
    #[must_use]
    pub fn is_compacted(&self) -> bool {
        0 < self.begin
    }

    /// Whether all that the model has of it was read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether a text, such as an id, stands in what the model has.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        memmem::find(&self.bytes[self.begin..], text.as_bytes()).is_some()
    }

    /// The texts in the record that begin so, each once, as far as their string of JSON goes.
    #[must_use]
    pub fn texts(&self, opener: &str) -> Vec<&[u8]> {
        let mut texts = Vec::new();
        for at in memmem::find_iter(&self.bytes, opener.as_bytes()) {
            let text = &self.bytes[at..];
            let is_end = |at: &usize| text[*at] == b'"' && text[..*at].last() != Some(&b'\\');
            let end = memchr::memchr_iter(b'"', text).find(is_end).unwrap_or(text.len());
            if !texts.contains(&&text[..end]) {
                texts.push(&text[..end]);
            }
        }
        texts
    }

    /// What its turns say, since the last compaction.
    pub fn turns(&self) -> Result<Turns, TranscriptError> {
        let format = match self.harness {
            Harness::ClaudeCode => Format::ClaudeCode,
            Harness::Codex => Format::Codex,
        };
        let mut turns = Turns::default();
        let bytes = &self.bytes[self.begin..];
        let mut lines = Cursor::new(
            &bytes[if self.is_compacted() || !self.is_whole {
                memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1)
            } else {
                0
            }..],
        );
        read(Some(format), Span::Whole, &mut lines, &mut |turn| match turn.event {
            Event::Asked { .. } => {
                turns.n_asked += 1;
                turns.failed.clear();
            }
            Event::Answered(answer) if !answer.is_ok() => turns.failed.push(answer.text),
            _ => {}
        })?;
        Ok(turns)
    }
}
