//! What changes while the program looks at it: a file and a link take turns in one place.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::places::Place;
use super::scene::Scene;

/// How long each of the two stands: about as long as a call takes from its look to its open.
const TURN: Duration = Duration::from_micros(150);

/// A thread that swaps until this is dropped.
pub(super) struct Swapper {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Swapper {
    /// Begins to swap what is in `place` with a link to its twin outside.
    pub(super) fn start(scene: &Scene, place: &Place) -> Result<Self> {
        let at = scene.path(place);
        let folder = at.parent().context("a place lies in a folder")?.to_owned();
        let [file, link] = ["swap-file", "swap-link"].map(|name| folder.join(name));
        symlink(scene.twin(place), &link)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let thread = thread::spawn(move || swap(&seen, &at, &file, &link));
        Ok(Self { is_over, thread: Some(thread) })
    }
}

/// Whatever the program makes in the place meanwhile goes along; an error ends a turn and no more.
fn swap(is_over: &AtomicBool, at: &PathBuf, file: &PathBuf, link: &PathBuf) {
    while !is_over.load(Ordering::Relaxed) {
        drop(fs::rename(at, file).and_then(|()| fs::rename(link, at)));
        thread::sleep(TURN);
        drop(fs::rename(at, link).and_then(|()| fs::rename(file, at)));
        thread::sleep(TURN);
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
