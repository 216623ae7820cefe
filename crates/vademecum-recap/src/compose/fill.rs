//! Which facts to say, and beside which file: always the one with the most expected use per token.

use super::Section;
use super::pool::{Item, Pool, Together};
use crate::digest::{Digest, FactId, QuickMap, QuickSet};
use crate::fact::Kind;

/// What saying which names go with which file counts beside saying the names at all.
const PAIR_WEIGHT: f32 = 0.3;

/// What of a pair of files is counted on when both are said: whether one line holds them is seen later.
const TOGETHER: f32 = 0.6;

/// How many names stand beside one file.
pub(super) const NAMES: usize = 8;

/// How many characters a line holds.
pub(super) const LINE: usize = 200;

/// How many names a file may bring along when its line is begun.
const ALONG: usize = 3;

/// One thing to say more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// A line for a file.
    File(FactId),
    /// A name beside a file that has a line.
    Beside(FactId, FactId),
    /// A command.
    Command(FactId),
}

/// What to say.
pub(super) struct Plan {
    /// Best first, more than the budget holds.
    pub(super) moves: Vec<Move>,
    /// Which files go together.
    pub(super) together: Together,
    /// By command: the other facts that it says.
    pub(super) held: QuickMap<FactId, Vec<FactId>>,
    /// The facts that the sentences say already.
    in_prose: Vec<FactId>,
    /// The facts worth most, best first.
    ranked: Vec<FactId>,
}

impl Plan {
    /// How many facts the sentences and these moves say, each counted once.
    pub(super) fn n_said(&self, moves: &[Move]) -> usize {
        self.said(moves).len()
    }

    /// The facts that neither the sentences nor any planned move tells, best first.
    pub(super) fn untold(&self, digest: &Digest) -> Vec<FactId> {
        let mut told = self.said(&self.moves);
        let all = (0..).take(digest.ledger.entries().len());
        self.ranked.iter().copied().chain(all).filter(|id| told.insert(*id)).collect()
    }

    /// The facts that the sentences and these moves say.
    fn said(&self, moves: &[Move]) -> QuickSet<FactId> {
        let mut said: QuickSet<FactId> = self.in_prose.iter().copied().collect();
        for made in moves {
            match *made {
                Move::File(id) | Move::Beside(_, id) => {
                    said.insert(id);
                }
                Move::Command(id) => {
                    said.insert(id);
                    said.extend(self.held.get(&id).into_iter().flatten());
                }
            }
        }
        said
    }
}

/// Plans what to say.
pub(super) fn plan(digest: &Digest, pool: &Pool, prose: &[Section], budget: usize) -> Plan {
    let mut state = State::new(digest, pool, prose);
    let in_prose =
        (0..).zip(&state.said).filter(|(_, is_said)| **is_said).map(|(id, _)| id).collect();
    #[expect(clippy::cast_precision_loss, reason = "budgets are small")]
    let mut left = budget as f32 * 1.1 + 60.0;
    let mut moves = Vec::new();
    while 0.0 < left {
        let Some(best) = state.best() else { break };
        left -= best.gain.price;
        state.take(&best, &mut moves);
    }
    let held = |item: &Item| item.holds.iter().map(|(id, _)| *id).collect();
    let commands = state.pool.items.iter().filter(|item| !item.holds.is_empty());
    let held = commands.map(|item| (item.id, held(item))).collect();
    Plan { moves, together: state.pool.together, held, in_prose, ranked: state.ranked }
}

/// What a step brings, and what it takes.
#[derive(Debug, Clone, Copy, Default)]
struct Gain {
    need: f32,
    pairs: f32,
    slots: f32,
    price: f32,
}

/// Some moves made at once: an item said, or names put beside one that is.
#[derive(Debug, Clone, Copy)]
struct Step {
    item: usize,
    /// Whether the item itself is said by it.
    is_new: bool,
    /// The first of the names, and how many follow each other.
    name: usize,
    n_names: usize,
    gain: Gain,
}

/// The line of a file.
#[derive(Debug, Clone, Copy)]
struct Line {
    n_names: usize,
    /// How many more characters fit.
    room: usize,
}

struct State {
    pool: Pool,
    /// All facts of the pool, best first.
    ranked: Vec<FactId>,
    /// By fact: whether it is said already.
    said: Vec<bool>,
    /// By item: its line, if it is a file that has one.
    lines: Vec<Option<Line>>,
    /// By name of the pool: whether it stands beside its file.
    beside: Vec<bool>,
    /// By file: its item.
    files: QuickMap<FactId, usize>,
    /// By item: no step on it brings more per token. What is said makes steps worth less, so what
    /// was found once holds until the item itself changes, or a file is said that it goes with.
    bounds: Vec<f32>,
    need: f32,
    pairs: f32,
    slots: f32,
}

/// The best step so far and what it brings per token.
#[derive(Default)]
struct Best {
    rate: f32,
    step: Option<Step>,
}

impl State {
    fn new(digest: &Digest, pool: &Pool, prose: &[Section]) -> Self {
        let mut said = vec![false; digest.ledger.entries().len()];
        let mut need = 0.03;
        for item in pool.said_in(digest, &joined(prose)) {
            said[item.id as usize] = true;
            need += item.worth;
        }
        let ranked = pool.items.iter().map(|item| item.id).collect();
        let pool = pool.clone().without_words(digest);
        let items = (0..).zip(&pool.items).filter(|(_, item)| item.kind == Kind::Path);
        Self {
            said,
            ranked,
            files: items.map(|(idx, item)| (item.id, idx)).collect(),
            lines: vec![None; pool.items.len()],
            beside: vec![false; pool.names.len()],
            bounds: vec![f32::INFINITY; pool.items.len()],
            pool,
            need,
            pairs: 0.03,
            slots: 0.65,
        }
    }

