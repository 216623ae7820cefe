//! The embedded engine: one SQLite file, many processes, nothing acknowledged before it is on disk.

mod apply;
pub mod backup;
mod bell;
mod catalog;
mod deadline;
pub mod disk;
mod documents;
mod entries;
mod erase;
mod error;
mod files;
mod first_page;
mod forks;
mod gate;
mod ground;
mod handoffs;
mod health;
mod held;
mod index;
mod journal;
#[cfg(feature = "later")]
pub mod later;
mod lines;
mod names;
mod notepads;
mod notes;
mod numbers;
mod open;
pub mod opencode;
mod plans;
mod projects;
mod rekey;
pub mod repair;
mod rescue;
mod running;
mod schema;
mod sessions;
mod shared;
mod texts;
mod undo;
mod view;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::store::{Decide, Look};
use vademecum_store::{Depth, Erase, Health, IntentId, Outcome, Store, StoreError, Write};

use crate::bell::Bell;
use crate::error::Port;
use crate::files::Files;
use crate::held::Held;
use crate::names::Known;
use crate::view::Snapshot;

/// How a store is opened.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The longest wait for other writers.
    pub write_wait: Duration,
    /// The longest wait of a reader, which only a recovering store asks for.
    pub read_wait: Duration,
    /// Whether the process ends at once: closing then leaves the log to others.
    pub is_brief: bool,
    /// Whether it is only looked at: no file is made or changed then, and what writes is refused.
    ///
    /// SQLite shares the index of the log within a process: no other handle of this one may write meanwhile.
    pub is_look: bool,
}

impl Options {
    /// For a command or a server: writes wait up to 30 seconds.
    #[must_use]
    pub fn patient() -> Self {
        Self {
            write_wait: Duration::from_secs(30),
            read_wait: Duration::from_secs(5),
            is_brief: false,
            is_look: false,
        }
    }

    /// For what a command or a server does beside its work: it waits for nobody.
    #[must_use]
    pub fn beside() -> Self {
        Self { is_brief: false, ..Self::hook() }
    }

    /// For the start of a session, which several may have in the same moment: a write waits up to 50 milliseconds.
    #[must_use]
    pub fn start() -> Self {
        Self { write_wait: Duration::from_millis(50), ..Self::hook() }
    }

    /// For a hook: a write and a read each wait up to 15 milliseconds.
    #[must_use]
    pub fn hook() -> Self {
        Self {
            write_wait: Duration::from_millis(15),
            read_wait: Duration::from_millis(15),
            is_brief: true,
            is_look: false,
        }
    }
}

/// So often a write is made again whose log was taken away meanwhile.
const TRIES: usize = 3;

/// A store in one SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    files: Arc<Files>,
    options: Options,
    readers: Mutex<Vec<open::Reader>>,
    writer: Mutex<Option<open::Writer>>,
    bell: Mutex<Bell>,
    /// The names that a process which ends at once has found until now.
    known: Mutex<Known>,
}

impl Sqlite {
    /// Names the store at `path`; nothing is opened, created or changed before the first call.
    #[must_use]
    pub fn at(path: &Path, options: Options) -> Self {
        Self {
            files: Arc::new(Files::of(path)),
            options,
            readers: Mutex::new(Vec::new()),
            writer: Mutex::new(None),
            bell: Mutex::default(),
            known: Mutex::default(),
        }
    }

    /// A connection for one read, from the pool or new.
    ///
    /// One that was opened on other files than lie there now would read what nobody else sees.
    fn reader(&self) -> Result<open::Reader, StoreError> {
        deadline::start(self.options.read_wait);
        let pooled = lock(&self.readers).pop();
        if let Some(reader) = pooled {
            if reader.connection.marks() == self.files.marks() {
                return Ok(reader);
            }
            self.give_back(reader);
        }
        if self.has_stale() {
            self.forget_names();
            let _gate = gate::enter(&self.files)?;
            self.leave_stale(&mut lock(&self.writer))?;
        }
        open::reader(&self.files, self.options.is_brief)
    }

