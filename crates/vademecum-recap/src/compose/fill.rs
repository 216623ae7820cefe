//! Which facts to say, and beside which file: always the one with the most expected use per token.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Section;
use super::clip::cost;
use crate::command;
use crate::digest::{Digest, FactId};
use crate::fact::{self, Kind};
use crate::rank::Worths;

/// How many facts and pairs are considered.
const FACTS: usize = 500;
const PAIRS: usize = 1_600;

/// What saying which names go with which file counts beside saying the names at all.
const PAIR_WEIGHT: f32 = 0.25;

/// How many names stand beside one file.
pub(super) const NAMES: usize = 8;

/// How many characters a line holds.
pub(super) const LINE: usize = 200;

/// One thing to say more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// A line for a file.
    File(FactId),
    /// A name beside a file that has a line.
    Beside(FactId, FactId),
    /// A command.
    Command(FactId),
    /// A name by itself.
    Name(FactId),
}

/// What to say, best first: more than the budget holds.
pub(super) fn plan(digest: &Digest, prose: &[Section], budget: usize) -> Vec<Move> {
    let mut state = State::new(digest, prose);
    #[expect(clippy::cast_precision_loss, reason = "budgets are small")]
    let mut left = budget as f32 * 1.1 + 60.0;
    let mut moves = Vec::new();
    while 0.0 < left {
        let Some(best) = state.best() else { break };
        left -= state.take(&best);
        moves.extend(best.moves);
    }
    moves
}

/// Some moves made at once.
struct Step {
    moves: Vec<Move>,
    need: f32,
    pairs: f32,
    slots: f32,
    price: f32,
}

struct Item {
    id: FactId,
    worth: f32,
    price: f32,
    kind: Kind,
}

struct State<'a> {
    digest: &'a Digest,
    items: Vec<Item>,
    /// By anchor: what goes with it, best first.
    partners: HashMap<FactId, Vec<(FactId, f32)>>,
    by_id: HashMap<FactId, usize>,
    /// What is said already.
    said: HashSet<FactId>,
    /// What stands beside each file that has a line.
    lines: HashMap<FactId, Vec<FactId>>,
    edited: HashSet<FactId>,
    need: f32,
    pairs: f32,
    slots: f32,
}

impl<'a> State<'a> {
    fn new(digest: &'a Digest, prose: &[Section]) -> Self {
        let mut worths = digest.worths();
        merge_aliases(digest, &mut worths);
        let items = items(digest, &worths.facts);
        let mut state = Self {
            digest,
            by_id: items.iter().enumerate().map(|(idx, item)| (item.id, idx)).collect(),
            items,
            partners: partners(worths.pairs),
            said: HashSet::new(),
            lines: HashMap::new(),
            edited: last_edited(digest),
            need: 0.03,
            pairs: 0.03,
            slots: 0.7,
        };
        state.hear(prose);
        state
    }

    /// Takes what the sentences say as said.
    fn hear(&mut self, prose: &[Section]) {
        let lines = prose.iter().flat_map(|section| &section.lines);
        let text: String = lines.flat_map(|line| [line.as_str(), "\n"]).collect();
        for item in &self.items {
            if text.contains(&*self.digest.ledger.entry(item.id).text) {
                self.said.insert(item.id);
                self.need += item.worth;
            }
        }
    }

    fn best(&self) -> Option<Step> {
        let mut best: Option<(f32, Step)> = None;
        let mut offer = |step: Step| {
            let gain = step.need / self.need
                + PAIR_WEIGHT * step.pairs / self.pairs
                + step.slots / self.slots;
            let rate = gain / step.price;
            if 0.0 < gain && best.as_ref().is_none_or(|(most, _)| *most < rate) {
                best = Some((rate, step));
            }
        };
        for item in &self.items {
            match item.kind {
                Kind::Path if self.is_words(item.id) => {}
                Kind::Path => {
                    if let Some(line) = self.lines.get(&item.id) {
                        self.beside(item, line, &mut offer);
                    } else {
                        self.file(item, &mut offer);
                    }
                }
                Kind::Command => self.command(item, &mut offer),
                Kind::Link | Kind::Name | Kind::Flag | Kind::Id | Kind::Code => {
                    self.name(item, &mut offer);
                }
                Kind::Program => {}
            }
        }
        best.map(|(_, step)| step)
    }

