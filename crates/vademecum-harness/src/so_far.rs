//! What a conversation holds when the user writes: how often they have, what failed since, and what stands in it.

use std::io::Cursor;
use std::path::Path;

use memchr::memmem;
use vademecum_core::time::Time;
use vademecum_core::turn::{Action, Event, Outcome};

use crate::claude_code::transcript::contexts::{self, Stamp};
use crate::codex;
use crate::hook::Harness;
use crate::tail;
use crate::transcript::{Format, Span, TranscriptError, read};

/// The most that is read from the end of a record, in bytes.
const MOST: u64 = 2 << 20;

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
    /// What the last command since then printed, if it failed.
    pub failed: Option<String>,
}

/// One text of the record, by who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passage {
    /// What we told the model, and when; no time where the harness does not say.
    Told(Option<Time>, String),
    /// What the agent said, thought or called.
    Agent(String),
    /// What the user wrote, a tool answered, or a harness told of what it dropped.
    Other(String),
}

impl Passage {
    /// The words of it.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Told(_, text) | Self::Agent(text) | Self::Other(text) => text,
        }
    }

    fn of(event: Event) -> Option<Self> {
        Some(match event {
            Event::Said { text } | Event::Thought { text } => Self::Agent(text),
            Event::Called(call) => Self::Agent(call.text),
            Event::Asked { text, .. } => Self::Other(text),
            Event::Answered(answer) => Self::Other(answer.text),
            Event::Compacted { summary } => Self::Other(summary?),
            Event::Interrupted => return None,
        })
    }
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

    /// The texts in the record that begin so: strings of JSON, or lines in one, each as far as its string goes.
    pub fn texts(&self, opener: &str) -> impl Iterator<Item = &[u8]> {
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let at = from + memmem::find(&self.bytes[from..], opener.as_bytes())?;
                let is_begin = begins(&self.bytes[..at]);
                let text = &self.bytes[at..at + string_end(&self.bytes[at..])];
                // What stands in the same string is a part of it.
                from = at + text.len().max(1);
                if is_begin {
                    return Some(text);
                }
            }
        })
    }

    /// What its turns say, since the last compaction.
    pub fn turns(&self) -> Result<Turns, TranscriptError> {
        let mut turns = Turns::default();
        let bytes = &self.bytes[self.begin..];
        // Behind a compaction, and where more was not read, it begins within a line.
        let is_cut = self.is_compacted() || !self.is_whole;
        let mut lines = Cursor::new(if is_cut { behind_line(bytes) } else { bytes });
        let mut runs = Vec::new();
        read(Some(self.format()), Span::Whole, &mut lines, &mut |turn| match turn.event {
            Event::Asked { .. } => {
                turns.n_asked += 1;
                turns.failed = None;
                runs.clear();
            }
            Event::Called(call) => {
                let is_run = |it: &Action| matches!(it, Action::Ran { is_look: false, .. });
                if call.actions.iter().any(is_run) {
                    runs.push(call.id);
                }
            }
            // What went well since is over.
            Event::Answered(answer) if runs.contains(&answer.call) => match answer.outcome {
                Outcome::Failed => turns.failed = Some(answer.text),
                Outcome::Done => turns.failed = None,
                Outcome::Running | Outcome::Stopped | Outcome::Refused => {}
            },
            _ => {}
        })?;
        Ok(turns)
    }

    /// All that was read in its order, what stands before a compaction too.
    pub fn passages(&self) -> Result<Vec<Passage>, TranscriptError> {
        let is_cut = usize::try_from(MOST).is_ok_and(|most| most <= self.bytes.len());
        let bytes = if is_cut { behind_line(&self.bytes) } else { &self.bytes };
        let in_line = match self.harness {
            Harness::ClaudeCode => contexts::delivered_in_line,
            Harness::Codex => codex::contexts::delivered_in_line,
        };
        let mut found = Vec::new();
        for (number, line) in (0..).zip(bytes.split(|&byte| byte == b'\n')) {
            let told = in_line(line).into_iter();
            found.extend(told.map(|(_, text)| (number, Passage::Told(Stamp::of(line), text))));
        }
        let mut lines = Cursor::new(bytes);
        read(Some(self.format()), Span::Whole, &mut lines, &mut |turn| {
            found.extend(Passage::of(turn.event).map(|passage| (turn.record, passage)));
        })?;
        found.sort_by_key(|(number, _)| *number);
        Ok(found.into_iter().map(|(_, passage)| passage).collect())
    }

    fn format(&self) -> Format {
        match self.harness {
            Harness::ClaudeCode => Format::ClaudeCode,
            Harness::Codex => Format::Codex,
        }
    }
}

