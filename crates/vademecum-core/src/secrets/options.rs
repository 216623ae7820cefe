//! Secrets that no sign parts from their name: values of options, and a word in quotes behind `password`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::Found;
use super::alphabet::KEBAB;
use super::commands::{Says, piped};
use super::index::begins;
use super::value::{entropy, is_password, is_spelled_by_nobody, is_stand_in};

/// Adds what options of commands are given.
pub(super) fn look(bytes: &[u8], found: &mut Vec<Found>) {
    // Made for each text anew, it would take longer than to search most of them.
    static OPTION: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" -"));
    let first = bytes.starts_with(b"-").then_some(0);
    for at in first.into_iter().chain(OPTION.find_iter(bytes).map(|at| at + 1)) {
        found.extend(match bytes.get(at + 1) {
            Some(b'-') => long(bytes, at + 2),
            Some(b'p' | b'P' | b'a' | b'k') => short(bytes, at),
            Some(b'h') if bytes.get(at + 2) == Some(&b'p') => short(bytes, at + 1),
            Some(b'S') => read_by_sudo(bytes, at),
            Some(_) | None => None,
        });
    }
}

/// Adds what stands in quotes behind a password's name, and what that is said to be.
pub(super) fn look_for_words(bytes: &[u8], found: &mut Vec<Found>) {
    static PASSWORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ssword "));
    let found_at = |at| quoted(bytes, at + 6).or_else(|| told(bytes, at + 6));
    found.extend(PASSWORD.find_iter(bytes).filter_map(found_at));
}

/// What the names of long options and settings end in whose values are secret.
const NAMES: [(&str, &str); 16] = [
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
    ("access_key", "generic-secret"),
    ("secret-key", "generic-secret"),
    ("secret_key", "generic-secret"),
    ("private_key", "generic-secret"),
    ("_auth", "generic-secret"),
    ("private-key", "generic-secret"),
];

/// The value of a long option whose name begins at `at`.
fn long(bytes: &[u8], at: usize) -> Option<Found> {
    let end = at + KEBAB.run(&bytes[..bytes.len().min(at + 40)], at);
    if bytes[at..end].ends_with(b"password-stdin") {
        return piped(bytes, at, Says::Password);
    }
    if !matches!(bytes.get(end), Some(b' ' | b'\t')) {
        return None;
    }
    let kind = kind_of(&bytes[at..end])?;
    let Value { span, is_quoted } = value(bytes, end)?;
    is_value(kind, &bytes[span.clone()], is_quoted).then_some(Found { kind, span })
}

/// Of which kind the value of what is called `name` is; none where that tells of no secret.
pub(super) fn kind_of(name: &[u8]) -> Option<&'static str> {
    let ends = |word: &str| {
        let start = name.len().checked_sub(word.len());
        start.is_some_and(|start| begins(&name[start..], word))
    };
    NAMES.iter().find(|(word, _)| ends(word)).map(|(_, kind)| *kind)
}

/// Whether the value of what is called a secret of `kind` may be one.
pub(super) fn is_value(kind: &str, text: &[u8], is_quoted: bool) -> bool {
    match kind {
        "password" => is_password(text, is_quoted),
        _ => {
            10 <= text.len()
                && 30 <= entropy(text)
                && is_spelled_by_nobody(text)
                && !is_stand_in(text)
        }
    }
}

/// A command with a short option for its password.
struct Command {
    /// Its words.
    words: &'static [&'static str],
    /// The option's letter.
    letter: u8,
    /// Whether a blank stands behind the option.
    has_gap: bool,
    /// Whether any word behind it is the password: others are spoken of with their option more often than they are used.
    takes_any: bool,
}

const fn command(words: &'static [&'static str], letter: u8, has_gap: bool) -> Command {
    Command { words, letter, has_gap, takes_any: words.len() == 1 }
}

const COMMANDS: [Command; 19] = [
    command(&["mysql"], b'p', false),
    command(&["mysqldump"], b'p', false),
    command(&["mysqladmin"], b'p', false),
    command(&["mariadb"], b'p', false),
    command(&["mariadb-dump"], b'p', false),
    command(&["sshpass"], b'p', true),
    command(&["sshpass"], b'p', false),
    command(&["redis-cli"], b'a', true),
    command(&["zip"], b'P', true),
    command(&["unzip"], b'P', true),
    command(&["7z"], b'p', false),
    command(&["7za"], b'p', false),
    command(&["7zz"], b'p', false),
    command(&["rar"], b'p', false),
    command(&["unrar"], b'p', false),
    command(&["docker", "login"], b'p', true),
    command(&["podman", "login"], b'p', true),
    command(&["helm", "login"], b'p', true),
    command(&["openssl", "enc"], b'k', true),
];