    /// Whether a path is none to tell: words between slashes, a root, a device.
    fn is_words(&self, id: FactId) -> bool {
        let entry = self.digest.ledger.entry(id);
        let is_used = 0 < entry.writes + entry.reads + entry.run + entry.look;
        (fact::is_loose(&entry.text) && !is_used)
            || self.digest.ledger.is_root(&entry.text)
            || entry.text.starts_with("/dev/")
    }

    /// A line for a file, alone or with the names that pay best.
    fn file(&self, item: &Item, offer: &mut impl FnMut(Step)) {
        let fresh = |id: FactId| if self.said.contains(&id) { 0.0 } else { self.worth(id) };
        let slots = if self.edited.contains(&item.id) { 0.02 } else { 0.0 };
        let mut step = Step {
            moves: vec![Move::File(item.id)],
            need: fresh(item.id),
            pairs: 0.0,
            slots,
            price: item.price,
        };
        for (other, worth) in self.names_of(item.id).take(3) {
            step.moves.push(Move::Beside(item.id, other));
            step.need += fresh(other);
            step.pairs += worth;
            step.price += self.price(other);
            offer(Step { moves: step.moves.clone(), ..step });
        }
        offer(Step {
            moves: vec![Move::File(item.id)],
            need: fresh(item.id),
            pairs: 0.0,
            slots,
            price: item.price,
        });
    }

    fn beside(&self, item: &Item, line: &[FactId], offer: &mut impl FnMut(Step)) {
        let len = |id: FactId| self.digest.ledger.entry(id).text.chars().count() + 2;
        let room =
            LINE.saturating_sub(len(item.id) + line.iter().map(|id| len(*id)).sum::<usize>());
        if NAMES <= line.len() {
            return;
        }
        for (other, worth) in
            self.names_of(item.id).filter(|(other, _)| !line.contains(other) && len(*other) <= room)
        {
            let need = if self.said.contains(&other) { 0.0 } else { self.worth(other) };
            let moves = vec![Move::Beside(item.id, other)];
            offer(Step { moves, need, pairs: worth, slots: 0.0, price: self.price(other) });
        }
    }

    fn command(&self, item: &Item, offer: &mut impl FnMut(Step)) {
        if self.said.contains(&item.id) {
            return;
        }
        let text = &self.digest.ledger.entry(item.id).text;
        let program = self.digest.ledger.find(command::head(text));
        let partners = program.and_then(|id| self.partners.get(&id)).map_or(&[][..], Vec::as_slice);
        let holds =
            |(other, _): &&(FactId, f32)| text.contains(&*self.digest.ledger.entry(*other).text);
        let pairs = partners.iter().filter(holds).map(|(_, worth)| worth).sum();
        offer(Step {
            moves: vec![Move::Command(item.id)],
            need: item.worth,
            pairs,
            slots: 0.0,
            price: item.price + 1.0,
        });
    }

    fn name(&self, item: &Item, offer: &mut impl FnMut(Step)) {
        if !self.said.contains(&item.id) {
            offer(Step {
                moves: vec![Move::Name(item.id)],
                need: item.worth,
                pairs: 0.0,
                slots: 0.0,
                price: item.price,
            });
        }
    }

    /// What may stand beside a file: no other file, which would make it unclear what belongs to which.
    fn names_of(&self, anchor: FactId) -> impl Iterator<Item = (FactId, f32)> {
        let partners = self.partners.get(&anchor).map_or(&[][..], Vec::as_slice);
        partners.iter().copied().filter(|(other, _)| {
            !matches!(
                self.digest.ledger.entry(*other).kind,
                Kind::Path | Kind::Command | Kind::Program
            )
        })
    }

    fn worth(&self, id: FactId) -> f32 {
        self.by_id.get(&id).map_or(0.0, |idx| self.items[*idx].worth)
    }

    fn price(&self, id: FactId) -> f32 {
        self.by_id.get(&id).map_or_else(
            || cost(&self.digest.ledger.entry(id).text) + 1.0,
            |idx| self.items[*idx].price,
        )
    }

