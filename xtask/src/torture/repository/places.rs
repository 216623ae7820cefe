//! Every place that the program looks at for the sake of a repository, and what stands there ordinarily.

use super::marks::{Kind, Marks};

/// From where the path of a place is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// The top of the work tree.
    Tree,
    /// The folder of plans in it, which a configuration may name.
    Plans,
    /// The folder that all work trees of the repository share.
    Git,
    /// What git keeps of a second work tree in there.
    Side,
    /// Where Claude Code keeps the transcripts of the project.
    Claude,
    /// Where Codex keeps its rollouts.
    Codex,
}

/// What stands in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Folder,
    /// `.git`, a folder or a file.
    Git,
    Head,
    GitConfig,
    Refs,
    Commit,
    /// A path in a file.
    Path,
    Settings,
    Toml,
    Json,
    Entries,
    Words,
    ClaudeLines,
    CodexLines,
    Pad,
    Notes,
    Code,
}

/// One place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) path: &'static str,
    pub(super) form: Form,
}

const fn of(base: Base, path: &'static str, form: Form) -> Place {
    Place { base, path, form }
}

/// Those that decide whether the program looks at any other.
pub(super) const HIDING: &[Place] = PLACES.split_at(2).0;

/// All of them, a folder before what is in it.
pub(super) const PLACES: &[Place] = &[
    of(Base::Tree, ".vademecum.toml", Form::Settings),
    of(Base::Tree, ".git", Form::Git),
    of(Base::Git, "HEAD", Form::Head),
    of(Base::Git, "config", Form::GitConfig),
    of(Base::Git, "packed-refs", Form::Refs),
    of(Base::Git, "refs/heads/main", Form::Commit),
    of(Base::Git, "commondir", Form::Path),
    of(Base::Side, "commondir", Form::Path),
    of(Base::Side, "gitdir", Form::Path),
    of(Base::Side, "HEAD", Form::Head),
    of(Base::Plans, ".", Form::Folder),
    of(Base::Plans, "notepads", Form::Folder),
    of(Base::Plans, "notepads/alpha", Form::Folder),
    of(Base::Plans, "notepads/alpha/learnings.md", Form::Entries),
    of(Base::Plans, "notepads/alpha/decisions.md", Form::Entries),
    of(Base::Plans, "notepads/alpha/issues.md", Form::Entries),
    of(Base::Plans, "notepads/alpha/problems.md", Form::Entries),
    of(Base::Plans, "notepads/alpha/.gitignore", Form::Words),
    of(Base::Plans, "notepads/alpha/summary.md", Form::Words),
    of(Base::Plans, "notepads/_project", Form::Folder),
    of(Base::Plans, "notepads/_project/learnings.md", Form::Entries),
    of(Base::Plans, "notepads/_project/decisions.md", Form::Entries),
    of(Base::Plans, "notepads/_project/issues.md", Form::Entries),
    of(Base::Plans, "notepads/_project/.gitignore", Form::Words),
    of(Base::Plans, "notepads/_project/summary.md", Form::Words),
    of(Base::Tree, "_handoff.md", Form::Words),
    of(Base::Tree, ".claude", Form::Folder),
    of(Base::Tree, ".claude/settings.json", Form::Json),
    of(Base::Tree, ".claude/settings.local.json", Form::Json),
    of(Base::Tree, ".mcp.json", Form::Json),
    of(Base::Tree, ".codex", Form::Folder),
    of(Base::Tree, ".codex/config.toml", Form::Toml),
    of(Base::Tree, ".codex/hooks.json", Form::Json),
    of(Base::Tree, ".omc", Form::Folder),
    of(Base::Tree, ".omc/notepad.md", Form::Words),
    of(Base::Tree, ".omc/notepads", Form::Folder),
    of(Base::Tree, ".omc/notepads/beta", Form::Folder),
    of(Base::Tree, ".omc/notepads/beta/learnings.md", Form::Entries),
    of(Base::Tree, ".omc/notepads/beta/problems.md", Form::Entries),
    of(Base::Tree, ".omo", Form::Folder),
    of(Base::Tree, ".omo/notepads/beta/issues.md", Form::Entries),
    of(Base::Tree, "openclaw.jsonl", Form::Pad),
    of(Base::Tree, "forge.json", Form::Notes),
    of(Base::Tree, "transcript.jsonl", Form::ClaudeLines),
    of(Base::Tree, "run.js", Form::Code),
    of(Base::Claude, "session.jsonl", Form::ClaudeLines),
    of(Base::Claude, "session/subagents", Form::Folder),
    of(Base::Claude, "session/subagents/agent-kid.jsonl", Form::ClaudeLines),
    of(Base::Codex, "rollout-session.jsonl", Form::CodexLines),
    of(Base::Codex, "rollout-kid.jsonl", Form::CodexLines),
];

