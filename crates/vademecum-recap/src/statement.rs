//! Sentences of a session that could be said again, with where they stand; bounded.

mod asked;
pub(crate) mod messages;
mod ruled;
pub(crate) mod sentence;
mod step;
pub(crate) mod words;

use vademecum_core::turn::{Action, Answer, Event, Holds, Turn};

pub(crate) use asked::{Follows, clause, sentences};
pub(crate) use sentence::{flat, is_short_form, short};
pub(crate) use step::Step;

use crate::cues::{count, is_question, is_turning};
use crate::digest::{
    Put, QuickMap, QuickSet, ends, has_scratch, is_picture, is_scratch, own_lines, taken_back,
};
use crate::rank::is_narration;
use words::Word;

/// How many statements are kept; past it the oldest half of what was only said goes.
const MOST: usize = 4_000;

/// How many words are counted; past it those that came up once and long ago go.
const MOST_WORDS: usize = 60_000;

/// How much of a message is split, and how much of a call's arguments is looked through.
const MESSAGE: usize = 6_000;
const CALL: usize = 3_000;

/// Fewer words than this, after a question of the agent, are a reply.
const SHORT: usize = 10;

/// How much of a question is told with its reply.
const QUESTION: usize = 240;

/// Who said a statement, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The user.
    Asked,
    /// The user, in reply to a question; with the question.
    Reply,
    /// The agent, to the user.
    Said,
    /// The agent, to itself.
    Thought,
    /// The agent, in a plan.
    Plan,
    /// The agent, of a change: the message of a commit, the text of a pull request.
    Change,
    /// The agent, on GitHub: the text of an issue, a review, a comment.
    Posted,
    /// A sub-agent, or the agent at the end of its task.
    Report,
}

/// One sentence, or a part of one that stands by itself.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) text: Box<str>,
    pub(crate) source: Source,
    /// The record of the transcript.
    pub(crate) record: u64,
    /// The turn, counted from 1.
    pub(crate) turn: u32,
    /// How many messages and requests there were up to it, itself included.
    pub(crate) message: u32,
    pub(crate) request: u32,
    pub(crate) is_heading: bool,
    /// How it follows the one before it, where the user said both.
    pub(crate) follows: Follows,
    /// Whether it only says what the agent is about to look at.
    pub(crate) is_narration: bool,
    /// Whether the agent only goes over to something with it.
    pub(crate) is_turning: bool,
    /// How often it was said before in the same words.
    pub(crate) again: u16,
    pub(crate) words: Box<[Word]>,
}

/// How a word was used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    /// How much it tells, from 0 to 1.
    pub(crate) tells: f32,
    /// The last three turns that hold it, the newest first; 0 where there are fewer.
    pub(crate) last: [u32; 3],
}

/// The statements so far.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) all: Vec<Statement>,
    pub(crate) uses: QuickMap<Word, Use>,
    pub(crate) turn: u32,
    pub(crate) messages: u32,
    pub(crate) requests: u32,
    /// The messages of the agent after which the user wrote.
    pub(crate) closings: QuickSet<u32>,
    /// From which request on what was said holds: those after it only said to go on.
    begun: u32,
    /// The last turn that changed a file, and the last that made a commit.
    edited: u32,
    committed: u32,
    /// The last turn that rebased commits, which have other hashes since.
    pub(crate) rebased: u32,
    /// By its words: where a statement stands.
    by_words: QuickMap<u64, u32>,
    roots: Vec<String>,
    /// Whether the session itself works in a folder that is thrown away.
    is_scratch: bool,
}

impl Statements {
    /// Starts with none; paths below `roots` are said relative to them.
    pub(crate) fn new(roots: &[String]) -> Self {
        let mut roots: Vec<String> =
            roots.iter().map(|root| format!("{}/", root.trim_end_matches('/'))).collect();
        roots.sort_unstable_by_key(|root| std::cmp::Reverse(root.len()));
        Self { is_scratch: has_scratch(&roots), roots, ..Self::default() }
    }

    /// Takes the next turn in; `put` tells what an answer is to.
    pub(crate) fn push(&mut self, turn: &Turn, put: impl Fn(&str) -> Option<Put>) {
        self.turn += 1;
        match &turn.event {
            Event::Asked { text, is_plan } => {
                self.closings.insert(self.messages);
                self.messages += 1;
                self.requests += u32::from(self.requests == 0 || !is_picture(text));
                if *is_plan || !is_short(text) || is_question(text) {
                    self.begun = self.requests;
                }
                let (own, plan) = if *is_plan { ("", &**text) } else { (&**text, "") };
                self.asked_or_replied(put(own).filter(|_| !is_plan), own, turn.record);
                self.take(Source::Plan, plan, turn.record);
            }
            Event::Said { text } => {
                self.messages += 1;
                self.take(Source::Said, text, turn.record);
            }
            Event::Thought { text } => self.take(Source::Thought, text, turn.record),
            Event::Called(call) => {
                self.use_words(ends(&call.text, CALL / 2).0, call.actions.iter().any(is_edit));
                call.actions.iter().for_each(|action| self.acted(action, turn.record));
            }
            Event::Answered(answer) => self.answered(answer, turn.record),
            Event::Interrupted | Event::Compacted { .. } => {}
        }
        self.trim();
    }

