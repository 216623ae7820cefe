//! How likely a fact, or a pair of facts, is to be needed next: a sum of weighted features.

pub(crate) mod statements;
mod weights;

use std::sync::LazyLock;

use crate::digest::{Bond, Digest, Entry, FactId, QuickSet};
use crate::fact::{self, Kind};

pub use statements::{STATEMENT_FEATURES, StatementSample};

/// What the features of a fact are called, in their order.
pub const FACT_FEATURES: [&str; 26] = [
    "path",
    "link",
    "name",
    "flag",
    "id",
    "code",
    "command",
    "heat in 12 calls",
    "heat in 60 calls",
    "edits",
    "runs",
    "looks",
    "said",
    "asked",
    "answers",
    "ago in calls",
    "ago",
    "age",
    "writes",
    "reads",
    "written ago",
    "in the last message",
    "in the last request",
    "in the last failure",
    "length",
    "loose",
];

/// What the features of a pair are called, in their order.
pub const PAIR_FEATURES: [&str; 21] = [
    "path",
    "program",
    "other path",
    "other name",
    "other flag",
    "other id",
    "other else",
    "heat",
    "together",
    "seen",
    "ago",
    "worth of the anchor",
    "worth of the other",
    "share of the anchor",
    "share of the other",
    "anchor written",
    "told",
    "two paths",
    "one folder",
    "one stem",
    "both written",
];

/// What each feature weighs, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Of a fact.
    pub fact: [f32; FACT_FEATURES.len()],
    /// Of a pair of facts.
    pub pair: [f32; PAIR_FEATURES.len()],
    /// Of a statement.
    pub statement: [f32; STATEMENT_FEATURES.len()],
}

impl Weights {
    /// Those that were learned from all sessions.
    pub const LEARNED: Self = weights::LEARNED;
}

/// A fact that could be said, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct FactSample {
    /// What it is.
    pub kind: Kind,
    /// The fact.
    pub text: String,
    /// One value a feature.
    pub features: [f32; FACT_FEATURES.len()],
}

/// Two facts that could be said together, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct PairSample {
    /// The file or program.
    pub anchor: (Kind, String),
    /// What was used with it.
    pub other: (Kind, String),
    /// One value a feature.
    pub features: [f32; PAIR_FEATURES.len()],
}

/// The worth of every fact and pair of a session.
pub(crate) struct Worths {
    /// By the id of the fact.
    pub(crate) facts: Vec<f32>,
    pub(crate) pairs: Vec<(FactId, FactId, f32)>,
}

impl Digest {
    /// Every fact with its features, to learn weights from.
    #[must_use]
    pub fn fact_samples(&self) -> Vec<FactSample> {
        let context = Context::new(self);
        let entries = (0..).zip(self.ledger.entries());
        let facts = entries.filter(|(_, entry)| entry.kind != Kind::Program);
        let sample = |(id, entry): (FactId, &Entry)| FactSample {
            kind: entry.kind,
            text: entry.text.to_string(),
            features: context.fact(id, entry),
        };
        facts.map(sample).collect()
    }

    /// Every pair with its features, to learn weights from.
    #[must_use]
    pub fn pair_samples(&self) -> Vec<PairSample> {
        let context = Context::new(self);
        let logs = logs(&context.fact_worths());
        let named = |id| {
            let entry = self.ledger.entry(id);
            (entry.kind, entry.text.to_string())
        };
        let pairs = self.ledger.pairs();
        pairs
            .map(|((anchor, other), bond)| PairSample {
                anchor: named(anchor),
                other: named(other),
                features: context.pair(anchor, other, &bond, &logs),
            })
            .collect()
    }

    pub(crate) fn worths(&self) -> Worths {
        let context = Context::new(self);
        let facts = context.fact_worths();
        let logs = logs(&facts);
        let worth = |((anchor, other), bond): ((FactId, FactId), Bond)| {
            let features = context.pair(anchor, other, &bond, &logs);
            (anchor, other, weighted(&features, &self.weights.pair))
        };
        let is_told = |id: FactId| !self.ledger.entry(id).is_replaced;
        let told =
            self.ledger.pairs().filter(|((anchor, other), _)| is_told(*anchor) && is_told(*other));
        let pairs = told.map(worth).collect();
        Worths { facts, pairs }
    }
}

fn weighted(features: &[f32], weights: &[f32]) -> f32 {
    features.iter().zip(weights).map(|(a, b)| a * b).sum::<f32>().min(3.0).exp()
}

/// What features are measured against.
struct Context<'a> {
    digest: &'a Digest,
    in_say: QuickSet<FactId>,
    in_ask: QuickSet<FactId>,
    in_failure: QuickSet<FactId>,
}

impl<'a> Context<'a> {
    fn new(digest: &'a Digest) -> Self {
        let known =
            |text: Option<&String>| text.map(|text| digest.ledger.known(text)).unwrap_or_default();
        let failure = digest.work.failures.back();
        let failure = failure.map(|it| format!("{}\n{}", it.command, it.errors.join("\n")));
        Self {
            digest,
            in_say: known(digest.voices.says.back()),
            in_ask: known(digest.voices.asks.back()),
            in_failure: known(failure.as_ref()),
        }
    }

