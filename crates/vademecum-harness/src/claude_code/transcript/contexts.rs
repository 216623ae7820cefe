//! Which of our contexts a transcript shows as sent, and which of them reached the model whole.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;
use vademecum_core::hash;
use vademecum_core::time::Time;
use vademecum_files::open_named;

use super::TranscriptError;

/// The longest line that is kept to be read, in bytes; longer ones are counted.
///
/// A line holds the contexts of all handlers of an event twice, each of up to 30,000 bytes.
pub const LINE_MAX: usize = 256 * 1024;

/// How a context of ours begins.
pub(crate) const OPENER: &str = "vade:";
/// How the last line of a context begins, before 16 hexadecimal digits and a bracket.
pub(crate) const RECEIPT: &str = "[vade receipt ";
/// How the harness begins what it puts in the place of a text that is too long.
const PREVIEW: &str = "<persisted-output>";

/// One context of ours in a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The event that carried it.
    pub event: String,
    /// The receipt at its end; none if there is none, or if it was cut off.
    pub receipt: Option<String>,
    /// What the transcript shows of it.
    pub state: State,
}

/// What a transcript shows of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// A hook printed it; what the model got is another entry.
    Sent,
    /// The model got it, and its receipt holds.
    Whole,
    /// The model got its first lines and the path of a file.
    Preview,
    /// The model got a text whose receipt is absent or does not hold.
    Changed,
}

/// The contexts of one transcript, oldest first, read line by line; an error is the last item.
#[derive(Debug)]
pub struct Contexts {
    path: PathBuf,
    file: Option<BufReader<File>>,
    line: Vec<u8>,
    found: Vec<Context>,
    n_skipped: usize,
    read: Read,
}

/// Reads the contexts of one line; none if it is not about a hook.
pub(crate) type Read = fn(&[u8]) -> Option<serde_json::Result<Vec<Context>>>;

/// Opens the transcript at `path`.
pub fn contexts(path: &Path) -> Result<Contexts, TranscriptError> {
    open(path, in_line)
}

/// The contexts in one line of a transcript; none if it is not about a hook.
pub(crate) fn in_line(line: &[u8]) -> Option<serde_json::Result<Vec<Context>>> {
    is_about_a_hook(line).then(|| serde_json::from_slice(line).and_then(Line::contexts))
}

/// Opens a transcript whose lines are read by `read`.
pub(crate) fn open(path: &Path, read: Read) -> Result<Contexts, TranscriptError> {
    let failed = |error| TranscriptError { path: path.to_owned(), source: io::Error::from(error) };
    let file = open_named(path).map_err(failed)?;
    Ok(Contexts {
        read,
        path: path.to_owned(),
        file: Some(BufReader::with_capacity(64 * 1024, file)),
        line: Vec::new(),
        found: Vec::new(),
        n_skipped: 0,
    })
}

impl Contexts {
    /// How many lines so far spoke of a hook and were too long or no JSON.
    #[must_use]
    pub fn n_skipped(&self) -> usize {
        self.n_skipped
    }

    /// Reads one line and what it holds; false at the end of the file.
    fn advance(&mut self) -> std::io::Result<bool> {
        self.line.clear();
        let Some(file) = &mut self.file else { return Ok(false) };
        if !read_line(file, &mut self.line)? {
            return Ok(false);
        }
        match (self.read)(&self.line) {
            None => return Ok(true),
            Some(Ok(contexts)) => self.found = contexts,
            Some(Err(_)) => self.n_skipped += 1,
        }
        self.found.reverse();
        Ok(true)
    }
}

impl Iterator for Contexts {
    type Item = Result<Context, TranscriptError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(context) = self.found.pop() {
                return Some(Ok(context));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(source) => {
                    self.file = None;
                    return Some(Err(TranscriptError { path: self.path.clone(), source }));
                }
            }
        }
    }
}

/// Reads up to and with the next line break, keeping at most [`LINE_MAX`] bytes of it.
fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    let mut is_any = false;
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            return Ok(is_any);
        }
        is_any = true;
        let newline = memchr::memchr(b'\n', read);
        let n_read = newline.map_or(read.len(), |at| at + 1);
        line.extend_from_slice(&read[..n_read.min(LINE_MAX - line.len())]);
        file.consume(n_read);
        if newline.is_some() {
            return Ok(true);
        }
    }
}

fn is_about_a_hook(line: &[u8]) -> bool {
    [&b"\"hook_additional_context\""[..], b"\"hook_success\""]
        .iter()
        .any(|kind| memmem::find(line, kind).is_some())
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    attachment: Option<Attachment<'a>>,
}

