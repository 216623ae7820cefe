//! Turns as the lines that methods `tail` and `seed` tell: what a tool call did, on one line.

use std::collections::VecDeque;

use vademecum_core::turn::{Action, Answer, Call, Event, Turn};

use crate::command;
use crate::fact::named;

/// How many names of a folder are listed.
const LISTED: usize = 5;

/// How many characters of an answer by the user are kept.
const ANSWER: usize = 120;

/// How many calls wait for their answers.
const WAITING: usize = 64;

/// One line and what it weighs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text.
    pub text: String,
    /// How many consequential calls it tells: writes, edits, what was remembered.
    pub n_consequential: usize,
    /// How many calls that change state: deletions, moves, commits and revisions beside those.
    pub n_changing: usize,
    /// Whether the user said it.
    pub is_request: bool,
    /// The record of the turn it was made from.
    pub record: u64,
}

/// Collapses turns into lines, one turn at a time.
#[derive(Debug, Default)]
pub struct Collapse {
    /// Calls without an answer yet: the line each stands in, and the action.
    waiting: VecDeque<(String, usize, Action)>,
    lines: Vec<Line>,
}

impl Collapse {
    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Asked { text, .. } => self.say("user: ", text, true, turn.record),
            Event::Said { text } => self.say("assistant: ", text, false, turn.record),
            Event::Thought { text } => self.say("thinking: ", text, false, turn.record),
            Event::Called(call) => self.called(call, turn.record),
            Event::Answered(answer) => self.answered(answer),
            Event::Interrupted | Event::Compacted { .. } => {}
        }
    }

    /// All lines in the order of their turns.
    #[must_use]
    pub fn finish(self) -> Vec<Line> {
        self.lines
    }

    /// Takes `most` lines that no answer can change any more, once there are twice as many.
    pub fn settled(&mut self, most: usize) -> Vec<Line> {
        if self.lines.len() <= 2 * most {
            return Vec::new();
        }
        self.waiting.retain(|(_, at, _)| most <= *at);
        for (_, at, _) in &mut self.waiting {
            *at -= most;
        }
        self.lines.drain(..most).collect()
    }

    fn say(&mut self, who: &str, text: &str, is_request: bool, record: u64) {
        if !text.trim().is_empty() {
            let text = format!("{who}{}", text.trim());
            let (n_consequential, n_changing) = (0, 0);
            self.lines.push(Line { text, n_consequential, n_changing, is_request, record });
        }
    }

    fn called(&mut self, call: &Call, record: u64) {
        for action in &call.actions {
            let Some(text) = told(action, &call.tool, None) else { continue };
            let n_consequential = usize::from(action.is_consequential());
            let n_changing = usize::from(changes_state(action));
            if WAITING <= self.waiting.len() {
                self.waiting.pop_front();
            }
            self.waiting.push_back((call.id.clone(), self.lines.len(), action.clone()));
            let is_request = false;
            self.lines.push(Line { text, n_consequential, n_changing, is_request, record });
        }
    }

    /// Tells what came of the calls that `answer` belongs to; without a call it is dropped.
    fn answered(&mut self, answer: &Answer) {
        let lines = &mut self.lines;
        self.waiting.retain(|(id, at, action)| {
            if *id != answer.call {
                return true;
            }
            if let Some(text) =
                told(action, "", Some(&answer.text)).filter(|_| tells_answer(action))
            {
                lines[*at].text = text;
            }
            false
        });
    }
}

fn changes_state(action: &Action) -> bool {
    match action {
        Action::Ran { command, .. } => command::changes::changes_state(command),
        other => other.changes_state(),
    }
}

fn tells_answer(action: &Action) -> bool {
    matches!(
        action,
        Action::Read { .. }
            | Action::Listed { .. }
            | Action::Recalled { .. }
            | Action::Questioned { .. }
            | Action::Proposed { .. }
    )
}

/// The line for an action, and for what came of it once that is known.
fn told(action: &Action, tool: &str, answer: Option<&str>) -> Option<String> {
    Some(match action {
        Action::Read { path } => match answer {
            Some(text) => format!("read {} ({} lines)", named(path), text.lines().count()),
            None => format!("read {}", named(path)),
        },
        Action::Listed { path } => listed(&named(path), answer.unwrap_or_default()),
        Action::Recalled { query, is_one: true } => format!("opened memory {query}"),
        Action::Recalled { query, is_one: false } => recalled(query, answer.unwrap_or_default()),
        Action::Edited { path } => format!("edited {}", named(path)),
        Action::Wrote { path, lines } => format!("wrote {} ({lines} lines)", named(path)),
        Action::Deleted { path } => format!("deleted {}", named(path)),
        Action::Moved { path, to } => format!("moved {} to {}", named(path), named(to)),
        Action::Revised { text } => noted("revised", text),
        Action::Remembered { text } => noted("remembered", text),
        Action::Questioned { questions } => {
            let texts: Vec<&str> = questions.iter().map(|question| &*question.text).collect();
            asked(&texts.join("\n"), answer)
        }
        Action::Proposed { plan } => asked(plan, answer),
        Action::Finished { summary } => format!("finished: {summary}"),
        Action::Looked => return None,
        Action::Ran { command, .. } => called(tool, "command", command),
        Action::Searched { query } => called(tool, "query", query),
        Action::Delegated { task, .. } => called(tool, "task", task),
        Action::Planned { items, .. } => {
            let items: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            called(tool, "items", &items.join("; "))
        }
        Action::Other { arguments } => format!("called {tool}({arguments})"),
    })
}

/// What was looked up; what a memory answers is no material, so an empty answer tells no number.
fn recalled(query: &str, answer: &str) -> String {
    let lines: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).collect();
    let n = match lines.as_slice() {
        [] => None,
        [said] => counted(said.trim()),
        all => Some(all.len()),
    };
    n.map_or_else(
        || format!("recalled for \"{query}\""),
        |n| format!("recalled {n} for \"{query}\""),
    )
}

/// How much an answer of one line says that it found; one that says nothing of it is what was found.
fn counted(said: &str) -> Option<usize> {
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    match said {
        _ if 0 < digits => said[..digits].parse().ok(),
        _ if said.starts_with("no ") => Some(0),
        _ => (!said.starts_with('{')).then_some(1),
    }
}

fn asked(question: &str, answer: Option<&str>) -> String {
    let answer = answer.map(|text| format!(", answer \"{}\"", first(text.trim(), ANSWER)));
    format!("asked \"{question}\"{}", answer.unwrap_or_default())
}

fn noted(done: &str, text: &str) -> String {
    format!("{done} \"{}\"", text.lines().next().unwrap_or_default())
}

fn listed(path: &str, answer: &str) -> String {
    // Claude Code lists with a dash before each name.
    let names = answer.lines().map(|line| line.trim().trim_start_matches("- "));
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let shown = names[..names.len().min(LISTED)].join(", ");
    let more = names.len().saturating_sub(LISTED);
    match (names.is_empty(), more) {
        (true, _) => format!("listed {path}"),
        (false, 0) => format!("listed {path}: {shown}"),
        (false, _) => format!("listed {path}: {shown} and {more} more"),
    }
}

fn called(tool: &str, key: &str, value: &str) -> String {
    let mut json = String::new();
    for c in value.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            c if c.is_control() => json.push(' '),
            c => json.push(c),
        }
    }
    format!("called {tool}({{\"{key}\":\"{json}\"}})")
}

fn first(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}
