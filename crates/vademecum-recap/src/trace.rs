//! Finds where a session says what its recap says, turn by turn in bounded memory.

mod quote;

use std::collections::VecDeque;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::intake::is_own_block;
use vademecum_core::time::Time;
use vademecum_core::turn::{Action, Answer, Call, Event, Holds, Item, Turn};

use crate::Options;
use crate::command;
use crate::digest::ends;
use crate::statement::messages;
use quote::Quote;

/// How many places are told, the newest.
const MOST: usize = 5;

/// How much is told before and behind the words, and of words that stand far apart, in bytes.
const AROUND: usize = 160;
const PASSAGE: usize = 700;

/// How many words the longest part of a line has that may stand for the whole.
const TELLING: usize = 2;

/// Whose words a place holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The user's.
    User,
    /// The user's, in reply to a question.
    Reply,
    /// The agent's, to the user.
    Agent,
    /// The agent's, to itself.
    Thought,
    /// The agent's, in a plan.
    Plan,
    /// The agent's, in its list of what is to be done.
    List,
    /// The agent's, in the message of a commit or the text of a pull request.
    Change,
    /// A sub-agent's, or the agent's at the end of its task.
    Report,
    /// A command that the agent ran.
    Command,
    /// What the agent gave to another tool.
    Call,
    /// What a tool printed.
    Output,
}

impl Said {
    /// Whose words they are, for a person.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::User => "the user",
            Self::Reply => "the user's reply",
            Self::Agent => "the agent",
            Self::Thought => "the agent's thoughts",
            Self::Plan => "a plan",
            Self::List => "the agent's list",
            Self::Change => "a commit or pull request",
            Self::Report => "a report",
            Self::Command => "a command",
            Self::Call => "a call",
            Self::Output => "what a tool printed",
        }
    }
}

/// A place that says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The record of the transcript, from 0: a line, or a row.
    pub record: u64,
    /// When; none where the harness does not say.
    pub at: Option<Time>,
    /// Whose words.
    pub said: Said,
    /// The words with what stands around them.
    pub passage: String,
}

/// The places that say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The newest of them, the newest first.
    pub newest: Vec<Place>,
    /// How many there are.
    pub all: u64,
    /// Whether each holds only a part of what was asked for.
    pub is_part: bool,
}

/// A search for what a recap says, through turns that come one by one.
#[derive(Debug)]
pub struct Trace {
    roots: Vec<String>,
    /// What was asked for, and the places that hold all of it.
    whole: (Quote, Kept),
    /// The longest part of it, for lines whose parts stand in several places.
    part: Option<(Quote, Kept)>,
}

/// The newest places, and how many there were.
#[derive(Debug, Default)]
struct Kept {
    newest: VecDeque<Place>,
    all: u64,
}

