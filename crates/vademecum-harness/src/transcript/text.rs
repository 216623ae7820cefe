//! Texts cut to what a turn may hold.

use std::borrow::Cow;

/// The most bytes of one text of a turn; of a longer one the middle goes.
pub const TEXT_MAX: usize = 32 * 1024;

/// What stands where the middle was.
const GAP: &str = "\n[…]\n";

/// `text` with its middle cut out if it is longer than [`TEXT_MAX`]; true if it is.
#[must_use]
pub(crate) fn clip(text: Cow<'_, str>) -> (String, bool) {
    if text.len() <= TEXT_MAX {
        return (text.into_owned(), false);
    }
    let half = (TEXT_MAX - GAP.len()) / 2;
    let head = &text[..text.floor_char_boundary(half)];
    let tail = &text[text.ceil_char_boundary(text.len() - half)..];
    // Half a name would pass for a name of its own.
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || "_./-~@+#".contains(c);
    let (head, tail) = (head.trim_end_matches(is_of_word), tail.trim_start_matches(is_of_word));
    (format!("{head}{GAP}{tail}"), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_goes_and_no_character_is_split() {
        assert_eq!(clip("é".into()), ("é".to_owned(), false));
        let (text, is_clipped) = clip("漢".repeat(TEXT_MAX).into());
        assert!(is_clipped && text.len() <= TEXT_MAX && TEXT_MAX - 8 < text.len());
        assert!(text.starts_with("漢漢") && text.ends_with("漢漢") && text.contains(GAP));
    }
}
