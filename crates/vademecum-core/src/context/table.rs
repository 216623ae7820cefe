//! The table of the blocks: their order, and what each may take of the room.

use super::form::Form;
use crate::openers::{KNOWS, KNOWS_NOW, LAPSED};

/// The name of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockName {
    /// What this is, the session, its faults.
    Header,
    /// The notepad in the seed's block.
    Notepad,
    /// What was said and done so far.
    Recap,
    /// The sub-agents that still run.
    Agents,
    /// The open notes.
    Notes,
    /// What the project knows.
    Knowledge,
    /// What did not fit and how to get it.
    LeftOut,
}

impl BlockName {
    /// The word for the block, as people and `--json` see it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Notepad => "notepad",
            Self::Recap => "recap",
            Self::Agents => "running sub-agents",
            Self::Notes => "notes",
            Self::Knowledge => "project knowledge",
            Self::LeftOut => "left out",
        }
    }
}

/// How the title of the recap begins.
pub(super) const RECAP: &str = "## Recap of this session";

/// How the title of the recap of the session before begins.
pub(super) const RECAP_BEFORE: &str = "## Recap of the session before";

/// How the title of the running sub-agents begins.
pub(super) const RUNNING: &str = "## Sub-agents still running";

/// How the title of those begins that run no more.
pub(super) const STOPPED: &str = "## Sub-agents no longer running";

/// The title of the open notes.
pub(super) const OPEN_NOTES: &str = "## Open notes";

/// The title of the notes that others added or changed.
pub(super) const OUTSIDE_NOTES: &str = "## Notes changed from outside";

/// The title of the notepad where its changes are told alone.
pub(super) const PAGE_CHANGES: &str = "## Session Notepad: what changed";

/// How the lines begin by which a reader tells our blocks and our voice from stored text.
pub(super) const OPENINGS: [&str; 12] = [
    "vade: ",
    "[vade ",
    PAGE_CHANGES,
    RECAP,
    RECAP_BEFORE,
    RUNNING,
    STOPPED,
    OPEN_NOTES,
    OUTSIDE_NOTES,
    KNOWS,
    KNOWS_NOW,
    LAPSED,
];

/// An empty line parts the blocks.
pub(super) const GAP: usize = 2;

/// What a block takes with that; one that is absent takes nothing.
pub(super) fn gap(units: usize) -> usize {
    if units == 0 { 0 } else { GAP + units }
}

/// A block before the room for it is known.
pub(super) trait Part {
    /// Which block it is.
    fn name(&self) -> BlockName;

    /// How many pieces it has, those too that are not at hand.
    fn of(&self) -> u64;

    /// Whether every piece is at hand.
    fn is_complete(&self) -> bool;

    /// How much room it would take with every piece at hand; 0 where it has none.
    fn want(&self, form: &Form) -> usize;

    /// Takes what fits into `room`.
    fn fit(&self, room: usize, form: &Form) -> Fitted;
}

/// A block as far as there was room for it.
pub(super) struct Fitted {
    /// The text; empty where the block is absent.
    pub(super) text: String,
    /// How many pieces are shown whole.
    pub(super) shown: u64,
    /// Why it looks as it does.
    pub(super) why: String,
}

/// What one block may take of the room, in percent.
pub(super) struct Row {
    /// The block.
    name: BlockName,
    /// What it has for certain.
    pub(super) floor: usize,
    /// What it has before room flows on to it, where the floors of the others leave so much.
    share: usize,
}

/// The blocks that share the room, in the order in which they stand.
///
/// The room is the cap without the blocks that always fit: header, left-out line, receipt. A new
/// block is a name, a row here and a [`Part`]; the floors add up to 100 at most.
const TABLE: [Row; 5] = [
    Row { name: BlockName::Notepad, floor: 60, share: 65 },
    Row { name: BlockName::Recap, floor: 18, share: 40 },
    Row { name: BlockName::Agents, floor: 5, share: 15 },
    Row { name: BlockName::Notes, floor: 12, share: 20 },
    // Its heading and a line or two: what it counts, recall gives.
    Row { name: BlockName::Knowledge, floor: 5, share: 15 },
];

/// How much each block gets of `room`, when it wants so much.
///
/// Floors are served first, then shares, then the rest of each want; what one block leaves flows on to
/// the others in their order.
pub(super) fn settle(room: usize, wants: &[(BlockName, usize)]) -> Vec<usize> {
    let percent = |n: usize| room / 100 * n + room % 100 * n / 100;
    let mut grants = vec![0; wants.len()];
    let mut left = room;

    let rounds: [fn(&Row) -> usize; 3] = [|row| row.floor, |row| row.share, |_| 100];
    for limit in rounds {
        for (grant, (name, want)) in grants.iter_mut().zip(wants) {
            let limit = percent(row(*name).map_or(0, limit));
            let more = (*want).min(limit).saturating_sub(*grant).min(left);
            *grant += more;
            left -= more;
        }
    }
    grants
}

/// The row of a block that shares the room.
pub(super) fn row(name: BlockName) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(room: usize, wants: [usize; N], grants: [usize; N]) {
        let names = [
            BlockName::Notepad,
            BlockName::Recap,
            BlockName::Notes,
            BlockName::Agents,
            BlockName::Knowledge,
        ];
        let wants: Vec<_> = names.into_iter().zip(wants).collect();
        assert_eq!(settle(room, &wants), grants);
    }

    #[test]
    fn unused_room_flows_on() {
        check(1000, [300, 0, 200], [300, 0, 200]);
        check(1000, [5000, 5000, 5000], [650, 230, 120]);
        check(1000, [5000, 0, 5000], [800, 0, 200]);
        check(1000, [5000, 100, 100], [800, 100, 100]);
        check(1000, [0, 5000, 5000], [0, 800, 200]);
        check(1000, [400, 300, 5000], [400, 300, 300]);
        check(1000, [5000, 0, 0], [1000, 0, 0]);
        check(0, [5000, 5000, 5000], [0, 0, 0]);
        check(1000, [5000, 5000, 5000, 5000], [650, 180, 120, 50]);
        check(1000, [5000, 5000, 5000, 5000, 5000], [600, 180, 120, 50, 50]);
        check(usize::MAX, [5, 5, usize::MAX], [5, 5, usize::MAX - 10]);
    }

    #[test]
    fn the_table_adds_up() {
        assert!(TABLE.iter().map(|row| row.floor).sum::<usize>() <= 100);
        assert!(TABLE.iter().all(|row| row.floor <= row.share && row.share <= 100));
    }
}
