//! Keeps stored text inside its block: it cannot close the block or pose as another voice.

mod marks;

use std::borrow::Cow;

use crate::hash::{self, Key};
use marks::Marks;

/// What stands before every line of guarded content.
const PREFIX: &str = "| ";
/// How an escaped character begins; behind it stand its code point in hexadecimal and `}`.
const ESCAPE: &str = "\\u{";

/// The mark of one session's frames, which no text from outside can know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nonce {
    digits: String,
    guards_all: bool,
}

impl Nonce {
    /// The mark of `session`: the same at every call, so that prompt caches keep their worth.
    #[must_use]
    pub fn of(key: &Key, session: &[u8]) -> Self {
        let digits = hash::hex(&hash::keyed(key, &[b"frame", session]), 4);
        Self { digits, guards_all: false }
    }

    /// The same mark for a store whose secret cannot be read: every text is guarded with it.
    ///
    /// Something is wrong with such a store, so no text of it is taken for innocent.
    #[must_use]
    pub fn for_all(self) -> Self {
        Self { guards_all: true, ..self }
    }

    /// Takes eight lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_nonce = text.len() == 8 && text.bytes().all(is_digit);
        is_nonce.then(|| Self { digits: text.to_owned(), guards_all: false })
    }

    /// The eight digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.digits
    }

    /// Whether `text` may be shown as it is below headings of ours, of which no line of it is one.
    #[must_use]
    pub fn lets(&self, text: &str, openings: &[&str]) -> bool {
        !self.guards_all && is_innocent_below(text, openings)
    }
}

/// A text in guarded form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// Opener, content lines with their prefix, closer; no line break at the end.
    pub text: String,
    /// How many characters were replaced by an escape, as the opener says too.
    pub escaped: usize,
}

/// A text that is neither innocent nor a guarded block as [`guard`] writes it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The first line is no opener, and the text is not innocent.
    #[error("the first line is no opener of a frame")]
    Opener,
    /// The last line does not close what the first one opened.
    #[error("the last line does not close the frame \"{nonce}\"")]
    Closer {
        /// The mark in the opener.
        nonce: String,
    },
    /// A line between them does not start with the prefix.
    #[error("line {line} of the frame does not start with \"{PREFIX}\"")]
    Prefix {
        /// Its number, from 1.
        line: usize,
    },
    /// An escape that names no character.
    #[error("line {line} of the frame holds a broken escape")]
    Escape {
        /// Its number, from 1.
        line: usize,
    },
    /// It reads, but is not what [`guard`] writes for this content.
    #[error("the frame differs from the one its content would get")]
    Form,
}

/// Whether `text` may be shown as it is, byte for byte.
///
/// It may unless it holds any of these. A wrong guess costs a prefix on each line, never a byte.
/// - a **frame of a harness or model**: an opener by a known name (`<system-reminder`,
///   `<tool_result`, `<|im_start|>`, `[INST]`, `<<SYS>>`), or any closer `</name>` but those of
///   HTML elements and of components in `PascalCase`; names of frames never end, harmless closers
///   do. `<T>`, `a < b`, `Vec<User>`, `<branch-name>`, `</div>`, `</dev/null` are no frames;
/// - **another voice** at the start of a line: `Human:`, `User:`, `Assistant:`, `System:`,
///   `Developer:` with a capital or in capitals, also under Markdown marks, also `[System]`;
/// - **our own voice**: `vade:` at the start of a line in either case, whatever but letters stands before it;
/// - **our own blocks**: `<vade`, `[vade receipt`, the scratchpad's brackets, `<wisdom>`;
/// - **what is not seen**: control characters but tab, line feed and CR LF, so also every other
///   line break; bidi, zero-width, tag and filler characters, but not the joiners and variation
///   selectors that emoji and scripts need.
///
/// Letters of other scripts that look like Latin ones are not unmasked.
#[must_use]
pub fn is_innocent(text: &str) -> bool {
    Marks::new(text).next().is_none()
}

/// Shows `text` as it is when it is innocent, else guarded.
#[must_use]
pub fn render<'a>(text: &'a str, nonce: &Nonce) -> Cow<'a, str> {
    render_below(text, &[], nonce)
}

/// Whether `text` may be shown as it is below headings of ours, of which no line of it is one.
///
/// An opening is how one of our own lines begins; blanks before it do not matter.
#[must_use]
pub fn is_innocent_below(text: &str, openings: &[&str]) -> bool {
    if openings.is_empty() {
        return is_innocent(text);
    }
    let breaks = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).map(|at| at + 1);
    let opens_with_ours = |start: usize| {
        let line = text[start..].trim_start_matches([' ', '\t']);
        openings.iter().any(|ours| line.starts_with(ours))
    };
    !std::iter::once(0).chain(breaks).any(opens_with_ours) && is_innocent(text)
}

/// [`render`] for a text below headings of ours, which it cannot forge.
#[must_use]
pub fn render_below<'a>(text: &'a str, openings: &[&str], nonce: &Nonce) -> Cow<'a, str> {
    if nonce.lets(text, openings) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(guard(text, nonce).text)
}