#[derive(Deserialize)]
struct Attachment<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(rename = "hookEvent")]
    event: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    stdout: Option<Cow<'a, str>>,
}

/// The part of a hook's output that the model is to read.
#[derive(Deserialize)]
struct Printed {
    #[serde(rename = "hookSpecificOutput")]
    specific: Option<Specific>,
}

#[derive(Deserialize)]
struct Specific {
    #[serde(rename = "additionalContext")]
    context: Option<String>,
}

impl Line<'_> {
    fn contexts(self) -> serde_json::Result<Vec<Context>> {
        match self.attachment {
            Some(attachment) if self.kind.as_deref() == Some("attachment") => attachment.contexts(),
            Some(_) | None => Ok(Vec::new()),
        }
    }
}

impl Attachment<'_> {
    fn contexts(self) -> serde_json::Result<Vec<Context>> {
        let event = self.event.unwrap_or_default();
        match self.kind.as_deref() {
            Some("hook_success") => {
                let context = self.stdout.as_deref().and_then(|stdout| sent(&event, stdout));
                Ok(context.into_iter().collect())
            }
            Some("hook_additional_context") => {
                let content = self.content.map_or("[]", RawValue::get);
                let texts: Vec<String> = serde_json::from_str(content)?;
                Ok(texts.iter().filter_map(|text| received(&event, text)).collect())
            }
            Some(_) | None => Ok(Vec::new()),
        }
    }
}

fn sent(event: &str, stdout: &str) -> Option<Context> {
    let printed: Printed = serde_json::from_str(stdout).ok()?;
    let text = printed.specific?.context?;
    let is_ours = text.starts_with(OPENER);
    let receipt = receipt(&text).map(|(receipt, _)| receipt.to_owned());
    is_ours.then(|| Context { event: event.to_owned(), receipt, state: State::Sent })
}

fn received(event: &str, text: &str) -> Option<Context> {
    if let Some(context) = whole(event, text) {
        return Some(context);
    }
    let (_, preview) = text.strip_prefix(PREVIEW)?.split_once("):\n")?;
    let context = Context { event: event.to_owned(), receipt: None, state: State::Preview };
    preview.starts_with(OPENER).then_some(context)
}

/// A text of ours that no harness cut; what became of its receipt.
pub(crate) fn whole(event: &str, text: &str) -> Option<Context> {
    let (receipt, state) = match receipt(text.strip_prefix(OPENER).map(|_| text)?) {
        Some((receipt, true)) => (Some(receipt.to_owned()), State::Whole),
        Some((receipt, false)) => (Some(receipt.to_owned()), State::Changed),
        None => (None, State::Changed),
    };
    Some(Context { event: event.to_owned(), receipt, state })
}

/// The receipt in the last line of `text`, and whether it is that of the bytes before the line.
fn receipt(text: &str) -> Option<(&str, bool)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let (before, line) = text.split_at(text.rfind('\n')? + 1);
    let digits = line.strip_prefix(RECEIPT)?.strip_suffix(']')?;
    let is_hex = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| (digits, hash::hex(&hash::plain(before.as_bytes()), 8) == digits))
}

/// When a line of a transcript was written.
#[derive(Deserialize)]
pub(crate) struct Stamp<'a> {
    #[serde(borrow, default)]
    timestamp: Option<Cow<'a, str>>,
}

impl Stamp<'_> {
    /// The time that a line says; none where it says none.
    pub(crate) fn of(line: &[u8]) -> Option<Time> {
        let stamp: Stamp<'_> = serde_json::from_slice(line).ok()?;
        Time::parse(&stamp.timestamp?)
    }
}

/// The contexts in one line that reached the model, each with its text; a line that is no JSON has none.
pub(crate) fn delivered_in_line(line: &[u8]) -> Vec<(Context, String)> {
    if memmem::find(line, b"\"hook_additional_context\"").is_none() {
        return Vec::new();
    }
    let Ok(Line { kind: Some(kind), attachment: Some(attachment) }) = serde_json::from_slice(line)
    else {
        return Vec::new();
    };
    let Attachment { kind: of, event, content, .. } = attachment;
    if kind != "attachment" || of.as_deref() != Some("hook_additional_context") {
        return Vec::new();
    }
    let event = event.unwrap_or_default();
    let texts: Vec<String> =
        content.and_then(|it| serde_json::from_str(it.get()).ok()).unwrap_or_default();
    texts.into_iter().filter_map(|text| Some((received(&event, &text)?, text))).collect()
}
