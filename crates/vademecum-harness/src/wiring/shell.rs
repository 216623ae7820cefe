//! A path as one word of a command that a harness gives to a shell.

/// A path as one word of a shell.
pub(crate) fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@');
    if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// The path of such a word; none if it is more than one word.
pub(crate) fn unquoted(word: &str) -> Option<String> {
    let path = match word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inside) => inside.replace(r"'\''", "'"),
        None => word.to_owned(),
    };
    (quoted(&path) == word).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_and_found_again() {
        for (path, word) in [
            ("/home/dev/.local/bin/vade", "/home/dev/.local/bin/vade"),
            ("/home/dev/dé v/vade", "'/home/dev/dé v/vade'"),
            ("/o'b/$x/vade", r"'/o'\''b/$x/vade'"),
        ] {
            assert_eq!(quoted(path), word);
            assert_eq!(unquoted(word).as_deref(), Some(path));
        }
        for word in ["echo vade", "env A=1 /bin/vade", "'a' && 'b'"] {
            assert_eq!(unquoted(word), None, "{word}");
        }
    }
}
