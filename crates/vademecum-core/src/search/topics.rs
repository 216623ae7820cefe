//! What a text is about, as a set of words that can be compared with those of another text.

use std::collections::BTreeSet;

use super::stem::stem;
use super::stop::is_stop;
use super::words::{Kind, scan};

/// The distinct keys of a text without the words that say nothing.
#[must_use]
pub fn topics(text: &str) -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    each_topic(text, |topic| {
        topics.insert(topic.to_owned());
    });
    topics
}

/// Calls `found` with each key of [`topics`], as often as the text has it.
pub fn each_topic(text: &str, mut found: impl FnMut(&str)) {
    scan(text, |token| {
        if !is_stop(token.full) {
            found(token.key());
        }
    });
}

/// Calls `found` with the key of each word that says something, as often as the text has it.
///
/// Two neighbours count by themselves; of a script without spaces two letters are a word.
pub fn each_word(text: &str, mut found: impl FnMut(&str)) {
    scan(text, |token| {
        let is_word = match token.kind {
            Kind::Word => true,
            Kind::Letters => token.span == 2,
            Kind::Pair | Kind::Name | Kind::Path => false,
        };
        if is_word && !is_stop(token.full) {
            found(token.key());
        }
    });
}

/// The key of one word in lower case, as [`topics`] has it.
#[must_use]
pub fn topic(word: &str) -> &str {
    stem(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_nothing_are_left_out() {
        let found = topics("Fix the parse_config of it");
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["config", "fix", "pars", "parseconfig"]);
        let mut words = Vec::new();
        each_word("Fix the parse_config of 修复 it", |word| words.push(word.to_owned()));
        assert_eq!(words, ["fix", "pars", "config", "修复"]);
    }
}
