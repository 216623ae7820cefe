//! The operations, called as surfaces call them, on a real store.

mod codex;
mod context;
mod databases;
mod desk;
mod faults;
mod handoffs;
mod keeping;
mod moments;
mod notepad;
mod notes;
mod plans;
mod recaps;
mod secrets;
mod sub_agents;
mod succession;
