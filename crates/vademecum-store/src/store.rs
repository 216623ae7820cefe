//! The port itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use vademecum_core::hash::Key;
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::session::SessionKey;

use crate::error::StoreError;
use crate::view::View;
use crate::write::{Decision, Outcome, Write};

/// Looks at one snapshot; may be run again on another one, from the start, where an engine has lost the first.
pub type Look<'a> = dyn FnMut(&dyn View) -> Result<(), StoreError> + 'a;

/// Decides on one snapshot what to write; pure, and may be run again.
pub type Decide<'a> = dyn FnMut(&dyn View) -> Result<Decision, StoreError> + 'a;

/// What is to be erased so that no byte of it is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Erase {
    /// Nothing more: what earlier erasures left on the disk.
    Nothing,
    /// Parts of what is kept, each without what it belongs to.
    Parts(Parts),
    /// Sessions with their notepads, notes, sub-agents and the bodies of their journals.
    Sessions(Vec<SessionKey>),
    /// A project with all its sessions.
    Project(ProjectId),
}

/// Parts of what is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// The bodies of these journal entries: deleted and older versions of everything.
    pub bodies: Vec<Seq>,
    /// The recaps of these sessions.
    pub recaps: Vec<SessionKey>,
    /// These entries of plans.
    pub entries: Vec<(ProjectId, EntryId)>,
}

/// One intention to forget something, by which an erasure says that it is fulfilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IntentId(pub u32);

/// What was begun to be forgotten and is not gone yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Unfinished {
    /// What was intended, oldest first, in the form of those who intended it.
    pub intents: Vec<(IntentId, String)>,
    /// Whether rows are gone whose bytes are not.
    pub has_bytes: bool,
    /// Whether a fork lacks notes that it was to get later, or the index lacks them.
    pub has_forks: bool,
}

/// How far a store looks at its own state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only for what was mended or kept apart and nobody has acknowledged: its faults, one sentence each.
    ///
    /// It is asked for at each start of a session, costs a look at a folder and opens nothing.
    Unsaid,
    /// Quick checks.
    Quick,
    /// Every page, hash and count.
    Deep,
}

/// What a store says of its own state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The engine and its version.
    pub engine: String,
    /// The schema, as major.minor; none while nothing was ever written, or it was not looked at.
    pub schema: Option<String>,
    /// What is wrong, one line each; empty when all is well.
    pub faults: Vec<String>,
    /// What is wrong in projects of other persons, one line each: it is theirs to mend, and no fault of what is one's own.
    pub of_others: Vec<String>,
    /// What is well but worth knowing, one line each.
    pub notices: Vec<String>,
}

impl Health {
    /// The fault of an erasure whose bytes are not gone, in the words of every engine.
    ///
    /// Whoever is at it now leaves it for as long as that takes.
    pub const BYTES_LEFT: &str = "erased bytes are still on disk: whoever erased them was stopped, or an older state is still read";
}

/// A store of working memory.
pub trait Store: Send + Sync {
    /// Gives `look` one snapshot; writes of others meanwhile are not seen.
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError>;

    /// Runs `decide` in one transaction; on return its changes are on disk, or nothing has changed.
    /// Where a server was lost as it committed, neither is known ([`StoreError::Unsettled`]).
    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError>;

    /// Waits until the newest entry is another one than `after`, at most `timeout`; the newest entry either way.
    ///
    /// It is an older one where another store was put in the place of this one.
    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError>;

    /// Notes on disk what is about to be forgotten, until an erasure fulfils it.
    ///
    /// Whoever dies on the way has left it for others to finish.
    fn intend(&self, what: &str) -> Result<IntentId, StoreError>;

    /// Erases so that no byte is left in the database, its log, indexes or backups.
    ///
    /// The intention that it fulfils ends in the same transaction as the rows. Where others have fulfilled it,
    /// sessions stay, for one that has such a name now was begun since; all else has an id that is given once, and
    /// goes, as the bytes do that others left on the disk.
    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError>;

    /// Gives unused space back; how many bytes the store takes before and after.
    fn shrink(&self) -> Result<(u64, u64), StoreError>;

    /// The secret from which marks of guarded text are made; none before the first write.
    ///
    /// One that cannot be read is an error: a mark that is made without it could be guessed.
    fn secret(&self) -> Result<Option<Key>, StoreError>;

    /// What the store says of its own state, as far as it was asked to look.
    fn health(&self, depth: Depth) -> Result<Health, StoreError>;
}

/// What was mended or kept apart and nobody has acknowledged yet, one sentence each.
///
/// Nobody is kept from work by a look that fails: the doctor says why.
#[must_use]
pub fn unsaid(store: &dyn Store) -> Vec<String> {
    store.health(Depth::Unsaid).map(|health| health.faults).unwrap_or_default()
}

/// Reads one value from one snapshot.
pub fn read<T>(
    store: &dyn Store,
    look: impl Fn(&dyn View) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut found = None;
    store.read(&mut |view| {
        found = Some(look(view)?);
        Ok(())
    })?;
    found.ok_or_else(|| StoreError::Engine { what: "the engine gave no snapshot".to_owned() })
}

/// Writes what `decide` returns; an error of the caller's own refuses the write and comes back.
pub fn write<T, E: From<StoreError>>(
    store: &dyn Store,
    write: &Write,
    mut decide: impl FnMut(&dyn View) -> Result<(T, Decision), E>,
) -> Result<(Outcome, Option<T>), E> {
    let mut given = None;
    let outcome = store.write(write, &mut |view| match decide(view) {
        Ok((value, decision)) => {
            given = Some(Ok(value));
            Ok(decision)
        }
        Err(error) => {
            given = Some(Err(error));
            Ok(Decision::Refuse)
        }
    })?;
    match given {
        Some(Err(error)) => Err(error),
        Some(Ok(value)) => Ok((outcome, Some(value))),
        None => Ok((outcome, None)),
    }
}