impl Place {
    /// Whether a harness put it there, and a repository cannot.
    pub(super) fn is_of_harness(&self) -> bool {
        matches!(self.base, Base::Claude | Base::Codex)
    }

    /// Whether a person names it at the command line each time.
    pub(super) fn is_named(&self) -> bool {
        matches!(self.path, "run.js" | "transcript.jsonl" | "openclaw.jsonl" | "forge.json")
    }
}

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What stands in a place of this form; `about` stands wherever a text may.
pub(super) fn text(form: Form, about: &str) -> String {
    let entry = |n: u32| {
        format!("\n## 2026-11-22T10:00:0{n}Z | Task: 1\n\n{about} number {n}\n\n\n\n---\n")
    };
    match form {
        Form::Folder | Form::Git => String::new(),
        Form::Head => "ref: refs/heads/main\n".to_owned(),
        Form::GitConfig => {
            format!("[remote \"origin\"]\n\turl = https://example.org/team/{about}.git\n")
        }
        Form::Refs => format!("{COMMIT} refs/heads/{about}\n"),
        Form::Commit => format!("{COMMIT}\n"),
        Form::Path => "../..\n".to_owned(),
        Form::Settings => format!("\"{about}\" = 1\n"),
        Form::Toml => format!("model = \"{about}\"\n"),
        Form::Json => format!("{{\"model\": \"{about}\", \"env\": {{\"{about}\": \"1\"}}}}\n"),
        Form::Entries => format!("# Entries\n\n{}{}", entry(1), entry(2)),
        Form::Words => format!("# Session claude-code:none\n\n## Priority Context\n{about}\n"),
        Form::ClaudeLines => claude_lines(about),
        Form::CodexLines => codex_lines(about),
        Form::Pad => format!(
            "{{\"type\":\"custom\",\"customType\":\"scratchpad\",\"data\":{{\"content\":\"{about}\"}}}}\n"
        ),
        Form::Notes => format!(
            "[{{\"id\":\"note_1734604200000\",\"content\":\"{about}\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-22T10:00:00Z\"}}]\n"
        ),
        Form::Code => format!("return \"{about}\";\n"),
    }
}

fn claude_lines(about: &str) -> String {
    let ask = serde_json::json!({
        "type": "user", "uuid": "u1", "sessionId": "session", "timestamp": "2026-11-22T10:00:00.000Z",
        "message": {"role": "user", "content": format!("make {about} work")},
    });
    let answer = serde_json::json!({
        "type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "session",
        "timestamp": "2026-11-22T10:00:01.000Z",
        "message": {"id": "m1", "role": "assistant", "model": "claude-sonnet-5",
            "content": [
                {"type": "text", "text": format!("I decided to look at {about} first.")},
                {"type": "tool_use", "id": "t1", "name": "Task",
                 "input": {"description": "look", "prompt": format!("look at {about}")}}],
            "usage": {"input_tokens": 3, "output_tokens": 1}},
    });
    let result = serde_json::json!({
        "type": "user", "uuid": "u3", "parentUuid": "u2", "sessionId": "session",
        "timestamp": "2026-11-22T10:00:02.000Z",
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "done, agentId: kid"}]},
    });
    format!("{ask}\n{answer}\n{result}\n")
}

fn codex_lines(about: &str) -> String {
    let at = "2026-11-22T10:00:00.000Z";
    let meta = serde_json::json!({
        "timestamp": at, "type": "session_meta",
        "payload": {"id": "session", "timestamp": at, "cwd": "/home/dev/project", "originator": "codex_exec", "cli_version": "0.100.0"},
    });
    let ask = serde_json::json!({
        "timestamp": at, "type": "response_item",
        "payload": {"type": "message", "role": "user",
            "content": [{"type": "input_text", "text": format!("make {about} work")}]},
    });
    format!("{meta}\n{ask}\n")
}

/// The files in the home that are nobody else's, each with its mark in every line.
pub(super) fn private(marks: &Marks) -> [(&'static str, String); 6] {
    let mark = marks.of(Kind::Outside);
    let prose = format!("these words {mark} are for nobody else\n");
    [
        (".bashrc", format!("export {mark}=1\n# {prose}")),
        (".profile", format!("# {prose}umask 022 # {mark}\n")),
        (".ssh/id_rsa", format!("{mark}\n-----BEGIN OPENSSH PRIVATE KEY-----\n{prose}")),
        (".aws/credentials", format!("[{mark}\naws_secret_access_key = {mark}\n# {prose}")),
        (".netrc", format!("machine {mark}.example.org login {mark}\n{prose}")),
        (".letter.md", text(Form::Entries, mark)),
    ]
}
