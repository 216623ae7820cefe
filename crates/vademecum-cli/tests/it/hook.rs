//! The hooks as Claude Code runs them: a process for each event, which is given on standard input.

pub(crate) mod claude;
mod events;
mod explained;
mod faults;
mod forks;
pub(crate) mod place;
mod status_line;
