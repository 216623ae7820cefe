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
    /// Which first three letters any of them has: most words of a text are told by it not to be meant.
    starts: Vec<bool>,
}

impl Wanted {
    pub(super) fn of(task: &Task) -> Self {
        let agent_type = task.agent_type.as_deref().unwrap_or_default();
        let texts = [task.text.as_str(), agent_type].into_iter();
        let texts = texts.chain(task.files.iter().map(String::as_str));
        let topics: BTreeSet<String> = texts.flat_map(topics).collect();
        let mut starts = vec![false; 1 << 15];
        for topic in topics.iter().filter(|topic| SHORTEST <= topic.len()) {
            starts[start(topic.as_bytes())] = true;
        }
        Self { places: topics.into_iter().zip(0..).collect(), starts }
    }

    /// How many topics there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Calls `found` with the place of each topic that `text` names; how many words it has.
    pub(super) fn look(&self, text: &str, mut found: impl FnMut(usize)) -> usize {
        let mut n_words = 0;
        if !text.is_ascii() {
            each_topic(text, |topic| {
                n_words += 1;
                self.places.get(topic).copied().map(&mut found);
            });
            return n_words;
        }
        for word in text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()) {
            n_words += usize::from(!word.is_empty());
            if (SHORTEST..=LONGEST).contains(&word.len()) && self.starts[start(word)] {
                let mut lower = [0; LONGEST];
                let lower = &mut lower[..word.len()];
                lower.copy_from_slice(word);
                lower.make_ascii_lowercase();
                let place =
                    str::from_utf8(lower).ok().and_then(|word| self.places.get(topic(word)));
                place.copied().map(&mut found);
            }
        }
        n_words
    }
}

/// The first three letters as a number; capitals are as small letters, few digits as some letter.
fn start(word: &[u8]) -> usize {
    word[..SHORTEST].iter().fold(0, |start, byte| start << 5 | usize::from(byte & 31))
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
}
