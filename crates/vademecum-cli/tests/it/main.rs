//! The binary as people, models and harnesses meet it.

mod cases;
mod cli;
mod doctor;
mod guide;
mod home;
mod hook;
mod hostile;
mod install;
mod mcp;
mod operations;
mod page;
mod read_only;
mod sound;
mod store;
mod tour;
mod versions;
