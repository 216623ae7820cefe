//! The operations, called as surfaces call them, on a real store.

mod bounds;
mod codex;
mod context;
mod conversation;
mod databases;
mod desk;
mod faults;
mod forgetting;
mod handoffs;
mod keeping;
mod known;
mod marks;
mod meddled;
mod moments;
mod muted;
mod notepad;
mod notes;
mod nothing;
mod place;
mod plans;
mod profiles;
mod recaps;
mod secrets;
mod spool;
mod sub_agents;
mod succession;
