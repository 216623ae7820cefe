//! A text as its reader sees it: without colours, tags, and marks within a word, which part a secret.

use std::ops::Range;

use super::Found;
use super::alphabet::IS_WORD;

/// The lines of a text in which something stands that is not seen, without it.
pub(super) struct Shown {
    /// What is seen of them.
    pub(super) bytes: Vec<u8>,
    /// Where pieces of it begin, here and in the text.
    pieces: Vec<(usize, usize)>,
}

impl Shown {
    /// None where every byte is seen as it stands, as in most texts.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let hidden = hidden(text);
        let first = hidden.first()?.start;
        let mut shown = Self { bytes: Vec::new(), pieces: Vec::new() };
        let mut at = start_of_line(text, first);
        for Range { start, end } in hidden {
            let line = start_of_line(&text[..start], start).max(at);
            if at < line {
                shown.push(text, at..end_of_line(text, at).min(line));
                shown.bytes.push(b'\n');
            }
            shown.push(text, line.max(at)..start);
            at = end;
        }
        shown.push(text, at..end_of_line(text, at));
        Some(shown)
    }

    fn push(&mut self, text: &[u8], range: Range<usize>) {
        if range.start < range.end {
            self.pieces.push((self.bytes.len(), range.start));
            self.bytes.extend_from_slice(&text[range]);
        }
    }

    /// The same find by its places in the text.
    pub(super) fn in_text(&self, found: &Found) -> Found {
        let place = |at: usize| {
            let next = self.pieces.partition_point(|(here, _)| *here <= at);
            self.pieces.get(next.saturating_sub(1)).map_or(at, |(here, there)| there + (at - here))
        };
        let Range { start, end } = found.span.clone();
        Found { kind: found.kind, span: place(start)..place(end.saturating_sub(1)) + 1 }
    }
}

fn start_of_line(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1)
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end)
}

/// What no reader sees, in order and apart.
fn hidden(text: &[u8]) -> Vec<Range<usize>> {
    let mut hidden: Vec<Range<usize>> = Vec::new();
    let marks = memchr::memchr3_iter(b'*', b'`', b'<', text).filter_map(|at| match text[at] {
        b'<' => tag(text, at),
        _ => marks(text, at),
    });
    hidden.extend(marks);
    let n_marks = hidden.len();
    let controls = memchr::memchr3_iter(0x1b, 0x7f, 0, text).map(|at| at..control(text, at));
    hidden.extend(controls);
    if 0 < n_marks && n_marks < hidden.len() {
        hidden.sort_unstable_by_key(|it| it.start);
    }
    // A sequence may hold what looks like another one.
    let mut past = 0;
    hidden.retain(|it| {
        let is_apart = past <= it.start;
        past = past.max(it.end);
        is_apart
    });
    hidden
}

/// The marks from `at` on that part two pieces of a word.
fn marks(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = |at: usize| text.get(at).is_some_and(|byte| IS_WORD[usize::from(*byte)]);
    if at == 0 || !is_word(at - 1) {
        return None;
    }
    let n_marks = text[at..].iter().take(4).take_while(|byte| b"*`".contains(byte)).count();
    is_word(at + n_marks).then_some(at..at + n_marks)
}

/// Tags that format words, as people and models write them.
const TAGS: [&[u8]; 18] = [
    b"b", b"i", b"u", b"s", b"em", b"strong", b"code", b"kbd", b"tt", b"span", b"mark", b"font",
    b"small", b"sub", b"sup", b"ins", b"del", b"wbr",
];

/// The tag that begins at `at`.
fn tag(text: &[u8], at: usize) -> Option<Range<usize>> {
    let name = at + 1 + usize::from(text.get(at + 1) == Some(&b'/'));
    text.get(name).filter(|byte| byte.is_ascii_lowercase())?;
    let rest = &text[name..text.len().min(name + 80)];
    let n_name = rest.iter().position(|byte| !byte.is_ascii_lowercase())?;
    if !TAGS.contains(&&rest[..n_name]) || !matches!(rest[n_name], b'>' | b' ') {
        return None;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'>' | b'\n'))?;
    (rest[end] == b'>').then_some(at..name + end + 1)
}

/// The end of the control character at `at`, or of the sequence that it begins.
fn control(text: &[u8], at: usize) -> usize {
    let rest = &text[at + 1..];
    if text[at] != 0x1b {
        return at + 1;
    }
    let n_rest = match rest.first() {
        Some(b'[') => {
            let n_params =
                rest[1..].iter().take(64).take_while(|byte| (0x20..0x40).contains(*byte)).count();
            let is_final = rest.get(1 + n_params).is_some_and(|byte| (0x40..0x7f).contains(byte));
            1 + n_params + usize::from(is_final)
        }
        Some(b']') => {
            let end = rest.iter().take(400).position(|byte| matches!(byte, 0x07 | b'\\' | b'\n'));
            end.map_or(1, |end| end + usize::from(rest[end] != b'\n'))
        }
        Some(b'(' | b')') => rest.len().min(2),
        Some(byte) if (0x30..0x7f).contains(byte) => 1,
        Some(_) | None => 0,
    };
    at + 1 + n_rest
}
