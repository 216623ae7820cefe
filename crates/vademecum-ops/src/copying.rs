//! Copies a store into another one by ordinary writes: twice is once, and a repeat goes on where one was stopped.
//!
//! It reads one snapshot of the store that is copied, and changes nothing there. What both have stays as it is in the
//! store that is written: what only one of the two has changed since is taken over, what both have is kept twice.

mod entries;
mod journal;
mod lines;
mod notes;
mod pages;
mod plans;
mod projects;
mod sessions;
mod target;
mod told;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{Origin, Scope, Store, View, Writer};

pub(crate) use self::journal::is_copied;
use self::lines::{Ids, Line};
use self::target::Target;
use crate::error::OpError;
use crate::shapes::counted;

/// The operation that the journal names for what a copy writes of its own.
pub const KIND: &str = "copy_store";

/// What the journal of a store says of its own chain, which means nothing in another one.
const OF_CHAIN: [&str; 2] = ["rekey", "accept"];

/// So many things are copied in one write: it holds up other writers for a moment only.
const SLICE: usize = 500;

/// A store, and what people call it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// Its address.
    pub name: &'a str,
}

impl std::fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Side").field(&self.name).finish()
    }
}

impl Side<'_> {
    /// The error in which one of two stores is named.
    pub(crate) fn named(&self, error: impl Into<OpError>) -> OpError {
        let error = error.into();
        OpError { message: format!("{}: {}", self.name, error.message), ..error }
    }
}

/// What a copy brought that was not there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Projects.
    pub projects: u64,
    /// Sessions.
    pub sessions: u64,
    /// Pages; one that became a revision before another counts too.
    pub pages: u64,
    /// Notes, those too that were changed or deleted since.
    pub notes: u64,
    /// Plans.
    pub plans: u64,
    /// Entries of plans.
    pub entries: u64,
    /// What agents wrote for the next session.
    pub handoffs: u64,
    /// Recaps.
    pub recaps: u64,
    /// Entries of the journal.
    pub records: u64,
    /// What was left out because the other store has forgotten it.
    pub left_out: u64,
    /// What both have under one name, and what became of it, one sentence each.
    pub notices: Vec<String>,
}

impl Report {
    /// Whether nothing was brought.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts().iter().all(|(n, _)| *n == 0)
    }

    /// Says that something was forgotten in the other store.
    fn leave_out(&mut self, what: &dyn std::fmt::Display) {
        self.left_out += 1;
        self.notices.push(format!("{what} was forgotten there: it is left out"));
    }

    /// How many of each, and the word for one.
    #[must_use]
    pub fn counts(&self) -> [(u64, &'static str); 9] {
        [
            (self.projects, "project"),
            (self.sessions, "session"),
            (self.pages, "page"),
            (self.notes, "note"),
            (self.plans, "plan"),
            (self.entries, "entry"),
            (self.handoffs, "handoff"),
            (self.recaps, "recap"),
            (self.records, "journal write"),
        ]
    }
}

/// Copies what `from` has into `to`, in the name of who copies.
pub fn copy(
    from: Side<'_>,
    to: Side<'_>,
    (origin, by): (&Origin, Writer),
    now: Time,
) -> Result<Report, OpError> {
    let mut copied = None;
    let look = from.store.read(&mut |view| {
        copied = Some(copy_all(view, from, Target::new(to, (origin.clone(), by), now)));
        Ok(())
    });
    look.map_err(|error| from.named(error))?;
    copied.unwrap_or_else(|| Err(from.named(OpError::broken("the engine gave no snapshot"))))
}

fn copy_all(view: &dyn View, from: Side<'_>, mut to: Target<'_>) -> Result<Report, OpError> {
    let card = view.store()?;
    if !card.unfinished.intents.is_empty() {
        let n = counted(card.unfinished.intents.len(), "thing");
        let message = format!("{n} begun to be forgotten there, and not gone yet");
        return Err(from.named(OpError::conflict(message).hint(format!(
            "run: vade status --store {}, which ends it, and copy then",
            from.name
        ))));
    }
    if let Some(at) = card.off_at {
        to.switch_off(at)?;
    }
    projects::copy(view, &mut to)?;
    let names = plans::copy(view, &mut to)?;
    sessions::copy(view, &mut to)?;
    let mut places = Places { entries: entries::copy(view, &mut to, &names)?, ..Places::default() };
    for session in sessions::taken(view, &to)? {
        let line = Line::of(view, &to, &Scope::Session(session.key.clone()))?;
        let notes = notes::copy(view, &mut to, (&session, &line))?;
        words::copy(view, &mut to, (&session, &line))?;
        sessions::plan(view, &mut to, (&session, &line))?;
        places.notes.insert(session.key, notes);
    }
    words::recaps(view, &mut to)?;
    let ids = Ids::default();
    journal::copy(view, &mut to, (&places, &ids))?;
    pages::copy(view, &mut to)?;
    told::copy(view, &mut to, &ids)?;
    Ok(to.report)
}

/// What became of notes and entries there.
#[derive(Default)]
struct Places {
    notes: BTreeMap<SessionKey, There<NoteId>>,
    entries: BTreeMap<ProjectId, There<EntryId>>,
}

/// What became of the notes of a session, or of the entries of a project.
struct There<Id> {
    /// What those are called there that have another id.
    moved: BTreeMap<Id, Id>,
    /// Those that were forgotten there under another id, which nothing there knows any more.
    out: BTreeSet<Id>,
}
