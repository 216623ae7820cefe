//! Brings the journal: each entry keeps write id, author, time and body, and is sealed anew in the old order.

use anyhow::Result;
use vademecum_core::id::Seq;
use vademecum_ops::copying;
use vademecum_store::Change;

use super::bring::{BYTES, SLICE};
use super::old::Old;
use super::target::Target;

/// So many entries are read and written at once, and so many bytes of their bodies: a page can be large.
pub(super) const MOST: (usize, usize) = (SLICE, BYTES);

/// Which numbers the entries got.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(Seq, Seq)>);

impl Places {
    /// The place of an entry, or of the last one before it that was there.
    pub(super) fn of(&self, old: Seq) -> Seq {
        let n_before = self.0.partition_point(|(seq, _)| *seq <= old);
        self.0[..n_before].last().map_or(Seq(0), |(_, new)| *new)
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Brings every entry.
pub(super) fn bring(old: &Old, target: &mut Target<'_>) -> Result<Places> {
    let (mut places, mut after) = (Places::default(), Seq(0));
    loop {
        let slice = old.records(after, MOST)?;
        let Some(last) = slice.last() else { return Ok(places) };
        after = last.seq;
        let seqs: Vec<Seq> = slice.iter().map(|record| record.seq).collect();
        let changes = slice.into_iter().map(|record| Change::CopyRecord(Box::new(record.copied)));
        let Seq(own) = target.write(copying::KIND, changes.collect(), "null")?;
        // The write's own entry stands behind those that it brought.
        let first = own - i64::try_from(seqs.len())?;
        places.0.extend(seqs.into_iter().zip((first..).map(Seq)));
    }
}
