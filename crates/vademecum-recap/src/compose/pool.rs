//! What could be said: the facts worth most, each with what goes with it and what saying it takes.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

use super::clip::cost;
use crate::command;
use crate::digest::{Digest, FactId, QuickMap};
use crate::fact::{self, Kind};
use crate::rank::Worths;

/// How many facts and pairs are considered.
const FACTS: usize = 500;
const PAIRS: usize = 1_600;

/// What saying one of the files changed last counts.
const EDITED: f32 = 0.03;

/// A fact that could be said.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) id: FactId,
    pub(super) kind: Kind,
    /// Its share of all worth.
    pub(super) worth: f32,
    pub(super) price: f32,
    /// What saying with what it goes counts, if that is said with it in any case.
    pub(super) pairs: f32,
    /// What it counts as one of the files changed last.
    pub(super) slots: f32,
    /// Its place on a line, with what separates it.
    pub(super) len: usize,
    /// The other facts that a command holds, each with its worth.
    pub(super) holds: Vec<(FactId, f32)>,
    /// Where in [`Pool::names`] that stands which may stand beside it.
    pub(super) names: Range<usize>,
}

/// A name that could stand beside a file.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) id: FactId,
    pub(super) worth: f32,
    pub(super) price: f32,
    pub(super) len: usize,
    /// The share of all worth of pairs that the pair has.
    pub(super) pair: f32,
}

/// All that could be said, best first.
#[derive(Clone)]
pub(super) struct Pool {
    pub(super) items: Vec<Item>,
    pub(super) names: Vec<Name>,
    pub(super) together: Together,
}

/// By file: the files that go with it, and the share of all worth of pairs that each has.
pub(super) type Together = QuickMap<FactId, Vec<(FactId, f32)>>;

/// What saying a fact takes: names stand beside several files.
type Prices = QuickMap<FactId, f32>;

fn price(digest: &Digest, id: FactId, prices: &mut Prices) -> f32 {
    *prices.entry(id).or_insert_with(|| cost(&digest.ledger.entry(id).text) + 1.0)
}

/// What goes with each anchor, best first.
type Partners = QuickMap<FactId, Vec<(FactId, f32)>>;

impl Pool {
    pub(super) fn new(digest: &Digest) -> Self {
        let mut worths = digest.worths();
        merge_aliases(digest, &mut worths);
        let partners = partners(worths.pairs);
        let order = order(&mut worths.facts);
        let mut worth_of = vec![0.0; worths.facts.len()];
        for id in &order {
            worth_of[*id as usize] = worths.facts[*id as usize];
        }
        let edited = last_edited(digest);
        let mut prices = Prices::default();
        let mut pool = Self {
            items: Vec::with_capacity(order.len()),
            names: Vec::new(),
            together: together(digest, &partners),
        };
        for id in order.into_iter().filter(|id| !digest.ledger.entry(*id).is_replaced) {
            let entry = digest.ledger.entry(id);
            // What a file held when it was changed may not stand in it any more.
            let has_names = entry.kind == Kind::Path && entry.writes == 0;
            let partners_of = partners.get(&id).filter(|_| has_names);
            let names = pool.admit(digest, &worth_of, (id, partners_of), &mut prices);
            let holds = held(digest, id, &worth_of);
            pool.items.push(Item {
                id,
                kind: entry.kind,
                worth: worth_of[id as usize],
                price: price(digest, id, &mut prices),
                pairs: of_program(digest, id, &holds, &partners),
                slots: if edited.contains(&id) { EDITED } else { 0.0 },
                len: entry.text.chars().count() + 2,
                holds,
                names,
            });
        }
        pool
    }

    /// Takes in what may stand beside a file: no other file, which would make it unclear what
    /// belongs to which.
    fn admit(
        &mut self,
        digest: &Digest,
        worths: &[f32],
        (file, partners): (FactId, Option<&Vec<(FactId, f32)>>),
        prices: &mut Prices,
    ) -> Range<usize> {
        let start = self.names.len();
        for (id, pair) in partners.into_iter().flatten() {
            let entry = digest.ledger.entry(*id);
            // An id says nothing of the file it stands beside, and what was only used beside it may not stand in it.
            let is_name = matches!(entry.kind, Kind::Link | Kind::Name | Kind::Flag | Kind::Code);
            if is_name && digest.ledger.has_within(file, *id) {
                self.names.push(Name {
                    id: *id,
                    worth: worths[*id as usize],
                    price: price(digest, *id, prices),
                    len: entry.text.chars().count() + 2,
                    pair: *pair,
                });
            }
        }
        start..self.names.len()
    }

