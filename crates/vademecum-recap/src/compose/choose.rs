//! Which statements to say: always the one next whose words add most for what it takes.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use vademecum_core::claim::claims_to_keep;

use super::Part;
use super::clip::cost;
use super::edits::Edits;
use super::prose::{PUT, SAID, failures, is_failing, is_told, matter};
use super::said::Said;
use crate::cues::{
    DECISION, GUESS, Moment, Seen, count, is_asking, is_heralding, is_imperative, moment,
};
use crate::digest::{Digest, QuickMap, QuickSet, is_hash, low};
use crate::rank::{names, worths};
use crate::statement::words::{self, Word};
use crate::statement::{Source, Statement, Statements, Step};

/// How much the worth of a statement counts beside that of its words.
const WHOLE: f32 = 1.8;

/// How much more a sentence counts beside one of its message that is said: passages are understood.
const BESIDE: f32 = 1.6;

/// How much its price counts: below 1 long ones are better than many short ones.
const PRICE: f32 = 0.7;

/// How much what the agent thought counts beside what it said: half of it is taken back in the next thought.
const THOUGHT: f32 = 0.75;

/// What a statement is worth that is not to be said.
const BARRED: f32 = -1.0;

/// How many tokens of an earlier request are told among the last messages.
const ASK: f32 = 80.0;

/// So many messages are looked at for the last that say something new.
const LOOKED: usize = 100;

/// Which share of one of the last messages must be new.
const NEW: f32 = 0.25;

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
    /// Which of them held for a moment only, and more was said since.
    overtaken: Vec<bool>,
    /// What saying a word is worth.
    words: QuickMap<Word, f32>,
    said: QuickSet<Word>,
    /// What the reader has already.
    pub(super) beside: &'a Said,
    pub(super) edits: Edits<'a>,
    /// The statements chosen so far.
    pub(super) taken: Vec<usize>,
    prices: QuickMap<usize, f32>,
    /// The turn at which tests ran well last, if none fails that is told.
    tested_at: u32,
    /// From which message on what both sides said is told as it was said.
    since: u32,
    /// The newest message of the agent that says something.
    newest: u32,
    /// Whether a sentence is one to tell among the last, as far as that was looked at.
    standing: Vec<Cell<Option<bool>>>,
}

impl<'a> Choice<'a> {
    pub(super) fn new(digest: &'a Digest, beside: &'a Said) -> Self {
        let statements = &digest.statements;
        let mut worths = worths(statements, &digest.weights.statement);
        for (worth, it) in worths.iter_mut().zip(&statements.all) {
            *worth *= if it.source == Source::Thought { THOUGHT } else { 1.0 };
        }
        let is_well = failures(digest).into_iter().all(|it| digest.work.is_past(it));
        let tested_at = if is_well { digest.work.passing.tested_at } else { 0 };
        let overtaken = overtaken(statements);
        let dull = dull(digest, tested_at, (beside, &overtaken), &mut worths);
        let words = worths_of_words(statements, &worths);
        let (said, taken) = (beside.all.clone(), Vec::new());
        let (prices, newest) = (QuickMap::default(), spoken(statements));
        let (since, standing) = (newest, vec![Cell::new(None); worths.len()]);
        Self {
            statements,
            worths,
            dull,
            overtaken,
            words,
            said,
            beside,
            edits: Edits::of(digest),
            taken,
            prices,
            tested_at,
            since,
            newest,
            standing,
        }
    }

    /// Lets go of what was said and taken; what things are worth stays.
    pub(super) fn start_anew(&mut self) {
        self.said.clone_from(&self.beside.all);
        self.taken.clear();
        self.since = self.newest;
    }

