//! Folding of letters, and which characters make words.

/// What a character does to the words around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word.
    Word,
    /// Joins two words into a name or a path when it stands between them.
    Joiner,
    /// A letter of a script that is written without spaces.
    Unspaced,
    /// Ends a word.
    Other,
}

const fn ascii_class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => Class::Word,
        b'-' | b'.' | b'/' | b'\\' | b':' | b'@' => Class::Joiner,
        _ => Class::Other,
    }
}

/// Says what `c` does to the words around it.
pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return ascii_class(c as u8);
    }
    if is_unspaced(c) {
        return Class::Unspaced;
    }
    if c.is_alphanumeric() || is_mark(c) { Class::Word } else { Class::Other }
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

/// Adds `c` to `out` in lower case.
pub(super) fn push_lower(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(c.to_lowercase());
    }
}

/// Adds `c` to `out` in lower case and without its accent.
pub(super) fn push_plain(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(c.to_lowercase().filter(|c| !is_mark(*c)).map(without_accent));
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
    for c in text.trim().chars() {
        if !c.is_whitespace() {
            push_lower(&mut out, c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_case_and_white_space_but_keeps_accents() {
        assert_eq!(fold("  A\u{a0}\n\tB  ÉΣ漢 "), "a b éσ漢");
        assert_eq!(fold(" \n"), "");
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
    }
}
