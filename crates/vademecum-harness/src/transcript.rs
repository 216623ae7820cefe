//! Transcripts of every harness as one stream of turns; they are only read, leniently, and never loaded whole.

mod actions;
mod arguments;
mod background;
mod blocks;
pub mod discover;
mod document;
mod json;
mod lines;
mod look;
mod out;
mod parse;
mod patch;
mod plans;
mod prompt;
mod questions;
mod report;
mod script;
mod shell;
mod sniff;
mod text;

use std::io::{BufRead, Seek};

use vademecum_core::error::Kind;
use vademecum_core::turn::Turn;

pub use json::without_lone_surrogates;
pub use lines::LINE_MAX;
pub use report::{Coverage, Report, Skipped};
pub use text::TEXT_MAX;

pub(crate) use arguments::Arguments;
pub(crate) use blocks::{Block, Blocks};
pub(crate) use json::{Flag, Joined, Maybe, Raw, Str, decode, inner_json, is_failure, joined};
pub(crate) use out::{Facts, Out};
pub(crate) use parse::parse;

use lines::{Line, Lines};

/// How a transcript is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Claude Code's JSONL, of a session or of a sub-agent.
    ClaudeCode,
    /// A rollout of Codex.
    Codex,
    /// The events of a session of Copilot CLI.
    Copilot,
    /// A session of opencode: what it exports, or rows of its database.
    Opencode,
    /// Messages one a line, as the APIs of models take them.
    MessageLog,
}

impl Format {
    /// Every format, in the order in which they are told apart.
    pub const ALL: [Self; 5] =
        [Self::ClaudeCode, Self::Codex, Self::Copilot, Self::Opencode, Self::MessageLog];

    /// The name in arguments and reports; that of the harness where it writes only one.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => crate::claude_code::ID,
            Self::Codex => crate::codex::ID,
            Self::Copilot => crate::copilot::ID,
            Self::Opencode => crate::opencode::ID,
            Self::MessageLog => crate::message_log::ID,
        }
    }

    /// What reads its lines; none for a format that is one document.
    fn reader(self) -> Option<Box<dyn Reader>> {
        match self {
            Self::ClaudeCode => {
                Some(Box::<crate::claude_code::transcript::turns::Turns>::default())
            }
            Self::Codex => Some(Box::<crate::codex::transcript::Turns>::default()),
            Self::Copilot => Some(Box::<crate::copilot::transcript::Turns>::default()),
            Self::MessageLog => Some(Box::<crate::message_log::Turns>::default()),
            Self::Opencode => None,
        }
    }
}

/// How much of a transcript is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// All of it.
    Whole,
    /// Its first and last bytes, cut to whole lines; all of it if they meet.
    ///
    /// A format that is one document is read whole all the same.
    Ends {
        /// How many bytes from the beginning.
        head: u64,
        /// How many bytes before the end.
        tail: u64,
    },
}

impl Span {
    /// What a hook has time for.
    pub const HOOK: Self = Self::Ends { head: 256 * 1024, tail: 4 * 1024 * 1024 };
}

/// A transcript that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// Its bytes cannot be had.
    #[error("the transcript cannot be read")]
    Io(#[from] std::io::Error),
    /// It has no record of any format that is known.
    #[error("no transcript of a known format: none of its first {n_records} records tells")]
    Unknown {
        /// How many records it was judged by.
        n_records: usize,
    },
    /// It is a database, whose rows an engine reads.
    #[error("the transcript is a database and not a file of records")]
    Database,
}

impl TranscriptError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Io(source) if source.kind() == std::io::ErrorKind::NotFound => Kind::Missing,
            Self::Io(_) => Kind::Broken,
            Self::Unknown { .. } | Self::Database => Kind::Usage,
        }
    }
}

/// What a reader knows of a line that was JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// A record of its format.
    Ours,
    /// A record of its format that is no part of the live branch.
    Dead,
    /// Something else.
    Foreign,
}

/// The reader of one format.
pub(crate) trait Reader {
    /// Looks at line `number` before any is read; says whether it wants to see the others.
    ///
    /// There may be surrogates without a partner in it, which are replaced when it is read.
    fn survey(&mut self, number: u64, line: &str) -> bool;

