//! How much an entry has to do with a task: words in common, weighed by how rare they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Entry, Line, Matter, Text};
use crate::search::topics;

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

/// The weight of each entry for the task, in their order; 0 where nothing is in common.
pub(super) fn weights(entries: &[&Entry], task: &Task) -> Vec<f64> {
    let wanted = topics_of_task(task);
    let files = files_of(task);
    let topics: Vec<BTreeSet<String>> = entries.iter().map(|entry| topics_of(entry)).collect();
    let mut n_with: BTreeMap<&str, f64> = BTreeMap::new();
    for topic in topics.iter().flatten().filter(|topic| wanted.contains(*topic)) {
        *n_with.entry(topic).or_default() += 1.0;
    }
    let n_all = number(entries.len());
    let rarity = |topic: &String| (1.0 + n_all / n_with.get(topic.as_str()).unwrap_or(&1.0)).ln();
    let weigh = |(entry, topics): (&&Entry, &BTreeSet<String>)| {
        let in_common: f64 = topics.intersection(&wanted).map(rarity).sum();
        // A long text has more words in common by chance.
        let length = number(topics.len()).max(8.0).sqrt();
        in_common / length + FILE_WEIGHT * f64::from(n_files(entry, &files))
    };
    entries.iter().zip(&topics).map(weigh).collect()
}

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

fn topics_of_task(task: &Task) -> BTreeSet<String> {
    let agent_type = task.agent_type.as_deref().unwrap_or_default();
    let texts = [task.text.as_str(), agent_type].into_iter();
    texts.chain(task.files.iter().map(String::as_str)).flat_map(topics).collect()
}

fn topics_of(entry: &Entry) -> BTreeSet<String> {
    let said = &entry.said;
    let more: [Option<&Text>; 2] = match &said.matter {
        Matter::Issue { workaround, .. } => [workaround.as_ref(), None],
        Matter::Decision { rationale, alternatives } => [rationale.as_ref(), alternatives.as_ref()],
        Matter::Learning => [None, None],
    };
    let lines = [said.task.as_ref(), said.pattern.as_ref()].into_iter().flatten().map(Line::as_str);
    let texts = more.into_iter().flatten().map(Text::as_str).chain(lines);
    let texts = texts.chain(said.tags.as_slice().iter().map(String::as_str));
    std::iter::once(said.content.as_str()).chain(texts).flat_map(topics).collect()
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

/// How many of the files the entry names.
fn n_files(entry: &Entry, files: &BTreeSet<&str>) -> u32 {
    if files.is_empty() {
        return 0;
    }
    let pattern = entry.said.pattern.as_ref().map_or("", Line::as_str);
    let texts = [pattern, entry.said.content.as_str()];
    let words = texts.iter().flat_map(|text| text.split(|c: char| !is_file_letter(c)));
    let named: BTreeSet<&str> = words
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| files.contains(word))
        .collect();
    u32::try_from(named.len()).unwrap_or(u32::MAX)
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