/// The password behind the short option at `at`.
fn short(bytes: &[u8], at: usize) -> Option<Found> {
    let before = &bytes[at.saturating_sub(200)..at];
    let line = memchr::memrchr2(b'\n', b'|', before).map_or(before, |end| &before[end + 1..]);
    // Another command behind it has ports and files for the same letters.
    let line = line.rsplit(|byte| b";&".contains(byte)).next().unwrap_or(line);
    let is_called = |name: &str| {
        // Behind a dot it is the ending of a file.
        let starts = memmem::find_iter(line, name.as_bytes());
        let is_in = |byte: Option<&u8>| byte.is_some_and(|byte| KEBAB.has(*byte));
        starts.into_iter().any(|start| {
            let before = start.checked_sub(1).and_then(|at| line.get(at));
            !is_in(before) && before != Some(&b'.') && !is_in(line.get(start + name.len()))
        })
    };
    let has_gap = matches!(bytes.get(at + 2), Some(b' ' | b'\t'));
    let is_meant = |it: &&Command| {
        it.letter == bytes[at + 1]
            && it.has_gap == has_gap
            && it.words.iter().all(|word| is_called(word))
    };
    let command = COMMANDS.iter().find(is_meant)?;
    let Value { span, .. } = value(bytes, at + 2)?;
    let text = &bytes[span.clone()];
    let is_secret = (4..=200).contains(&text.len())
        && text[0] != b'-'
        && !is_stand_in(text)
        && (command.takes_any && is_used(bytes, span.end, command) || is_password(text, true));
    is_secret.then_some(Found { kind: "password", span })
}

/// Whether a command is used and not only spoken of, whose password ends at `at`: one that compresses names its file.
fn is_used(bytes: &[u8], at: usize, command: &Command) -> bool {
    let line = || bytes[at..bytes.len().min(at + 200)].split(|byte| *byte == b'\n').next();
    command.letter != b'P' || line().is_some_and(|line| memmem::find(line, b".zip").is_some())
}

/// What `sudo -S` reads, whose option stands at `at`.
fn read_by_sudo(bytes: &[u8], at: usize) -> Option<Found> {
    let before = &bytes[at.saturating_sub(80)..at];
    let own = memchr::memrchr2(b'\n', b'|', before).map_or(before, |end| &before[end + 1..]);
    let own = own.rsplit(|byte| b";&".contains(byte)).next().unwrap_or(own);
    // `sudo pacman -S steam` has the option of another program.
    let mut words = own.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_sudo = words.any(|word| word == b"sudo") && words.all(|word| word.starts_with(b"-"));
    is_sudo.then(|| piped(bytes, at, Says::Password)).flatten()
}

/// The word in quotes behind a password's name that ends at `at`.
fn quoted(bytes: &[u8], at: usize) -> Option<Found> {
    bytes.get(at + 1).filter(|byte| b"\"'`\\".contains(byte))?;
    let Value { span, is_quoted } = value(bytes, at)?;
    let is_secret = is_quoted && is_password(&bytes[span.clone()], true);
    is_secret.then_some(Found { kind: "password", span })
}

/// The word that a sentence says a password to be, whose name ends at `at`.
fn told(bytes: &[u8], at: usize) -> Option<Found> {
    bytes.get(at..at + 4).filter(|word| word == b" is ")?;
    let Value { mut span, is_quoted } = value(bytes, at + 3)?;
    if !is_quoted {
        // The sentence goes on, or ends.
        let is_mark = |byte: &&u8| b",.:;".contains(byte);
        span.end -= bytes[span.clone()].iter().rev().take_while(is_mark).count();
    }
    let is_secret = is_password(&bytes[span.clone()], is_quoted);
    is_secret.then_some(Found { kind: "password", span })
}

/// An argument of a command, without its quotes.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) span: Range<usize>,
    pub(super) is_quoted: bool,
}

/// The argument behind `at`, on the same line; none where nothing stands there.
pub(super) fn value(bytes: &[u8], at: usize) -> Option<Value> {
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
