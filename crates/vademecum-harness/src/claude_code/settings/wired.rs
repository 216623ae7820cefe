//! What of us is wired as the files stand, for a check that changes nothing.

use serde_json::Value;

use super::hooks::HOOKS;
use super::servers::entry;
use crate::wiring::{Edit, SettingsError};

/// What of us is in a settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wired {
    /// The programs that our hooks start, each once.
    pub programs: Vec<String>,
    /// Whether the file switches all hooks off.
    pub are_hooks_off: bool,
    /// Rules that deny our tools.
    pub denied: Vec<String>,
}

/// Reads what of us is in `settings.json`.
pub fn wired(existing: Option<&[u8]>) -> Result<Wired, SettingsError> {
    let edit = Edit::of(existing)?;
    let denied = edit.array(&["permissions", "deny"]).ok().flatten().unwrap_or_default();
    let is_ours = |rule: &&str| {
        let rest = rule.strip_prefix("mcp__vade");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
    };
    let denied = denied.iter().filter_map(Value::as_str).filter(is_ours);
    Ok(Wired {
        programs: HOOKS.programs(&edit)?,
        are_hooks_off: edit.value(&["disableAllHooks"])? == Some(Value::Bool(true)),
        denied: denied.map(str::to_owned).collect(),
    })
}

/// Reads which program our MCP server is in `.claude.json`.
pub fn wired_server(existing: Option<&[u8]>) -> Result<Option<String>, SettingsError> {
    let server = entry(&Edit::of(existing)?)?;
    Ok(server.and_then(|server| server.get("command")?.as_str().map(str::to_owned)))
}