    pub(super) fn statement(&self, idx: usize) -> &'a Statement {
        &self.statements.all[idx]
    }

    /// Whether a statement tells a failure or a fault as it stood before something was changed and tests ran well, and no
    /// check fails since.
    pub(super) fn is_over(&self, it: &Statement) -> bool {
        it.turn < self.tested_at && !self.statements.is_fresh(it) && is_failing(it)
    }

    /// Where a statement belongs: what was said last tells where things stand now, and steps stand beside it.
    pub(super) fn part(&self, it: &Statement) -> Part {
        let is_last = matches!(it.source, Source::Said | Source::Asked | Source::Reply)
            && self.since <= it.message;
        let is_newest = self.is_newest(it);
        match matter(self.statements, it) {
            // Whether it did what it was about to do is read where it goes on.
            Part::Next if !(is_newest || is_last && self.is_intent(it)) => Part::Next,
            Part::Decided if !is_newest && self.statements.step(it) == Some(Step::Begun) => {
                Part::Decided
            }
            _ if is_last => Part::Now,
            _ if self.is_over(it) => Part::Found,
            part => part,
        }
    }

    /// Whether it stands in the newest message that says something.
    pub(super) fn is_newest(&self, it: &Statement) -> bool {
        self.newest <= it.message
    }

    fn is_intent(&self, it: &Statement) -> bool {
        self.statements.step(it) == Some(Step::Open)
            && !is_imperative(&it.text)
            && !is_heralding(&it.text)
    }

    /// Whether a statement is none to say by itself.
    pub(super) fn is_dull(&self, idx: usize) -> bool {
        self.dull[idx]
    }

    /// Whether a sentence of the user is told among those taken.
    pub(super) fn has_said(&self, sentence: &str) -> bool {
        let asked = self.taken.iter().map(|idx| self.statement(*idx));
        asked.filter(|it| it.source == Source::Asked).any(|it| is_told(&it.text, sentence))
    }

    /// Whether a sentence of an earlier request was taken that stands in `line`.
    pub(super) fn has_asked(&self, line: &str) -> bool {
        self.taken.iter().map(|idx| self.statement(*idx)).any(|it| {
            it.source == Source::Asked
                && it.request < self.statements.requests
                && line.contains(&*it.text)
        })
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
            let before = self.before(idx);
            let lead = before.filter(|before| self.leads(*before));
            let price = self.price(idx) + lead.map_or(0.0, |lead| self.price(lead));
            // What speaks of a sentence that is not to be told is told neither.
            if room < price || self.taken.contains(&idx) || lead != before {
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
            for idx in lead.into_iter().chain([idx]) {
                self.said.extend(&self.statement(idx).words);
                self.taken.push(idx);
            }
            for beside in [idx.wrapping_sub(1), idx + 1] {
                if admitted.contains(&beside) && !self.taken.contains(&beside) {
                    heap.push(self.bid(beside));
                }
            }
        }
        room
    }

    /// Takes what both sides said last, from the newest message on and each as it was said, within `room` tokens; what is
    /// left of it. Of the first that there is no room for, the best. Nothing that the user says in `told` is taken.
    pub(super) fn take_last(&mut self, mut room: f32, told: &str) -> f32 {
        let (all, newest, mut end) = (&self.statements.all, self.since, self.statements.all.len());
        for _ in 0..LOOKED {
            let Some(message) = all[..end].last().map(|it| it.message) else { break };
            let start = all[..end].partition_point(|it| it.message < message);
            let is_telling = |idx: &usize| self.is_of_last(*idx, message == newest, told);
            let mut telling: Vec<usize> = (start..end).filter(is_telling).collect();
            end = start;
            if self.is_old(&telling) {
                continue;
            }
            self.since = self.since.min(message);
            if all[start].source == Source::Asked {
                let mut left = ASK;
                telling.retain(|idx| {
                    left -= self.price(*idx);
                    0.0 <= left
                });
            }
            let price: f32 = telling.iter().map(|idx| self.price(*idx)).sum();
            if room < price {
                return self.take(room, |_, idx| telling.binary_search(&idx).is_ok());
            }
            room -= price;
            for idx in telling {
                self.said.extend(&self.statement(idx).words);
                self.taken.push(idx);
            }
        }
        room
    }

    /// Whether a sentence of one of the last messages says something.
    fn is_of_last(&self, idx: usize, is_newest: bool, told: &str) -> bool {
        let it = self.statement(idx);
        let says = || match it.source {
            Source::Said if is_question(told, &it.text) => false,
            Source::Said if is_newest => is_telling(it),
            Source::Said => is_telling(it) && self.is_standing(idx),
            Source::Asked => {
                it.request < self.statements.requests
                    && 2 <= it.words.len()
                    && !is_told(told, &it.text)
            }
            Source::Reply => it.request < self.statements.requests,
            Source::Thought | Source::Plan | Source::Change | Source::Posted | Source::Report => {
                false
            }
        };
        self.worths[idx] != BARRED && says()
    }

    /// Whether a sentence tells more than what the agent was about to do, or with what, or why.
    fn is_standing(&self, idx: usize) -> bool {
        let known = &self.standing[idx];
        known.get().unwrap_or_else(|| {
            let it = self.statement(idx);
            let step = self.statements.step(it);
            let is_at = it.is_narration || step == Some(Step::Begun);
            // What the last line leads to is what the agent did then.
            let is_end =
                self.statements.all.get(idx + 1).is_none_or(|next| next.message != it.message);
            let leads = is_end && it.text.ends_with([':', '：']);
            let tells = step != Some(Step::Over) && !leads && (!is_at || 0 < names(&it.text));
            let is_standing =
                !is_code(&it.text) && !self.overtaken[idx] && (tells || gives_cause(it));
            known.set(Some(is_standing));
            is_standing
        })
    }

    /// Whether the statements of a message say nothing, or hardly anything, that is not said behind it.
    fn is_old(&self, told: &[usize]) -> bool {
        told.iter().all(|idx| self.statement(*idx).source == Source::Said) && self.news(told) < NEW
    }

    /// Which share of what the words of these statements tell nothing says yet.
    fn news(&self, told: &[usize]) -> f32 {
        let words = || told.iter().flat_map(|idx| &self.statement(*idx).words);
        let tells = |word: &Word| self.statements.uses.get(word).map_or(1.0, |used| used.tells);
        let fresh: f32 = words().filter(|word| !self.said.contains(*word)).map(tells).sum();
        fresh / words().map(tells).sum::<f32>().max(f32::MIN_POSITIVE)
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
        let lead = self.lead(idx).map_or(0.0, |lead| self.price(lead));
        beside * (fresh + WHOLE * worth * worth * fresh / whole)
            / (self.price(idx) + lead).powf(PRICE)
    }

    /// The sentence before one that speaks of `it`, where that is not told yet.
    fn before(&self, idx: usize) -> Option<usize> {
        let it = self.statement(idx);
        let before =
            idx.checked_sub(1).filter(|_| it.source != Source::Asked && leans(&it.text))?;
        let is_left = is_of_one(self.statement(before), it) && !self.taken.contains(&before);
        is_left.then_some(before)
    }

    /// The same, where it is one to tell.
    fn lead(&self, idx: usize) -> Option<usize> {
        self.before(idx).filter(|before| self.leads(*before))
    }

    /// Whether a sentence tells what the next one speaks of, be it only what the agent was at.
    fn leads(&self, idx: usize) -> bool {
        let it = self.statement(idx);
        let is_at = || it.is_narration && self.worths[idx] != BARRED && !self.overtaken[idx];
        !self.dull[idx] || is_at() && !it.is_heading && !it.text.ends_with([':', '：'])
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

/// What the words of statements are worth together.
fn worths_of_words(statements: &Statements, worths: &[f32]) -> QuickMap<Word, f32> {
    let mut untold: QuickMap<Word, f32> = QuickMap::default();
    for (statement, worth) in statements.all.iter().zip(worths) {
        let worth = (worth.max(0.0) * worth).min(0.95);
        for word in &statement.words {
            *untold.entry(*word).or_insert(1.0) *= 1.0 - worth;
        }
    }
    let tells = |word: &Word| statements.uses.get(word).map_or(1.0, |used| used.tells);
    untold.into_iter().map(|(word, left)| (word, (1.0 - left) * tells(&word))).collect()
}

/// Which statements are none to say by themselves; those that must not be said at all are worth nothing.
fn dull(
    digest: &Digest,
    tested_at: u32,
    (beside, overtaken): (&Said, &[bool]),
    worths: &mut [f32],
) -> Vec<bool> {
    let all = &digest.statements;
    let ruled_out = all.ruled_out();
    let listed_at = if digest.work.is_list_done() { digest.work.listed_at } else { 0 };
    // What a plan told to do is done where all of the list is that was told behind it.
    let is_planned = |it: &Statement| {
        it.source == Source::Plan && it.turn < listed_at && is_imperative(&it.text)
    };
    // What its reader has, or the user does not want, is not left out either.
    let is_said =
        |it: &Statement| beside.says(&it.words) && beside.says_as(matter(all, it), &it.words);
    let is_barred =
        |it: &Statement| ruled_out.has_step(it) || (!beside.all.is_empty() && is_said(it));
    // A failure that is over tells something where it gives the cause.
    let is_over = |it: &Statement| {
        it.turn < tested_at && !all.is_fresh(it) && is_failing(it) && !gives_cause(it)
    };
    let is_answered = |it: &Statement| {
        it.source == Source::Asked && it.request < all.requests && is_asking(&it.text)
    };
    let of = |(idx, it): (usize, &Statement)| {
        let is_barred = !it.words.is_empty() && is_barred(it);
        if is_barred {
            worths[idx] = BARRED;
        }
        let is_past = overtaken[idx] || is_taken_back(all, idx) || is_over(it);
        is_barred || is_dull(all, it) || is_past || is_answered(it) || is_planned(it)
    };
    all.all.iter().enumerate().map(of).collect()
}

/// Whether a statement is none to say by itself: said anew later, a heading, the line before a list,
/// what the agent was about to look at, what it tells itself of the request.
fn is_dull(all: &Statements, it: &Statement) -> bool {
    it.words.is_empty()
        || (it.is_heading && it.words.len() < 6)
        || (it.text.ends_with(':') && it.source != Source::Asked)
        || (it.source != Source::Asked && it.is_narration)
        || (it.source == Source::Thought
            && (it.text.len() < 40 || it.text.starts_with("The user ")))
        || (it.words.len() < 5 && !may_be_short(it.source))
        || (it.source == Source::Asked && it.words.len() < 2)
        || (!may_be_short(it.source) && is_code(&it.text))
        || all.step(it) == Some(Step::Over)
        || (it.source == Source::Said && claims_to_keep(&it.text))
}

/// Which statements held for a moment only, and more was said since: how far something was, how checks stood on a server,
/// what the agent was about to find out, which hashes commits had before a rebase.
fn overtaken(all: &Statements) -> Vec<bool> {
    let is_said = |it: &Statement| matches!(it.source, Source::Said | Source::Thought);
    let moment = |it: &Statement| {
        let may_be_told = is_said(it) && !it.words.is_empty();
        may_be_told.then(|| moment(&it.text)).flatten()
    };
    let moments: Vec<Option<Moment>> = all.all.iter().map(moment).collect();
    let elsewhere = moments.iter().rposition(|it| *it == Some(Moment::Elsewhere));
    let newest = elsewhere.map_or(0, |idx| all.all[idx].message);
    let of = |(it, moment): (&Statement, Option<Moment>)| {
        let is_last = || it.message == all.messages || all.closings.contains(&it.message);
        match moment {
            Some(Moment::Waiting) => it.source == Source::Said,
            Some(Moment::UnderWay) => it.source == Source::Said && !is_last(),
            Some(Moment::FindingOut) => !is_last(),
            Some(Moment::Elsewhere) => it.message < newest,
            None => it.turn < all.rebased && is_said(it) && it.text.split(' ').any(names_commit),
        }
    };
    all.all.iter().zip(moments).map(of).collect()
}

/// Whether a word is the hash of a commit, and not one like `effaced`.
fn names_commit(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    is_hash(word) && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether the agent thinks better of it with its next sentence.
fn is_taken_back(all: &Statements, idx: usize) -> bool {
    let it = &all.all[idx];
    let next = all.all.get(idx + 1).filter(|next| is_of_one(it, next));
    it.source != Source::Asked && next.is_some_and(|next| next.text.starts_with("Actually"))
}

/// Whether both were said in one message.
fn is_of_one(it: &Statement, other: &Statement) -> bool {
    (it.turn, it.source) == (other.turn, other.source)
}

/// Whether a sentence of a message says something, be it only what the agent is about to do.
pub(super) fn is_telling(it: &Statement) -> bool {
    let least = if it.is_narration { 5 } else { 3 };
    let is_told = !it.is_heading && least <= it.words.len() && !claims_to_keep(&it.text);
    it.source == Source::Said && is_told
}

/// Whether a sentence is part of the question that is told with the last request.
fn is_question(told: &str, text: &str) -> bool {
    let is_put = |line: &str| line.starts_with(PUT) || line.starts_with(SAID);
    told.lines().any(|line| is_put(line) && line.contains(text))
}

/// Whether a sentence tells why something is as it is, or is done.
fn gives_cause(it: &Statement) -> bool {
    let low = low(&it.text);
    let low = Seen::of(&low);
    low.has(&DECISION) && !low.has(&GUESS) && !it.text.ends_with(['?', '？'])
}

/// The newest message of the agent that says something.
pub(super) fn spoken(all: &Statements) -> u32 {
    all.all.iter().rev().find(|it| is_telling(it)).map_or(all.messages, |it| it.message)
}

/// Whether a sentence begins with a word that stands for what was said before it.
fn leans(text: &str) -> bool {
    // Most sentences begin with another letter.
    if !text.as_bytes().first().is_some_and(|byte| matches!(byte | 0x20, b'i' | b't' | b'b')) {
        return false;
    }
    let mut words = text.split(' ').map(|word| word.trim_matches([',', '.', ':']));
    let mut next = || words.next().unwrap_or_default();
    match &*next().to_ascii_lowercase() {
        "it" | "it's" | "it’s" | "they" | "they're" | "they’re" | "that's" | "that’s" => true,
        "this" | "that" | "these" | "those" | "both" => {
            let verb = next();
            ALONE.contains(&verb)
                || (3 < verb.len() && verb.ends_with('s') && !verb.ends_with("ss"))
        }
        _ => false,
    }
}

/// What stands behind such a word where it stands by itself.
const ALONE: &[&str] = &[
    "is", "was", "are", "were", "isn't", "wasn't", "has", "had", "will", "would", "can", "could",
    "should", "may", "might", "must", "does", "did", "also", "only", "let",
];

/// Whether a line of the agent is a link, an id or a piece of code, and no sentence.
fn is_code(text: &str) -> bool {
    count(text) < 3 || text.starts_with("::") || text.ends_with(['{', '(', '&', '|', '=', ','])
}

/// Whether few words say something where they come from.
fn may_be_short(source: Source) -> bool {
    matches!(source, Source::Asked | Source::Reply | Source::Change | Source::Posted)
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