    /// Reads the record in line `number`; nothing was told to `out` if it is no JSON.
    fn record(&mut self, number: u64, line: &str, out: &mut Out<'_>) -> serde_json::Result<Known>;
}

/// Finds the format of `source` by its first records and goes back to its beginning.
pub fn sniff(source: &mut (impl BufRead + Seek)) -> Result<Format, TranscriptError> {
    sniff::sniff(source)
}

/// Whether `source` is a database, whose rows an engine reads; goes back to its beginning.
pub fn is_database(source: &mut (impl BufRead + Seek)) -> std::io::Result<bool> {
    source.rewind()?;
    let is_database = sniff::is_database(source.fill_buf()?);
    source.rewind()?;
    Ok(is_database)
}

/// Reads the turns of `source` in the order they happened, the live branch only.
///
/// A line that is torn, foreign or too long is counted and passed over. What is appended while it
/// is read is left for the next time. Without a `format` the first records tell it.
pub fn read(
    format: Option<Format>,
    span: Span,
    source: &mut (impl BufRead + Seek),
    sink: &mut dyn FnMut(Turn),
) -> Result<Report, TranscriptError> {
    let format = match format {
        Some(format) => format,
        None => sniff::sniff(source)?,
    };
    let mut out = Out::new(sink, format);
    let Some(mut reader) = format.reader() else {
        return document::read(source, out);
    };
    let mut lines = Lines::new(source, span)?;
    survey(&mut lines, reader.as_mut())?;
    lines.rewind();
    while let Some(line) = lines.next()? {
        take(line, reader.as_mut(), &mut out);
    }
    let (coverage, is_growing) = lines.coverage()?;
    Ok(out.finish(coverage, is_growing))
}

fn survey<S: BufRead + Seek>(
    lines: &mut Lines<'_, S>,
    reader: &mut dyn Reader,
) -> Result<(), TranscriptError> {
    let mut number = 0;
    while let Some(line) = lines.next()? {
        if let Line::Ended(bytes) | Line::Unended(bytes) = line {
            let text = json::undecoded(bytes);
            if !text.is_empty() && !reader.survey(number, &text) {
                break;
            }
        }
        number += 1;
    }
    Ok(())
}

/// Reads one line, a second time without control characters if that is what broke it.
fn take(line: Line<'_>, reader: &mut dyn Reader, out: &mut Out<'_>) {
    let (bytes, is_ended) = match line {
        Line::Ended(bytes) => (bytes, true),
        Line::Unended(bytes) => (bytes, false),
        Line::Long => return out.skip(|skipped| skipped.too_long += 1),
    };
    let decoded = json::decode(bytes);
    if decoded.text.is_empty() {
        return if decoded.has_nul { out.skip(|skipped| skipped.nul += 1) } else { out.blank() };
    }
    let is_changed = decoded.is_changed;
    let number = out.number();
    let known = twice(&decoded.text, out, |text, out| reader.record(number, text, out));
    match known {
        Some(known) => out.count(known, is_changed),
        None if !is_ended => out.skip(|skipped| skipped.torn += 1),
        None if decoded.has_nul => out.skip(|skipped| skipped.nul += 1),
        None => out.skip(|skipped| skipped.foreign += 1),
    }
}

/// Reads the JSON of one record that is no line.
pub(crate) fn take_json(
    json: &str,
    out: &mut Out<'_>,
    read: impl FnMut(&str, &mut Out<'_>) -> serde_json::Result<Known>,
) {
    match twice(json, out, read) {
        Some(known) => out.count(known, false),
        None => out.skip(|skipped| skipped.foreign += 1),
    }
}

/// Ends what was read without bytes to count.
pub(crate) fn finish(out: Out<'_>) -> Report {
    out.finish(Coverage::default(), false)
}

/// Reads `json`, and again without control characters if they may be what broke it.
fn twice(
    json: &str,
    out: &mut Out<'_>,
    mut read: impl FnMut(&str, &mut Out<'_>) -> serde_json::Result<Known>,
) -> Option<Known> {
    read(json, out).ok().or_else(|| {
        let plain = json::without_controls(json)?;
        let known = read(&plain, out).ok()?;
        out.replaced();
        Some(known)
    })
}
