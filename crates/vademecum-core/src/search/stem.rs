//! A light English stem: the forms of one word meet, and unlike words seldom do.

/// The stem of an English word in lower case; any other word is its own stem.
///
/// It need not be a word: the stem of `parse`, `parsed`, `parser` and `parsing` is `pars`.
pub(super) fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word;
    }
    let mut rest = word.as_bytes();
    if let [most @ .., b's'] = rest
        && !matches!(rest, [.., b's' | b'u' | b'i', _])
    {
        rest = most;
    }
    if let [most @ .., b'i', b'n', b'g']
    | [most @ .., b'e', b'd']
    | [most @ .., b'l', b'y']
    | [most @ .., b'i', b'o', b'n'] = rest
    {
        rest = if stands(most) { most } else { rest };
    }
    if let [most @ .., b'e', b'r'] = rest
        && stands(most)
    {
        rest = most;
    }
    &word[..tail(rest).len()]
}

/// Cuts what differs between stems of one word: `validat` and `valid`, `runn` and `run`.
fn tail(mut rest: &[u8]) -> &[u8] {
    while let [most @ .., b'e' | b'i' | b'y'] = rest
        && 3 <= most.len()
    {
        rest = most;
    }
    match rest {
        [most @ .., b'a', b't'] if 4 < most.len() => most,
        [_, .., b'l' | b's' | b'z'] => rest,
        [most @ .., a, b] if a == b && 2 <= most.len() => &rest[..rest.len() - 1],
        _ => rest,
    }
}

/// Whether enough is left to be a stem: three letters with a vowel among them.
fn stands(rest: &[u8]) -> bool {
    let is_vowel = |b: &u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    3 <= rest.len() && rest.iter().any(is_vowel)
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
