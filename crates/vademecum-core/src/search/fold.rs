//! Folding of letters, and which characters make words.

use super::split::Gap;

/// What a character does to the words around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter of a word, small or without case.
    Lower,
    /// A capital letter.
    Upper,
    /// A digit.
    Digit,
    /// An accent on the letter before it.
    Mark,
    /// A letter of a script that is written without spaces.
    Unspaced,
    /// Joins two words into a name or a path when it stands between them.
    Joiner(Gap),
    /// White space.
    Space,
    /// Ends a word.
    Other,
}

/// What each ASCII character does; the first of a longer one is [`Class::Other`].
pub(super) const ASCII: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Joiner(Gap::Word),
            b'-' | b'.' => Class::Joiner(Gap::Step),
            b'/' | b'\\' | b':' | b'@' => Class::Joiner(Gap::Path),
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Says what `c` does to the words around it.
pub(super) fn class(c: char) -> Class {
    match c {
        '\0'..='\x7f' => ASCII[c as usize],
        _ if is_unspaced(c) => Class::Unspaced,
        _ if is_mark(c) => Class::Mark,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() => Class::Lower,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_whitespace() => Class::Space,
        _ => Class::Other,
    }
}

/// Whether `c` belongs to a script without spaces: Chinese, Japanese, Korean, Thai and their like.
///
/// Korean has spaces, but its words carry endings, so that pairs of syllables find more.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e01}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17dd}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}')
}

/// The lower case of `c`; a sigma that ends a word is the same letter as any other.
fn lower(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c })
}

/// Adds `c` to `out` in lower case.
pub(super) fn push_lower(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(lower(c));
    }
}

/// Adds `c` to `out` in lower case and without its accent.
pub(super) fn push_plain(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(lower(c).filter(|c| !is_mark(*c)).map(without_accent));
    }
}

/// Latin letters with an accent, behind the letter they are searched as.
const ACCENTS: [&str; 20] = [
    "aàáâãäåāăą",
    "cçćĉċč",
    "dďđ",
    "eèéêëēĕėęě",
    "gĝğġģ",
    "hĥħ",
    "iìíîïĩīĭįı",
    "jĵ",
    "kķ",
    "lĺļľŀł",
    "nñńņňŉ",
    "oòóôõöøōŏő",
    "rŕŗř",
    "sśŝşšș",
    "tţťŧț",
    "uùúûüũūŭůűų",
    "wŵ",
    "yýÿŷ",
    "zźżž",
    "её",
];

fn without_accent(c: char) -> char {
    if !matches!(c, '\u{00e0}'..='\u{021b}' | 'ё') {
        return c;
    }
    let group = ACCENTS.iter().find(|group| group.chars().skip(1).any(|accented| accented == c));
    group.and_then(|group| group.chars().next()).unwrap_or(c)
}

/// Writes `text` in lower case, each run of white space as one space, none around it.
///
/// Lower case goes letter by letter, so that a part of a text folds like the whole.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        push_all_lower(&mut out, word);
    }
    out
}

/// Adds `text` to `out` in lower case.
pub(super) fn push_all_lower(out: &mut String, text: &str) {
    let start = out.len();
    if text.is_ascii() {
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        text.chars().for_each(|c| push_lower(out, c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_case_and_white_space_but_keeps_accents() {
        assert_eq!(fold("  A\u{a0}\n\tB  ÉΣ漢 "), "a b éσ漢");
        assert_eq!(fold(" \n"), "");
        assert_eq!(["λόγος", "ΛΌΓΟΣ", "λόγοσ"].map(fold), ["λόγοσ"; 3]);
    }

    #[test]
    fn words_lose_their_accents() {
        let plain = |word: &str| {
            let mut out = String::new();
            word.chars().for_each(|c| push_plain(&mut out, c));
            out
        };
        assert_eq!(plain("Überprüfung"), "uberprufung");
        assert_eq!(plain("Cafe\u{301}"), "cafe");
        assert_eq!(plain("naïve Łódź ЁЖ"), "naive lodz еж");
        assert_eq!(plain("straße"), "straße");
        assert_eq!(["κόσμος", "ΚΌΣΜΟΣ", "κόσμοσ"].map(plain), ["κόσμοσ"; 3]);
    }
}
