//! Whether a value was made at random, or stands there for a reader: names, places, placeholders.

use super::alphabet::{ALNUM, DIGIT, HEX, HEX_DASH};

/// How much each character of `text` tells, in tenths of a bit: about 60 at most, 40 for hexadecimal.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to 80")]
#[expect(clippy::cast_precision_loss, reason = "a credential has some hundred characters")]
pub(super) fn entropy(text: &[u8]) -> u8 {
    let mut counts = [0_u16; 256];
    for byte in text {
        let count = &mut counts[usize::from(*byte)];
        *count = count.saturating_add(1);
    }
    let n_all = text.len() as f32;
    let share = |count: &u16| {
        let share = f32::from(*count) / n_all;
        share * share.log2()
    };
    let bits: f32 = counts.iter().filter(|count| 0 < **count).map(share).sum();
    (bits * -10.0) as u8
}

/// Whether letters and digits follow each other as they do in no name.
pub(super) fn is_random(value: &[u8]) -> bool {
    // One in eight: names with a version have one or two, random ones of any alphabet twice as many.
    (value.len() / 8).max(3) <= count(value, is_switch)
}

/// The same, or two letters do: enough for a value that is called a secret without a doubt.
pub(super) fn is_spelled_by_nobody(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    let (has_small, has_capital) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    // Constants are made of abbreviations, which no word is spelled like.
    if is_random(value) || (!has_small && value.contains(&b'_')) {
        return is_random(value);
    }
    let is_mixed = has(u8::is_ascii_digit) && has_small && has_capital;
    let n_least = if is_mixed { 3 } else { 4 };
    (value.len() / 6).max(n_least)
        <= count(value, |first, second| is_switch(first, second) || is_rare(first, second))
}

fn count(value: &[u8], is: impl Fn(u8, u8) -> bool) -> usize {
    value.windows(2).filter(|pair| matches!(pair, [first, second] if is(*first, *second))).count()
}

fn is_switch(first: u8, second: u8) -> bool {
    ALNUM.has(first) && ALNUM.has(second) && DIGIT.has(first) != DIGIT.has(second)
}

/// Whether two letters follow each other in few words.
fn is_rare(first: u8, second: u8) -> bool {
    // A name of several words has any two letters where the next one begins.
    let is_hump = first.is_ascii_lowercase() && second.is_ascii_uppercase();
    let at = |byte: u8| usize::from(byte & 31);
    let are_letters = first.is_ascii_alphabetic() && second.is_ascii_alphabetic();
    are_letters && !is_hump && RARE[at(first)] >> at(second) & 1 == 1
}

/// Which letters stand behind which in two of a hundred pairs of letters, counted in the names of code.
static RARE: [u32; 32] = {
    let mut table = [0_u32; 32];
    let mut row = 0;
    while row < RARE_BEHIND.len() {
        let letters = RARE_BEHIND[row].as_bytes();
        let mut idx = 0;
        while idx < letters.len() {
            table[row + 1] |= 1 << (letters[idx] & 31);
            idx += 1;
        }
        row += 1;
    }
    table
};

/// The same by the first letter, from `a` to `z`.
#[rustfmt::skip]
const RARE_BEHIND: [&str; 26] = [
    "ehjoqz",
    "dfghknpqvwxz",
    "jqwxz",
    "hjknqxz",
    "jz",
    "bghjkqvwxz",
    "bdfjkqvwxyz",
    "bfgjklnpqvwxyz",
    "hjquwy",
    "abcdfghiklmnpqrtuvwxyz",
    "bcfghjlmnopqruvwxyz",
    "hjnqwxz",
    "fghjkqvwxyz",
    "jqxz",
    "hjqyz",
    "jkqvwxz",
    "abcdefghijklmnoprstvwxyz",
    "hjqxz",
    "jx",
    "jkqz",
    "hjkqvwxyz",
    "bdghjklnpqrtuwxyz",
    "bcdfgjklmpqtuvxyz",
    "bdfghjklmnoqrsuvwyz",
    "acdfghjkoqruvwxz",
    "bcdfghjklmnpqrstuvwxy",
];

/// Whether it is a hash or a UUID: what coding work is full of.
pub(super) fn is_hash(value: &[u8]) -> bool {
    let is_hex = value.iter().all(|byte| HEX.has(*byte));
    let is_uuid = value.len() == 36 && value.iter().all(|byte| HEX_DASH.has(*byte));
    is_hex || is_uuid
}

/// Words of values that stand for a secret and are none.
const STAND_INS: &[&str] = &[
    "xxxx",
    "****",
    "....",
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "your",
    "dummy",
    "redacted",
    "replace",
    "insert",
    "12345678",
    "process.env",
    "os.environ",
    "getenv",
    "env.",
    "config.",
    "secrets.",
    "settings.",
    "vault:",
    "ref+",
    "none",
    "null",
    "undefined",
];

/// Whether a value is a placeholder, a reference to where the secret is, or code.
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    let Some(first) = value.first() else { return true };
    if matches!(first, b'$' | b'%' | b'<' | b'{' | b'[' | b'(' | b'&' | b'*' | b'@') {
        return true;
    }
    let low = value.to_ascii_lowercase();
    let has = |word: &&str| low.windows(word.len()).any(|it| it == word.as_bytes());
    value.iter().all(|byte| byte == first)
        || value.contains(&b'(')
        || value.windows(2).any(|pair| pair == b"${" || pair == b"{{" || pair == b"::")
        || STAND_INS.iter().any(has)
}

/// How names of code begin that have as many digits as a password.
const ALGORITHMS: [&str; 4] = ["sha", "hmac", "aes", "pbkdf"];

fn begins(value: &[u8], word: &str) -> bool {
    value.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the value of something called a password may be one.
pub(super) fn is_password(value: &[u8], is_quoted: bool) -> bool {
    let n_digits = value.iter().filter(|byte| DIGIT.has(**byte)).count();
    let n_letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let n_signs = value.iter().filter(|byte| b"!@#^&*?%$+~".contains(byte)).count();
    let is_odd = 12 <= value.len() && is_spelled_by_nobody(value);
    let is_mixed = 0 < n_letters && (0 < n_digits || 0 < n_signs || is_odd);
    // Without quotes it may be a name of code, such as `password2`: then it must look random, have a sign, or
    // be a word with many digits.
    let is_plain = value.iter().all(|byte| ALNUM.has(*byte));
    let has_digits = is_plain && 3 <= n_digits && !ALGORITHMS.iter().any(|it| begins(value, it));
    let is_name =
        value.iter().all(|byte| ALNUM.has(*byte) || b"_.-[]".contains(byte)) && !has_digits;
    let n_least = if is_quoted { 6 } else { 8 };
    n_least <= value.len()
        && value.is_ascii()
        && !value.iter().any(u8::is_ascii_whitespace)
        && is_mixed
        && (is_quoted || !is_name || is_spelled_by_nobody(value))
        && !is_stand_in(value)
}

/// The longest token that nothing but its name tells of.
pub(super) const TOKEN: usize = 400;

/// Whether the value of something called a token, a secret or a key may be one.
pub(super) fn is_token(value: &[u8]) -> bool {
    let is_plain = value.iter().all(|byte| super::alphabet::HEADER.has(*byte));
    // Ten characters at three bits: a thousand million guesses, and more than most names have.
    is_plain
        && (10..=TOKEN).contains(&value.len())
        && 30 <= entropy(value)
        && is_spelled_by_nobody(value)
        && !is_stand_in(value)
}
