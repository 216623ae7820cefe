//! Which records of a transcript are on its live branch, in bounded memory.

use std::cell::OnceCell;
use std::collections::VecDeque;

use xxhash_rust::xxh3::xxh3_64;

/// How many records are followed; those before are taken for live.
const NODES_MAX: usize = if cfg!(test) { 64 } else { 1 << 19 };

/// How many records that are no messages may stand between a call and its answer.
const HOPS_MAX: usize = 64;

/// What a record is to the branch.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Link<'a> {
    /// Its line.
    pub(super) line: u64,
    /// Its own id.
    pub(super) uuid: &'a str,
    /// The id of the record before it; empty at a beginning.
    pub(super) parent: &'a str,
    /// The id of the model's message that it is a part of.
    pub(super) message: &'a str,
    /// Whether it is of a sub-agent.
    pub(super) is_sidechain: bool,
    /// What it is.
    pub(super) sort: Sort,
}

/// What sort of record one is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// A message of the user.
    Prompt,
    /// An answer of a tool.
    Result,
    /// A part of a message of the model.
    Model,
    /// Anything else.
    #[default]
    Other,
}

/// One record, in few bytes.
#[derive(Debug, Clone, Copy)]
struct Node {
    uuid: u64,
    parent: u64,
    line: u32,
    message: u32,
    is_sidechain: bool,
    sort: Sort,
}

/// All records of a transcript as far as the branch needs them.
#[derive(Debug, Default)]
pub(super) struct Branch {
    nodes: VecDeque<Node>,
    /// The record that the transcript says to be its last, if it said so behind all others.
    leaf: u64,
    has_parents: bool,
    has_main: bool,
}

/// Which lines are live.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// The first line that the set knows.
    first: u64,
    /// One bit for each line: whether it is off the branch.
    dead: Vec<u64>,
    /// Whether records of sub-agents are the main line: the transcript holds nothing else.
    pub(super) is_of_agent: bool,
}

impl Live {
    /// Whether the record in `line` is live.
    pub(super) fn is_live(&self, line: u64) -> bool {
        let Some(bit) = line.checked_sub(self.first) else { return true };
        let bits = usize::try_from(bit / 64).ok().and_then(|word| self.dead.get(word));
        bits.is_none_or(|bits| (bits >> (bit % 64)) & 1 == 0)
    }

    fn kill(&mut self, line: u64) {
        let bit = line - self.first;
        let word = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        if self.dead.len() <= word {
            self.dead.resize(word + 1, 0);
        }
        self.dead[word] |= 1 << (bit % 64);
    }
}

impl Branch {
    /// Adds the next record.
    pub(super) fn add(&mut self, record: &Link<'_>) {
        let Ok(number) = u32::try_from(record.line) else { return };
        if record.uuid.is_empty() {
            return;
        }
        if self.nodes.len() == NODES_MAX {
            self.nodes.pop_front();
        }
        self.leaf = 0;
        self.has_parents |= !record.parent.is_empty();
        self.has_main |= !record.is_sidechain && record.sort != Sort::Other;
        let message = hash(record.message) & u64::from(u32::MAX);
        self.nodes.push_back(Node {
            uuid: hash(record.uuid),
            parent: hash(record.parent),
            line: number,
            message: u32::try_from(message).unwrap_or_default(),
            is_sidechain: record.is_sidechain,
            sort: record.sort,
        });
    }

    /// The transcript names its last record.
    pub(super) fn ends_with(&mut self, uuid: &str) {
        self.leaf = hash(uuid);
    }

    /// The same where the last record counts whatever it is: a context may be all that was written since.
    pub(super) fn live_to_the_end(mut self) -> Live {
        if self.leaf == 0 {
            let last = self.nodes.iter().rev().find(|node| !node.is_sidechain);
            self.leaf = last.map_or(0, |node| node.uuid);
        }
        self.live()
    }

