//! The new store while it is made: changes go into it in slices, each a write of scope store.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use vademecum_core::hash::Hash;
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_ops::copying;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Origin, Outcome, Scope, Store as _, Surface, Write, Writer,
};

use super::Steps;
use super::bring::BYTES;

/// The operation that the first entry of the new journal names.
pub(super) const KIND: &str = "convert_store";

/// So many changes are one write: enough that waiting for the disk is little of the time, few enough for memory.
///
/// Fewer in tests, so that a small store takes many.
const SLICE: usize = if cfg!(test) { 7 } else { 1000 };

/// The store that is made.
pub(super) struct Target<'a> {
    store: Sqlite,
    now: Time,
    steps: Steps<'a>,
    waiting: Vec<Change>,
    /// The length of the long texts that wait.
    n_bytes: usize,
    n_writes: u32,
}

impl<'a> Target<'a> {
    /// A store at `path`, where nothing lies yet.
    pub(super) fn new(path: &Path, now: Time, steps: Steps<'a>) -> Self {
        let store = Sqlite::at(path, Options::patient());
        Self { store, now, steps, waiting: Vec::new(), n_bytes: 0, n_writes: 0 }
    }

    /// Adds a change to those that are written next.
    pub(super) fn push(&mut self, change: Change) -> Result<()> {
        self.n_bytes += length(&change);
        self.waiting.push(change);
        let is_full = SLICE <= self.waiting.len() || BYTES <= self.n_bytes;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Writes what waits. As of a copy between stores, no entry of its own says what undoes it.
    pub(super) fn flush(&mut self) -> Result<()> {
        let changes = std::mem::take(&mut self.waiting);
        self.n_bytes = 0;
        if changes.is_empty() {
            return Ok(());
        }
        self.write(copying::KIND, changes, "null").map(drop)
    }

    /// Makes changes in one write; its place in the journal.
    pub(super) fn write(
        &mut self,
        kind: &'static str,
        changes: Vec<Change>,
        reply: &str,
    ) -> Result<Seq> {
        (self.steps)("write")?;
        self.n_writes += 1;
        let id = WriteId::new(format!("convert-{}", self.n_writes)).context("a legal id")?;
        let origin = Origin { surface: Surface::Import, author: Author::Tool };
        let (scope, arguments, at) = (Scope::Store, Hash::default(), self.now);
        // A task has no data folder, and so no ids of person and machine.
        let by = Writer::NONE;
        let write = Write { scope, id, is_fresh: true, arguments, kind, origin, by, at };
        let mut changes = Some(changes);
        let mut decide = |_: &dyn vademecum_store::View| {
            let changes = changes.take().unwrap_or_default();
            Ok(Decision::Copy { changes, reply: reply.to_owned() })
        };
        match self.store.write(&write, &mut decide)? {
            Outcome::Done { seq } => Ok(seq),
            other => bail!("a write of the new store came to nothing: {other:?}"),
        }
    }
}

/// The bytes of a text that may be long: a note and what is said of a session never are.
fn length(change: &Change) -> usize {
    match change {
        Change::EditNotepad { splice, .. } => splice.insert.len(),
        Change::SetHandoff { text: Some(text), .. } => text.len(),
        Change::SetRecap { body, .. } => body.len(),
        Change::AddEntry { entry, .. } => entry.said.content.as_str().len(),
        _ => 0,
    }
}
