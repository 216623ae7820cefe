//! A light English stem: the forms of one word meet, and unlike words seldom do.

/// The stem of an English word in lower case; any other word is its own stem.
///
/// It need not be a word: the stem of `parse`, `parsed`, `parser` and `parsing` is `pars`.
pub(super) fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word;
    }
    let mut rest = word;
    if rest.ends_with('s') && !["ss", "us", "is"].iter().any(|end| rest.ends_with(end)) {
        rest = &rest[..rest.len() - 1];
    }
    for endings in [&["ing", "ed", "ly", "ion"][..], &["er"]] {
        rest = endings.iter().find_map(|ending| without(rest, ending)).unwrap_or(rest);
    }
    while 3 < rest.len() && rest.ends_with(['e', 'i', 'y']) {
        rest = &rest[..rest.len() - 1];
    }
    rest = rest.strip_suffix("at").filter(|rest| 4 < rest.len()).unwrap_or(rest);
    if 3 < rest.len() && ends_doubled(rest.as_bytes()) { &rest[..rest.len() - 1] } else { rest }
}

/// `word` without `ending`, if three letters with a vowel among them stay.
fn without<'a>(word: &'a str, ending: &str) -> Option<&'a str> {
    let rest = word.strip_suffix(ending)?;
    let is_vowel = |b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    (3 <= rest.len() && rest.bytes().any(is_vowel)).then_some(rest)
}

fn ends_doubled(word: &[u8]) -> bool {
    matches!(word, [.., a, b] if a == b && !matches!(b, b'l' | b's' | b'z'))
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        for word in words.split(' ') {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn forms_of_a_word_meet() {
        check("parse parses parsed parsing parser parsers", "pars");
        check("run runs running runner", "run");
        check("query queries", "quer");
        check("retry retries retried retrying", "retr");
        check("validate validated validation validates", "valid");
        check("buffer buffers buffered buffering", "buf");
        check("token tokens", "token");
    }

    #[test]
    fn short_and_foreign_words_stay() {
        for word in ["go", "was", "string", "class", "status", "e0277", "überprüfung", ""] {
            assert_eq!(stem(word), word);
        }
    }
}