    /// Follows the branch from its last record back to the beginning.
    pub(super) fn live(mut self) -> Live {
        let is_of_agent = !self.has_main;
        let first = self.nodes.front().map_or(0, |node| u64::from(node.line));
        let mut live = Live { first, dead: Vec::new(), is_of_agent };
        if !is_of_agent {
            self.nodes.retain(|node| !node.is_sidechain);
        }
        if !self.has_parents {
            return live;
        }
        let walk = Walk::new(self.nodes.make_contiguous());
        let Some(leaf) = walk.leaf(self.leaf) else { return live };
        for (node, _) in walk.marked(leaf).iter().enumerate().filter(|(_, is_live)| !**is_live) {
            live.kill(u64::from(walk.nodes[node].line));
        }
        live
    }
}

/// The records with an index by their ids.
struct Walk<'n> {
    nodes: &'n [Node],
    /// The places of the records, by id and place: of no use where each names the one before it.
    order: OnceCell<Vec<u32>>,
}

impl<'n> Walk<'n> {
    fn new(nodes: &'n [Node]) -> Self {
        Self { nodes, order: OnceCell::new() }
    }

    fn order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0..).take(self.nodes.len()).collect();
            order.sort_unstable_by_key(|&place| (self.nodes[place as usize].uuid, place));
            order
        })
    }

    /// Every record with this id, in their order.
    fn all(&self, uuid: u64) -> impl DoubleEndedIterator<Item = usize> {
        let order = self.order();
        let start = order.partition_point(|&place| self.nodes[place as usize].uuid < uuid);
        let rest = &order[start..];
        let n = rest.partition_point(|&place| self.nodes[place as usize].uuid == uuid);
        rest[..n].iter().map(|&place| place as usize)
    }

    /// The record with this id that is next before `place`, else the first behind it.
    fn parent(&self, uuid: u64, place: usize) -> Option<usize> {
        if let Some(before) = place.checked_sub(1)
            && self.nodes[before].uuid == uuid
        {
            return Some(before);
        }
        self.all(uuid).rev().find(|&other| other < place).or_else(|| self.all(uuid).next())
    }

    fn leaf(&self, named: u64) -> Option<usize> {
        let named = (named != 0).then(|| self.all(named).next_back()).flatten();
        named.or_else(|| self.nodes.iter().rposition(|node| node.sort != Sort::Other))
    }

    /// Marks the records from `leaf` back to the beginning, and what belongs to them.
    fn marked(&self, leaf: usize) -> Vec<bool> {
        let mut marked = vec![false; self.nodes.len()];
        let mut skips = Skips::default();
        let mut next = Some(leaf);
        while let Some(place) = next {
            marked[place] = true;
            // Claude Code writes the last kept record anew behind a boundary whose parent it is: a
            // chain that comes back to itself goes on with what was written before.
            let before = self.before(place).filter(|&before| !marked[before]);
            next = before.or_else(|| self.written_before(place, &marked, &mut skips));
        }
        self.mark_siblings(&mut marked);
        self.mark_answers(&mut marked);
        marked
    }

    /// The record that the one at `place` names as its parent, if it is there.
    fn before(&self, place: usize) -> Option<usize> {
        let parent = self.nodes[place].parent;
        (parent != 0).then(|| self.parent(parent, place)).flatten()
    }

    /// The last record written before `place` that is not marked, where the chain does not say which.
    fn written_before(&self, place: usize, marked: &[bool], skips: &mut Skips) -> Option<usize> {
        let node = self.nodes[place];
        // A prompt without a parent begins anew: what stands before it was undone.
        let is_beginning = node.parent == 0 && node.sort == Sort::Prompt;
        if is_beginning { None } else { skips.unmarked_before(place, marked) }
    }

    /// Marks the other parts of marked messages: calls that were made at the same time.
    fn mark_siblings(&self, marked: &mut [bool]) {
        let is_part = |node: &Node| node.sort == Sort::Model && node.message != 0;
        let live =
            self.nodes.iter().zip(marked.iter()).filter(|(node, live)| **live && is_part(node));
        let mut messages: Vec<u32> = live.map(|(node, _)| node.message).collect();
        messages.sort_unstable();
        messages.dedup();
        for (place, node) in self.nodes.iter().enumerate() {
            let is_sibling = is_part(node) && messages.binary_search(&node.message).is_ok();
            if is_sibling && !self.all(node.uuid).any(|copy| marked[copy]) {
                marked[place] = true;
            }
        }
    }

    /// Marks the answers of marked calls.
    fn mark_answers(&self, marked: &mut [bool]) {
        for (place, node) in self.nodes.iter().enumerate() {
            let is_answer = node.sort == Sort::Result && !marked[place];
            if is_answer
                && !self.all(node.uuid).any(|copy| marked[copy])
                && self.is_answer_of_marked(place, marked)
            {
                marked[place] = true;
            }
        }
    }

    fn is_answer_of_marked(&self, mut place: usize, marked: &[bool]) -> bool {
        for _ in 0..HOPS_MAX {
            let Some(parent) = self.parent(self.nodes[place].parent, place) else { return false };
            match self.nodes[parent].sort {
                Sort::Model => return marked[parent],
                Sort::Prompt => return false,
                Sort::Result | Sort::Other if parent == place => return false,
                Sort::Result | Sort::Other => place = parent,
            }
        }
        false
    }
}