/// One line of at most `most` characters, innocent whatever `text` holds, and cut visibly.
///
/// For words that stand in a sentence of ours, where a block has no place.
#[must_use]
pub fn line(text: &str, most: usize) -> String {
    // What lies behind it is never shown, however long it is.
    let head = text.char_indices().nth(most.saturating_mul(2)).map_or(text, |(at, _)| &text[..at]);
    let words: Vec<&str> = head.split_whitespace().collect();
    let plain = words.join(" ");
    let line = escaped(&plain, Marks::new(&plain));
    if head.len() == text.len() && line.chars().count() <= most {
        return line.into_owned();
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The same for words that stand behind others on their line: where none begins, none is another voice's.
#[must_use]
pub fn line_behind(text: &str, most: usize) -> String {
    const BEHIND: &str = "· ";
    let line = line(&format!("{BEHIND}{text}"), most.saturating_add(BEHIND.chars().count()));
    line.strip_prefix(BEHIND).map(str::to_owned).unwrap_or(line)
}

/// What a terminal may be given of `text`: all but what it would obey or no eye would see.
///
/// Control characters but tab and line ends, bidi, zero-width and tag characters become `\u{…}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, Marks::unseen(text))
}

/// The characters of `text` that [`visible`] escapes, as their places.
pub fn unseen(text: &str) -> impl Iterator<Item = usize> + '_ {
    Marks::unseen(text)
}

fn escaped(text: &str, marks: impl Iterator<Item = usize>) -> Cow<'_, str> {
    let mut marks = marks.peekable();
    if marks.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for mark in marks {
        let c = text[mark..].chars().next().expect("a mark is the place of a character");
        shown.push_str(&text[at..mark]);
        shown.push_str(&escape(c));
        at = mark + c.len_utf8();
    }
    shown.push_str(&text[at..]);
    Cow::Owned(shown)
}

/// Puts `text` between an opener and a closer that carry `nonce`, whatever it holds.
///
/// Every content line gets a prefix, and the character that makes a frame, a voice or something
/// unseen becomes `\u{…}`; [`read`] gives the text back byte for byte.
#[must_use]
pub fn guard(text: &str, nonce: &Nonce) -> Guarded {
    let mut body = String::with_capacity(text.len() + text.len() / 8 + 64);
    let mut escaped = 0;
    let mut n_lines = 0;
    let mut marks = Marks::new(text).peekable();
    let mut at = 0;
    for line in text.split('\n') {
        n_lines += 1;
        body.push_str(PREFIX);
        for (idx, c) in line.char_indices() {
            let is_marked = marks.next_if_eq(&(at + idx)).is_some();
            if is_marked || line[idx..].starts_with(ESCAPE) {
                body.push_str(&escape(c));
                escaped += 1;
            } else {
                body.push(c);
            }
        }
        body.push('\n');
        at += line.len() + 1;
    }

    let nonce = nonce.as_str();
    let text = format!("<vade-{nonce} lines={n_lines} escaped={escaped}>\n{body}</vade-{nonce}>");
    Guarded { text, escaped }
}

/// Gives back what [`render`] or [`guard`] was given; anything else is refused.
pub fn read(text: &str) -> Result<String, FrameError> {
    if is_innocent(text) {
        return Ok(text.to_owned());
    }

    let (opener, rest) = text.split_once('\n').ok_or(FrameError::Opener)?;
    let nonce = opener.strip_prefix("<vade-").and_then(|rest| rest.get(..8));
    let nonce = nonce.and_then(Nonce::parse).ok_or(FrameError::Opener)?;
    let closer = format!("\n</vade-{}>", nonce.as_str());
    let closer_missing = || FrameError::Closer { nonce: nonce.as_str().to_owned() };
    let body = rest.strip_suffix(&closer).ok_or_else(closer_missing)?;

    let lines = body.split('\n').enumerate().map(|(idx, line)| content(line, idx + 2));
    let content = lines.collect::<Result<Vec<_>, _>>()?.join("\n");
    if guard(&content, &nonce).text == text { Ok(content) } else { Err(FrameError::Form) }
}

/// The text of one content line.
fn content(line: &str, number: usize) -> Result<String, FrameError> {
    let mut rest = line.strip_prefix(PREFIX).ok_or(FrameError::Prefix { line: number })?;
    let mut content = String::with_capacity(rest.len());
    while let Some((before, after)) = rest.split_once(ESCAPE) {
        let broken = FrameError::Escape { line: number };
        let (code, after) = after.split_once('}').ok_or(broken.clone())?;
        let c = u32::from_str_radix(code, 16).ok().and_then(char::from_u32).ok_or(broken)?;
        content.push_str(before);
        content.push(c);
        rest = after;
    }
    content.push_str(rest);
    Ok(content)
}

fn escape(c: char) -> String {
    format!("{ESCAPE}{:x}}}", u32::from(c))
}

#[cfg(test)]
mod breakouts;
#[cfg(test)]
mod tests;
