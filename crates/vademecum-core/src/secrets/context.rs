//! What stands before a value: a name and a sign, by which a value is known that says nothing by itself.

use super::alphabet::{Alphabet, BRACKETS, HEADER, NAME, QUOTES, SIGNS, VALUE};
use super::value::{TOKEN, entropy, is_hash, is_random, is_spelled_by_nobody, is_stand_in};
use super::vendors;

/// How far a name may stand before its value: forty characters of a name, and some between.
const REACH: usize = 60;

/// How far a value may reach back from the word of it that was met.
const BACK: usize = 160;

/// The places where the value may begin whose word begins at `start` and whose words from `chain` on.
pub(super) fn starts(bytes: &[u8], chain: usize) -> [usize; 2] {
    [chain, chain - VALUE.run_back(bytes, chain, BACK)]
}

/// The credential that begins at `at`, by what stands before it, with its end.
pub(super) fn at(bytes: &[u8], at: usize) -> Option<(&'static str, usize)> {
    let window = window(bytes, at)?;
    vendors::value(window, bytes, at).or_else(|| general(window, bytes, at))
}

/// The name before the sign before a value; none without a sign.
///
/// Quotes and blanks may stand on both sides of the sign, and quotes in JSON have a backslash each.
fn window(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let back = |at: usize, most: usize, set: Alphabet| at - set.run_back(bytes, at, most);
    let quoted = back(at, 10, QUOTES);
    let sign = back(quoted, 5, SIGNS);
    let has_sign = sign < quoted || bytes[quoted..at].contains(&b'=');
    if !has_sign {
        return bearer(bytes, at);
    }
    let end = back(sign, 8, BRACKETS);
    let name = &bytes[back(end, REACH, NAME)..end];
    (!name.is_empty()).then_some(name)
}

/// `Bearer`, which stands before its value without a sign.
fn bearer(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let word = bytes.get(at.checked_sub(7)?..at.checked_sub(1)?)?;
    (word.eq_ignore_ascii_case(b"bearer") && bytes[at - 1] == b' ').then_some(word)
}

/// Names that say of their value that it is secret.
const STRONG: &[&str] = &[
    "secret",
    "token",
    "passw",
    "pwd",
    "credential",
    "creds",
    "api_key",
    "apikey",
    "api-key",
    "api key",
    "access_key",
    "accesskey",
    "access-key",
    "private_key",
    "encryption_key",
    "signing_key",
    "auth_key",
    "authkey",
    "bearer",
    "account_key",
    "accountkey",
    "license_key",
];

/// Names that may: hashes beside them are left.
const WEAK: &[&str] = &["key", "auth", "access", "api"];

/// Names of what is random and public.
const PUBLIC: &[&str] = &[
    "public",
    "pubkey",
    "cache",
    "idempot",
    "author",
    "sha",
    "hash",
    "commit",
    "digest",
    "checksum",
    "integrity",
    "fingerprint",
    "etag",
    "version",
    "revision",
    "tokenizer",
    "tokens",
    "next",
    "page",
    "cursor",
    "monkey",
    "hotkey",
    "keyboard",
    "keyframe",
    "blob",
    "image",
];

/// Whether the last two words of a name say so: what stands before them is a sentence.
fn is_public(low: &[u8]) -> bool {
    let low = low.trim_ascii_end();
    let mut gaps = low.iter().enumerate().rev().filter(|(_, byte)| byte.is_ascii_whitespace());
    let name = gaps.nth(1).map_or(low, |(at, _)| &low[at + 1..]);
    PUBLIC.iter().any(|word| name.windows(word.len()).any(|it| it == word.as_bytes()))
}

/// A value that was made at random, of something that is called a secret.
fn general(window: &[u8], bytes: &[u8], at: usize) -> Option<(&'static str, usize)> {
    let value = &bytes[at..at + HEADER.run_to(bytes, at, TOKEN + 1)];
    if !(10..=TOKEN).contains(&value.len()) {
        return None;
    }
    let low = window.to_ascii_lowercase();
    let has = |word: &&str| low.windows(word.len()).any(|it| it == word.as_bytes());
    let is_strong = STRONG.iter().any(has);
    let is_named = is_strong || WEAK.iter().any(has);
    if !is_named || is_public(&low) || is_stand_in(value) {
        return None;
    }
    let is_hash = is_hash(value);
    // Hexadecimal digits tell 4 bits at most, all others more: 3.5 parts random from spoken.
    let floor = if is_hash { 30 } else { 35 };
    let is_random = if is_strong { is_spelled_by_nobody(value) } else { is_random(value) };
    let is_secret = (is_strong || !is_hash) && floor <= entropy(value) && is_random;
    is_secret.then_some(("generic-secret", at + value.len()))
}
