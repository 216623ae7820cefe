//! Our MCP server among those of `.claude.json`, the harness's own state.

use serde_json::{Map, Value, json};

use super::super::SERVER;
use crate::json_edit::Step;
use crate::wiring::{Edit, Plan, SettingsError, Wiring, edit, is_our_binary};

/// Plans our MCP server in `.claude.json`; what a user added to its entry stays.
pub fn plan_servers(existing: Option<&[u8]>, wiring: &Wiring) -> Result<Plan, SettingsError> {
    edit(existing, |edit| {
        match entry(edit)? {
            Some(server) if server["command"] == wiring.command() => {}
            Some(_) => {
                let path = [Step::Key("mcpServers"), Step::Key(SERVER), Step::Key("command")];
                edit.replace(&path, &Value::from(wiring.command()));
                edit.changes.push(format!("update MCP server {SERVER}"));
            }
            None => add(edit, wiring.command())?,
        }
        Ok(())
    })
}

/// Plans `.claude.json` without our MCP server.
pub fn unplan_servers(existing: Option<&[u8]>) -> Result<Plan, SettingsError> {
    edit(existing, |edit| match entry(edit) {
        Ok(Some(_)) => {
            edit.remove(&[Step::Key("mcpServers"), Step::Key(SERVER)]);
            edit.changes.push(format!("remove MCP server {SERVER}"));
            Ok(())
        }
        Ok(None) | Err(SettingsError::Taken(_)) => Ok(()),
        Err(error) => Err(error),
    })
}

/// The entry under our name; none if there is none.
pub(super) fn entry(edit: &Edit) -> Result<Option<Map<String, Value>>, SettingsError> {
    if edit.object(&["mcpServers"])?.is_none() {
        return Ok(None);
    }
    let Some(server) = edit.object(&["mcpServers", SERVER])? else { return Ok(None) };
    let is_ours = server.get("command").and_then(Value::as_str).is_some_and(is_our_binary)
        && server.get("args").is_some_and(|args| args[0] == "mcp");
    if is_ours { Ok(Some(server)) } else { Err(SettingsError::Taken(SERVER)) }
}

fn add(edit: &mut Edit, command: &str) -> Result<(), SettingsError> {
    let server = json!({ "type": "stdio", "command": command, "args": ["mcp"], "env": {} });
    if edit.object(&["mcpServers"])?.is_some() {
        edit.append(&["mcpServers"], &[(Some(SERVER), server)]);
    } else {
        edit.added.insert("mcpServers".to_owned(), json!({ SERVER: server }));
    }
    edit.changes.push(format!("add MCP server {SERVER}"));
    Ok(())
}
