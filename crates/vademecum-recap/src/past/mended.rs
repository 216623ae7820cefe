//! What ended an error, and whether it came back.

use std::collections::VecDeque;

use vademecum_core::turn::{Action, Answer, Call, Event, Holds, Turn};

use super::{Spot, reason};
use crate::Options;
use crate::command;
use crate::digest::{low, verdict};
use crate::statement::{flat, sentence};

/// So many times that the error stood are kept of one session, the newest.
const MOST: usize = 8;

/// So many of the last steps before it ended are told.
const STEPS: usize = 6;

/// How much is told of a command among them, in bytes.
const STEP: usize = 120;

/// How a step begins that wrote a file whole.
const WROTE: &str = "wrote ";

/// So many calls that are not answered are remembered.
const OPEN: usize = 64;

/// A line that names an error has so many bytes at least, unless it was given alone.
const TELLING: usize = 12;

/// Words by which the line of several is known that names the error.
const NAMING: &[&str] = &[
    "error",
    "failed",
    "failure",
    "panicked",
    "exception",
    "cannot",
    "can't",
    "not found",
    "fatal",
    "undefined",
    "no such",
    "denied",
    "refused",
    "timed out",
    "invalid",
    "unexpected",
    "missing",
    "mismatch",
];

/// An error as it is known again: without case, numbers and folders, which differ each time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    folded: String,
    /// The longest name in it, by which texts without it are known.
    rarest: String,
}

impl Error {
    /// The error that a text names, or a line of it; none where it has no word.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let lines: Vec<String> = text.lines().map(fold).filter(|line| !line.is_empty()).collect();
        let naming = |line: &&String| NAMING.iter().any(|word| line.contains(word));
        let long = |line: &&String| TELLING <= line.len();
        let best = lines.iter().filter(long).find(naming);
        let folded = best.or_else(|| lines.iter().max_by_key(|line| line.len()))?.clone();
        let names = folded.split(|c: char| !c.is_ascii_alphanumeric());
        let telling = names.filter(|name| name.bytes().any(|byte| byte.is_ascii_alphabetic()));
        let rarest = telling.max_by_key(|name| name.len())?.to_owned();
        (2 < rarest.len()).then_some(Self { folded, rarest })
    }

    /// The error that a line of an output says in a word for it; none where no line does.
    #[must_use]
    pub fn said_in(output: &str) -> Option<Self> {
        let says = |line: &&str| {
            let folded = fold(line);
            let last = folded.rsplit(' ').next().unwrap_or_default();
            let is_well = ["ok", "pass", "passed"].contains(&last);
            !folded.starts_with("exit code")
                && !is_well
                && NAMING.iter().any(|word| folded.contains(word))
        };
        output.lines().filter(|line| TELLING <= line.len()).find(says).and_then(Self::new)
    }

    /// A word that stands in whatever holds the error, in letters of any case.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.rarest
    }

    /// Whether a text holds it.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.line(text).is_some()
    }

    /// The line of a text that holds it.
    fn line<'a>(&self, text: &'a str) -> Option<&'a str> {
        let may = |line: &&str| self.stands_in(&fold(line));
        low(text).contains(&self.rarest).then(|| text.lines().find(may)).flatten()
    }

    /// Whether it stands in a folded line, where a name begins; one that is a single name, as a whole.
    fn stands_in(&self, line: &str) -> bool {
        let is_one = self.folded == self.rarest;
        let is_name = |c: char| c.is_alphanumeric();
        line.match_indices(self.folded.as_str()).any(|(at, found)| {
            let behind = &line[at + found.len()..];
            let begins = !found.starts_with(is_name) || !line[..at].ends_with(is_name);
            begins && !(is_one && behind.starts_with(is_name))
        })
    }
}

