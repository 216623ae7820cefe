//! Whether what prompts were told was used: by what the agent said and called afterwards.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::search::each_word;
use vademecum_core::time::Time;
use vademecum_harness::so_far::Passage;

use super::TOLD;
use super::counts::RecallUse;

/// So many words of what was told, new to the conversation, say that it was used; one may come by chance.
const WORDS: usize = 2;

/// A shorter word tells nothing, in bytes.
const SHORTEST: usize = 3;

/// One line that a prompt was told.
struct Line {
    /// The passage that it stands in.
    at: usize,
    id: String,
    words: BTreeSet<String>,
}

/// Counts the lines that were told from `since` on, and those of them that were used.
///
/// What stands in a fork from before it began was told to its original. What no answer followed could not be used.
pub(super) fn count(passages: &[Passage], since: Time) -> RecallUse {
    let told = told(passages, since);
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for line in &told {
        places.extend(line.words.iter().map(|word| (word.as_str(), Vec::new())));
    }
    if told.is_empty() {
        return RecallUse::default();
    }
    for (at, passage) in passages.iter().enumerate() {
        each_word(passage.text(), |word| {
            if let Some(places) = places.get_mut(word).filter(|it| it.last() != Some(&at)) {
                places.push(at);
            }
        });
    }
    let mut count = RecallUse::default();
    for line in &told {
        // The prompt itself may stand behind what it was told.
        let answered = passages.iter().skip(line.at).position(is_agent);
        if let Some(answer) = answered.map(|n| line.at + n) {
            count.told += 1;
            count.used += u64::from(is_used(line, passages, answer, &places));
        }
    }
    count
}

fn told(passages: &[Passage], since: Time) -> Vec<Line> {
    let mut told = Vec::new();
    for (at, passage) in passages.iter().enumerate() {
        let Passage::Told(when, text) = passage else { continue };
        if when.is_some_and(|when| when < since) {
            continue;
        }
        let lines = text.lines().skip_while(|line| *line != TOLD).skip(1);
        told.extend(lines.map_while(said).map(|(id, text)| {
            let mut words = BTreeSet::new();
            each_word(text, |word| {
                if SHORTEST <= word.len() {
                    words.insert(word.to_owned());
                }
            });
            Line { at, id: id.to_owned(), words }
        }));
    }
    told
}

/// Id and text of a line that was told: `- DATE kind ID: text`, the branch behind the id where there is one.
fn said(line: &str) -> Option<(&str, &str)> {
    let (head, text) = line.strip_prefix("- ")?.split_once(": ")?;
    let id = head.split(' ').nth(2)?;
    ["entry_", "note_"].iter().any(|kind| id.starts_with(kind)).then_some((id, text))
}

fn is_agent(passage: &Passage) -> bool {
    matches!(passage, Passage::Agent(_))
}

/// Whether the agent names the line from its first `answer` on, or says words of it that stood nowhere before.
fn is_used(
    line: &Line,
    passages: &[Passage],
    answer: usize,
    places: &BTreeMap<&str, Vec<usize>>,
) -> bool {
    let mut by_agent = passages[answer..].iter().filter(|it| is_agent(it));
    if by_agent.any(|passage| names(passage.text(), &line.id)) {
        return true;
    }
    let is_taken_up = |word: &&String| {
        let places = &places[word.as_str()];
        let is_new = places.iter().all(|&at| at == line.at || answer <= at);
        is_new && places.iter().any(|&at| answer <= at && is_agent(&passages[at]))
    };
    WORDS <= line.words.iter().filter(is_taken_up).count()
}

/// Whether an id stands in a text, and not as the beginning of a longer one.
fn names(text: &str, id: &str) -> bool {
    let mut ends = text.match_indices(id).map(|(at, id)| &text[at + id.len()..]);
    ends.any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "- 2025-11-21 decision entry_12: `worker.rs` retries once: staging loses acks.";

    fn told(at: i64, lines: &str) -> Passage {
        Passage::Told(
            Some(Time(at)),
            format!("vade: session x\n\n{TOLD}\n{lines}\n[vade receipt 1]"),
        )
    }

    fn agent(text: &str) -> Passage {
        Passage::Agent(text.to_owned())
    }

    fn other(text: &str) -> Passage {
        Passage::Other(text.to_owned())
    }

    /// What is counted of one line, told behind `before`, with `after` behind it.
    #[track_caller]
    fn check(before: &[Passage], after: &[Passage], told_and_used: [u64; 2]) {
        let passages = [before, &[told(5, LINE)], after].concat();
        let RecallUse { told, used } = count(&passages, Time(5));
        assert_eq!([told, used], told_and_used, "{passages:?}");
    }

    #[test]
    fn what_the_agent_takes_up_is_used() {
        check(&[], &[agent("As entry_12 says, no.")], [1, 1]);
        check(&[], &[agent("see entry_123")], [1, 0]);
        check(&[], &[agent("the acks"), agent("are lost in staging")], [1, 1]);
        check(&[], &[agent("the acks of the worker")], [1, 1]);
        check(&[], &[agent("the acks")], [1, 0]);
        check(&[], &[agent("ok"), other("staging loses acks, entry_12")], [1, 0]);
    }

    #[test]
    fn words_that_stood_before_say_nothing() {
        let said = [agent("staging loses acks")];
        check(&[other("why does staging lose acks?")], &said, [1, 0]);
        check(&[], &[&[other("does staging lose acks?")], &said[..]].concat(), [1, 0]);
        check(&[agent("staging"), other("acks")], &said, [1, 0]);
        check(&[Passage::Told(None, "vade: staging loses acks".to_owned())], &said, [1, 0]);
        check(&[agent("staging"), other("acks")], &[agent("staging: entry_12")], [1, 1]);
    }

    #[test]
    fn what_was_told_before_or_found_no_answer_is_not_counted() {
        check(&[], &[], [0, 0]);
        check(&[], &[other("never mind")], [0, 0]);
        check(&[told(4, LINE)], &[agent("yes")], [1, 0]);
        check(&[other(&format!("{TOLD}\n{LINE}"))], &[agent("yes")], [1, 0]);
    }

    #[test]
    fn each_line_counts_by_itself() {
        let lines = "- 2025-11-21 note note_3 (branch x): The tunnel must listen.\n- 2025-11-20 issue entry_4: Ports differ.\nand so on\n- 2025-11-20 issue entry_5: Not told.";
        let passages = [told(5, lines), agent("does the tunnel listen?")];
        assert_eq!(count(&passages, Time(0)), RecallUse { told: 2, used: 1 });
    }
}
