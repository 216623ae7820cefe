//! Finds secrets in a text by a table of rules that the compiler knows; nothing is made at run time.
//!
//! Only where a word is long and has a digit, or a `=` or `:` stands behind a telling name, is anything
//! looked up; all else is passed by. The rules are public facts of the formats, which [`kinds`] names.

mod alphabet;
mod blocks;
mod commands;
mod context;
mod index;
mod options;
pub mod samples;
mod shown;
mod signs;
#[cfg(test)]
mod tests;
mod tokens;
mod value;
mod vendors;

use std::ops::Range;
use std::sync::LazyLock;

use alphabet::{IS_WORD, JOINED, KEBAB};

/// A secret that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The kind, by the name of its rule.
    pub kind: &'static str,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
}

/// The kind of what a person marked as private.
pub const PRIVATE: &str = "private";

/// The kinds that no table of formats lists.
const OTHERS: [&str; 14] = [
    PRIVATE,
    "private-key",
    "password",
    "password-in-address",
    "authorization-header",
    "azure-signature",
    "cookie",
    "curl-user",
    "nuget-password",
    "kubernetes-secret",
    "sidekiq-secret",
    "vendor-secret-key",
    "webhook-address",
    "generic-secret",
];

/// The names of all kinds, each once, in the order of the alphabet.
#[must_use]
pub fn kinds() -> Vec<&'static str> {
    let tokens = tokens::TOKENS.iter().map(|token| token.kind);
    let vendors = vendors::VENDORS.iter().map(|vendor| vendor.kind);
    let others = tokens::NUMBERED.into_iter().chain(OTHERS);
    let mut kinds: Vec<_> = tokens.chain(vendors).chain(others).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// A word of a credential is at least so long: twelve characters are the fewest of any format.
const WORD: usize = 12;

/// A word without a digit is looked at from this length on: few names are as long.
const LONG: usize = 30;

/// A prefix begins at most so far before the long word of its token: `_gitlab_session=`.
const PREFIX: usize = 16;

/// All secrets of `text`, in order and apart; what overlaps is one, under the first one's kind.
#[must_use]
pub fn find(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let held = Held::of(bytes);
    let mut found = Vec::new();
    if held.has(Held::DASH) {
        blocks::keys(bytes, &mut found);
    }
    if held.has(Held::TAG) {
        blocks::private(bytes, &mut found);
    }
    scan(bytes, held, &mut found);
    let hides = held.has(Held::TAG | Held::MARK | Held::CONTROL);
    if let Some(shown) = hides.then(|| shown::Shown::of(bytes)).flatten() {
        let mut seen = Vec::new();
        scan(&shown.bytes, Held(u8::MAX), &mut seen);
        found.extend(seen.iter().map(|it| shown.in_text(it)));
    }
    if found.is_empty() {
        return found;
    }
    // Rules look at bytes and some stop at a number of them: a character in two is cut nowhere.
    for Found { span, .. } in &mut found {
        *span = text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
    }
    let stand_ins: Vec<Range<usize>> = stand_ins(text).collect();
    found.retain(|it| !cuts_any(&it.span, &stand_ins));
    apart(found)
}

/// What stands in the place of a secret of `kind`.
#[must_use]
pub fn stand_in(kind: &str) -> String {
    if kind == PRIVATE { "[private]".to_owned() } else { format!("{OPENING}{kind}]") }
}

/// Whether a text says nothing beside what was replaced in it.
#[must_use]
pub fn is_all_replaced(text: &str) -> bool {
    let mut rest = text.to_owned();
    let all: Vec<Range<usize>> = stand_ins(text).collect();
    for span in all.into_iter().rev() {
        rest.replace_range(span, "");
    }
    let rest = rest.replace(&stand_in(PRIVATE), "");
    rest.len() < text.len() && !rest.chars().any(char::is_alphanumeric)
}

const OPENING: &str = "[secret replaced: ";

/// The stand-ins of a text: what was replaced is not looked at again.
fn stand_ins(text: &str) -> impl Iterator<Item = Range<usize>> {
    static KINDS: LazyLock<Vec<&'static str>> = LazyLock::new(kinds);
    text.match_indices(OPENING).filter_map(|(at, opening)| {
        let kind = &text[at + opening.len()..];
        let kind = &kind[..kind.bytes().take(LONGEST_KIND + 1).position(|byte| byte == b']')?];
        // Any other word in brackets may be a secret.
        KINDS.binary_search(&kind).is_ok().then(|| at..at + opening.len() + kind.len() + 1)
    })
}

/// No name of a kind is longer.
const LONGEST_KIND: usize = 64;

/// Whether a find lies in one of the stand-ins, which are in order and apart, or holds a piece of it.
fn cuts_any(span: &Range<usize>, stand_ins: &[Range<usize>]) -> bool {
    let first = stand_ins.partition_point(|it| it.end <= span.start);
    let last = stand_ins.partition_point(|it| it.start < span.end);
    // Those between the first and the last that it meets, it holds whole.
    let [first, .., last] = stand_ins.get(first..last).unwrap_or_default() else {
        let only = stand_ins.get(first).filter(|_| first < last);
        return only.is_some_and(|it| it.start < span.start || span.end < it.end);
    };
    first.start < span.start || span.end < last.end
}

