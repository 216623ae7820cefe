//! The conformance suite that every engine passes: what a caller of the port can see.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a suite reports a failure by a panic that names the place"
)]

mod answers;
mod copies;
mod documents;
mod erasing;
mod faults;
mod feed;
mod forks;
mod handles;
mod handoffs;
mod journal;
mod notepads;
mod notes;
mod plans;
mod running;
mod scene;
mod sessions;
mod sound;
mod unknown;

pub use faults::run_with_faults;
pub use handles::run_with_handles;
pub use sound::check_sound;
pub use unknown::check_unknown_changes;

use crate::store::Store;

/// Makes a new, empty store.
pub type Open<'a> = dyn FnMut() -> Box<dyn Store> + 'a;

/// One case: its name, and what it does to a new store.
pub type Case = (&'static str, fn(&dyn Store));

/// All cases.
#[must_use]
pub fn cases() -> Vec<Case> {
    [
        notepads::CASES,
        notes::CASES,
        copies::CASES,
        documents::CASES,
        forks::CASES,
        erasing::CASES,
        handoffs::CASES,
        plans::CASES,
        running::CASES,
        sessions::CASES,
        journal::CASES,
        feed::CASES,
        answers::CASES,
        unknown::CASES,
    ]
    .concat()
}

/// Runs every case, each on a store of its own.
pub fn run(open: &mut Open<'_>) {
    for (name, case) in cases() {
        println!("conformance: {name}");
        case(open().as_ref());
    }
}
