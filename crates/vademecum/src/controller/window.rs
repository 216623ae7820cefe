//! What the model sees: system prompt and messages, made anew for each call from what is kept.

use std::borrow::Cow;

use vademecum_core::scratchpad::{self, Order};
use vademecum_core::tokens::estimate;
use vademecum_core::{notepad, planner};

use super::turns::{Reply, Turn, Turns};
use crate::dialect::{Message, ToolResult};

/// What stands before a summary.
pub(super) const SUMMARY: &str = "[Summary of what came before in this session]";

/// What stands between a summary and the user's words that it must not replace.
pub(super) const UNANSWERED: &str = "[The user's words that are not answered yet]";

/// What is put around the messages of one window, and how long its parts may be.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    /// The page as it is shown in front of the user's words; empty where it stands elsewhere.
    pub(super) scratchpad: &'a str,
    pub(super) steer: &'a str,
    pub(super) order: Order,
    pub(super) warning: &'a str,
    /// The most tokens of the results of one answer.
    pub(super) results: usize,
    /// The most tokens of the user's words in one message.
    pub(super) words: usize,
}

/// The system prompt: base, guidance and sections as given, the page last.
pub(super) fn system(parts: &[&str], page: Option<&str>) -> String {
    let page = page.map(notepad::render);
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.chain(page.as_deref()).collect::<Vec<_>>().join("\n\n")
}

/// The messages of a window.
pub(super) fn messages(turns: &Turns, frame: &Frame<'_>) -> Vec<Message> {
    let visible = turns.visible();
    let mut messages = Messages { all: Vec::new() };
    if !matches!(visible.first(), Some(Turn::Summary(_))) && !turns.memory.is_empty() {
        messages.user(&turns.memory);
    }
    let is_user = |turn: &&&Turn| matches!(turn, Turn::User(_));
    let mut left = visible.iter().filter(is_user).count();
    for turn in &visible {
        match turn {
            Turn::User(text) => {
                left -= 1;
                messages.user(&asked(text, frame, left == 0));
            }
            Turn::Warning => messages.user(frame.warning),
            Turn::Summary(summary) => {
                messages.user(&format!("{SUMMARY}\n{}", summary.text));
                if !summary.memory.is_empty() {
                    messages.user(&summary.memory);
                }
                unanswered(&mut messages, turns, frame, left == 0);
            }
            Turn::Agent(reply) => messages.agent(reply, frame.results),
        }
    }
    messages.all
}

fn unanswered(messages: &mut Messages, turns: &Turns, frame: &Frame<'_>, is_last: bool) {
    let mut words = turns.unanswered().peekable();
    if words.peek().is_some() {
        messages.user(UNANSWERED);
    }
    while let Some(text) = words.next() {
        let is_last = is_last && words.peek().is_none();
        messages.user(&asked(text, frame, is_last));
    }
}

/// The user's words, the last of them with what is put in front.
fn asked<'a>(text: &'a str, frame: &Frame<'_>, is_last: bool) -> Cow<'a, str> {
    let text = clip(text, frame.words);
    if !is_last {
        return text;
    }
    scratchpad::message(frame.scratchpad, frame.steer, &text, frame.order).into()
}

struct Messages {
    all: Vec<Message>,
}

impl Messages {
    fn user(&mut self, words: &str) {
        match self.all.last_mut() {
            Some(Message::User(text) | Message::Results { text, .. }) => add(text, words),
            Some(Message::Agent(_)) | None => self.all.push(Message::User(words.to_owned())),
        }
    }

    fn agent(&mut self, reply: &Reply, most: usize) {
        if reply.answer.is_blank() {
            return;
        }
        self.all.push(Message::Agent(reply.answer.clone()));
        let results: Vec<ToolResult> = reply.results.iter().flatten().cloned().collect();
        if results.is_empty() {
            return;
        }
        let most = most / results.len();
        let clipped = results.into_iter().map(|result| {
            let text = clip(&result.text, most).into_owned();
            ToolResult { text, ..result }
        });
        self.all.push(Message::Results { results: clipped.collect(), text: String::new() });
    }
}

fn add(text: &mut String, words: &str) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(words);
}

/// The text within `most` tokens: its start and its end, and between them how much is not shown.
pub(super) fn clip(text: &str, most: usize) -> Cow<'_, str> {
    let whole = estimate(text);
    if whole <= most {
        return Cow::Borrowed(text);
    }
    let n_chars = text.chars().count();
    let mut keep = n_chars.saturating_mul(most) / whole.max(1);
    loop {
        let cut = cut(text, n_chars, keep, whole);
        if estimate(&cut) <= most || keep == 0 {
            return Cow::Owned(cut);
        }
        keep = keep * 9 / 10;
    }
}

fn cut(text: &str, n_chars: usize, keep: usize, whole: usize) -> String {
    let (head, tail) = (keep * 2 / 3, keep / 3);
    let place = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (&text[..place(head)], &text[place(n_chars - tail)..]);
    let left = whole.saturating_sub(estimate(head) + estimate(tail));
    format!("{head}\n[… about {left} of {whole} tokens are not shown …]\n{tail}")
}

/// What the planner needs to know of a session whose host compacts.
pub(super) fn state(turns: &Turns, total: u64) -> planner::State {
    planner::State {
        used: planner::Used::Fresh(total),
        pending: 0,
        cycle: turns.cycle,
        flushed_in: turns.warned_in,
        running: None,
        slipped: false,
    }
}
