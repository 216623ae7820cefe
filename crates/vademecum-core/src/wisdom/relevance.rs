//! How much an entry has to do with a task: words in common, weighed by how rare they are.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem::Finder;

use super::wanted::Wanted;
use crate::entry::{Entry, Line};

/// What the reader is about to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// The words of the task, such as the prompt of a sub-agent.
    pub text: String,
    /// The files that it is about, beside those that its words name.
    pub files: Vec<String>,
    /// The kind of agent that does it.
    pub agent_type: Option<String>,
}

/// A file that both name counts as so many rare words.
const FILE_WEIGHT: f64 = 4.0;

/// A task, taken apart once for all entries that are weighed by it.
pub(super) struct Sought<'a> {
    wanted: Wanted,
    files: Vec<Finder<'a>>,
}

impl<'a> Sought<'a> {
    pub(super) fn of(task: &'a Task) -> Self {
        Self {
            wanted: Wanted::of(task),
            files: files_of(task).into_iter().map(Finder::new).collect(),
        }
    }

    /// The weight of each entry for the task, in their order; 0 where nothing is in common.
    pub(super) fn weights(&self, entries: &[&Entry]) -> Vec<f64> {
        let mut topics = Vec::new();
        let common: Vec<Common> =
            entries.iter().map(|entry| self.in_common(entry, &mut topics)).collect();
        let mut n_with = vec![0.0; self.wanted.len()];
        for &topic in &topics {
            n_with[topic] += 1.0;
        }
        let n_all = number(entries.len());
        let rarity = |n: &f64| (1.0 + n_all / n.max(1.0)).ln();
        let rarity: Vec<f64> = n_with.iter().map(rarity).collect();
        let weigh = |(entry, common): (&&Entry, &Common)| {
            let rarities: f64 =
                topics[common.topics.clone()].iter().map(|&topic| rarity[topic]).sum();
            // A long text has more words in common by chance.
            let length = number(common.n_words).max(8.0).sqrt();
            rarities / length + FILE_WEIGHT * f64::from(self.n_files(entry))
        };
        entries.iter().zip(&common).map(weigh).collect()
    }

    /// What `entry` has in common with the task; its topics go behind those of the entries before.
    fn in_common(&self, entry: &Entry, topics: &mut Vec<usize>) -> Common {
        let begin = topics.len();
        let look = |text| {
            self.wanted.look(text, |topic| {
                if !topics[begin..].contains(&topic) {
                    topics.push(topic);
                }
            })
        };
        let n_words = texts_of(entry).map(look).sum();
        topics[begin..].sort_unstable();
        Common { topics: begin..topics.len(), n_words }
    }

    /// How many of the files the entry names.
    fn n_files(&self, entry: &Entry) -> u32 {
        let pattern = entry.said.pattern.as_ref().map_or("", Line::as_str);
        let texts = [pattern, entry.said.content.as_str()];
        let named = self.files.iter().filter(|file| texts.iter().any(|text| names(text, file)));
        u32::try_from(named.count()).unwrap_or(u32::MAX)
    }
}

/// What an entry has in common with a task.
struct Common {
    /// The topics of the task that it names, each once and in order.
    topics: Range<usize>,
    /// How many words it has.
    n_words: usize,
}

/// All that an entry says.
fn texts_of(entry: &Entry) -> impl Iterator<Item = &str> {
    let said = &entry.said;
    let lines = [said.task.as_ref(), said.pattern.as_ref()].into_iter().flatten().map(Line::as_str);
    let tags = said.tags.as_slice().iter().map(String::as_str);
    std::iter::once(said.content.as_str()).chain(said.matter.own().texts()).chain(lines).chain(tags)
}

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The names of the files that a task is about, each once: those given, and those in its text.
fn files_of(task: &Task) -> BTreeSet<&str> {
    let given = task.files.iter().map(|file| file.rsplit('/').next().unwrap_or(file));
    let words = task.text.split(|c: char| !is_file_letter(c));
    let in_text = words.map(|word| word.trim_matches(['.', '-'])).filter(|word| is_file(word));
    given.chain(in_text).filter(|name| 3 < name.len()).collect()
}

/// Whether a word looks like the name of a file: `worker.rs`, not `v1.2` or `e.g`.
fn is_file(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else { return false };
    let has_ending = (1..=5).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    has_ending && 1 < stem.chars().filter(|c| c.is_alphabetic()).count()
}

/// Whether the name of a file stands in `text` as a whole name.
fn names(text: &str, file: &Finder<'_>) -> bool {
    file.find_iter(text.as_bytes()).any(|at| {
        let ends = !text[..at].ends_with(is_file_letter);
        // A full stop behind it ends a sentence.
        let behind = text[at + file.needle().len()..].trim_start_matches(['.', '-']);
        ends && !behind.starts_with(is_file_letter)
    })
}

/// Whether a name of a file goes on with this character.
fn is_file_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_task_are_those_given_and_those_in_its_words() {
        let text = "Fix `src/queue/worker.rs:45-60` and ledger.txt. See v1.2, e.g. Foo.bar() or .gitignore.";
        let task =
            Task { text: text.to_owned(), files: vec!["a/b/mod.rs".to_owned()], agent_type: None };
        let files: Vec<&str> = files_of(&task).into_iter().collect();
        assert_eq!(files, ["Foo.bar", "ledger.txt", "mod.rs", "worker.rs"]);
    }
}
