//! The command line as people and scripts meet it: the real binary, in a home of its own.

mod answers;
mod at_work;
mod calls;
mod cases;
mod config;
mod edit;
mod every_day;
mod failures;
mod help;
mod hints;
mod home;
mod joined;
mod notepad;
mod notes;
mod plans;
mod projects;
mod recap;
mod recap_commands;
mod same;
mod sandbox;
mod scratchpad;
mod secrets;
mod sessions;
mod terminal;
mod view;
mod why;