/// What stands behind the first line.
fn behind_line(bytes: &[u8]) -> &[u8] {
    memchr::memchr(b'\n', bytes).map_or(&[], |at| &bytes[at + 1..])
}

/// Whether a string of JSON, or a line in one, begins behind `before`; a quote or a break that is quoted itself is neither.
fn begins(before: &[u8]) -> bool {
    let n_slashes = |before: &[u8]| before.iter().rev().take_while(|byte| **byte == b'\\').count();
    match before {
        [before @ .., b'"'] => n_slashes(before) == 0,
        [before @ .., b'n'] => n_slashes(before) == 1,
        _ => false,
    }
}

/// Where the string of JSON ends in which `text` begins.
fn string_end(text: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &text[from..]) {
        let at = from + found;
        if text[at] == b'"' {
            return at;
        }
        // What stands behind a backslash ends nothing.
        from = (at + 2).min(text.len());
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn so_far(text: &str) -> SoFar {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        SoFar::read(Harness::ClaudeCode, Some(file.path())).expect("read")
    }

    #[test]
    fn a_text_is_told_by_where_its_string_begins() {
        let record = so_far(
            r#"{"a":"vade: one \"x\" vade: one"}{"b":"\nvade: one\\"}{"c":"it says vade: one, vade: one"}{"d":"{\"e\":\"vade: one\\nvade: one\"}"}"#,
        );
        let texts: Vec<String> =
            record.texts("vade: one").map(|it| String::from_utf8_lossy(it).into_owned()).collect();
        assert_eq!(texts, [r#"vade: one \"x\" vade: one"#, r"vade: one\\"]);
    }

    #[test]
    fn passages_say_who_wrote_them_in_the_order_of_the_record() {
        let message = |role: &str, content: &str| {
            format!(r#"{{"type":"{role}","message":{{"role":"{role}","content":[{content}]}}}}"#)
        };
        let told = r#"{"type":"attachment","timestamp":"2026-07-01T10:00:00.000Z","attachment":{"type":"hook_additional_context","content":["vade: one\ntwo"]}}"#;
        let lines = [
            message("user", r#"{"type":"text","text":"ask"}"#),
            String::new(),
            told.to_owned(),
            message("assistant", r#"{"type":"text","text":"say"}"#),
            message(
                "assistant",
                r#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}"#,
            ),
            message("user", r#"{"type":"tool_result","tool_use_id":"t","content":"vade: no"}"#),
        ];
        let (agent, other) = (
            |text: &str| Passage::Agent(text.to_owned()),
            |text: &str| Passage::Other(text.to_owned()),
        );
        let told =
            Passage::Told(Time::parse("2026-07-01T10:00:00.000Z"), "vade: one\ntwo".to_owned());
        let passages = so_far(&(lines.join("\n") + "\n")).passages().expect("passages");
        assert_eq!(passages, [other("ask"), told, agent("say"), agent("make"), other("vade: no")]);
    }

    #[test]
    fn nothing_is_there_before_the_first_answer() {
        let none = SoFar::read(Harness::Codex, Some(Path::new("/nowhere/at/all"))).expect("read");
        assert!(none.is_whole() && !none.is_compacted() && !none.holds("a"));
        assert_eq!(none.turns().expect("turns"), Turns::default());
    }
}
