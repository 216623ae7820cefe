//! A store in which somebody else acts right before one of the calls of whoever uses it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_sqlite::Sqlite;
use vademecum_store::store::{Decide, Look};
use vademecum_store::{Depth, Erase, Health, IntentId, Outcome, Store, StoreError, Write};

/// What somebody else does.
type Act<'a> = Box<dyn FnOnce() + Send + 'a>;

/// The store.
pub(crate) struct Meddled<'a> {
    inner: &'a Sqlite,
    n_calls: AtomicUsize,
    at: usize,
    act: Mutex<Option<Act<'a>>>,
}

impl<'a> Meddled<'a> {
    /// `act` is done before the call with this number, counted from 0.
    pub(crate) fn new(inner: &'a Sqlite, at: usize, act: impl FnOnce() + Send + 'a) -> Self {
        Self { inner, n_calls: AtomicUsize::new(0), at, act: Mutex::new(Some(Box::new(act))) }
    }

    /// Whether there were so many calls that it was done.
    pub(crate) fn has_acted(&self) -> bool {
        self.act.lock().expect("no panic").is_none()
    }

    fn call(&self) -> &Sqlite {
        if self.n_calls.fetch_add(1, Ordering::SeqCst) == self.at {
            let act = self.act.lock().expect("no panic").take();
            if let Some(act) = act {
                act();
            }
        }
        self.inner
    }
}

impl Store for Meddled<'_> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.call().read(look)
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        self.call().write(write, decide)
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.call().wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.call().intend(what)
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.call().erase(what, fulfils)
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.call().shrink()
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.inner.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.call().health(depth)
    }
}