/// A line in small letters with single blanks, each number as 0, each path as its last part, quotes alike.
///
/// Digits in a name are a part of it: `E0502`, `TS2345`.
fn fold(line: &str) -> String {
    let mut folded = String::with_capacity(line.len());
    for word in line.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        let base =
            word.rfind('/').filter(|at| at + 1 < word.len()).map_or(word, |at| &word[at + 1..]);
        let mut rest = base;
        while let Some(first) = rest.chars().next() {
            let run = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(if run == 0 { first.len_utf8() } else { run });
            match first {
                _ if run != 0 && name.bytes().all(|byte| byte.is_ascii_digit()) => folded.push('0'),
                '‘' | '’' | '`' | '"' | '“' | '”' => folded.push('\''),
                _ => folded.extend(name.chars().flat_map(char::to_lowercase)),
            }
            rest = behind;
        }
    }
    folded
}

/// Whether a line changes files in place by a program that mostly shows them.
fn edits(line: &str) -> bool {
    ["sed -i", "perl -i", "perl -pi"].iter().any(|program| line.contains(program))
}

/// One time that the error stood, and what ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mend {
    /// The line, as it stood.
    pub line: String,
    /// What failed with it; none where the user told of it.
    pub command: Option<String>,
    /// Where it stood first.
    pub first: Spot,
    /// Where it stood last.
    pub last: Spot,
    /// How often it stood.
    pub times: u32,
    /// Where the same ran well; none where it did not.
    pub ended: Option<Spot>,
    /// What was changed and run between the last time and its end, in that order.
    pub steps: Vec<String>,
    /// How many there were before those.
    pub earlier: usize,
    /// The agent's sentence that says most of why.
    pub why: Option<String>,
    /// The command that ran well, where it is not the one that failed.
    pub well: Option<String>,
}

/// What a session met of one error.
#[derive(Debug)]
pub struct Mended {
    error: Option<Error>,
    roots: Vec<String>,
    mends: VecDeque<Mend>,
    /// Whether the newest of them is open, or its end was not yet spoken of.
    state: State,
    /// How often the user asked since it stood last: what is done for other requests is not for it.
    asked: u32,
    /// The calls that are not answered, with what they run.
    open: VecDeque<(String, Option<Ran>)>,
}

/// What a call runs.
#[derive(Debug)]
struct Ran {
    line: String,
    /// Whether it only looks.
    is_look: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Open,
    /// It ended, and the agent's next words are of it.
    Ended,
}