    fn best(&mut self) -> Option<Step> {
        let mut best = Best::default();
        for idx in 0..self.pool.items.len() {
            if self.bounds[idx] <= best.rate {
                continue;
            }
            let own = self.best_on(idx);
            self.bounds[idx] = own.rate;
            if best.rate < own.rate {
                best = own;
            }
        }
        best.step
    }

    /// The best step on one item.
    fn best_on(&self, idx: usize) -> Best {
        let mut best = Best::default();
        let item = &self.pool.items[idx];
        match (item.kind, self.lines[idx]) {
            (Kind::Path, None) => self.file(idx, item, &mut best),
            (Kind::Path, Some(line)) => self.beside(idx, item, line, &mut best),
            (Kind::Command, _) => self.alone(idx, item, &mut best),
            (Kind::Link | Kind::Name | Kind::Flag | Kind::Id | Kind::Code | Kind::Program, _) => {}
        }
        best
    }

    fn offer(&self, best: &mut Best, step: Step) {
        let gain = step.gain.need / self.need
            + PAIR_WEIGHT * step.gain.pairs / self.pairs
            + step.gain.slots / self.slots;
        let rate = gain / step.gain.price;
        if best.rate < rate {
            *best = Best { rate, step: Some(step) };
        }
    }

    /// What saying a fact brings, if it is not said already.
    fn fresh(&self, id: FactId, worth: f32) -> f32 {
        if self.said[id as usize] { 0.0 } else { worth }
    }

    /// What a file goes with among those that have lines.
    fn company(&self, id: FactId) -> f32 {
        let has_line =
            |other: &FactId| self.files.get(other).is_some_and(|idx| self.lines[*idx].is_some());
        let others = self.pool.together.get(&id).into_iter().flatten();
        others.filter(|(other, _)| has_line(other)).map(|(_, worth)| worth).sum()
    }

    /// A line for a file, alone or with the names that pay best.
    fn file(&self, idx: usize, item: &Item, best: &mut Best) {
        let need = self.fresh(item.id, item.worth);
        let pairs = TOGETHER * self.company(item.id);
        let alone = Gain { need, pairs, slots: item.slots, price: item.price };
        let name = item.names.start;
        let mut gain = alone;
        for (n_names, other) in (1..).zip(self.pool.names[item.names.clone()].iter().take(ALONG)) {
            gain.need += self.fresh(other.id, other.worth);
            gain.pairs += other.pair;
            gain.price += other.price;
            self.offer(best, Step { item: idx, is_new: true, name, n_names, gain });
        }
        self.offer(best, Step { item: idx, is_new: true, name, n_names: 0, gain: alone });
    }

    fn beside(&self, idx: usize, item: &Item, line: Line, best: &mut Best) {
        if NAMES <= line.n_names {
            return;
        }
        for name in item.names.clone() {
            let other = &self.pool.names[name];
            if self.beside[name] || line.room < other.len {
                continue;
            }
            let need = self.fresh(other.id, other.worth);
            let gain = Gain { need, pairs: other.pair, slots: 0.0, price: other.price };
            self.offer(best, Step { item: idx, is_new: false, name, n_names: 1, gain });
        }
    }

    fn alone(&self, idx: usize, item: &Item, best: &mut Best) {
        if self.said[item.id as usize] {
            return;
        }
        let price = item.price + 1.0;
        let held: f32 = item.holds.iter().map(|(id, worth)| self.fresh(*id, *worth)).sum();
        let gain = Gain { need: item.worth + held, pairs: item.pairs, slots: 0.0, price };
        self.offer(best, Step { item: idx, is_new: true, name: 0, n_names: 0, gain });
    }

    /// Makes the moves of a step.
    fn take(&mut self, step: &Step, moves: &mut Vec<Move>) {
        self.need += step.gain.need;
        self.pairs += step.gain.pairs;
        self.slots += step.gain.slots;
        self.bounds[step.item] = f32::INFINITY;
        let item = &self.pool.items[step.item];
        if step.is_new {
            self.said[item.id as usize] = true;
            item.holds.iter().for_each(|(id, _)| self.said[*id as usize] = true);
            let is_file = item.kind == Kind::Path;
            moves.push(if is_file { Move::File(item.id) } else { Move::Command(item.id) });
        }
        if item.kind != Kind::Path {
            return;
        }
        for (other, _) in self.pool.together.get(&item.id).into_iter().flatten() {
            if let Some(idx) = self.files.get(other).filter(|_| step.is_new) {
                self.bounds[*idx] = f32::INFINITY;
            }
        }
        let begun = Line { n_names: 0, room: LINE.saturating_sub(item.len) };
        let line = self.lines[step.item].get_or_insert(begun);
        for name in step.name..step.name + step.n_names {
            let other = &self.pool.names[name];
            self.said[other.id as usize] = true;
            self.beside[name] = true;
            line.n_names += 1;
            line.room = line.room.saturating_sub(other.len);
            moves.push(Move::Beside(item.id, other.id));
        }
    }
}

/// All that the sentences say.
fn joined(prose: &[Section]) -> String {
    let lines = prose.iter().flat_map(|section| &section.lines);
    lines.flat_map(|line| [line.as_str(), "\n"]).collect()
}