    /// Whether a connection that nobody uses now has other files open than lie there.
    fn has_stale(&self) -> bool {
        let is_stale = |held: &Held| held.marks() != self.files.marks();
        lock(&self.readers).iter().any(|reader| is_stale(&reader.connection))
            || self
                .writer
                .try_lock()
                .is_ok_and(|slot| slot.as_ref().is_some_and(|writer| is_stale(&writer.connection)))
    }

    /// Closes what has other files open than lie there now, once what it alone sees is saved.
    ///
    /// Called behind the gate, so that nobody writes meanwhile. What cannot be saved for want of room
    /// stays open, and the call fails until it can.
    fn leave_stale(&self, slot: &mut Option<open::Writer>) -> Result<(), StoreError> {
        let marks = self.files.marks();
        let is_stale = |held: &Held| held.marks() != marks;
        let stale = slot.take_if(|writer| is_stale(&writer.connection));
        let (left, kept): (Vec<_>, Vec<_>) =
            lock(&self.readers).drain(..).partition(|reader| is_stale(&reader.connection));
        lock(&self.readers).extend(kept);
        let held = stale.as_ref().map(|writer| &writer.connection);
        let Some(held) = held.or(left.first().map(|reader| &reader.connection)) else {
            return Ok(());
        };
        let saved = rescue::save(&self.files, held);
        if let Err(StoreError::Full | StoreError::ReadOnly | StoreError::Busy { .. }) = saved {
            *slot = stale;
            lock(&self.readers).extend(left);
        }
        saved
    }

    /// Reads on the connection of a process that ends at once, if it has written already.
    ///
    /// It is taken out meanwhile, so that a read inside a read finds another one instead of a lock.
    fn on_writer<T>(
        &self,
        run: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        if !self.options.is_brief {
            return None;
        }
        let is_fit = |writer: &mut open::Writer| writer.connection.marks() == self.files.marks();
        let mut writer = lock(&self.writer).take_if(is_fit)?;
        deadline::start(self.options.read_wait);
        let result = run(&mut writer.connection);
        *lock(&self.writer) = Some(writer);
        Some(result)
    }