    /// Takes in what the user wrote: an answer with the question, or the option, that it is to.
    fn asked_or_replied(&mut self, put: Option<Put>, own: &str, record: u64) {
        if let Some(Put { question, option, others }) = put {
            let said = self.all.iter_mut().rev().take_while(|it| it.request + 1 >= self.requests);
            let is_option = |it: &Statement| {
                let mut options = others.iter().chain([&option]);
                it.source == Source::Said && options.any(|option| option.contains(&*it.text))
            };
            // The one that was chosen is told with the answer, and the others are none any more.
            said.filter(|it| is_option(it)).for_each(|it| it.words = Box::default());
            let both = if option.is_empty() { question } else { option };
            self.replied(&both, &sentence::cut(flat(own), QUESTION), record);
            if is_short(own) {
                return;
            }
        }
        self.asked(&own_lines(own), record);
    }

    fn acted(&mut self, action: &Action, record: u64) {
        match action {
            Action::Ran { command, is_look: false } => {
                if command.contains("git commit") {
                    self.committed = self.turn;
                }
                if command.contains("rebase") && command.contains("git ") {
                    self.rebased = self.turn;
                }
                // What was only tried elsewhere changes nothing here.
                let is_elsewhere = is_scratch(command) && !self.is_scratch;
                self.take_back(if is_elsewhere { 0 } else { taken_back(command) });
                for message in messages::of_changes(command).into_iter().filter(|_| !is_elsewhere) {
                    let is_post = message.of == messages::Of::Post;
                    let source = if is_post { Source::Posted } else { Source::Change };
                    self.take(source, &message.text, record);
                }
            }
            Action::Proposed { plan } => self.take(Source::Plan, plan, record),
            Action::Finished { summary } => self.take(Source::Report, summary, record),
            _ => {}
        }
    }

    /// Lets go of the messages of the last `n` commits, which are taken back.
    fn take_back(&mut self, n: usize) {
        let is_message = |it: &Statement| it.source == Source::Change && !it.words.is_empty();
        for _ in 0..n {
            let Some(last) = self.all.iter().rfind(|it| is_message(it)).map(|it| it.turn) else {
                break;
            };
            let of_last = |it: &&mut Statement| is_message(it) && it.turn == last;
            self.all.iter_mut().filter(of_last).for_each(|it| it.words = Box::default());
        }
    }

    fn answered(&mut self, answer: &Answer, record: u64) {
        match &answer.holds {
            Holds::Report => self.take(Source::Report, &answer.text, record),
            Holds::Replies { replies } => {
                for reply in replies.iter().filter(|reply| !reply.answer.is_empty()) {
                    self.replied(&reply.question, &reply.answer, record);
                }
            }
            Holds::Output | Holds::Items { .. } => {}
        }
    }

    /// Takes a reply in as one statement: of a question alone nobody knows what was chosen.
    fn replied(&mut self, question: &str, answer: &str, record: u64) {
        let text = format!("{} → {}", sentence::cut(flat(question), QUESTION), flat(answer));
        self.use_words(&text, false);
        self.add(text, (Source::Reply, record), (false, Follows::Line));
    }

    /// Takes the sentences of a message of the user in, which are told as they were written.
    fn asked(&mut self, text: &str, record: u64) {
        let (head, tail) = whole_ends(text);
        for text in [head, tail] {
            self.use_words(text, false);
            sentences(text, |text, is_heading, follows| {
                let text = clause(&flat(text), sentence::LONGEST);
                // `I'm not sure if it` … `works.`: one word that goes on says the contrary alone.
                let goes_on = text.starts_with(char::is_lowercase) && count(&text) < 2;
                let is_first = self.all.last().is_none_or(|it| it.message != self.messages);
                if goes_on && !is_first {
                    return false;
                }
                self.add(text, (Source::Asked, record), (is_heading, follows))
            });
        }
    }

