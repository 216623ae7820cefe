//! The harness crate as its callers see it.

mod codex_settings;
mod commands;
mod event;
mod odd_json;
mod odd_turns;
mod received;
mod reply;
mod settings;
mod transcript;
mod turns;
mod window;
