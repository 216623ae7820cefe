//! What a task is about, and one quick look through a text for it: hundreds are read for one reader.

use std::collections::{BTreeMap, BTreeSet};

use super::relevance::Task;
use crate::search::{each_topic, topic, topics};

/// Shorter words are looked up in texts of other scripts alone.
const SHORTEST: usize = 3;

/// Longer ones are no words.
const LONGEST: usize = 48;

/// The topics of a task.
pub(super) struct Wanted {
    /// Each topic with its place.
    places: BTreeMap<String, usize>,
    /// Whether any of them begins as these letters: most words of a text are told by it not to be meant.
    begins: Vec<bool>,
}

impl Wanted {
    pub(super) fn of(task: &Task) -> Self {
        let agent_type = task.agent_type.as_deref().unwrap_or_default();
        let texts = [task.text.as_str(), agent_type].into_iter();
        let texts = texts.chain(task.files.iter().map(String::as_str));
        let topics: BTreeSet<String> = texts.flat_map(topics).collect();
        let mut begins = vec![false; 1 << BEGIN_BITS];
        for topic in &topics {
            if let [first, second, third, ..] = *topic.as_bytes() {
                begins[begin([first, second, third])] = true;
            }
        }
        Self { places: topics.into_iter().zip(0..).collect(), begins }
    }

    /// How many topics there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Calls `found` with the place of each topic that `text` names; how many words it has.
    pub(super) fn look(&self, text: &str, mut found: impl FnMut(usize)) -> usize {
        if text.is_ascii() {
            let text = text.as_bytes();
            return each_word(text, |at| {
                if self.may_begin(text, at) {
                    self.place(&text[at..]).map(&mut found);
                }
            });
        }
        let mut n_words = 0;
        each_topic(text, |topic| {
            n_words += 1;
            self.places.get(topic).copied().map(&mut found);
        });
        n_words
    }

    /// Whether any topic may begin as the word at this place.
    fn may_begin(&self, text: &[u8], at: usize) -> bool {
        let word = text.get(at..).and_then(<[u8]>::first_chunk);
        word.is_some_and(|&word| self.begins[begin(word)])
    }

    /// The place of the topic that is the first word of this text.
    fn place(&self, text: &[u8]) -> Option<usize> {
        let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let word = &text[..end.unwrap_or(text.len())];
        if !(SHORTEST..=LONGEST).contains(&word.len()) {
            return None;
        }
        let mut lower = [0; LONGEST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        let word = str::from_utf8(lower).ok()?;
        self.places.get(topic(word)).copied()
    }
}

/// How many bits the number for the beginning of a word has.
const BEGIN_BITS: u32 = 13;

/// A number for the first letters of a word, the same for small and capital ones.
fn begin([first, second, third]: [u8; SHORTEST]) -> usize {
    let letters = u32::from_le_bytes([first, second, third, 0]) & 0x001f_1f1f;
    (letters.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BEGIN_BITS)) as usize
}

/// Calls `found` with where each word of an ASCII text begins; how many there are.
///
/// Eight bytes are looked at as one number: a text is mostly read past.
fn each_word(text: &[u8], mut found: impl FnMut(usize)) -> usize {
    let (all, rest) = text.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let n_eights = all.len() + 1;
    let (mut n_words, mut before) = (0, 0);
    for idx in 0..n_eights {
        let letters = letters(u64::from_le_bytes(*all.get(idx).unwrap_or(&last)));
        let mut begins = letters & !(letters << 8 | before);
        before = letters >> 56;
        while begins != 0 {
            n_words += 1;
            found(8 * idx + (begins.trailing_zeros() / 8) as usize);
            begins &= begins - 1;
        }
    }
    n_words
}

/// The highest bit of each of eight ASCII bytes that is a letter or a digit.
fn letters(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let from = |bytes: u64, first: u8| bytes + EACH * u64::from(0x80 - first);
    let small = eight | (EACH * 0x20);
    let is_letter = from(small, b'a') & !from(small, b'z' + 1);
    let is_digit = from(eight, b'0') & !from(eight, b'9' + 1);
    (is_letter | is_digit) & (EACH * 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(task: &str, text: &str, expected: &[&str]) {
        let task = Task { text: task.to_owned(), ..Task::default() };
        let wanted = Wanted::of(&task);
        let mut found = BTreeSet::new();
        wanted.look(text, |place| {
            found.insert(place);
        });
        let names = wanted.places.iter().filter(|(_, place)| found.contains(place));
        assert_eq!(names.map(|(topic, _)| topic.as_str()).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_text_names_what_a_task_is_about() {
        check("parsing retries", "Parser: RETRY or not", &["pars", "retr"]);
        check(
            "fix getUserName",
            "getusername and get_user_name",
            &["get", "getusernam", "nam", "user"],
        );
        check("fix the 404 page", "404s are paged", &["pag"]);
        check("la café à Paris", "le café", &["caf"]);
        check("再送", "番号は再送で変わる", &["再", "再送", "送"]);
        check("", "anything", &[]);
    }

    #[test]
    fn words_begin_where_letters_follow_none() {
        let all: Vec<u8> = (0..128).collect();
        let pairs = all.iter().flat_map(|&a| all.iter().map(move |&b| vec![a, b, a, a, b]));
        for text in pairs.chain([b"".to_vec(), b"eight123 nine45678 a".to_vec(), b"x".repeat(17)]) {
            for shift in 0..8 {
                let text = [vec![b' '; shift], text.clone()].concat();
                let is_word = |at: usize| text[at].is_ascii_alphanumeric();
                let begins = |at: &usize| is_word(*at) && (*at == 0 || !is_word(*at - 1));
                let expected: Vec<usize> = (0..text.len()).filter(begins).collect();
                let mut found = Vec::new();
                let n_words = each_word(&text, |at| found.push(at));
                assert_eq!((n_words, found), (expected.len(), expected), "{text:?}");
            }
        }
    }
}
