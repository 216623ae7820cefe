//! The skills of Codex that are ours: `$vade-note` and the like, which a person types.

use crate::wiring::command::Command;

/// What keeps a skill from the model until a person types it: its description would cost every session.
const POLICY: &str = include_str!("skills/openai.yaml");

/// All of them, each with its policy.
pub const SKILLS: &[Command] = &[
    Command { path: "skills/vade-continue/SKILL.md", text: include_str!("skills/continue.md") },
    Command { path: "skills/vade-continue/agents/openai.yaml", text: POLICY },
    Command { path: "skills/vade-handoff/SKILL.md", text: include_str!("skills/handoff.md") },
    Command { path: "skills/vade-handoff/agents/openai.yaml", text: POLICY },
    Command { path: "skills/vade-note/SKILL.md", text: include_str!("skills/note.md") },
    Command { path: "skills/vade-note/agents/openai.yaml", text: POLICY },
    Command { path: "skills/vade-recap/SKILL.md", text: include_str!("skills/recap.md") },
    Command { path: "skills/vade-recap/agents/openai.yaml", text: POLICY },
    Command { path: "skills/vade-status/SKILL.md", text: include_str!("skills/status.md") },
    Command { path: "skills/vade-status/agents/openai.yaml", text: POLICY },
];
