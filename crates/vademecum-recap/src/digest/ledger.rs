//! Every fact of a session with how it was used; bounded.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::commits::{By, Files, Settled, has_scratch};
use super::met::Met;
use super::quick::{QuickMap, QuickSet};
use crate::fact::{self, Kind, Run};

/// A fact's place in the ledger.
pub(crate) type FactId = u32;

/// Where each fact went; nowhere if it was let go.
pub(crate) type Moved = Vec<Option<FactId>>;

/// How many facts are kept; past it the coldest half goes.
const MOST_FACTS: usize = 24_000;

/// In how many calls a use loses half its weight.
const HALF: f32 = 60.0;

/// What became of a file whose changes were taken back.
pub(crate) const PUT_BACK: &str = "put back";

/// The same of one whose changes were kept aside.
pub(crate) const STASHED: &str = "stashed";

/// Through what a fact came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// A call that changes a file.
    Edit,
    /// A call that runs something.
    Run,
    /// A call that only looks.
    Look,
    /// A message or an answer.
    Told,
}

/// How one fact was used.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) text: Arc<str>,
    /// The last step at which a call held it; 0 if none did.
    pub(crate) last_call: u32,
    /// The last step at which anything held it.
    pub(crate) last: u32,
    pub(crate) edit: u32,
    pub(crate) run: u32,
    pub(crate) look: u32,
    /// The step and order of the last write of this path; 0 if it was never written.
    pub(crate) written_at: u32,
    pub(crate) writes: u32,
    /// The order of the last commit that took it in, or of what put it back as it was; 0 if none did.
    pub(crate) committed_at: u32,
    /// Whether this path was made and not committed since: git puts back and keeps aside only what it knows.
    pub(crate) is_new: bool,
    /// The turn at which this path was read last; 0 if it never was.
    pub(crate) read_at: u32,
    /// Whether this path was to be read last and was not there.
    pub(crate) is_missing: bool,
    /// In how many calls this command was not let run.
    pub(crate) refused: u32,
    /// Whether this command failed when it ran last.
    pub(crate) is_failing: bool,
    /// The turn at which git did not tell of it though it was changed, for it was committed elsewhere, put back, or is
    /// ignored; 0 if it never was so since the last write.
    pub(crate) untold_at: u32,
    /// What became of this path, where it is not there any more or as it was before, in words.
    pub(crate) fate: Option<Box<str>>,
    heat: f32,
    heat_at: u32,
    turn: u32,
}

impl Entry {
    fn new(kind: Kind, text: Arc<str>, step: u32) -> Self {
        Self {
            kind,
            text,
            last_call: 0,
            last: step,
            edit: 0,
            run: 0,
            look: 0,
            written_at: 0,
            writes: 0,
            committed_at: 0,
            is_new: false,
            read_at: 0,
            is_missing: false,
            refused: 0,
            is_failing: false,
            untold_at: 0,
            fate: None,
            heat: 0.0,
            heat_at: 0,
            turn: u32::MAX,
        }
    }

    /// Counts one use; how much it warms the fact.
    fn count(&mut self, voice: Voice) -> f32 {
        let (counter, weight) = match voice {
            Voice::Edit => (&mut self.edit, 1.0),
            Voice::Run => (&mut self.run, 1.0),
            Voice::Look => (&mut self.look, 0.6),
            Voice::Told => return 0.0,
        };
        *counter += 1;
        weight
    }

    /// Whether it was changed behind the last commit that took it in.
    pub(crate) fn is_uncommitted(&self) -> bool {
        0 < self.writes && self.committed_at < self.written_at
    }

    /// Whether it lies where the session works: what lies elsewhere is nobody's to commit.
    pub(crate) fn is_of_project(&self) -> bool {
        !self.text.starts_with(['/', '~']) && !self.text.starts_with("../")
    }
}

/// All facts.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    ids: QuickMap<Arc<str>, FactId>,
    entries: Vec<Entry>,
    /// How many calls there were.
    pub(crate) step: u32,
    /// How many turns there were.
    pub(crate) turn: u32,
    roots: Vec<String>,
    heats: Heats,
    /// The runs so far, which are one fact or none.
    runs: Met<31, 1>,
    lines: Met<112, 8>,
    /// The facts of the line that is read.
    line: Vec<FactId>,
}

impl Ledger {
    pub(crate) fn new(roots: &[String]) -> Self {
        Self { roots: outermost(roots), ..Self::default() }
    }

