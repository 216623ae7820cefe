//! How full the context is, from the end of a transcript and never from more than that.

use std::borrow::Cow;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;
use vademecum_core::time::Time;

use super::TranscriptError;
use crate::tail;

/// The most that is read from the end of a transcript, in bytes.
pub const TAIL: u64 = 256 * 1024;

/// Whose answers a transcript is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Of the session: answers of sub-agents inside its transcript do not count.
    Session,
    /// Of the sub-agent whose own transcript this is.
    Agent,
}

/// What the end of a transcript says about the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// How many tokens the context holds.
    pub tokens: Tokens,
    /// Whether the last line is not complete.
    pub is_torn: bool,
    /// How many lines looked like an answer or a boundary and could not be read.
    pub n_skipped: usize,
}

/// How many tokens a context holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tokens {
    /// Those of the last answer: input, both caches and output.
    Used {
        /// The sum.
        tokens: u64,
        /// The answer's id: right after a compaction the transcript still ends with the answer
        /// before it, and only the id tells.
        message_id: Option<String>,
        /// The model that answered.
        model: Option<String>,
    },
    /// The conversation was compacted and not answered since.
    Compacted {
        /// The tokens behind the compaction, as the harness counts them.
        tokens: Option<u64>,
    },
    /// No answer within what was read.
    Unknown,
}

/// Reads the last answer of the transcript at `path` from its last `limit` bytes.
pub fn usage(path: &Path, whose: Whose, limit: u64) -> Result<Usage, TranscriptError> {
    let failed = |source| TranscriptError { path: path.to_owned(), source };
    let searched = tail::search(path, limit, |tail, is_whole| {
        let usage = search(tail, is_whole, whose);
        let is_known = usage.tokens != Tokens::Unknown;
        (usage, is_known)
    });
    searched.map_err(failed)
}

/// When the last answer of the transcript at `path` was given, from its last `limit` bytes.
///
/// Around a compaction lines are written late: what tells an answer before it from one behind it is
/// its time, not its place in the file.
pub fn answered_at(path: &Path, whose: Whose, limit: u64) -> Result<Option<Time>, TranscriptError> {
    let failed = |source| TranscriptError { path: path.to_owned(), source };
    let tail = tail::last(path, limit).map_err(failed)?;
    let answered = |line: &[u8]| {
        memmem::find(line, b"\"usage\"")?;
        let line: Line<'_> = serde_json::from_slice(line).ok()?;
        let is_answer = line.kind.as_deref() == Some("assistant");
        let is_theirs = whose == Whose::Agent || !line.is_sidechain;
        Time::parse(line.timestamp.as_deref().filter(|_| is_answer && is_theirs)?)
    };
    Ok(tail::lines(&tail, true).find_map(answered))
}

fn search(tail: &[u8], is_whole: bool, whose: Whose) -> Usage {
    let is_torn = tail.last().is_some_and(|&byte| byte != b'\n');
    let mut usage = Usage { tokens: Tokens::Unknown, is_torn, n_skipped: 0 };
    for line in tail::lines(tail, is_whole) {
        match tokens(line, whose) {
            Ok(Tokens::Unknown) => {}
            Ok(tokens) => {
                usage.tokens = tokens;
                break;
            }
            Err(_) => usage.n_skipped += 1,
        }
    }
    usage
}

fn tokens(line: &[u8], whose: Whose) -> serde_json::Result<Tokens> {
    let is_boundary = memmem::find(line, b"compact_boundary").is_some();
    if !is_boundary && memmem::find(line, b"\"usage\"").is_none() {
        return Ok(Tokens::Unknown);
    }
    let line: Line<'_> = serde_json::from_slice(line)?;
    if whose == Whose::Session && line.is_sidechain {
        return Ok(Tokens::Unknown);
    }
    Ok(match (line.kind.as_deref(), line.subtype.as_deref()) {
        (Some("system"), Some("compact_boundary")) => Tokens::Compacted {
            tokens: line.compact_metadata.and_then(|metadata| metadata.post_tokens),
        },
        (Some("assistant"), _) => line.message.map_or(Tokens::Unknown, Message::tokens),
        _ => Tokens::Unknown,
    })
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    subtype: Option<Cow<'a, str>>,
    #[serde(rename = "isSidechain", default)]
    is_sidechain: bool,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
    #[serde(rename = "compactMetadata")]
    compact_metadata: Option<CompactMetadata>,
}

#[derive(Deserialize)]
struct CompactMetadata {
    #[serde(rename = "postTokens")]
    post_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    usage: Option<Counts>,
}

impl Message<'_> {
    /// The tokens of the answer; unknown for the harness's own messages about errors.
    fn tokens(self) -> Tokens {
        let tokens = self.usage.map_or(0, |usage| usage.sum());
        if tokens == 0 || self.model.as_deref() == Some("<synthetic>") {
            return Tokens::Unknown;
        }
        Tokens::Used {
            tokens,
            message_id: self.id.map(Cow::into_owned),
            model: self.model.map(Cow::into_owned),
        }
    }
}

#[derive(Deserialize)]
struct Counts {
    #[serde(rename = "input_tokens")]
    input: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens")]
    cache_creation: Option<u64>,
    #[serde(rename = "cache_read_input_tokens")]
    cache_read: Option<u64>,
    #[serde(rename = "output_tokens")]
    output: Option<u64>,
}

impl Counts {
    fn sum(&self) -> u64 {
        let counts = [self.input, self.cache_creation, self.cache_read, self.output];
        counts.into_iter().flatten().fold(0, u64::saturating_add)
    }
}
