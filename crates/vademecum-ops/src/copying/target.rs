//! The store that is written: each write has a name that is made of what it copies.

use std::collections::BTreeSet;

use serde::Serialize;
use vademecum_core::error::Kind;
use vademecum_core::hash::{hex, plain};
use vademecum_core::id::{NoteId, Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{
    Author, Change, Decision, JournalFilter, Origin, Outcome, Scope, StoreError, View, Write,
    Writer, read, write,
};

use super::{KIND, Report, Side};
use crate::error::OpError;

/// So often a write is begun anew because another copy made it first.
const ROUNDS: usize = 8;

/// Where a write of the copy itself comes from.
pub(super) type Own = (Origin, Writer);

/// The store that is written, and what was brought there.
pub(super) struct Target<'a> {
    pub(super) side: Side<'a>,
    pub(super) origin: Origin,
    pub(super) by: Writer,
    pub(super) now: Time,
    pub(super) report: Report,
    /// The names under which it has another session than the store that is copied.
    pub(super) strangers: BTreeSet<SessionKey>,
}

/// What one write brought.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) report: Report,
    /// Notes that have another id there.
    pub(super) moved: Vec<(NoteId, NoteId)>,
}

impl<'a> Target<'a> {
    pub(super) fn new(side: Side<'a>, (origin, by): (Origin, Writer), now: Time) -> Self {
        let (report, strangers) = (Report::default(), BTreeSet::new());
        Self { side, origin, by, now, report, strangers }
    }

    /// Reads the store as it is now.
    pub(super) fn read<T>(
        &self,
        look: impl Fn(&dyn View) -> Result<T, StoreError>,
    ) -> Result<T, OpError> {
        read(self.side.store, look).map_err(|error| self.side.named(error))
    }

    /// Makes the changes that `decide` finds lacking; the notes that moved.
    ///
    /// The write is called after what it brings and the newest entry there: what was brought, went and comes again is
    /// another write, and who copies the same at this moment finds nothing lacking in the next round.
    pub(super) fn write(
        &mut self,
        what: &str,
        content: &impl Serialize,
        mut decide: impl FnMut(&dyn View, &mut Part) -> Result<Vec<Change>, StoreError>,
    ) -> Result<Vec<(NoteId, NoteId)>, OpError> {
        let content = serde_json::to_vec(&(what, content)).map_err(|error| no_json(&error))?;
        let arguments = plain(&content);
        for _ in 0..ROUNDS {
            let newest = self.read(newest)?;
            let request = Write {
                scope: Scope::Store,
                id: named(what, &[&content[..], &newest.0.to_le_bytes()].concat()),
                is_fresh: false,
                arguments,
                kind: KIND,
                origin: self.origin.clone(),
                by: self.by,
                at: self.now,
            };
            let written = write(self.side.store, &request, |view| {
                let mut part = Part::default();
                let changes = decide(view, &mut part)?;
                Ok::<_, StoreError>((part, Decision::Copy { changes, reply: "null".to_owned() }))
            });
            match written {
                Ok((Outcome::Replayed { .. }, _)) | Err(StoreError::Erased { .. }) => {}
                Ok((_, part)) => return Ok(self.take(part.unwrap_or_default())),
                Err(error) => return Err(self.side.named(error)),
            }
        }
        let message = format!("{ROUNDS} times another copy brought the same at the same moment");
        Err(self
            .side
            .named(OpError::new(Kind::Busy, message).hint("run it again when the other has ended")))
    }

    fn take(&mut self, part: Part) -> Vec<(NoteId, NoteId)> {
        let Part { report, moved } = part;
        let all = &mut self.report;
        all.projects += report.projects;
        all.sessions += report.sessions;
        all.pages += report.pages;
        all.notes += report.notes;
        all.plans += report.plans;
        all.entries += report.entries;
        all.handoffs += report.handoffs;
        all.recaps += report.recaps;
        all.records += report.records;
        all.left_out += report.left_out;
        all.notices.extend(report.notices);
        moved
    }

    /// Switches vade off in a store that is new; one that is in use keeps its switch.
    pub(super) fn switch_off(&mut self, at: Time) -> Result<(), OpError> {
        if self.read(newest)? != Seq(0) {
            if self.read(|view| Ok(view.store()?.off_at))?.is_none() {
                let notice = format!("vade is off there and stays on in {}", self.side.name);
                self.report.notices.push(notice);
            }
            return Ok(());
        }
        let off = Change::SetOff { project: None, off_at: Some(at) };
        self.write("off", &at, |_, _| Ok(vec![off.clone()])).map(drop)
    }

    /// Who stands behind what a copy writes by itself: no agent, whoever calls.
    pub(super) fn own(&self) -> Own {
        (Origin { author: Author::Tool, ..self.origin.clone() }, self.by)
    }
}

/// The newest entry of a store's journal; 0 if nothing was ever written.
fn newest(view: &dyn View) -> Result<Seq, StoreError> {
    let filter = JournalFilter { limit: 1, ..JournalFilter::default() };
    Ok(view.records_by(&filter)?.first().map_or(Seq(0), |record| record.seq))
}

/// The write id of what a copy writes: the same for the same content.
pub(super) fn named(what: &str, content: &[u8]) -> WriteId {
    let id = WriteId::new(format!("copy-{what}-{}", hex(&plain(content), 16)));
    id.expect("a word and digits are a legal id")
}

fn no_json(error: &serde_json::Error) -> OpError {
    OpError::broken(format!("what is copied is no JSON: {error}"))
}