    fn fact_worths(&self) -> Vec<f32> {
        let worth = |(id, entry): (FactId, &Entry)| match entry.kind {
            Kind::Program => 0.0,
            _ if entry.is_replaced => 0.0,
            Kind::Path
            | Kind::Link
            | Kind::Name
            | Kind::Flag
            | Kind::Id
            | Kind::Code
            | Kind::Command => weighted(&self.fact(id, entry), &self.digest.weights.fact),
        };
        (0..).zip(self.digest.ledger.entries()).map(worth).collect()
    }

    fn fact(&self, id: FactId, entry: &Entry) -> [f32; FACT_FEATURES.len()] {
        let now = self.digest.ledger.step;
        let (fast, slow) = self.digest.ledger.heat(entry);
        let of_kind = |kind| flag(entry.kind == kind);
        let called = flag(0 < entry.last_call) * near(now - entry.last_call);
        [
            of_kind(Kind::Path),
            of_kind(Kind::Link),
            of_kind(Kind::Name),
            of_kind(Kind::Flag),
            of_kind(Kind::Id),
            of_kind(Kind::Code),
            of_kind(Kind::Command),
            fast.ln_1p(),
            slow.ln_1p(),
            many(entry.edit),
            many(entry.run),
            many(entry.look),
            many(entry.said),
            many(entry.asked),
            many(entry.answer),
            called,
            near(now - entry.last),
            many(now - entry.first),
            many(entry.writes),
            many(entry.reads),
            self.written(entry),
            flag(self.in_say.contains(&id)),
            flag(self.in_ask.contains(&id)),
            flag(self.in_failure.contains(&id)),
            many(u32::try_from(entry.text.len()).unwrap_or(u32::MAX)),
            flag(entry.kind == Kind::Path && fact::is_loose(&entry.text)),
        ]
    }

    fn written(&self, entry: &Entry) -> f32 {
        if entry.writes == 0 {
            return 0.0;
        }
        near((self.digest.ledger.turn - entry.written_at) / 3)
    }

    fn pair(
        &self,
        anchor: FactId,
        other: FactId,
        bond: &Bond,
        logs: &[f32],
    ) -> [f32; PAIR_FEATURES.len()] {
        let ledger = &self.digest.ledger;
        let (first, second) = (ledger.entry(anchor), ledger.entry(other));
        let worth = |id: FactId| logs[id as usize];
        let [is_two, is_one_folder, is_one_stem, is_written] = two_paths(first, second);
        let share = |entry: &Entry| ratio(bond.own, entry.uses());
        let elsewhere =
            matches!(second.kind, Kind::Link | Kind::Code | Kind::Command | Kind::Program);
        [
            flag(first.kind == Kind::Path),
            flag(first.kind == Kind::Program),
            flag(second.kind == Kind::Path),
            flag(second.kind == Kind::Name),
            flag(second.kind == Kind::Flag),
            flag(second.kind == Kind::Id),
            flag(elsewhere),
            ledger.bond_heat(bond).ln_1p(),
            many(bond.own),
            many(bond.seen),
            near(ledger.step - bond.last),
            if first.kind == Kind::Program { 0.0 } else { worth(anchor) },
            worth(other),
            share(first),
            share(second),
            flag(0 < first.writes),
            many(bond.told),
            is_two,
            is_one_folder,
            is_one_stem,
            is_written,
        ]
    }
}

/// Whether both are paths; if so, whether they lie in one folder, are of one stem, were both written.
fn two_paths(first: &Entry, second: &Entry) -> [f32; 4] {
    if first.kind != Kind::Path || second.kind != Kind::Path {
        return [0.0; 4];
    }
    let (one, other) = (&*first.text, &*second.text);
    [
        1.0,
        flag(folder(one) == folder(other)),
        flag(stem(one) == stem(other)),
        flag(0 < first.writes && 0 < second.writes),
    ]
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What a file and its tests are named by: `rank` of `src/rank.rs` and of `tests/rank_test.rs`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    let name = name.strip_prefix("test_").unwrap_or(name);
    name.strip_suffix("_test").unwrap_or(name)
}

/// By fact: its worth as pairs count it.
fn logs(worths: &[f32]) -> Vec<f32> {
    worths.iter().map(|worth| (worth + 1e-4).ln()).collect()
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Few are much, many little more.
fn many(n: u32) -> f32 {
    static FEW: LazyLock<Vec<f32>> = LazyLock::new(|| (0..64).map(log).collect());
    FEW.get(n as usize).copied().unwrap_or_else(|| log(n))
}

fn log(n: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a count so large is as good as infinite")]
    let n = n as f32;
    n.ln_1p()
}

/// 1 for now, one half for ten calls ago.
fn near(ago: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "so long ago is as good as never")]
    let ago = ago as f32;
    1.0 / (1.0 + ago / 10.0)
}

fn ratio(part: u32, whole: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a count so large is as good as infinite")]
    let (part, whole) = (part as f32, whole.max(1) as f32);
    part / whole
}
