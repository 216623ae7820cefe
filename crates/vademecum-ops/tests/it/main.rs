//! The operations, called as surfaces call them, on a real store.

mod desk;
mod notepad;
mod notes;