impl Mended {
    /// Looks for what became of `error`.
    #[must_use]
    pub fn new(error: Option<Error>, options: &Options) -> Self {
        let root = |root: &String| format!("{}/", root.trim_end_matches('/'));
        let roots = options.roots.iter().map(root).collect();
        let (mends, open) = (VecDeque::new(), VecDeque::new());
        Self { error, roots, mends, state: State::Idle, asked: 0, open }
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Asked { text, .. } => self.asked(turn, text),
            Event::Said { text } => self.said(text),
            Event::Called(call) => self.called(call),
            Event::Answered(answer) => self.answered(turn, answer),
            _ => {}
        }
    }

    /// Each time that it stood, the oldest first.
    #[must_use]
    pub fn finish(self) -> Vec<Mend> {
        self.mends.into()
    }

    fn asked(&mut self, turn: &Turn, text: &str) {
        self.asked += 1;
        let line = self.error.as_ref().and_then(|error| error.line(text)).map(flat);
        match line {
            Some(line) => self.met(turn, &line, None),
            // What the user told of is not seen to end.
            None if self.mends.back().is_some_and(|mend| mend.command.is_none()) => {
                self.state = State::Idle;
            }
            None if self.state == State::Ended => self.state = State::Idle,
            None => {}
        }
    }

    fn said(&mut self, text: &str) {
        let is_watched = self.state == State::Ended || self.is_at_it();
        let Some(mend) = self.mends.back_mut().filter(|_| is_watched) else { return };
        let why = reason(text, &self.roots, |_| false).map(|(_, why)| why);
        mend.why = why.or(mend.why.take());
        if self.state == State::Ended {
            self.state = State::Idle;
        }
    }

    fn called(&mut self, call: &Call) {
        let mut ran = None;
        for action in &call.actions {
            let step = match action {
                Action::Ran { command, is_look } => {
                    ran = Some(Ran { line: flat(command), is_look: *is_look });
                    let is_step = !is_look && (command::works(command) || edits(command));
                    is_step.then(|| sentence::cut(flat(command), STEP))
                }
                Action::Edited { path } => Some(format!("changed {}", self.short(path))),
                Action::Wrote { path, .. } => Some(format!("{WROTE}{}", self.short(path))),
                Action::Deleted { path } => Some(format!("deleted {}", self.short(path))),
                Action::Moved { path, to } => {
                    Some(format!("moved {} to {}", self.short(path), self.short(to)))
                }
                _ => None,
            };
            let is_at_it = self.is_at_it();
            let mend = self.mends.back_mut().filter(|_| is_at_it);
            if let Some((mend, step)) = mend.zip(step) {
                mend.steps.retain(|known| *known != step);
                mend.steps.push(step);
                if STEPS < mend.steps.len() {
                    // A file that is new tells more than what was changed or run.
                    let first = mend.steps.iter().position(|step| !step.starts_with(WROTE));
                    mend.steps.remove(first.unwrap_or(0));
                    mend.earlier += 1;
                }
            }
        }
        if self.open.len() == OPEN {
            self.open.pop_front();
        }
        self.open.push_back((call.id.clone(), ran));
    }

    fn answered(&mut self, turn: &Turn, answer: &Answer) {
        let at = self.open.iter().rposition(|(id, _)| *id == answer.call);
        let command = at.and_then(|at| self.open.remove(at)).and_then(|(_, command)| command);
        let Some(Ran { line: command, is_look }) = command else { return };
        // What a file or a passing test says is no error; behind a pipe nobody knows how it went.
        let may_fail = !answer.is_ok() || (!is_look && verdict::hides_its_code(&command));
        let error = self.error.as_ref().filter(|_| may_fail && answer.holds == Holds::Output);
        if let Some(line) = error.and_then(|error| error.line(&answer.text)).map(flat) {
            return self.met(turn, &line, Some(command));
        }
        let Some(mend) = self.mends.back_mut().filter(|_| self.state == State::Open) else {
            return;
        };
        let failed = mend.command.clone().unwrap_or_default();
        let is_same = |ran: &String| failed == *ran || command::has_same_step(ran, &failed);
        if is_same(&command) && super::ran_well(&command, answer) {
            mend.ended = Some(Spot::of(turn));
            // The run that went well ends it, and is none of what was done for it.
            let ran = sentence::cut(command, STEP);
            mend.steps.retain(|step| *step != ran);
            mend.well = (sentence::cut(failed, STEP) != ran).then_some(ran);
            self.state = State::Ended;
        }
    }

    /// The error stands there: once more, where nothing ended it since.
    fn met(&mut self, turn: &Turn, line: &str, command: Option<String>) {
        let spot = Spot::of(turn);
        self.asked = 0;
        if let Some(mend) = self.mends.back_mut().filter(|_| self.state == State::Open) {
            mend.times += 1;
            mend.last = spot;
            mend.line = sentence::cut(line.to_owned(), super::SHORT);
            mend.command = command.or(mend.command.take());
            // What was done before did not end it.
            mend.steps.clear();
            mend.earlier = 0;
            return;
        }
        if self.mends.len() == MOST {
            self.mends.pop_front();
        }
        self.mends.push_back(Mend {
            line: sentence::cut(line.to_owned(), super::SHORT),
            command,
            first: spot,
            last: spot,
            times: 1,
            ended: None,
            steps: Vec::new(),
            earlier: 0,
            why: None,
            well: None,
        });
        self.state = State::Open;
    }

    /// Whether what is done may be for it: until the user asked for something else than to end it.
    fn is_at_it(&self) -> bool {
        self.state == State::Open && self.asked <= 1
    }

    fn short<'a>(&self, path: &'a str) -> &'a str {
        self.roots.iter().find_map(|root| path.strip_prefix(root.as_str())).unwrap_or(path)
    }
}
