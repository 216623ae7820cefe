//! The operations, called as surfaces call them, on a real store.

mod context;
mod desk;
mod keeping;
mod moments;
mod notepad;
mod notes;
