//! The keys that one note is found by.

use super::fold::{fold, is_unspaced};
use super::words::scan;

/// The distinct index keys of one note; words and grams never collide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys {
    /// Words, names and paths of content and tags, sorted.
    pub words: Vec<String>,
    /// Pieces of three characters of the content, sorted, for [`super::Literal`].
    pub grams: Vec<String>,
}

/// Lists the keys that a note is found by.
#[must_use]
pub fn keys(content: &str, tags: &[String]) -> Keys {
    let mut words = Vec::new();
    for text in std::iter::once(content).chain(tags.iter().map(String::as_str)) {
        scan(text, |token| words.push(token.key().to_owned()));
    }
    words.sort_unstable();
    words.dedup();
    Keys { words, grams: grams(&fold(content)) }
}

/// The distinct grams of a folded text, sorted.
///
/// None spans white space, which nearly halves their number and costs no hit: the text is read anyway.
/// Three letters of a script without spaces make none: their pairs are among the words.
pub(super) fn grams(folded: &str) -> Vec<String> {
    // Three letters in one number: a long text has tens of thousands of grams, most of them again and again.
    let mut found: Vec<u64> = Vec::new();
    for piece in folded.split(' ') {
        let mut letters = piece.chars();
        let (Some(mut first), Some(mut second)) = (letters.next(), letters.next()) else {
            continue;
        };
        for third in letters {
            let gram = [first, second, third];
            if !gram.into_iter().all(is_unspaced) {
                found.push(
                    gram.iter()
                        .fold(0, |packed, letter| packed << 21 | u64::from(u32::from(*letter))),
                );
            }
            (first, second) = (second, third);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(unpacked).collect()
}

/// The gram of three letters that were put into one number.
fn unpacked(packed: u64) -> String {
    let letter =
        |shift: u32| u32::try_from(packed >> shift & 0x1f_ffff).ok().and_then(char::from_u32);
    // A text has hundreds: none grows while it is written.
    let mut gram = String::with_capacity(1 + 3 * 4);
    gram.push('~');
    gram.extend([42, 21, 0].into_iter().filter_map(letter));
    gram
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_has_words_and_grams() {
        let found = keys("Fix parse_config 错误码!", &["auth".to_owned()]);
        assert_eq!(
            found.words.join(" "),
            "auth config fix fixpars pars parseconfig 码 误 误码 错 错误"
        );
        let grams = "~_co ~ars ~con ~e_c ~fig ~fix ~nfi ~onf ~par ~rse ~se_ ~误码!";
        assert_eq!(found.grams.join(" "), grams);
    }
}
