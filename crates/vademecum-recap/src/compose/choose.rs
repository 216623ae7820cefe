//! Which statements to say: always the one next whose words add most for what it takes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Part;
use super::clip::cost;
use super::prose::{failures, is_failing, matter, part};
use super::said::Said;
use crate::cues::count;
use crate::digest::{Digest, QuickMap, QuickSet};
use crate::rank::statements::worths;
use crate::statement::words::{self, Word};
use crate::statement::{Source, Statement, Statements, Step};

/// How much the worth of a statement counts beside that of its words.
const WHOLE: f32 = 1.8;

/// How much more a sentence counts beside one of its message that is said: passages are understood.
const BESIDE: f32 = 1.6;

/// How much its price counts: below 1 long ones are better than many short ones.
const PRICE: f32 = 0.7;

/// What the mark of a line takes.
pub(super) const MARK: f32 = 2.0;

/// Of whose words no more than so many are chosen from: past them nothing is worth a place.
const CANDIDATES: usize = 1_200;

/// The statements of a session with what they are worth, and which of them are said.
pub(super) struct Choice<'a> {
    pub(super) statements: &'a Statements,
    pub(super) worths: Vec<f32>,
    /// Which of them are none to say by themselves.
    dull: Vec<bool>,
    /// What saying a word is worth.
    words: QuickMap<Word, f32>,
    said: QuickSet<Word>,
    /// What the reader has already.
    pub(super) beside: &'a Said,
    /// The statements chosen so far.
    pub(super) taken: Vec<usize>,
    prices: QuickMap<usize, f32>,
    /// The turn at which tests ran well last, if none fails that is told.
    tested_at: u32,
}

impl<'a> Choice<'a> {
    pub(super) fn new(digest: &'a Digest, beside: &'a Said) -> Self {
        let statements = &digest.statements;
        let mut worths = worths(statements, &digest.weights.statement);
        let mut dull: Vec<bool> = statements.all.iter().map(|it| is_dull(statements, it)).collect();
        let ruled_out = statements.ruled_out();
        let is_said = |it: &Statement| {
            beside.says(&it.words) && beside.says_as(matter(statements, it), &it.words)
        };
        for (idx, it) in statements.all.iter().enumerate().filter(|(_, it)| !it.words.is_empty()) {
            // What its reader has, or the user does not want, is not left out either.
            if ruled_out.has_step(it) || (!beside.all.is_empty() && is_said(it)) {
                (worths[idx], dull[idx]) = (0.0, true);
            }
        }
        let mut untold: QuickMap<Word, f32> = QuickMap::default();
        for (statement, worth) in statements.all.iter().zip(&worths) {
            let worth = (worth * worth).min(0.95);
            for word in &statement.words {
                *untold.entry(*word).or_insert(1.0) *= 1.0 - worth;
            }
        }
        let tells = |word: &Word| statements.uses.get(word).map_or(1.0, |used| used.tells);
        let words = untold.into_iter().map(|(word, left)| (word, (1.0 - left) * tells(&word)));
        let words = words.collect();
        let (said, taken) = (beside.all.clone(), Vec::new());
        let is_well = failures(digest).into_iter().all(|it| digest.work.is_past(it));
        let tested_at = if is_well { digest.work.passing.tested_at } else { 0 };
        let prices = QuickMap::default();
        Self { statements, worths, dull, words, said, beside, taken, prices, tested_at }
    }

    /// Lets go of what was said and taken; what things are worth stays.
    pub(super) fn start_anew(&mut self) {
        self.said.clone_from(&self.beside.all);
        self.taken.clear();
    }

