//! A store that fails on demand: before, during or after a chosen call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;

use crate::error::StoreError;
use crate::store::{Decide, Depth, Erase, Health, IntentId, Look, Store};
use crate::write::{Outcome, Write};

/// Where in a call the fault strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Nothing was done.
    Before,
    /// The caller has looked or decided; nothing was kept.
    During,
    /// All was done, and the answer is lost.
    After,
}

/// A store around another one that fails at the n-th call.
#[derive(Debug)]
pub struct Faulty<S> {
    inner: S,
    point: Point,
    /// Calls left before the one that fails; `usize::MAX` when none does.
    left: AtomicUsize,
    calls: AtomicUsize,
}

impl<S: Store> Faulty<S> {
    /// Wraps `inner`; the call with this number, from 0, fails at `point`, the others work.
    pub fn new(inner: S, point: Point, nth: usize) -> Self {
        Self { inner, point, left: AtomicUsize::new(nth), calls: AtomicUsize::new(0) }
    }

    /// How many calls were made.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    fn strikes(&self) -> bool {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let before = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            Some(left.checked_sub(1).unwrap_or(usize::MAX))
        });
        before == Ok(0)
    }

    fn call<T>(
        &self,
        run: impl FnOnce(&S, bool) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.strikes() {
            return run(&self.inner, false);
        }
        match self.point {
            Point::Before => Err(fault()),
            Point::During => run(&self.inner, true).and(Err(fault())),
            Point::After => run(&self.inner, false).and(Err(fault())),
        }
    }
}

const WHAT: &str = "a fault was asked for";

fn fault() -> StoreError {
    StoreError::Engine { what: WHAT.to_owned() }
}

/// Whether an error is a fault that was asked for.
#[must_use]
pub fn is_fault(error: &StoreError) -> bool {
    matches!(error, StoreError::Engine { what } if what == WHAT)
}

impl<S: Store> Store for Faulty<S> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.call(|inner, breaks| {
            inner.read(&mut |view| {
                look(view)?;
                if breaks { Err(fault()) } else { Ok(()) }
            })
        })
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        self.call(|inner, breaks| {
            inner.write(write, &mut |view| {
                let decision = decide(view)?;
                if breaks { Err(fault()) } else { Ok(decision) }
            })
        })
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.call(|inner, _| inner.wait(after, timeout))
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.call(|inner, breaks| if breaks { Err(fault()) } else { inner.intend(what) })
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.call(|inner, breaks| if breaks { Err(fault()) } else { inner.erase(what, fulfils) })
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.call(|inner, breaks| if breaks { Err(fault()) } else { inner.shrink() })
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.inner.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.call(|inner, _| inner.health(depth))
    }
}
