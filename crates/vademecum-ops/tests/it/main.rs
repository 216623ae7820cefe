//! The operations, called as surfaces call them, on a real store.

mod context;
mod desk;
mod keeping;
mod notepad;
mod notes;
