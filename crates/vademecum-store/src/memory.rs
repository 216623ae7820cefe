//! The engine `memory:`: a store in the memory of one process, gone with its last handle.
//!
//! Nothing in it is tuned: it is what other engines are compared with. It lets no bytes reach a disk.

mod apply;
mod erase;
mod health;
mod journal;
mod notes;
mod state;
#[cfg(test)]
mod tests;
mod undo;
mod view;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;

use self::journal::Journal;
use self::state::State;
use crate::change::Change;
use crate::error::StoreError;
use crate::store::{Decide, Depth, Erase, Health, IntentId, Look, Store};
use crate::write::{Decision, Outcome, Write};

/// A store in the memory of this process; a clone is another handle on the same store.
#[derive(Debug, Clone)]
pub struct Memory {
    shared: Arc<Shared>,
}

/// What all handles on one store share.
#[derive(Debug)]
struct Shared {
    key: Key,
    /// Held by who writes, from before it decides until all can see what it wrote.
    turn: Mutex<()>,
    /// The state as it is now; what was handed out of it is never changed.
    now: Mutex<Arc<State>>,
    /// Rings when an entry was added to the journal.
    bell: Condvar,
}

impl Memory {
    /// Makes a new, empty store.
    ///
    /// `key` is the key of its journal and of guard marks: random bytes that nobody else knows.
    #[must_use]
    pub fn new(key: Key) -> Self {
        let (turn, now, bell) = (Mutex::default(), Mutex::default(), Condvar::new());
        Self { shared: Arc::new(Shared { key, turn, now, bell }) }
    }

    /// The state as it is now.
    fn now(&self) -> Arc<State> {
        Arc::clone(&lock(&self.shared.now))
    }

    /// Changes a copy of the state, and puts it in the place of the state if that succeeds.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _turn = lock(&self.shared.turn);
        let mut draft = State::clone(&self.now());
        let done = change(&mut draft)?;
        *lock(&self.shared.now) = Arc::new(draft);
        Ok(done)
    }

    /// Puts `draft` in the place of the state, with what `append` adds to the journal.
    fn commit(&self, draft: State, append: impl FnOnce(&mut Journal) -> Seq) -> Seq {
        let mut now = lock(&self.shared.now);
        *now = Arc::new(draft);
        // The state before is gone by now, unless somebody looks at it: only then the journal is copied.
        let seq = append(Arc::make_mut(&mut Arc::make_mut(&mut now).journal));
        self.shared.bell.notify_all();
        seq
    }
}

/// A panic in another thread leaves nothing half done here: a draft is dropped with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for Memory {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        look(&*self.now())
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        let _turn = lock(&self.shared.turn);
        let before = self.now();
        if let Some(replayed) = replay(&before, write)? {
            return Ok(replayed);
        }
        let (changes, reply, is_undone) = match decide(&*before)? {
            Decision::Refuse => return Ok(Outcome::Refused),
            Decision::Commit { changes, .. } | Decision::Copy { changes, .. }
                if changes.is_empty() =>
            {
                return Ok(Outcome::Unchanged);
            }
            Decision::Commit { changes, reply } => (changes, reply, true),
            Decision::Copy { changes, reply } => (changes, reply, false),
        };
        let mut draft = State::clone(&before);
        drop(before);
        let key = &self.shared.key;
        let (undo, copies) = make(&mut draft, &changes, is_undone)?;
        let body =
            undo::Kept { arguments: write.kept_arguments(), reply, undo: undo::list(&undo)? };
        let own = journal::New::of(write, draft.scope(&write.scope)?, body);
        let seq = self.commit(draft, |journal| {
            for copy in copies {
                journal.append(key, copy);
            }
            journal.append(key, own)
        });
        Ok(Outcome::Done { seq })
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        let is_same = |now: &mut Arc<State>| now.journal.newest() == after;
        let waited = self.shared.bell.wait_timeout_while(lock(&self.shared.now), timeout, is_same);
        let (now, _) = waited.unwrap_or_else(PoisonError::into_inner);
        Ok(now.journal.newest())
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.change(|state| Ok(state.intend(what)))
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.change(|state| {
            let is_over = fulfils.is_some_and(|id| state.intents.remove(&id).is_none());
            // A session that has such a name now was begun since; all else has a number of its own.
            if !(is_over && matches!(what, Erase::Sessions(_))) {
                erase::erase(state, what);
            }
            Ok(())
        })
    }

    /// It takes no bytes of a disk, and what is erased from memory is free at once.
    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        Ok((0, 0))
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        let is_written = Seq(0) < self.now().journal.newest();
        Ok(is_written.then(|| self.shared.key.clone()))
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        Ok(health::check(&self.now(), &self.shared.key, depth))
    }
}

/// What a write answered when it was made before; none if it was not.
fn replay(state: &State, write: &Write) -> Result<Option<Outcome>, StoreError> {
    let scope = state.find_scope(&write.scope);
    let found = scope.and_then(|scope| state.journal.by_write_id(&scope, &write.id));
    let Some(record) = found else { return Ok(None) };
    let id = write.id.as_str().to_owned();
    let Some(body) = state.journal.body(record.seq) else {
        return Err(StoreError::Erased { id });
    };
    if record.kind != write.kind || body.arguments != write.arguments {
        return Err(StoreError::Reused { id });
    }
    Ok(Some(Outcome::Replayed { seq: record.seq, reply: body.reply.clone() }))
}

/// Makes changes one after the other; what undoes them, the last one first, and entries that are copied.
fn make(
    state: &mut State,
    changes: &[Change],
    is_undone: bool,
) -> Result<(Vec<undo::Raw>, Vec<journal::New>), StoreError> {
    let (mut undo, mut copies) = (Vec::new(), Vec::new());
    for change in changes {
        let reverses = if is_undone { change.reverse(state)? } else { Vec::new() };
        for reverse in reverses.iter().rev() {
            undo.push(undo::keep(state, reverse)?);
        }
        match change {
            Change::CopyRecord(record) => {
                let copy = journal::New::copy(state, record)?;
                if copies.iter().any(|other: &journal::New| other.is_same_write(&copy)) {
                    return Err(StoreError::Reused { id: record.write_id.as_str().to_owned() });
                }
                copies.push(copy);
            }
            change => apply::apply(state, change)?,
        }
    }
    undo.reverse();
    Ok((undo, copies))
}
