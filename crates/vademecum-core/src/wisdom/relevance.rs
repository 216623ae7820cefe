//! How much an entry has to do with a task: words in common, weighed by how rare they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Entry, Line, Matter, Text};
use crate::search::topics;

/// What the reader is about to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// The words of the task, such as the prompt of a sub-agent.
    pub text: String,
    /// The files that it names.
    pub files: Vec<String>,
    /// The kind of agent that does it.
    pub agent_type: Option<String>,
}

/// A file that both name counts as so many rare words.
const FILE_WEIGHT: f64 = 4.0;

/// The weight of each entry for the task, in their order; 0 where nothing is in common.
pub(super) fn weights(entries: &[&Entry], task: &Task) -> Vec<f64> {
    let wanted = topics_of_task(task);
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
        in_common / length + FILE_WEIGHT * f64::from(n_files(entry, task))
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

/// How many files of the task the entry names, by their last part at least.
fn n_files(entry: &Entry, task: &Task) -> u32 {
    let pattern = entry.said.pattern.as_ref().map_or("", Line::as_str);
    let named = |file: &&String| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let is_in = |text: &str| text.split(|c: char| !is_file_letter(c)).any(|word| word == name);
        3 < name.len() && (is_in(pattern) || is_in(entry.said.content.as_str()))
    };
    u32::try_from(task.files.iter().filter(named).count()).unwrap_or(u32::MAX)
}

/// Whether a name of a file goes on with this character.
fn is_file_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}
