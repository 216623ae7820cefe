//! How a transcript is written, told by its first records.

use std::io::{BufRead, Seek, SeekFrom};

use serde::Deserialize;

use super::lines::{LINE_MAX, Line, Lines};
use super::{Format, Maybe, Raw, Span, Str, TranscriptError, json, parse};

/// How many records a transcript is judged by.
const RECORDS: usize = 64;

/// They stand within so many bytes: a file of gigabytes without a line break is told by its beginning too.
const HEAD: Span = Span::Ends { head: 8 * LINE_MAX as u64, tail: 0 };

/// Finds the format of `source` and goes back to its beginning.
pub(super) fn sniff(source: &mut (impl BufRead + Seek)) -> Result<Format, TranscriptError> {
    source.seek(SeekFrom::Start(0))?;
    let found = match document(source.fill_buf()?) {
        Some(Ok(format)) => Ok(format),
        Some(Err(error)) => Err(error),
        None => first_known(&mut Lines::new(source, HEAD)?),
    };
    source.seek(SeekFrom::Start(0))?;
    found
}

/// Whether a file that begins so is an SQLite database.
pub(super) fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// What the first bytes tell of a transcript that is no JSONL.
fn document(bytes: &[u8]) -> Option<Result<Format, TranscriptError>> {
    if is_database(bytes) {
        return Some(Err(TranscriptError::Database));
    }
    let inside = bytes.trim_ascii_start().strip_prefix(b"{")?.trim_ascii_start();
    let value = inside.strip_prefix(b"\"info\"")?.trim_ascii_start();
    value.starts_with(b":").then_some(Ok(Format::Opencode))
}

fn first_known<S: BufRead + Seek>(lines: &mut Lines<'_, S>) -> Result<Format, TranscriptError> {
    let mut n_records = 0;
    while n_records < RECORDS
        && let Some(line) = lines.next()?
    {
        n_records += 1;
        let (Line::Ended(bytes) | Line::Unended(bytes)) = line else { continue };
        if let Some(format) = format(&json::decode(bytes).text) {
            return Ok(format);
        }
    }
    Err(TranscriptError::Unknown { n_records })
}

/// What tells the formats apart.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    uuid: Str<'a>,
    #[serde(borrow, rename = "sessionId")]
    session_id: Str<'a>,
    #[serde(borrow, rename = "leafUuid")]
    leaf_uuid: Str<'a>,
    #[serde(borrow, rename = "messageId")]
    message_id: Str<'a>,
    message: Maybe<Any>,
    payload: Maybe<Any>,
    data: Maybe<Any>,
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    tool_calls: Raw<'a>,
}

#[derive(Deserialize, Default)]
struct Any {}

fn format(line: &str) -> Option<Format> {
    let record: Record<'_> = parse(line).ok()?;
    let Some(kind) = record.kind.said() else {
        let is_message = record.content.is_some() || record.tool_calls.is_some();
        return (is_message && record.role.said().is_some()).then_some(Format::MessageLog);
    };
    if matches!(kind, "message" | "function_call") {
        return Some(Format::Codex);
    }
    if record.payload.0.is_some() {
        return Some(Format::Codex);
    }
    if record.data.0.is_some() {
        return kind.contains('.').then_some(Format::Copilot);
    }
    let is_of_claude = [&record.uuid, &record.session_id, &record.leaf_uuid, &record.message_id];
    let is_turn = matches!(kind, "user" | "assistant") && record.message.0.is_some();
    (is_turn || is_of_claude.iter().any(|id| id.said().is_some())).then_some(Format::ClaudeCode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_record_tells() {
        for (line, expected) in [
            (r#"{"type":"summary","summary":"x","leafUuid":"u"}"#, Some(Format::ClaudeCode)),
            (r#"{"type":"user","message":{"role":"user"}}"#, Some(Format::ClaudeCode)),
            (r#"{"type":"session_meta","payload":{"id":"x"}}"#, Some(Format::Codex)),
            (r#"{"type":"session.start","data":{},"id":"x"}"#, Some(Format::Copilot)),
            (r#"{"type":"message","role":"user","content":[]}"#, Some(Format::Codex)),
            (r#"{"role":"user","content":"x"}"#, Some(Format::MessageLog)),
            (r#"{"type":"user"}"#, None),
            (r#"{"a":1}"#, None),
            ("[1]", None),
        ] {
            assert_eq!(format(line), expected, "{line}");
        }
    }

    /// Zeros without end, and how many of them were read.
    struct Zeros(u64);

    impl std::io::Read for Zeros {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            bytes.fill(0);
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
    }

    impl Seek for Zeros {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            Ok(if let SeekFrom::Start(at) = to { at } else { 1 << 40 })
        }
    }

    #[test]
    fn a_file_of_a_terabyte_is_told_by_its_beginning() {
        let mut source = std::io::BufReader::with_capacity(1 << 20, Zeros(0));
        assert!(matches!(sniff(&mut source), Err(TranscriptError::Unknown { .. })));
        let n_read = source.into_inner().0;
        assert!(n_read < 80 << 20, "{n_read}");
    }
}
