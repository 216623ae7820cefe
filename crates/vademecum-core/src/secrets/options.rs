//! Secrets that no sign parts from their name: values of options, and a word in quotes behind `password`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Found;
use super::alphabet::KEBAB;
use super::index::begins;
use super::value::{entropy, is_password, is_spelled_by_nobody, is_stand_in};

/// Adds what options of commands are given.
pub(super) fn look(bytes: &[u8], found: &mut Vec<Found>) {
    // Made for each text anew, they would take longer than to search most of them.
    static OPTIONS: LazyLock<[Finder<'static>; 3]> =
        LazyLock::new(|| [" --", " -p", " -a"].map(Finder::new));
    let first = bytes.starts_with(b"-").then_some(0);
    let others = OPTIONS.iter().flat_map(|option| option.find_iter(bytes).map(|at| at + 1));
    for at in first.into_iter().chain(others) {
        found.extend(match bytes.get(at + 1) {
            Some(b'-') => long(bytes, at + 2),
            Some(b'p' | b'a') => short(bytes, at),
            Some(_) | None => None,
        });
    }
}

/// Adds what stands in quotes behind a password's name.
pub(super) fn look_for_words(bytes: &[u8], found: &mut Vec<Found>) {
    static PASSWORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ssword "));
    found.extend(PASSWORD.find_iter(bytes).filter_map(|at| quoted(bytes, at + 6)));
}

/// What the names of long options end in whose values are secret.
const NAMES: [(&str, &str); 12] = [
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("pass", "password"),
    ("token", "generic-secret"),
    ("secret", "generic-secret"),
    ("api-key", "generic-secret"),
    ("apikey", "generic-secret"),
    ("api_key", "generic-secret"),
    ("access-key", "generic-secret"),
    ("secret-key", "generic-secret"),
    ("private-key", "generic-secret"),
];

/// The value of a long option whose name begins at `at`.
fn long(bytes: &[u8], at: usize) -> Option<Found> {
    let end = at + KEBAB.run(&bytes[..bytes.len().min(at + 40)], at);
    if !matches!(bytes.get(end), Some(b' ' | b'\t')) {
        return None;
    }
    let name = &bytes[at..end];
    let ends = |word: &str| {
        let start = name.len().checked_sub(word.len());
        start.is_some_and(|start| begins(&name[start..], word))
    };
    let (_, kind) = NAMES.iter().find(|(word, _)| ends(word))?;
    let Value { span, is_quoted } = value(bytes, end)?;
    let text = &bytes[span.clone()];
    let is_secret = match *kind {
        "password" => is_password(text, is_quoted),
        _ => {
            10 <= text.len()
                && 30 <= entropy(text)
                && is_spelled_by_nobody(text)
                && !is_stand_in(text)
        }
    };
    is_secret.then_some(Found { kind, span })
}

/// Commands with a short option for their password, and whether a blank stands behind it.
const COMMANDS: [(&str, u8, bool); 5] = [
    ("mysql", b'p', false),
    ("mysqldump", b'p', false),
    ("mariadb", b'p', false),
    ("sshpass", b'p', true),
    ("redis-cli", b'a', true),
];

/// The password behind the short option at `at`.
fn short(bytes: &[u8], at: usize) -> Option<Found> {
    let before = &bytes[at.saturating_sub(200)..at];
    let line = memchr::memrchr2(b'\n', b'|', before).map_or(before, |end| &before[end + 1..]);
    let is_called =
        |name: &str| line.split(|byte| !KEBAB.has(*byte)).any(|word| word == name.as_bytes());
    let has_gap = matches!(bytes.get(at + 2), Some(b' ' | b'\t'));
    let is_meant = |(name, letter, gap): &(&str, u8, bool)| {
        *letter == bytes[at + 1] && *gap == has_gap && is_called(name)
    };
    COMMANDS.iter().find(|it| is_meant(it))?;
    let Value { span, .. } = value(bytes, at + 2)?;
    let text = &bytes[span.clone()];
    // The command says that it is one: any word will do.
    let is_secret = (4..=200).contains(&text.len()) && text[0] != b'-' && !is_stand_in(text);
    is_secret.then_some(Found { kind: "password", span })
}

/// The word in quotes behind a password's name that ends at `at`.
fn quoted(bytes: &[u8], at: usize) -> Option<Found> {
    bytes.get(at + 1).filter(|byte| b"\"'`\\".contains(byte))?;
    let Value { span, is_quoted } = value(bytes, at)?;
    let is_secret = is_quoted && is_password(&bytes[span.clone()], true);
    is_secret.then_some(Found { kind: "password", span })
}

/// An argument of a command, without its quotes.
struct Value {
    span: Range<usize>,
    is_quoted: bool,
}

fn value(bytes: &[u8], at: usize) -> Option<Value> {
    let n_gap = bytes[at..].iter().take(8).take_while(|byte| b" \t\\".contains(byte)).count();
    let start = at + n_gap;
    let first = bytes.get(start)?;
    let is_quoted = b"'\"`".contains(first);
    let start = start + usize::from(is_quoted);
    let rest = &bytes[start..bytes.len().min(start + 400)];
    let is_end = |byte: &u8| {
        if is_quoted {
            byte == first || *byte == b'\n'
        } else {
            byte.is_ascii_whitespace() || b"'\"`;|)<>\\".contains(byte)
        }
    };
    let n_value = rest.iter().position(is_end).unwrap_or(rest.len());
    let n_value = if rest[..n_value].ends_with(b"\\") { n_value - 1 } else { n_value };
    (0 < n_value).then_some(Value { span: start..start + n_value, is_quoted })
}