    /// Leaves out what is not to be told by itself: names, paths that nobody used, commands that only
    /// look, that never ran, or that any agent would type.
    pub(super) fn without_words(mut self, digest: &Digest) -> Self {
        self.items.retain(|item| match item.kind {
            Kind::Path => is_file(digest, item.id),
            Kind::Command => {
                let entry = digest.ledger.entry(item.id);
                let ran = entry.refused < entry.run + entry.look + entry.edit;
                0 < entry.run
                    && ran
                    && !entry.is_failing
                    && command::is_own(&entry.text)
                    && !command::is_everyones(&entry.text)
            }
            Kind::Link | Kind::Name | Kind::Flag | Kind::Id | Kind::Code | Kind::Program => false,
        });
        self
    }

    /// Leaves out what `text` says.
    pub(super) fn without_said(mut self, digest: &Digest, text: &str) -> Self {
        if !text.is_empty() {
            self.items.retain(|item| !is_said(digest, item, text));
        }
        self
    }

    /// The items that `text` says already.
    pub(super) fn said_in<'a>(
        &'a self,
        digest: &'a Digest,
        text: &'a str,
    ) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(|item| is_said(digest, item, text))
    }
}

fn is_said(digest: &Digest, item: &Item, text: &str) -> bool {
    let fact = &digest.ledger.entry(item.id).text;
    memmem::find(text.as_bytes(), fact.as_bytes()).is_some()
}

/// Whether a path is a file to tell: one that a call or a message named; no words between slashes,
/// address of a service, root or device.
fn is_file(digest: &Digest, id: FactId) -> bool {
    let entry = digest.ledger.entry(id);
    let is_address =
        ADDRESSES.iter().any(|start| entry.text.trim_start_matches('/').starts_with(start))
            || (entry.text.contains("..") && !entry.text.starts_with("../"))
            || is_piece(&entry.text);
    let is_called = 0 < entry.run + entry.look + entry.edit && !is_address;
    // What the agent only speaks of may be a plan.
    let is_told = 0 < entry.asked && !fact::is_loose(&entry.text);
    !entry.is_missing
        && (0 < entry.writes + entry.reads || is_called || (is_told && !is_address))
        && (0 < entry.writes || !FOREIGN.iter().any(|sign| entry.text.contains(sign)))
        && !digest.ledger.is_root(&entry.text)
        && !entry.text.starts_with("/dev/")
}

/// Whether a path is the end of others, `/full.jsonl` and `_test.go`, or was made by a bundler.
fn is_piece(path: &str) -> bool {
    let built = path.strip_suffix(".js").and_then(|it| it.rsplit_once("chunk-"));
    path.rfind('/') == Some(0) || path.starts_with('_') || built.is_some()
}

/// What stands in the paths of files that harnesses keep for themselves, and of code that only
/// backtraces lead to.
const FOREIGN: &[&str] = &[
    ".output",
    "/tmp/claude-",
    "/tool-results/",
    "/.claude/projects/",
    "/rustc/",
    "/rustlib/",
    "/.cargo/registry/",
    "/site-packages/",
    "/go/pkg/mod/",
    "node:internal",
];

/// How what `gh api` is asked for and the names of branches begin: files only where one was read or
/// written.
const ADDRESSES: &[&str] = &["repos/", "orgs/", "users/", "search/", "origin/", "refs/"];

/// The other facts that a fact holds, in the order of their ids: nothing unless it is a command.
fn held(digest: &Digest, id: FactId, worths: &[f32]) -> Vec<(FactId, f32)> {
    let entry = digest.ledger.entry(id);
    if entry.kind != Kind::Command {
        return Vec::new();
    }
    let known = digest.ledger.known(&entry.text).into_iter();
    let mut held: Vec<FactId> = known.filter(|other| *other != id).collect();
    held.sort_unstable();
    held.into_iter().map(|id| (id, worths[id as usize])).collect()
}

/// What a program's pairs with the facts that its command holds are worth.
fn of_program(
    digest: &Digest,
    command: FactId,
    held: &[(FactId, f32)],
    partners: &Partners,
) -> f32 {
    if held.is_empty() {
        return 0.0;
    }
    let program = digest.ledger.find(command::head(&digest.ledger.entry(command).text));
    let others = program.and_then(|program| partners.get(&program)).into_iter().flatten();
    // They are many, and a command holds few.
    let is_held = |other: FactId| held.iter().any(|(id, _)| *id == other);
    others.filter(|(other, _)| is_held(*other)).map(|(_, worth)| worth).sum()
}

