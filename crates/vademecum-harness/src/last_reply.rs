//! What the agent said last, and whether it changed anything in that turn.

use std::io::Cursor;
use std::path::Path;

use memchr::memmem;
use vademecum_core::turn::{Action, Event};

use crate::hook::Harness;
use crate::tail;
use crate::transcript::{Format, Span, TranscriptError, read};

/// The last answer to a user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LastReply {
    /// What the user had asked.
    pub asked: String,
    /// Its last words.
    pub text: String,
    /// Whether a call of the turn may have changed anything: a file, a memory, a list, another agent's work.
    pub is_active: bool,
}

/// The most that is read from the end of a record, in bytes; a turn that is longer changed something.
///
/// Of a first turn Claude Code 2.1.330 records up to 280 KB of its own, most of it behind the answer.
const NEAR: u64 = 1 << 20;

/// So much of the end holds the last words in most cases; it is read for the hints alone.
const LAST: u64 = 16 * 1024;

/// One of these stands in each line that holds words of an agent.
const SPEAKERS: [&str; 2] = ["\"assistant\"", "\"agent_message\""];

/// The last answer in the record at `path`, where its last words are meant.
///
/// None where the user stopped it or has asked since, and where the turn did not begin within what is read. Most
/// words are not meant: the turn is read only where they are.
pub fn last_reply(
    harness: Harness,
    path: &Path,
    hints: &[&str],
    is_meant: impl Fn(&str) -> bool,
) -> Result<Option<LastReply>, TranscriptError> {
    let holds = |end: &[u8], words: &[&str]| {
        words.iter().any(|word| memmem::find(end, word.as_bytes()).is_some())
    };
    let mut last = lines(path, LAST)?;
    if !holds(&last, &SPEAKERS) {
        last = lines(path, NEAR)?;
    }
    if !holds(&last, hints) {
        return Ok(None);
    }
    let begun = LastReply::default();
    let last = replied(harness, last, Some(begun))?;
    if !last.is_some_and(|last| is_meant(&last.text)) {
        return Ok(None);
    }
    replied(harness, lines(path, NEAR)?, None)
}

/// The whole lines in the last `most` bytes of a record.
fn lines(path: &Path, most: u64) -> Result<Vec<u8>, TranscriptError> {
    let mut end = tail::last(path, most)?;
    if u64::try_from(end.len()).is_ok_and(|len| len == most) {
        // It begins within a line.
        let first = memchr::memchr(b'\n', &end).map_or(end.len(), |at| at + 1);
        end.drain(..first);
    }
    Ok(end)
}

/// The last answer in the end of a record, that began with `reply`.
fn replied(
    harness: Harness,
    end: Vec<u8>,
    mut reply: Option<LastReply>,
) -> Result<Option<LastReply>, TranscriptError> {
    let format = match harness {
        Harness::ClaudeCode => Format::ClaudeCode,
        Harness::Codex => Format::Codex,
    };
    read(Some(format), Span::Whole, &mut Cursor::new(end), &mut |turn| match turn.event {
        Event::Asked { text, .. } => {
            reply = Some(LastReply { asked: text, ..LastReply::default() });
        }
        Event::Interrupted | Event::Compacted { .. } => reply = None,
        Event::Said { text } => {
            if let Some(reply) = &mut reply {
                reply.text = text;
            }
        }
        Event::Called(call) => {
            if let Some(reply) = &mut reply {
                reply.is_active |= call.actions.iter().any(is_active);
            }
        }
        Event::Thought { .. } | Event::Answered(_) => {}
    })?;
    Ok(reply.filter(|reply| !reply.text.is_empty()))
}

fn is_active(action: &Action) -> bool {
    match action {
        Action::Read { .. }
        | Action::Listed { .. }
        | Action::Searched { .. }
        | Action::Recalled { .. }
        | Action::Questioned { .. }
        | Action::Looked => false,
        Action::Ran { is_look, .. } => !is_look,
        _ => true,
    }
}