    pub(super) fn statement(&self, idx: usize) -> &'a Statement {
        &self.statements.all[idx]
    }

    /// Whether a statement tells a failure as it stood before tests ran well, and no check fails since.
    pub(super) fn is_over(&self, it: &Statement) -> bool {
        it.turn < self.tested_at && is_failing(it)
    }

    /// Where a statement belongs.
    pub(super) fn part(&self, it: &Statement) -> Part {
        if self.is_over(it) { Part::Found } else { part(self.statements, it) }
    }

    /// Whether a statement is none to say by itself.
    pub(super) fn is_dull(&self, idx: usize) -> bool {
        self.dull[idx]
    }

    /// Notes that `text` is said in any case.
    pub(super) fn say(&mut self, text: &str) {
        words::each(text, |word| {
            self.said.insert(word);
        });
    }

    /// Takes the best of the statements that `admits` lets in, within `room` tokens; what is left of it.
    pub(super) fn take(&mut self, mut room: f32, admits: impl Fn(&Self, usize) -> bool) -> f32 {
        let candidates = self.candidates(admits);
        let admitted: QuickSet<usize> = candidates.iter().copied().collect();
        let mut heap: BinaryHeap<Bid> = candidates.into_iter().map(|idx| self.bid(idx)).collect();
        while let Some(Bid { idx, .. }) = heap.pop() {
            let price = self.price(idx);
            if room < price || self.taken.contains(&idx) {
                continue;
            }
            // What was said since may have made it worth less.
            let bid = self.bid(idx);
            if heap.peek().is_some_and(|next| bid.gain < next.gain) {
                heap.push(bid);
                continue;
            }
            if bid.gain <= 0.0 {
                break;
            }
            room -= price;
            self.said.extend(&self.statement(idx).words);
            self.taken.push(idx);
            for beside in [idx.wrapping_sub(1), idx + 1] {
                if admitted.contains(&beside) && !self.taken.contains(&beside) {
                    heap.push(self.bid(beside));
                }
            }
        }
        room
    }

    fn candidates(&self, admits: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        let mut candidates: Vec<usize> = (0..self.worths.len())
            .filter(|idx| 0.0 < self.worths[*idx] && admits(self, *idx))
            .filter(|idx| !self.taken.contains(idx))
            .collect();
        if CANDIDATES < candidates.len() {
            self.best_first(&mut candidates);
            candidates.truncate(CANDIDATES);
        }
        candidates
    }

    fn best_first(&self, list: &mut [usize]) {
        list.sort_by(|a, b| self.worths[*b].total_cmp(&self.worths[*a]));
    }

    fn bid(&mut self, idx: usize) -> Bid {
        Bid { gain: self.gain(idx), idx }
    }

    fn price(&mut self, idx: usize) -> f32 {
        let text = &self.statements.all[idx].text;
        *self.prices.entry(idx).or_insert_with(|| cost(text) + MARK)
    }

    /// What saying it adds for a token.
    fn gain(&mut self, idx: usize) -> f32 {
        let (mut fresh, mut whole) = (0.0, f32::MIN_POSITIVE);
        for word in &self.statement(idx).words {
            let worth = self.words[word];
            whole += worth;
            if !self.said.contains(word) {
                fresh += worth;
            }
        }
        let worth = self.worths[idx];
        let beside = if self.is_beside(idx) { BESIDE } else { 1.0 };
        beside * (fresh + WHOLE * worth * worth * fresh / whole) / self.price(idx).powf(PRICE)
    }

    /// Whether the sentence before or after it in its message is said.
    fn is_beside(&self, idx: usize) -> bool {
        let it = self.statement(idx);
        let is_next = |other: usize| {
            let other = self.statements.all.get(other);
            other.is_some_and(|other| other.turn == it.turn && other.source == it.source)
        };
        [idx.wrapping_sub(1), idx + 1]
            .into_iter()
            .any(|other| is_next(other) && self.taken.contains(&other))
    }

    /// What is not said, best first.
    pub(super) fn left(&self) -> Vec<String> {
        let is_left = |idx: &usize| !self.is_dull(*idx) && !self.taken.contains(idx);
        let mut left: Vec<usize> = (0..self.worths.len()).filter(is_left).collect();
        self.best_first(&mut left);
        left.into_iter().map(|idx| self.statement(idx).text.to_string()).collect()
    }
}

/// Whether a statement is none to say by itself: said anew later, a heading, the line before a list,
/// what the agent was about to look at.
fn is_dull(all: &Statements, it: &Statement) -> bool {
    it.words.is_empty()
        || (it.is_heading && it.words.len() < 6)
        || (it.text.ends_with(':') && it.source != Source::Asked)
        || (it.source != Source::Asked && it.is_narration)
        || (it.source == Source::Thought && it.text.len() < 40)
        || (it.words.len() < 5 && !may_be_short(it.source))
        || (it.source == Source::Asked && it.words.len() < 2)
        || (!may_be_short(it.source) && is_code(&it.text))
        || all.step(it) == Some(Step::Over)
}

/// Whether a sentence of a message says something, be it only what the agent is about to do.
pub(super) fn is_telling(it: &Statement) -> bool {
    let least = if it.is_narration { 5 } else { 3 };
    it.source == Source::Said && !it.is_heading && least <= it.words.len()
}

/// The newest message of the agent that says something.
pub(super) fn spoken(all: &Statements) -> u32 {
    all.all.iter().rev().find(|it| is_telling(it)).map_or(all.messages, |it| it.message)
}

/// Whether a line of the agent is a link, an id or a piece of code, and no sentence.
fn is_code(text: &str) -> bool {
    count(text) < 3 || text.starts_with("::") || text.ends_with(['{', '(', '&', '|', '=', ','])
}

/// Whether few words say something where they come from.
fn may_be_short(source: Source) -> bool {
    matches!(source, Source::Asked | Source::Reply | Source::Change)
}

/// A statement and what it would add.
struct Bid {
    gain: f32,
    idx: usize,
}

impl PartialEq for Bid {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Bid {}

impl PartialOrd for Bid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bid {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.idx.cmp(&self.idx))
    }
}