    /// Runs `run` on a snapshot, with the names that are known and are remembered if it is seen through.
    ///
    /// No row is given twice, so that they stay true. A server forgets them all the same: it lives long, meets many
    /// sessions, and another store may be put in the place of its own.
    fn on_snapshot<T>(
        &self,
        connection: &Connection,
        run: impl FnOnce(&Snapshot<'_>) -> Result<(T, bool), StoreError>,
    ) -> Result<T, StoreError> {
        let known = if self.options.is_brief {
            std::mem::take(&mut *lock(&self.known))
        } else {
            Known::default()
        };
        let has_lacking = !self.options.is_brief && forks::lacks(connection)?;
        let snapshot = Snapshot::new(connection, known, has_lacking);
        let (value, is_kept) = run(&snapshot)?;
        if is_kept && self.options.is_brief {
            *lock(&self.known) = snapshot.names.into_known();
        }
        Ok(value)
    }

    fn forget_names(&self) {
        *lock(&self.known) = Known::default();
    }

    fn look_at(&self, connection: &mut Connection, look: &mut Look<'_>) -> Result<(), StoreError> {
        let snapshot =
            connection.transaction_with_behavior(TransactionBehavior::Deferred).port()?;
        self.on_snapshot(&snapshot, |view| Ok((look(view)?, true)))?;
        snapshot.finish().port()
    }

    /// Reads on a connection of the pool, or where no file may be changed on one of its own.
    fn on_reader<T>(
        &self,
        mut run: impl FnMut(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.options.is_look {
            deadline::start(self.options.read_wait);
            return open::look(&self.files, run);
        }
        let mut reader = self.reader()?;
        let value = run(&mut reader.connection)?;
        self.give_back(reader);
        Ok(value)
    }

    /// Gives a connection back for the next read.
    fn give_back(&self, reader: open::Reader) {
        if !reader.is_passing {
            lock(&self.readers).push(reader);
        }
    }

    /// Threads wait at the gate as processes do: in its line, and for a bounded time.
    ///
    /// What was written into files that were taken away meanwhile is written again: nobody else sees it.
    fn with_writer<T>(
        &self,
        mut run: impl FnMut(&mut open::Writer) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.options.is_look {
            return Err(StoreError::ReadOnly);
        }
        deadline::start(self.options.write_wait);
        let _gate = gate::enter(&self.files)?;
        let mut slot = lock(&self.writer);
        for _ in 0..TRIES {
            self.leave_stale(&mut slot)?;
            let writer = match slot.take() {
                Some(mut writer) => {
                    rekey::keep(&mut writer, &self.files)?;
                    writer
                }
                None => self.open_writer()?,
            };
            let writer = slot.insert(writer);
            if writer.must_wipe {
                writer.must_wipe = erase::is_still_held(&mut writer.connection, &self.files)?;
            }
            let done = run(writer)?;
            if writer.connection.marks() == self.files.marks() {
                return Ok(done);
            }
            self.forget_names();
        }
        let what = "its files were replaced again and again while it was written".to_owned();
        Err(StoreError::Engine { what })
    }

    /// Opens the connection that writes, or takes the one that has read until now.
    fn open_writer(&self) -> Result<open::Writer, StoreError> {
        let is_fit = |reader: &mut open::Reader| {
            reader.can_promote && reader.connection.marks() == self.files.marks()
        };
        let pooled = lock(&self.readers).pop_if(is_fit);
        match pooled {
            Some(reader) => open::promote(&self.files, reader),
            None => open::writer(&self.files, self.options.is_brief),
        }
    }
}

/// A panic in another thread leaves nothing half done here: connections roll back on drop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for Sqlite {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        if let Some(read) = self.on_writer(|connection| self.look_at(connection, look)) {
            return read;
        }
        self.on_reader(|connection| self.look_at(connection, look))
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        self.with_writer(|writer| {
            // What is decided may hang on all notes, and a refusal takes nothing of this back.
            if !self.options.is_brief && forks::lacks(&writer.connection)? {
                forks::complete_all(&mut writer.connection)?;
            }
            let transaction = writer
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .port()?;
            let (key, must_say) = (&writer.key, writer.must_say_rekeyed);
            let outcome = self.on_snapshot(&transaction, |view| {
                let outcome = apply::write(view, key, must_say, write, decide)?;
                let is_kept = matches!(outcome, Outcome::Done { .. });
                Ok((outcome, is_kept))
            })?;
            match outcome {
                Outcome::Done { .. } => {
                    transaction.commit().port().inspect_err(|_| self.forget_names())?;
                    writer.must_say_rekeyed = false;
                }
                Outcome::Unchanged | Outcome::Replayed { .. } | Outcome::Refused => {
                    transaction.rollback().port()?;
                }
            }
            Ok(outcome)
        })
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        let mut left = timeout;
        let mut bell: Option<Bell> = None;
        loop {
            let newest = self.on_reader(|connection| journal::newest(connection))?;
            if newest != after || left.is_zero() {
                if let Some(bell) = bell {
                    *lock(&self.bell) = bell;
                }
                return Ok(newest);
            }
            // Set before the look at what it may have missed.
            let bell = match &mut bell {
                Some(bell) => {
                    left = bell.wait(left);
                    bell
                }
                None => bell.insert(std::mem::take(&mut *lock(&self.bell))),
            };
            bell.set(&self.files);
        }
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.with_writer(|writer| erase::intend(&mut writer.connection, what))
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        lock(&self.readers).clear();
        self.forget_names();
        let is_brief = self.options.is_brief;
        self.with_writer(|writer| erase::erase(writer, &self.files, (what, fulfils), is_brief))
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        lock(&self.readers).clear();
        self.with_writer(|writer| erase::shrink(&writer.connection, &self.files))
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.files.read_key()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        if depth == Depth::Unsaid {
            return Ok(health::unsaid(&self.files));
        }
        let is_deep = depth == Depth::Deep;
        self.on_reader(|connection| health::check(connection, &self.files, is_deep))
    }
}
