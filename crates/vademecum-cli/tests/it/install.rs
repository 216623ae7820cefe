//! Installing and uninstalling in homes of all kinds.

mod asked;
mod codex;
mod homes;
mod program;
mod purge;
mod settings;
