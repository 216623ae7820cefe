//! A store that is only looked at: what would change it is refused before the engine hears of it.

use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;

use crate::error::StoreError;
use crate::store::{Decide, Depth, Erase, Health, IntentId, Look, Store};
use crate::write::{Outcome, Write};

/// A store around another one that lets reads through and refuses all else.
#[derive(Debug)]
pub struct ReadOnly<S>(pub S);

fn unwanted<T>(what: &str) -> Result<T, StoreError> {
    Err(StoreError::Unwanted { what: what.to_owned() })
}

impl<S: Store> Store for ReadOnly<S> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.0.read(look)
    }

    fn write(&self, write: &Write, _: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        unwanted(write.kind)
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.0.wait(after, timeout)
    }

    fn intend(&self, _: &str) -> Result<IntentId, StoreError> {
        unwanted("forget")
    }

    fn erase(&self, _: &Erase, _: Option<IntentId>) -> Result<(), StoreError> {
        unwanted("forget")
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        unwanted("prune")
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.0.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.0.health(depth)
    }
}
