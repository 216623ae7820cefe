//! The harness crate as its callers see it.

mod event;
mod reply;
mod transcript;
mod window;