    /// The path as it stands below the first root that holds it.
    pub(crate) fn short<'a>(&self, path: &'a str) -> &'a str {
        let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix('/');
        let path = self.roots.iter().find_map(below).unwrap_or(path);
        path.strip_prefix("./").unwrap_or(path)
    }

    /// Takes in that `text` came up through `voice`.
    pub(crate) fn note(&mut self, kind: Kind, text: &str, voice: Voice) -> FactId {
        let id = self.intern(kind, text);
        self.count(id, voice);
        id
    }

    /// Counts a fact, once in a turn.
    fn count(&mut self, id: FactId, voice: Voice) {
        let (step, turn) = (self.step, self.turn);
        let entry = &mut self.entries[id as usize];
        if entry.turn == turn {
            return;
        }
        entry.turn = turn;
        entry.last = step;
        let weight = entry.count(voice);
        if 0.0 < weight {
            let ago = step - entry.heat_at;
            entry.heat = entry.heat * self.heats.left(ago) + weight;
            entry.heat_at = step;
            entry.last_call = step;
        }
    }

    /// Takes in every fact of `text`.
    pub(crate) fn read(&mut self, text: &str, voice: Voice) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            self.read_line(&rest[..end], voice);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }

    fn read_line(&mut self, text: &str, voice: Voice) {
        if let Some((facts, n_facts)) = self.lines.find(text) {
            for id in &facts[..n_facts] {
                self.count(*id, voice);
            }
            return;
        }
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        for run in fact::runs(text) {
            line.extend(self.fact_of(run));
        }
        self.lines.keep(text, &line);
        for id in &line {
            self.count(*id, voice);
        }
        self.line = line;
    }

    /// The fact of a run, which is in the ledger then.
    fn fact_of(&mut self, run: Run<'_>) -> Option<FactId> {
        let is_link = run.is_link;
        if !is_link && let Some((facts, n_facts)) = self.runs.find(run.text) {
            return facts[..n_facts].first().copied();
        }
        let fact = run.fact().and_then(|(kind, fact)| {
            let fact = if kind == Kind::Path { self.short(fact) } else { fact };
            let is_long = 4 <= fact.len() || kind == Kind::Id;
            is_long.then(|| self.intern(kind, fact))
        });
        if !is_link {
            self.runs.keep(run.text, fact.as_slice());
        }
        fact
    }

    /// The facts of `text` that are in the ledger, commands that stand on lines of their own among them.
    pub(crate) fn known(&self, text: &str) -> QuickSet<FactId> {
        let mut ids: QuickSet<FactId> = text.lines().filter_map(|line| self.find(line)).collect();
        fact::scan(text, |kind, fact| {
            let fact = if kind == Kind::Path { self.short(fact) } else { fact };
            ids.extend(self.find(fact));
            ControlFlow::Continue(())
        });
        ids
    }

    pub(crate) fn written(&mut self, id: FactId) {
        let turn = self.turn;
        let entry = &mut self.entries[id as usize];
        entry.writes += 1;
        entry.written_at = turn;
        entry.is_missing = false;
        (entry.fate, entry.untold_at) = (None, 0);
    }

    /// Takes in that a path is not there any more: a change of it like others.
    pub(crate) fn went(&mut self, id: FactId, fate: String) {
        self.written(id);
        self.entries[id as usize].fate = Some(fate.into());
    }

    /// Takes in that the changes of these files so far were committed, or put back.
    pub(crate) fn settled(&mut self, settled: &Settled) {
        let turn = self.turn;
        let is_open = |it: &&mut Entry| it.kind == Kind::Path && it.is_uncommitted();
        let is_meant = |it: &&mut Entry| settled.files.hold(&it.text);
        match settled.by {
            By::Unstash => {
                let stashed = self.entries.iter_mut();
                for entry in stashed.filter(|it| it.fate.as_deref() == Some(STASHED)) {
                    (entry.committed_at, entry.fate) = (0, None);
                }
                return;
            }
            By::TakenBack(n) => return (0..n).for_each(|_| self.take_back()),
            By::Commit | By::PutBack | By::Stash => {}
        }
        let is_known = |it: &&mut Entry| settled.has_new || !it.is_new;
        for entry in self.entries.iter_mut().filter(is_open).filter(is_meant).filter(is_known) {
            entry.committed_at = turn;
            entry.is_new = false;
            match settled.by {
                By::PutBack => entry.fate = Some(PUT_BACK.into()),
                By::Stash => entry.fate = Some(STASHED.into()),
                By::Commit | By::Unstash | By::TakenBack(_) => {}
            }
        }
    }

    /// Takes in which files are not committed, as git tells it: of others it is not known what became of them.
    pub(crate) fn left_to_commit(&mut self, files: &Files) {
        // Of several roots nobody knows which one it is about.
        if self.roots.len() != 1 {
            return;
        }
        let turn = self.turn;
        let is_open = |it: &&mut Entry| it.kind == Kind::Path && it.is_uncommitted();
        let is_left = |it: &&mut Entry| files.hold(&it.text);
        for entry in self.entries.iter_mut().filter(is_open).filter(|it| !is_left(it)) {
            (entry.committed_at, entry.untold_at) = (turn, turn);
            entry.is_new = false;
        }
    }

    /// Takes in that the last commit is undone.
    fn take_back(&mut self) {
        let of_commit = |it: &&mut Entry| it.kind == Kind::Path && it.fate.is_none();
        let last = self.entries.iter_mut().filter(of_commit).map(|it| it.committed_at).max();
        let last = last.unwrap_or_default();
        let undone = self.entries.iter_mut().filter(of_commit);
        undone.filter(|it| it.committed_at == last).for_each(|it| it.committed_at = 0);
    }

    /// Takes in that a path was made by its last write.
    pub(crate) fn made(&mut self, id: FactId) {
        self.entries[id as usize].is_new = true;
    }

    /// Takes one write back: it did not come about.
    pub(crate) fn unwritten(&mut self, id: FactId) {
        let entry = &mut self.entries[id as usize];
        entry.writes = entry.writes.saturating_sub(1);
    }

    /// Takes in that this command was not let run.
    pub(crate) fn was_refused(&mut self, command: &str) {
        if let Some(id) = self.find(command) {
            self.entries[id as usize].refused += 1;
        }
    }

    /// Takes in how a command ended.
    pub(crate) fn came(&mut self, command: &str, is_ok: bool) {
        if let Some(id) = self.find(command) {
            self.entries[id as usize].is_failing = !is_ok;
        }
    }

    pub(crate) fn was_read(&mut self, id: FactId) {
        self.entries[id as usize].read_at = self.turn;
    }

    /// Takes in whether a path that was to be read is there.
    pub(crate) fn entry_read(&mut self, id: FactId, is_there: bool) {
        self.entries[id as usize].is_missing = !is_there;
    }

    pub(crate) fn entry(&self, id: FactId) -> &Entry {
        &self.entries[id as usize]
    }

    pub(crate) fn is_path(&self, id: FactId) -> bool {
        self.entry(id).kind == Kind::Path
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether a path is one of the roots themselves.
    pub(crate) fn is_root(&self, path: &str) -> bool {
        self.roots.iter().any(|root| root == path)
    }

    /// Whether the session itself works in a folder that is thrown away.
    pub(crate) fn is_scratch(&self) -> bool {
        has_scratch(&self.roots)
    }

    pub(crate) fn find(&self, text: &str) -> Option<FactId> {
        self.ids.get(text).copied()
    }

    /// How warm a fact is now.
    fn heat(&self, entry: &Entry) -> f32 {
        entry.heat * self.heats.left(self.step - entry.heat_at)
    }

    /// The `most` facts that were used most of late, those first.
    pub(crate) fn warmest(&self, most: usize) -> Vec<FactId> {
        let mut order: Vec<FactId> = (0..).take(self.entries.len()).collect();
        let heat = |id: FactId| {
            let entry = self.entry(id);
            (self.heat(entry), entry.last)
        };
        let compare = |a: &FactId, b: &FactId| {
            let (a_heat, b_heat) = (heat(*a), heat(*b));
            b_heat.0.total_cmp(&a_heat.0).then(b_heat.1.cmp(&a_heat.1)).then(a.cmp(b))
        };
        if most < order.len() {
            order.select_nth_unstable_by(most, compare);
            order.truncate(most);
        }
        order.sort_unstable_by(compare);
        order
    }

    /// Lets the coldest go when there are too many; says where the facts went if any moved.
    pub(crate) fn trim(&mut self) -> Option<Moved> {
        (MOST_FACTS < self.entries.len()).then(|| self.trim_facts())
    }

    fn trim_facts(&mut self) -> Moved {
        let mut order = self.warmest(MOST_FACTS / 2);
        order.sort_unstable();

        self.runs.clear();
        self.lines.clear();
        let mut moved = vec![None; self.entries.len()];
        for (new, old) in (0..).zip(&order) {
            moved[*old as usize] = Some(new);
        }
        self.entries = order.iter().map(|id| self.entries[*id as usize].clone()).collect();
        self.ids = self.entries.iter().map(|entry| entry.text.clone()).zip(0..).collect();
        moved
    }

    fn intern(&mut self, kind: Kind, text: &str) -> FactId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = FactId::try_from(self.entries.len()).expect("trimmed long before");
        let text: Arc<str> = text.into();
        self.ids.insert(Arc::clone(&text), id);
        self.entries.push(Entry::new(kind, text, self.step));
        id
    }
}

/// What is left of a weight after some calls, from a table.
#[derive(Debug)]
struct Heats(Vec<f32>);

impl Default for Heats {
    fn default() -> Self {
        Self((0..1_200_u16).map(|ago| (-f32::from(ago) / HALF).exp2()).collect())
    }
}

impl Heats {
    fn left(&self, ago: u32) -> f32 {
        self.0.get(ago as usize).copied().unwrap_or(0.0)
    }
}

/// The roots that lie in no other, without a slash at the end.
fn outermost(roots: &[String]) -> Vec<String> {
    let roots =
        || roots.iter().map(|root| root.trim_end_matches('/')).filter(|root| !root.is_empty());
    let is_inside = |root: &str| {
        roots().any(|it| root.strip_prefix(it).is_some_and(|rest| rest.starts_with('/')))
    };
    roots().filter(|root| !is_inside(root)).map(str::to_owned).collect()
}