/// Leads past marked records, so that a chain of many breaks costs no look at each of them again.
#[derive(Default)]
struct Skips(Vec<u32>);

impl Skips {
    /// The last record before `place` that is not marked.
    fn unmarked_before(&mut self, place: usize, marked: &[bool]) -> Option<usize> {
        if self.0.is_empty() {
            // One past the place to look at next: at first each record leads to the one before it.
            self.0 = (0..).take(marked.len()).collect();
        }
        let mut end = place;
        while end != 0 && marked[end - 1] {
            let next = self.0[end - 1];
            // Each look halves the way for the next one.
            if let Some(last) = (next as usize).checked_sub(1).filter(|&last| marked[last]) {
                self.0[end - 1] = self.0[last];
            }
            end = next as usize;
        }
        end.checked_sub(1)
    }
}

/// A number for an id; 0 for none.
fn hash(id: &str) -> u64 {
    if id.is_empty() {
        return 0;
    }
    xxh3_64(id.as_bytes()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each record is `sort uuid parent message`; the live ones are listed.
    #[track_caller]
    fn check(records: &[&str], leaf: &str, expected: &str) {
        let mut branch = Branch::default();
        for (line, record) in (0..).zip(records) {
            let mut words = record.split(' ');
            let (sort, is_sidechain) = match words.next() {
                Some("prompt") => (Sort::Prompt, false),
                Some("result") => (Sort::Result, false),
                Some("model") => (Sort::Model, false),
                Some("side") => (Sort::Model, true),
                _ => (Sort::Other, false),
            };
            let mut word = || words.next().filter(|word| *word != "-").unwrap_or_default();
            let (uuid, parent, message) = (word(), word(), word());
            branch.add(&Link { line, uuid, parent, message, is_sidechain, sort });
        }
        if !leaf.is_empty() {
            branch.ends_with(leaf);
        }
        let live = branch.live();
        let lines = (0..records.len()).filter(|&line| live.is_live(line as u64));
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        assert_eq!(lines.join(" "), expected);
    }

    #[test]
    fn the_chain_is_followed_from_the_end() {
        check(&["prompt a -", "model b a", "prompt c b", "model d c"], "", "0 1 2 3");
        check(&["prompt a -", "model b a", "prompt c b", "prompt d b", "model e d"], "", "0 1 3 4");
        check(&["prompt a -", "model b a", "prompt c b", "model d c"], "b", "0 1");
        check(&["prompt a -", "model b a", "prompt c -", "model d c"], "", "2 3");
        check(&[], "", "");
    }

    #[test]
    fn broken_chains_go_on_with_what_was_written_before() {
        check(&["prompt a -", "model b a", "prompt d gone", "model e d"], "", "0 1 2 3");
        check(&["prompt a -", "model b -", "prompt c -"], "", "0 1 2");
        check(&["prompt a b", "model b a"], "", "0 1");
        check(&["prompt a a"], "", "0");
    }

    #[test]
    fn a_boundary_whose_parent_stands_behind_it_hides_nothing() {
        let kept_anew =
            ["prompt a -", "model b a", "other c x", "other s c", "other x s", "model d x"];
        check(&kept_anew, "", "0 1 2 3 4 5");
        check(&["prompt a -", "model b c", "other c b", "prompt d c"], "", "0 1 2 3");
        check(&["prompt a c", "model b a", "prompt c b", "model d c"], "", "0 1 2 3");
    }

    proptest::proptest! {
        #[test]
        fn no_turn_is_lost_whatever_a_boundary_names(
            n in 1_usize..40,
            boundaries in proptest::collection::vec((0_usize..40, 0_usize..60), 0..6),
        ) {
            let mut parents: Vec<Option<usize>> = (0..n).map(|line| line.checked_sub(1)).collect();
            for (line, parent) in boundaries.into_iter().filter(|(line, _)| *line < n) {
                parents[line] = Some(parent);
            }
            let mut branch = Branch::default();
            for (line, parent) in parents.iter().enumerate() {
                // A link that was changed is a boundary's; a prompt would begin anew.
                let sort = if *parent == line.checked_sub(1) { Sort::Model } else { Sort::Other };
                let parent = parent.map(|parent| format!("r{parent}")).unwrap_or_default();
                let uuid = format!("r{line}");
                branch.add(&Link { line: line as u64, uuid: &uuid, parent: &parent, sort, ..Link::default() });
            }
            let live = branch.live();
            let is_told = |line: usize| live.is_live(line as u64);
            // A boundary may name an earlier record: what stands between the two was undone.
            let is_undone = |line: usize| {
                (line + 1..n).any(|later| parents[later].is_some_and(|parent| parent < line))
            };
            for line in (0..n).filter(|&line| parents[line] == line.checked_sub(1)) {
                proptest::prop_assert!(is_told(line) || is_undone(line), "{line} of {parents:?}");
            }
        }

        #[test]
        fn any_graph_of_parents_comes_to_an_end(
            parents in proptest::collection::vec(0_usize..70, 1..60),
        ) {
            let mut branch = Branch::default();
            for (line, parent) in parents.iter().enumerate() {
                let (uuid, parent) = (format!("r{line}"), format!("r{parent}"));
                branch.add(&Link { line: line as u64, uuid: &uuid, parent: &parent, sort: Sort::Model, ..Link::default() });
            }
            let last = parents.len() as u64 - 1;
            proptest::prop_assert!(branch.live().is_live(last));
        }
    }

    #[test]
    fn calls_at_the_same_time_belong_together() {
        let records = [
            "prompt a -",
            "model b a m1",
            "model c b m1",
            "result d b",
            "other p c",
            "result e p",
            "model f d m2",
        ];
        check(&records, "", "0 1 2 3 5 6");
    }

    #[test]
    fn a_record_counts_once_and_agents_only_on_their_own() {
        check(
            &["prompt a -", "model b a m", "prompt a -", "model b a m", "prompt c b"],
            "",
            "2 3 4",
        );
        check(&["prompt a -", "side x -", "side y x", "model b a"], "", "0 1 2 3");
        check(&["side x -", "side y x", "side z x"], "", "0 2");
    }

    #[test]
    fn the_oldest_are_taken_for_live() {
        let mut branch = Branch::default();
        let link = Link { sort: Sort::Prompt, parent: "p", ..Link::default() };
        for line in 0..=NODES_MAX as u64 {
            branch.add(&Link { line, uuid: &line.to_string(), ..link });
        }
        let live = branch.live();
        assert_eq!((live.first, live.is_live(0)), (1, true));
    }
}