/// The finds in order; what overlaps is one, under the first one's kind.
pub(crate) fn apart(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (found.span.start, found.span.end));
    let mut apart: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        match apart.last_mut() {
            Some(last) if next.span.start < last.span.end => {
                last.span.end = last.span.end.max(next.span.end);
            }
            Some(_) | None => apart.push(next),
        }
    }
    apart
}

/// Which of the bytes that rules begin at a text holds: a short one, as most are, has few of them.
#[derive(Debug, Clone, Copy)]
struct Held(u8);

impl Held {
    const DASH: u8 = 1;
    const TAG: u8 = 2;
    const MARK: u8 = 4;
    const CONTROL: u8 = 8;
    const SIGN: u8 = 16;
    const BLANK: u8 = 32;

    /// In a longer text each is looked for by itself, many bytes at once.
    const SHORT: usize = 256;

    fn of(bytes: &[u8]) -> Self {
        const CLASSES: [u8; 256] = Held::classes();
        if Self::SHORT < bytes.len() {
            return Self(u8::MAX);
        }
        Self(bytes.iter().fold(0, |held, byte| held | CLASSES[usize::from(*byte)]))
    }

    const fn classes() -> [u8; 256] {
        let mut classes = [0; 256];
        classes[b'-' as usize] = Self::DASH;
        classes[b'<' as usize] = Self::TAG;
        (classes[b'*' as usize], classes[b'`' as usize]) = (Self::MARK, Self::MARK);
        (classes[0], classes[0x1b], classes[0x7f]) = (Self::CONTROL, Self::CONTROL, Self::CONTROL);
        (classes[b'=' as usize], classes[b':' as usize]) = (Self::SIGN, Self::SIGN);
        (classes[b'|' as usize], classes[b' ' as usize]) = (Self::SIGN, Self::BLANK);
        classes
    }

    fn has(self, any: u8) -> bool {
        self.0 & any != 0
    }
}

fn scan(bytes: &[u8], held: Held, found: &mut Vec<Found>) {
    if held.has(Held::SIGN) {
        let mut seen = signs::Seen::default();
        for at in memchr::memchr3_iter(b'=', b':', b'|', bytes) {
            signs::look(bytes, at, &mut seen, &mut |(kind, span)| found.push(Found { kind, span }));
        }
    }
    if held.has(Held::DASH) {
        options::look(bytes, found);
    }
    if held.has(Held::BLANK) {
        options::look_for_words(bytes, found);
        commands::look(bytes, found);
    }
    let (mut before, mut looked) = (Word { chain: 0, start: 0, end: 0 }, 0);
    while let Some((start, end)) = long_word(bytes, before.end) {
        let word = Word { chain: before.chain_of(bytes, start), start, end };
        if LONG <= end - start || bytes[start..end].iter().any(u8::is_ascii_digit) {
            word.look(bytes, looked, found);
            looked = end;
        } else if let Some((kind, start, end)) = tokens::at(bytes, start) {
            // Of thirty tokens one has no digit: what begins one tells.
            found.push(Found { kind, span: start..end });
        }
        before = word;
    }
}

/// The next word from `from` on that is long enough to be a credential.
///
/// It looks at the last byte that such a word would have first, and so passes by most of a text.
fn long_word(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    loop {
        let ahead: &[u8; WORD] = bytes.get(start..start + WORD)?.try_into().ok()?;
        match ahead.iter().rposition(|byte| !IS_WORD[usize::from(*byte)]) {
            Some(gap) => start += gap + 1,
            None => return Some((start, start + WORD + KEBAB.run(bytes, start + WORD))),
        }
    }
}

/// A long word, and where the words that are joined to it begin.
struct Word {
    chain: usize,
    start: usize,
    end: usize,
}

/// So far back words are joined: no value in pieces is known by what stands farther before it.
const CHAIN: usize = 200;

impl Word {
    /// Where the words begin that are joined to the one at `start`, which follows this one.
    fn chain_of(&self, bytes: &[u8], start: usize) -> usize {
        let most = (start - self.end).min(CHAIN);
        let begin = start - JOINED.run_back(bytes, start, most);
        if begin == self.end && 0 < self.end && begin < start {
            return self.chain;
        }
        let is_word = |byte: &u8| KEBAB.has(*byte);
        begin + bytes[begin..start].iter().position(is_word).unwrap_or(start - begin)
    }

    /// Looks from `from` on for prefixes: what stands before it was looked at.
    fn look(&self, bytes: &[u8], from: usize, found: &mut Vec<Found>) {
        let n_before = found.len();
        let mut at = self.start.saturating_sub(PREFIX).min(self.chain).max(from);
        while at < self.end {
            at = match tokens::at(bytes, at) {
                Some((kind, start, end)) => {
                    found.push(Found { kind, span: start..end });
                    end
                }
                None => at + 1,
            };
        }
        if let Some((kind, start, end)) = tokens::numbered(bytes, self.start, self.end) {
            found.push(Found { kind, span: start..end });
        }
        if found.len() == n_before && self.start - self.chain <= CHAIN {
            let named = context::starts(bytes, self.chain).into_iter().find_map(|start| {
                let (kind, end) = context::at(bytes, start)?;
                Some(Found { kind, span: start..end })
            });
            found.extend(named);
        }
    }
}