impl Trace {
    /// Looks for `words` as a recap has them; none if there is no word in them.
    #[must_use]
    pub fn new(words: &str, options: &Options) -> Option<Self> {
        let whole = Quote::new(words)?;
        let part = whole.longest().filter(|part| TELLING <= part.n_words());
        let root = |root: &String| format!("{}/", root.trim_end_matches('/'));
        Some(Self {
            roots: options.roots.iter().map(root).collect(),
            whole: (whole, Kept::default()),
            part: part.map(|part| (part, Kept::default())),
        })
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Asked { text, is_plan } => {
                // Only the first line is the user's where the rest is the agent's plan.
                let own = text.lines().next().filter(|_| *is_plan).unwrap_or(text);
                if !self.look(turn, Said::User, own) && *is_plan {
                    self.look(turn, Said::Plan, text);
                }
            }
            Event::Said { text } => {
                self.look(turn, Said::Agent, text);
            }
            Event::Thought { text } => {
                self.look(turn, Said::Thought, text);
            }
            Event::Called(call) => self.called(turn, call),
            Event::Answered(answer) => self.answered(turn, answer),
            Event::Interrupted | Event::Compacted { .. } => {}
        }
    }

    fn called(&mut self, turn: &Turn, call: &Call) {
        let is_ours = |action: &Action| matches!(action, Action::Ran { command, .. } if command::is_ours(command));
        // Who asks vade for these words says them too.
        if call.actions.iter().any(is_ours) {
            return;
        }
        let found: Vec<bool> =
            call.actions.iter().map(|action| self.acted(turn, action, &call.text)).collect();
        if !found.contains(&true) {
            self.look(turn, Said::Call, &call.text);
        }
    }

    fn answered(&mut self, turn: &Turn, answer: &Answer) {
        match &answer.holds {
            Holds::Report => {
                self.look(turn, Said::Report, &answer.text);
            }
            Holds::Output => {
                self.look(turn, Said::Output, &answer.text);
            }
            Holds::Items { items } => {
                self.listed(turn, items, &answer.text);
            }
            Holds::Replies { replies } => {
                for reply in replies {
                    let text = format!("{} → {}", reply.question, reply.answer);
                    self.look(turn, Said::Reply, &text);
                }
            }
        }
    }

    /// Whether what is done says it.
    fn acted(&mut self, turn: &Turn, action: &Action, arguments: &str) -> bool {
        match action {
            Action::Ran { command, .. } => {
                let messages = messages::of_changes(command);
                let found = messages.iter().any(|it| self.look(turn, Said::Change, &it.text));
                found || self.look(turn, Said::Command, command)
            }
            Action::Proposed { plan } => self.look(turn, Said::Plan, plan),
            Action::Finished { summary } => self.look(turn, Said::Report, summary),
            Action::Planned { items, .. } => self.listed(turn, items, arguments),
            _ => false,
        }
    }

    /// Whether an item says it that stands in `text`: readers know the words of those that are named by an id.
    fn listed(&mut self, turn: &Turn, items: &[Item], text: &str) -> bool {
        self.whole.0.find(text, &self.roots).is_some()
            && items.iter().any(|item| self.look(turn, Said::List, &item.text))
    }

    /// Whether a text says all of it; keeps where.
    fn look(&mut self, turn: &Turn, said: Said, text: &str) -> bool {
        let roots = &self.roots;
        let mut keep = |(quote, kept): &mut (Quote, Kept)| {
            let passage = quote.find(text, roots).map(|place| passage(text, place));
            // What would pose as ours passes no intake.
            let passage = passage.filter(|passage| !is_own_block(passage));
            let place = |passage| Place { record: turn.record, at: turn.at, said, passage };
            passage.map(place).map(|place| kept.add(place)).is_some()
        };
        self.part.as_mut().map(&mut keep);
        keep(&mut self.whole)
    }

    /// The places that were found.
    #[must_use]
    pub fn finish(self) -> Places {
        let found = |Kept { newest, all }: Kept, is_part| Places {
            newest: newest.into_iter().rev().collect(),
            all,
            is_part,
        };
        match self.part {
            Some((_, part)) if self.whole.1.all == 0 => found(part, true),
            Some(_) | None => found(self.whole.1, false),
        }
    }
}

impl Kept {
    fn add(&mut self, place: Place) {
        // A record that says it twice is one place.
        let last = self.newest.back();
        if last.is_some_and(|it| it.record == place.record && it.passage == place.passage) {
            return;
        }
        self.all += 1;
        if self.newest.len() == MOST {
            self.newest.pop_front();
        }
        self.newest.push_back(place);
    }
}

/// What stands around a place of a text, in whole words, with `…` where something is left out.
fn passage(text: &str, place: Range<usize>) -> String {
    let from = text.ceil_char_boundary(place.start.saturating_sub(AROUND));
    let to = text.floor_char_boundary((place.end + AROUND).min(text.len()));
    let from =
        text[from..place.start].find(char::is_whitespace).map_or(place.start, |at| from + at);
    let to = text[place.end..to].rfind(char::is_whitespace).map_or(place.end, |at| place.end + at);
    let (from, before) = if place.start <= AROUND { (0, "") } else { (from, "… ") };
    let (to, behind) =
        if text.len() <= place.end + AROUND { (text.len(), "") } else { (to, " …") };
    let (head, tail) = ends(&text[from..to], PASSAGE / 2);
    let between = if tail.is_empty() { "" } else { " … " };
    format!("{before}{}{between}{}{behind}", head.trim(), tail.trim())
}
