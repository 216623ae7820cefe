//! What a server relies on, and a person may take away while it runs: its store, and the hooks of its harness.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use vademecum::ops::{OpError, World};

use crate::install::has_hooks;

/// What was there when the server started, or since.
pub(super) struct Installed {
    data: PathBuf,
    store: Option<PathBuf>,
    /// Whether there was a store.
    had_store: AtomicBool,
    /// Whether hooks of ours were installed, as far as we did that ourselves.
    had_hooks: bool,
}

impl Installed {
    /// Looks at what is there.
    pub(super) fn of(world: &World, store: Option<&Path>) -> Self {
        let data = world.folders.data.clone();
        let had_hooks = has_hooks(&data) == Some(true);
        let had_store = AtomicBool::default();
        let installed = Self { data, store: store.map(Path::to_owned), had_store, had_hooks };
        installed.notice();
        installed
    }

    /// Notices a store that was made since.
    pub(super) fn notice(&self) {
        if self.has_store() {
            self.had_store.store(true, Ordering::Relaxed);
        }
    }

    /// Refuses what would make a store anew that the person has erased with all that is ours, and once, where its
    /// file alone is gone: an empty store is not taken for what was kept.
    pub(super) fn check(&self) -> Result<(), OpError> {
        let was_there = self.had_store.load(Ordering::Relaxed);
        if !was_there || self.has_store() {
            return Ok(());
        }
        if !self.data.exists() {
            let message = "the user has removed vade and all that it kept: nothing was done";
            return Err(OpError::denied(message).hint("go on without it"));
        }
        self.had_store.store(false, Ordering::Relaxed);
        let message = "the store is gone, with all that was kept in it: its file was removed while this server ran, and nothing was done";
        Err(OpError::missing(message).hint(
            "tell the user: vade doctor says what it can be restored from; the next call begins an empty one",
        ))
    }

    /// Whether the hooks that were there are not: nothing comes back by itself any more.
    pub(super) fn is_without_hooks(&self) -> bool {
        self.had_hooks && has_hooks(&self.data) != Some(true)
    }

    fn has_store(&self) -> bool {
        self.store.as_deref().is_some_and(Path::exists)
    }
}
