//! Claude Code: its hooks, its transcripts, its settings, and how far compaction is.

pub mod commands;
pub mod delegation;
pub mod folders;
pub mod forks;
pub mod settings;
pub mod status_line;
pub mod transcript;
pub mod window;

/// The environment, by the name of a variable.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The name of this harness in session keys, hook arguments and settings.
pub const ID: &str = "claude-code";

/// What its models see before the name of a tool of the server `vade`.
pub const TOOL_PREFIX: &str = "mcp__vade__";

/// The name of its process, which versions before 2.1.330 tell no hook the number of.
pub const PROCESS: &str = "claude";

/// The longest string that reaches the model whole, in UTF-16 units.
///
/// A longer one is replaced by a preview of its first 2,000 units and the path of a file.
pub const CAP_UNITS: usize = 10_000;

/// The longest context that we send, in UTF-16 units.
pub const CONTEXT_UNITS: usize = 9_000;

/// The name that our MCP server has in the harness.
pub const SERVER: &str = "vade";

/// The name of our own tool that the harness calls `tool_name`; none for everybody else's.
///
/// Knows `mcp__vade__<tool>` and, behind a plugin, `mcp__plugin_<plugin>_vade__<tool>`.
#[must_use]
pub fn own_tool(tool_name: &str) -> Option<&str> {
    let rest = tool_name.strip_prefix("mcp__")?;
    let tool = match rest.strip_prefix("plugin_").and_then(|rest| rest.split_once("_vade__")) {
        Some((plugin, tool)) if !plugin.is_empty() => tool,
        Some(_) | None => rest.strip_prefix("vade__")?,
    };
    (!tool.is_empty()).then_some(tool)
}

/// Whether nobody attends the run in whose hooks these variables stand, such as `claude -p`.
#[must_use]
pub fn is_unattended(env: Env<'_>) -> bool {
    // One that an attended session starts inherits its entry point.
    env("CLAUDE_CODE_SESSION_ATTENDED").as_deref() == Some("0")
        || env("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("sdk-cli")
}

#[cfg(test)]
mod tests {
    use super::own_tool;

    #[test]
    fn knows_its_own_tools() {
        for (name, tool) in [
            ("mcp__vade__add_note", Some("add_note")),
            ("mcp__plugin_vade_vade__add_note", Some("add_note")),
            ("mcp__plugin_my_vade_vade__add_note", Some("add_note")),
            ("mcp__plugin__vade__add_note", None),
            ("mcp__vade__", None),
            ("mcp__vade", None),
            ("mcp__evade__add_note", None),
            ("Bash", None),
        ] {
            assert_eq!(own_tool(name), tool, "{name}");
        }
    }
}
