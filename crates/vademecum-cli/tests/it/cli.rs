//! The command line as people and scripts meet it: the real binary, in a home of its own.

mod answers;
mod calls;
mod cases;
mod config;
mod edit;
mod failures;
mod help;
mod home;
mod notepad;
mod notes;
mod plans;
mod recap;
mod recap_commands;
mod same;
mod sandbox;
mod scratchpad;
mod secrets;
mod sessions;
mod terminal;
