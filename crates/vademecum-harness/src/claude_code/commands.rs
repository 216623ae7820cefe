//! The slash commands of Claude Code that are ours: `/vade:note` and the like.

use crate::wiring::command::Command;

/// All of them.
///
/// None is offered to the model: a session that types none pays nothing for them.
pub const COMMANDS: &[Command] = &[
    Command { path: "commands/vade/continue.md", text: include_str!("commands/continue.md") },
    Command { path: "commands/vade/handoff.md", text: include_str!("commands/handoff.md") },
    Command { path: "commands/vade/note.md", text: include_str!("commands/note.md") },
    Command { path: "commands/vade/recap.md", text: include_str!("commands/recap.md") },
    Command { path: "commands/vade/status.md", text: include_str!("commands/status.md") },
];
