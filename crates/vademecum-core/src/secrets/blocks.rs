//! What reaches over lines: private keys, and what a person put between `<private>` and `</private>`.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::alphabet::{ANY64, looked_at};
use super::index::begins;
use super::{Found, PRIVATE};

/// A key is at most so long; what has no end by then was cut.
const KEY: usize = 16 * 1024;

/// Adds the private keys of `text`, those too whose begin or end was cut off.
pub(super) fn keys(bytes: &[u8], found: &mut Vec<Found>) {
    // Made for each text anew, it would take longer than to search most of them.
    static DASHES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----"));
    let mut past = 0;
    for at in DASHES.find_iter(bytes) {
        let word = &bytes[at + 5..];
        let is_begin = begins(word, "BEGIN");
        if at < past || !(is_begin || begins(word, "END")) {
            continue;
        }
        let Some(line) = title(word) else { continue };
        let span = if is_begin {
            at..end_of_key(bytes, at + 5 + line)
        } else {
            start_of_body(bytes, at, past)..at + 5 + line
        };
        // A title alone is talked about: a key has a body.
        if span.len() < line + 5 + 16 {
            continue;
        }
        past = span.end;
        found.push(Found { kind: "private-key", span });
    }
}

/// How long the title of a private key is, with the dashes at its end.
fn title(word: &[u8]) -> Option<usize> {
    // The longest title of a format has forty characters.
    let head = &word[..word.len().min(110)];
    let end = head.windows(11).position(|it| it.eq_ignore_ascii_case(b"PRIVATE KEY"))? + 11;
    let is_title = |byte: &u8| byte.is_ascii_alphanumeric() || b" _-".contains(byte);
    if !head[..end].iter().all(is_title) {
        return None;
    }
    let end = if begins(&head[end..], " BLOCK") { end + 6 } else { end };
    begins(&head[end..], "-----").then_some(end + 5)
}

fn end_of_key(bytes: &[u8], body: usize) -> usize {
    let rest = &bytes[body..bytes.len().min(body + KEY)];
    let ends = memmem::find_iter(rest, b"-----").find(|at| {
        let before = &rest[..*at];
        let is_word = |word: &str| {
            let start = before.len().checked_sub(word.len());
            start.is_some_and(|start| begins(&before[start..], word))
        };
        is_word("KEY") || is_word("KEY BLOCK")
    });
    match ends {
        Some(at) => body + at + 5,
        None => end_of_body(bytes, body),
    }
}

/// The end of the lines that look like a key's body: what stands behind a cut is left.
fn end_of_body(bytes: &[u8], body: usize) -> usize {
    let mut at = body;
    for line in bytes[body..].split_inclusive(|byte| *byte == b'\n') {
        if !is_body(line) {
            break;
        }
        at += line.len();
    }
    at
}

fn start_of_body(bytes: &[u8], end: usize, past: usize) -> usize {
    // Where something else stands before the title, no line end is looked for: a line may hold many titles.
    let is_blank = |byte: &&u8| b" \t\r".contains(byte);
    let line = || bytes[past..end].iter().rev().skip_while(is_blank);
    let n_line = line().take_while(|byte| ANY64.has(**byte) || **byte == b'\\').count();
    looked_at(n_line);
    if line().skip(n_line).find(|byte| !is_blank(byte)).is_some_and(|byte| *byte != b'\n') {
        return end;
    }
    let mut at = end;
    for line in bytes[past..end].split_inclusive(|byte| *byte == b'\n').rev() {
        if !is_body(line) {
            break;
        }
        at -= line.len();
    }
    at
}

/// Whether a line is of a key's body: long and in base64, a header of it, or empty.
fn is_body(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_head = line.starts_with(b"Proc-Type:") || line.starts_with(b"DEK-Info:");
    // The last line of a body is short and padded; a short one without is a word.
    let is_long = line.is_empty() || 16 <= line.len() || line.ends_with(b"=");
    is_head || is_long && line.iter().all(|byte| ANY64.has(*byte) || *byte == b'\\')
}

/// Adds what stands between `<private>` and `</private>`, to the end of the text where that is lacking.
pub(super) fn private(bytes: &[u8], found: &mut Vec<Found>) {
    // Code is full of `<`.
    static OPENS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["<p", "<P"].map(Finder::new));
    let mut opens: Vec<usize> = OPENS.iter().flat_map(|open| open.find_iter(bytes)).collect();
    opens.sort_unstable();
    let mut past = 0;
    for at in opens {
        if at < past || !begins(&bytes[at..], "<private>") {
            continue;
        }
        let is_end = |it: &usize| begins(&bytes[*it..], "</private>");
        // What is put in once more within it ends by itself, if both end.
        let mut depth = 0;
        let is_last = |it: &usize| {
            depth += i32::from(begins(&bytes[*it..], "<private>")) - i32::from(is_end(it));
            depth == 0
        };
        let marks = || memchr::memchr_iter(b'<', &bytes[at..]).map(|it| at + it);
        let end = marks().find(is_last).or_else(|| marks().find(is_end));
        past = end.map_or(bytes.len(), |end| end + "</private>".len());
        found.push(Found { kind: PRIVATE, span: at..past });
    }
}