/// The facts worth most, best first; makes each worth its share of all.
fn order(worths: &mut [f32]) -> Vec<FactId> {
    let all: f32 = worths.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let mut order: Vec<FactId> = (0..).take(worths.len()).collect();
    best_first(&mut order, FACTS, |id| (worths[*id as usize], *id));
    for worth in worths {
        *worth /= all;
    }
    order
}

/// Sorts the `most` best, and lets the others go; what is worth the same stays in its order.
fn best_first<T, O: Ord>(list: &mut Vec<T>, most: usize, key: impl Fn(&T) -> (f32, O)) {
    let compare = |a: &T, b: &T| {
        let (a, b) = (key(a), key(b));
        b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1))
    };
    if most < list.len() {
        list.select_nth_unstable_by(most, compare);
        list.truncate(most);
    }
    list.sort_unstable_by(compare);
}

/// What goes best with each anchor, with its share of all worth.
fn partners(mut pairs: Vec<(FactId, FactId, f32)>) -> Partners {
    let all: f32 = pairs.iter().map(|pair| pair.2).sum::<f32>().max(f32::MIN_POSITIVE);
    best_first(&mut pairs, PAIRS, |(anchor, other, worth)| (*worth, (*anchor, *other)));
    let mut partners = Partners::default();
    for (anchor, other, worth) in pairs {
        partners.entry(anchor).or_default().push((other, worth / all));
    }
    partners
}

/// The pairs of files that were only read, told from either side: those that were changed stand by themselves.
fn together(digest: &Digest, partners: &Partners) -> Together {
    let is_path = |id: &FactId| digest.ledger.is_path(*id) && digest.ledger.entry(*id).writes == 0;
    let mut pairs: BTreeMap<(FactId, FactId), f32> = BTreeMap::new();
    for (anchor, others) in partners.iter().filter(|(anchor, _)| is_path(anchor)) {
        for (other, worth) in others.iter().filter(|(other, _)| is_path(other)) {
            *pairs.entry((*anchor.min(other), *anchor.max(other))).or_default() += worth;
        }
    }
    let mut together = Together::default();
    for ((one, other), worth) in pairs {
        together.entry(one).or_default().push((other, worth));
        together.entry(other).or_default().push((one, worth));
    }
    together
}

/// Gives the worth of a path's shorter form, `lib.rs`, to the path, `src/lib.rs`.
fn merge_aliases(digest: &Digest, worths: &mut Worths) {
    let full = full_paths(digest, &worths.facts);
    for (short, long) in &full {
        worths.facts[*long as usize] += std::mem::take(&mut worths.facts[*short as usize]);
    }
    if full.is_empty() {
        return;
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

/// By the id of a path that another ends with: the other, the one of most worth if there are more;
/// by that of a path in a diff: the file itself.
fn full_paths(digest: &Digest, worths: &[f32]) -> BTreeMap<FactId, FactId> {
    let mut by_name: QuickMap<&str, Vec<FactId>> = QuickMap::default();
    let paths = || (0..).zip(digest.ledger.entries()).filter(|(_, entry)| entry.kind == Kind::Path);
    for (id, entry) in paths() {
        by_name.entry(name(&entry.text)).or_default().push(id);
    }
    let mut full = BTreeMap::new();
    for (id, entry) in paths() {
        // One that was changed by its short name is that file, whatever ends like it.
        if 0 < entry.writes {
            continue;
        }
        if let Some(file) = of_diff(digest, &entry.text) {
            full.insert(id, file);
            continue;
        }
        let longer = by_name[name(&entry.text)].iter().copied().filter(|it| {
            let text = &digest.ledger.entry(*it).text;
            let is_below = !text.starts_with('/') || !entry.text.contains('/');
            let is_longer = text.strip_suffix(&*entry.text).is_some_and(|it| it.ends_with('/'));
            is_below && is_longer && !text.starts_with("../") && of_diff(digest, text).is_none()
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

/// The file that a diff calls `a/src/lib.rs` or `b/src/lib.rs`, if it is known by its own name.
fn of_diff(digest: &Digest, path: &str) -> Option<FactId> {
    let file = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"))?;
    digest.ledger.find(file).filter(|id| digest.ledger.is_path(*id))
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
pub(super) fn last_edited(digest: &Digest) -> Vec<FactId> {
    let mut written: Vec<(u32, FactId)> = (0..)
        .zip(digest.ledger.entries())
        .filter(|(_, entry)| 0 < entry.writes)
        .map(|(id, entry)| (entry.written_at, id))
        .collect();
    written.sort_unstable_by(|a, b| b.cmp(a));
    written.into_iter().take(10).map(|(_, id)| id).collect()
}
