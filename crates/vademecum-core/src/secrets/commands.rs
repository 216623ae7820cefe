//! Passwords that a command is given by their place: behind a name, before a pipe, in a here string.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::Found;
use super::alphabet::KEBAB;
use super::index::begins;
use super::options::{Value, is_value, kind_of, value};
use super::value::is_stand_in;

/// Adds what commands are given that are known by their words.
pub(super) fn look(bytes: &[u8], found: &mut Vec<Found>) {
    static WORDS: LazyLock<[Finder<'static>; 3]> =
        LazyLock::new(|| ["passwd", " set ", "vault login "].map(Finder::new));
    let [passwd, set, login] = &*WORDS;
    found.extend(passwd.find_iter(bytes).filter_map(|at| of_passwd(bytes, at)));
    found.extend(set.find_iter(bytes).filter_map(|at| setting(bytes, at)));
    let tokens = login.find_iter(bytes).map(|at| at + "vault login".len());
    found.extend(tokens.filter_map(|at| token(bytes, at)));
}

/// So many arguments of a command are looked at, in so many bytes of its line.
const ARGUMENTS: usize = 16;
const LINE: usize = 400;

/// What `htpasswd`, `chpasswd` and `passwd --stdin` are given, whose name ends in the `passwd` at `at`.
fn of_passwd(bytes: &[u8], at: usize) -> Option<Found> {
    let end = at + "passwd".len();
    let start = at - KEBAB.run_back(bytes, at, 3);
    match &bytes[start..at] {
        b"ht" => password(bytes, of_user(bytes, end)?),
        b"ch" => piped(bytes, end, Says::UserAndPassword),
        b"" => {
            let is_option = |it: &Value| &bytes[it.span.clone()] == b"--stdin";
            arguments(bytes, end).find(is_option)?;
            piped(bytes, end, Says::Password)
        }
        _ => None,
    }
}

/// The last of file, user and password, of which `-n` leaves out the file, where `-b` says that it stands there.
fn of_user(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let (mut is_given, mut n_before) = (false, 2);
    let mut arguments = arguments(bytes, at);
    while let Some(Value { span, .. }) = arguments.next() {
        let text = &bytes[span.clone()];
        if let [b'-', options @ ..] = text {
            let has = |option: u8| !options.starts_with(b"-") && options.contains(&option);
            is_given |= has(b'b');
            n_before -= usize::from(has(b'n')).min(n_before);
            // How dear the hash is stands behind.
            if options.ends_with(b"C") || options.ends_with(b"r") {
                arguments.next();
            }
        } else if n_before == 0 {
            return is_given.then_some(span);
        } else {
            n_before -= 1;
        }
    }
    None
}

/// What a command reads that is given a password by a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// The password.
    Password,
    /// `user:password`.
    UserAndPassword,
}

/// What is said to the command with the word that ends at `at`: by `echo` before its pipe, or in a here string.
pub(super) fn piped(bytes: &[u8], at: usize, says: Says) -> Option<Found> {
    let from = at.saturating_sub(LINE);
    let from = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |end| from + end + 1);
    let said = echoed(bytes, from..at).or_else(|| here(bytes, at))?;
    match says {
        Says::Password => password(bytes, said),
        Says::UserAndPassword => {
            let colon = memchr::memchr(b':', &bytes[said.clone()])?;
            password(bytes, said.start + colon + 1..said.end)
        }
    }
}

/// The last argument of the `echo` or `printf` before the last pipe of `line`, where no other command ends behind that.
fn echoed(bytes: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let pipe = line.start + memchr::memrchr(b'|', &bytes[line.clone()])?;
    if memchr::memchr2(b';', b'&', &bytes[pipe..line.end]).is_some() {
        return None;
    }
    let before = &bytes[line.start..pipe];
    let called = |name: &str| {
        let at = memmem::rfind(before, name.as_bytes())?;
        let is_word = at == 0 || !KEBAB.has(before[at - 1]);
        is_word.then_some(line.start + at + name.len() - 1)
    };
    let at = called("echo ").max(called("printf "))?;
    let said = arguments(bytes, at).take_while(|it| it.span.end <= pipe).last()?;
    Some(said.span)
}

/// What stands behind `<<<` in the rest of a line.
fn here(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..bytes.len().min(at + LINE)];
    let rest = &rest[..memchr::memchr2(b'\n', b'|', rest).unwrap_or(rest.len())];
    let at = at + memmem::find(rest, b"<<<")? + 3;
    value(bytes, at).map(|it| it.span)
}

/// The value of a secret that `config set` or `configure set` is given, whose ` set ` stands at `at`.
fn setting(bytes: &[u8], at: usize) -> Option<Found> {
    let before = &bytes[at - KEBAB.run_back(bytes, at, 12)..at];
    if ![&b"config"[..], b"configure", b"npm"].contains(&before) {
        return None;
    }
    let mut arguments = arguments(bytes, at + " set".len());
    let name = arguments.find(|it| bytes[it.span.start] != b'-')?;
    let name = &bytes[name.span];
    // With a sign between them they are known by that.
    let kind = kind_of(name.rsplit(|byte| b":/".contains(byte)).next()?)?;
    let Value { span, is_quoted } = arguments.next()?;
    is_value(kind, &bytes[span.clone()], is_quoted).then_some(Found { kind, span })
}

/// What `vault login` is given: a token, or the password of a user.
fn token(bytes: &[u8], at: usize) -> Option<Found> {
    let mut given = arguments(bytes, at).filter(|it| bytes[it.span.start] != b'-');
    if let Some(it) = given.clone().find(|it| begins(&bytes[it.span.clone()], "password=")) {
        return password(bytes, value(bytes, it.span.start + "password=".len())?.span);
    }
    let Value { span, .. } = given.next()?;
    let text = &bytes[span.clone()];
    let is_token = 10 <= text.len()
        && text.iter().any(u8::is_ascii_digit)
        && !text.contains(&b'=')
        && !is_stand_in(text);
    is_token.then_some(Found { kind: "generic-secret", span })
}

/// A password that its place tells: any word may be one, but for what stands for another.
fn password(bytes: &[u8], span: Range<usize>) -> Option<Found> {
    let text = bytes.get(span.clone())?;
    let is_secret = (4..=200).contains(&text.len()) && text[0] != b'-' && !is_stand_in(text);
    is_secret.then_some(Found { kind: "password", span })
}

/// The arguments behind the word that ends at `at`, up to the end of their command.
fn arguments(bytes: &[u8], at: usize) -> impl Iterator<Item = Value> + Clone {
    let mut next = at;
    let arguments = std::iter::from_fn(move || {
        let argument = value(bytes, next).filter(|it| !bytes[it.span.clone()].starts_with(b"&"))?;
        next = argument.span.end;
        if argument.is_quoted {
            // In JSON a backslash stands before the quote.
            next += if bytes.get(next) == Some(&b'\\') { 2 } else { 1 };
        }
        next = next.min(bytes.len());
        Some(argument)
    });
    arguments.take(ARGUMENTS)
}
