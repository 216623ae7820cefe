//! What was said: the user's requests and standing words, the agent's last messages.

use std::collections::VecDeque;

use vademecum_core::turn::Outcome;

use super::put::Put;
use super::work::clip_to;
use crate::cues::{UNDOING, has_any, has_words, is_rule};
use crate::statement::{self, clause, flat, is_short_form};

/// How much of one message is kept.
const MESSAGE: usize = 3_000;

/// How many messages of each side are kept.
const MESSAGES: usize = 10;

/// How many standing words are kept.
const STANDING: usize = 24;

/// The words so far.
#[derive(Debug, Default)]
pub(crate) struct Voices {
    pub(crate) first_ask: Option<String>,
    pub(crate) asks: VecDeque<String>,
    pub(crate) says: VecDeque<String>,
    pub(crate) standing: VecDeque<String>,
    /// The end of what the agent said last.
    end: String,
    /// What the agent asked or offered before the last request, where that only answers it.
    pub(crate) put: Option<Put>,
    /// Words that stood until the user took them back.
    pub(crate) undone: VecDeque<String>,
}

impl Voices {
    /// Takes in what the user asked; only its first line is theirs where the rest is the agent's plan.
    pub(crate) fn asked(&mut self, text: &str, is_plan: bool) {
        let whole = text.trim();
        // Of a plan that is handed over its title says what is wanted, behind the line of the harness.
        let title = whole.lines().filter(|line| !line.trim().is_empty()).take(2).last();
        let title = title.map_or(whole, without_marks);
        let is_cut = !is_plan && MESSAGE < whole.len();
        let text = &*match is_plan {
            true if title.len() < whole.len() => format!("{} …", clip_to(title, MESSAGE)),
            true => title.to_owned(),
            // Of a log there is no end: the user's own words stand before or behind it.
            false if is_cut => {
                let own = own_lines(whole);
                clause(if own.trim().is_empty() { whole } else { own.trim() }, MESSAGE)
            }
            false => whole.to_owned(),
        };
        if is_picture(text)
            && let Some(last) = self.asks.back_mut()
        {
            last.extend([" ", text]);
            return;
        }
        self.put = self.put(text);
        self.end.clear();
        self.first_ask.get_or_insert_with(|| text.to_owned());
        keep(&mut self.asks, text, MESSAGES);
        let own = own_lines(if is_plan { "" } else { text });
        let mut sentences = Vec::new();
        statement::sentences(&own, |text, _, _| {
            sentences.push(flat(text));
            true
        });
        if is_cut {
            // The one that the cut falls into may mean anything.
            sentences.pop();
        }
        for sentence in &sentences {
            self.weigh(sentence);
        }
    }

    pub(crate) fn said(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let text = text.trim();
            keep(&mut self.says, clip_to(text, MESSAGE), MESSAGES);
            text[text.ceil_char_boundary(text.len().saturating_sub(MESSAGE))..]
                .clone_into(&mut self.end);
        }
    }

    /// Takes in how something went that the agent did: it waits for no answer any more, but where the user refused it and
    /// may answer with that.
    pub(crate) fn acted(&mut self, outcome: Outcome) {
        if !matches!(outcome, Outcome::Refused | Outcome::Stopped) {
            self.end.clear();
        }
    }

    /// What an answer is to, of what the agent said last.
    pub(crate) fn put(&self, answer: &str) -> Option<Put> {
        Put::of(&self.end, answer)
    }

    fn weigh(&mut self, sentence: &str) {
        let low = low(sentence);
        if has_any(&low, &UNDOING) {
            self.undo(&low);
            // What holds in its place stands behind it.
            let instead = sentence.split_once(": ").map(|(_, instead)| instead);
            if instead.is_some_and(|words| low.contains("from now on") || is_rule(words)) {
                keep(&mut self.standing, sentence, STANDING);
            }
            return;
        }
        let is_printed = ["->", "→", "=>", "|", "${"].iter().any(|mark| sentence.contains(mark));
        let is_own = !is_printed && !sentence.ends_with([':', ';', '{']);
        if is_own && (8..=240).contains(&sentence.len()) && is_rule(sentence) {
            self.standing.retain(|it| it != sentence);
            self.undone.retain(|it| it != sentence);
            keep(&mut self.standing, sentence, STANDING);
        }
    }

    /// Drops the standing words that `undoing` takes back: those it shares most words with.
    fn undo(&mut self, undoing: &str) {
        let shared = |said: &String| {
            let said = low(said);
            content(undoing).filter(|word| has_words(&said, word)).count()
        };
        let best = self.standing.iter().enumerate().max_by_key(|(idx, said)| (shared(said), *idx));
        let best = best.filter(|(_, said)| 0 < shared(said)).map(|(idx, _)| idx);
        if let Some((idx, whole)) = best.and_then(|idx| Some((idx, self.standing.remove(idx)?))) {
            // Of two rules in one sentence the other one stays.
            let clause = clauses(&whole).into_iter().max_by_key(|it| shared(&(*it).to_owned()));
            let words = clause.unwrap_or(&whole).to_owned();
            let left = whole.replacen(&words, "", 1);
            let left = left.trim_matches([' ', ',', ';']);
            if words != whole && is_rule(left) {
                self.standing.insert(idx, left.to_owned());
            }
            // Requests are told as well.
            for ask in self.asks.iter_mut().chain(&mut self.first_ask) {
                let left = ask.replace(&words, "…");
                let left = left.trim_start_matches(['…', ' ']);
                *ask = if left.contains(char::is_alphanumeric) {
                    left.to_owned()
                } else {
                    String::new()
                };
            }
            keep(&mut self.undone, &whole, STANDING);
        }
    }
}