    /// Takes the sentences of a message in.
    fn take(&mut self, source: Source, text: &str, record: u64) {
        let (head, tail) = whole_ends(text);
        for text in [head, tail] {
            self.use_words(text, false);
            sentence::each(text, sentence::PARTED, |text, is_heading| {
                // The word that tells it goes.
                let is_turning = source == Source::Said && is_turning(text);
                let text = sentence::short(text, &self.roots);
                if self.add(text, (source, record), (is_heading, Follows::Line)) {
                    self.all.last_mut().expect("it was added").is_turning = is_turning;
                }
            });
        }
    }

    /// Takes a sentence in, if it has words that tell something.
    fn add(
        &mut self,
        text: String,
        (source, record): (Source, u64),
        (is_heading, follows): (bool, Follows),
    ) -> bool {
        let seen = words_of(&text);
        if seen.is_empty() {
            return false;
        }
        let again = self.again(&seen);
        self.all.push(Statement {
            is_narration: is_narration(&text),
            is_turning: false,
            text: text.into(),
            source,
            record,
            turn: self.turn,
            message: self.messages,
            request: self.requests,
            is_heading,
            follows,
            again,
            words: seen.into(),
        });
        true
    }

    /// How often these words were said already; the next statement is said in their place.
    fn again(&mut self, words: &[Word]) -> u16 {
        let key = words.iter().fold(0, |key: u64, word| key.rotate_left(5) ^ word);
        let at = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let before = self.by_words.insert(key, at);
        before.and_then(|at| self.all.get_mut(at as usize)).map_or(0, |before| {
            before.words = Box::default();
            before.again.saturating_add(1)
        })
    }

    /// Counts the words of a text.
    fn use_words(&mut self, text: &str, is_edit: bool) {
        let (turn, known) = (self.turn, &mut self.uses);
        self.edited = if is_edit { turn } else { self.edited };
        words::each(text, |word| {
            let new = || Use { tells: words::tells(word), last: [0; 3] };
            let used = known.entry(word).or_insert_with(new);
            if used.last[0] != turn {
                used.last = [turn, used.last[0], used.last[1]];
            }
        });
    }

    /// Lets go of what the user said in these words, which they took back.
    pub(crate) fn undo(&mut self, words: &str) {
        let words = words_of(words);
        let said = self.all.iter_mut().filter(|it| it.source == Source::Asked);
        said.filter(|it| *it.words == *words).for_each(|it| it.words = Box::default());
    }

    fn trim(&mut self) {
        if MOST_WORDS < self.uses.len() {
            self.trim_words();
        }
        if MOST <= self.all.len() {
            self.trim_statements();
        }
    }

    fn trim_words(&mut self) {
        let turn = self.turn;
        self.uses.retain(|_, used| used.last[1] != 0 || turn < used.last[0] + 400);
        let over = self.uses.len().saturating_sub(MOST_WORDS / 2);
        if over < MOST_WORDS / 4 {
            return;
        }
        // A session of ever new words.
        let mut last: Vec<u32> = self.uses.values().map(|used| used.last[0]).collect();
        let (_, oldest, _) = last.select_nth_unstable(over);
        self.uses.retain(|_, used| *oldest < used.last[0]);
    }

    fn trim_statements(&mut self) {
        let middle = MOST / 2;
        let mut at = 0;
        self.all.retain(|statement| {
            at += 1;
            let is_kept = matches!(
                statement.source,
                Source::Asked | Source::Reply | Source::Change | Source::Posted
            );
            middle < at || (is_kept && !statement.words.is_empty())
        });
        // A session of nothing but requests.
        let over = self.all.len().saturating_sub(MOST * 3 / 4);
        self.all.drain(..over);
        self.by_words.clear();
    }
}

fn is_edit(action: &Action) -> bool {
    matches!(action, Action::Edited { .. } | Action::Wrote { .. })
}

/// Whether a message says too little to stand without the question before it.
fn is_short(text: &str) -> bool {
    count(text) < SHORT
}

/// The beginning and the end of a long message, in whole sentences.
fn whole_ends(text: &str) -> (&str, &str) {
    let (head, tail) = ends(text, MESSAGE / 2);
    if tail.is_empty() {
        return (head, tail);
    }
    let is_end = |at: &usize| text.is_char_boundary(*at) && ends_sentence(&text[..*at]);
    let end = (head.len() / 2..=head.len()).rev().find(is_end);
    let start = text.len() - tail.len();
    let begin = (start..start + tail.len() / 2).find(is_end);
    (&head[..end.unwrap_or(head.len())], &text[begin.unwrap_or(start)..])
}

fn ends_sentence(text: &str) -> bool {
    [". ", "! ", "? ", "\n", "。", "！", "？"].iter().any(|end| text.ends_with(end))
}

/// The words of a text, each once.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut seen = Vec::with_capacity(16);
    words::each(text, |word| {
        if !seen.contains(&word) {
            seen.push(word);
        }
    });
    seen
}