    /// Makes the moves of a step; what it costs.
    fn take(&mut self, step: &Step) -> f32 {
        self.need += step.need;
        self.pairs += step.pairs;
        self.slots += step.slots;
        for made in &step.moves {
            match *made {
                Move::File(id) => {
                    self.lines.insert(id, Vec::new());
                    self.said.insert(id);
                }
                Move::Beside(file, id) => {
                    self.lines.entry(file).or_default().push(id);
                    self.said.insert(id);
                }
                Move::Command(id) | Move::Name(id) => {
                    self.said.insert(id);
                }
            }
        }
        step.price
    }
}

/// The facts worth most, each with its share of all worth.
fn items(digest: &Digest, worths: &[f32]) -> Vec<Item> {
    let all: f32 = worths.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let mut order: Vec<FactId> = (0..).take(worths.len()).collect();
    order.sort_by(|a, b| worths[*b as usize].total_cmp(&worths[*a as usize]));
    order.truncate(FACTS);
    let item = |id: FactId| {
        let entry = digest.ledger.entry(id);
        Item {
            id,
            worth: worths[id as usize] / all,
            price: cost(&entry.text) + 1.0,
            kind: entry.kind,
        }
    };
    order.into_iter().map(item).collect()
}

/// What goes best with each anchor, with its share of all worth.
fn partners(mut pairs: Vec<(FactId, FactId, f32)>) -> HashMap<FactId, Vec<(FactId, f32)>> {
    let all: f32 = pairs.iter().map(|pair| pair.2).sum::<f32>().max(f32::MIN_POSITIVE);
    pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
    pairs.truncate(PAIRS);
    let mut partners: HashMap<FactId, Vec<(FactId, f32)>> = HashMap::new();
    for (anchor, other, worth) in pairs {
        partners.entry(anchor).or_default().push((other, worth / all));
    }
    partners
}

/// Gives the worth of a path's shorter form, `lib.rs`, to the path, `src/lib.rs`.
fn merge_aliases(digest: &Digest, worths: &mut Worths) {
    let full = full_paths(digest, &worths.facts);
    for (short, long) in &full {
        worths.facts[*long as usize] += std::mem::take(&mut worths.facts[*short as usize]);
    }
    for (anchor, _, _) in &mut worths.pairs {
        *anchor = full.get(anchor).copied().unwrap_or(*anchor);
    }
    worths.pairs.sort_unstable_by_key(|(anchor, other, _)| (*anchor, *other));
    worths.pairs.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
}

/// By the id of a path that another ends with: the other, the one of most worth if there are more.
fn full_paths(digest: &Digest, worths: &[f32]) -> BTreeMap<FactId, FactId> {
    let mut by_name: HashMap<&str, Vec<FactId>> = HashMap::new();
    let paths = || (0..).zip(digest.ledger.entries()).filter(|(_, entry)| entry.kind == Kind::Path);
    for (id, entry) in paths() {
        by_name.entry(name(&entry.text)).or_default().push(id);
    }
    let mut full = BTreeMap::new();
    for (id, entry) in paths() {
        let longer = by_name[name(&entry.text)].iter().copied().filter(|it| {
            let text = &digest.ledger.entry(*it).text;
            let is_below = !text.starts_with('/') || !entry.text.contains('/');
            is_below && text.strip_suffix(&*entry.text).is_some_and(|rest| rest.ends_with('/'))
        });
        let best = longer.max_by(|a, b| {
            let key = |it: FactId| (digest.ledger.entry(it).text.len(), worths[it as usize]);
            let (a, b) = (key(*a), key(*b));
            a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))
        });
        if let Some(best) = best {
            full.insert(id, best);
        }
    }
    let ends: Vec<(FactId, FactId)> = full.iter().map(|(id, to)| (*id, last(&full, *to))).collect();
    ends.into_iter().collect()
}

/// Where a chain of ever longer paths ends.
fn last(full: &BTreeMap<FactId, FactId>, from: FactId) -> FactId {
    let mut at = from;
    while let Some(next) = full.get(&at) {
        at = *next;
    }
    at
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The ten files changed last.
fn last_edited(digest: &Digest) -> HashSet<FactId> {
    let mut written: Vec<(u32, FactId)> = (0..)
        .zip(digest.ledger.entries())
        .filter(|(_, entry)| 0 < entry.writes)
        .map(|(id, entry)| (entry.written_at, id))
        .collect();
    written.sort_unstable_by(|a, b| b.cmp(a));
    written.into_iter().take(10).map(|(_, id)| id).collect()
}