/// Whether a message is nothing but a picture, which says nothing by itself: it belongs to what was asked before it.
pub(crate) fn is_picture(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('[') && text.ends_with(']')
}

fn keep(list: &mut VecDeque<String>, text: &str, most: usize) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(text.to_owned());
}

/// The text as cues are looked for in it: small letters, straight apostrophes.
pub(crate) fn low(text: &str) -> String {
    let low = text.to_lowercase();
    if low.contains('’') { low.replace('’', "'") } else { low }
}

/// A message without the lines that were pasted.
pub(crate) fn own_lines(text: &str) -> String {
    let own: Vec<&str> = text.lines().filter(|line| !is_pasted(line)).collect();
    own.join("\n")
}

/// What the user says in a message before what they pasted into it, with `…` where something was.
pub(crate) fn before_pasted(text: &str) -> String {
    let own = text.lines().skip_while(|line| is_pasted(line)).take_while(|line| !is_pasted(line));
    let own = own.collect::<Vec<_>>().join("\n");
    if own.is_empty() || text.ends_with(&own) { own } else { format!("{own} …") }
}

/// Pictures with which programs open lines, and hardly anybody else.
const DRAWN: &str = "│├└┌╭╰─━┃●❯×⎿⎯▶✅❌✓✗✔✘✖⚠ℹ🔄📦⏳🔍📁📂🔧⚡🧪🏗🚧";

/// Whether a line is a row of a table, a line of a diff or a log, a quote, an element, an object of JSON, a stack frame.
fn is_pasted(line: &str) -> bool {
    let line = line.trim();
    let is_frame = line.contains(" @ ") && line.ends_with(|c: char| c.is_ascii_digit());
    let is_log = line
        .split(' ')
        .take(4)
        .any(|word| 2 == word.get(..8).unwrap_or_default().matches(':').count());
    let is_dated = is_date(line.get(..10).unwrap_or_default())
        && line.split([' ', '[', ']', ':']).take(5).any(|word| LEVELS.contains(&word));
    // Programs draw a picture before what they print.
    let is_drawn = line.starts_with(|c: char| DRAWN.contains(c));
    is_frame
        || is_log
        || is_dated
        || is_drawn
        || ["|", "+", ">", "<", "[", "{\"", "at "].iter().any(|opening| line.starts_with(opening))
}

/// How programs call how grave a line of a log is.
const LEVELS: &[&str] = &["ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL"];

/// Whether a text is a day as logs have it: `2026-11-30`.
fn is_date(text: &str) -> bool {
    let is_of_day = |(at, byte): (usize, u8)| match at {
        4 | 7 => matches!(byte, b'-' | b'/'),
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(is_of_day)
}

/// The parts of a sentence that each may rule by itself: `always …, and write …`.
fn clauses(sentence: &str) -> Vec<&str> {
    let at = [", and ", "; ", ", but "].iter().find_map(|joint| sentence.find(joint));
    at.map_or_else(Vec::new, |at| vec![&sentence[..at], &sentence[at..]])
}

fn content(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| 4 < word.len())
}

/// The sentences and lines of a text outside of code fences.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    let lines = text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        !fence && !is_code
    });
    lines.flat_map(split_line).map(without_marks).filter(|it| !it.is_empty())
}

/// A line without marks of lists, headings and quotes; `#42` keeps its own.
pub(super) fn without_marks(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches(['-', '*', '#', '>', ' ']);
    let at = line.len() - bare.len();
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit()) && line[..at].ends_with('#');
    if is_number { &line[at - 1..] } else { bare }
}

fn split_line(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = text
            .match_indices(['.', '!', '?', '。', '！', '？'])
            .map(|(at, mark)| (at + mark.len(), mark.len()))
            .find(|(at, len)| {
                let is_end = text[*at..].starts_with(' ') && !is_short_form(&text[..at - 1]);
                1 < *len && *at < text.len() || is_end
            })
            .map(|(at, _)| at);
        match end {
            Some(at) => {
                rest = Some(&text[at..]);
                Some(&text[..at])
            }
            None => Some(text),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_is_nobodys_words() {
        let text = "Look at this.\n{\"time\":\"2026-02-15\",\"msg\":\"never stop\"}\n| a | b |\n{ braces } are ours";
        assert_eq!(own_lines(text), "Look at this.\n{ braces } are ours");
    }
}
