//! The permission of our own tools among those of `settings.json`.

use serde_json::{Value, json};

use super::super::SERVER;
use crate::json_edit::Step;
use crate::wiring::{Edit, SettingsError};

/// Allows every tool of `wanted` that is not allowed yet, by its own name or with all of ours.
pub(super) fn wire(edit: &mut Edit, wanted: &[String]) -> Result<(), SettingsError> {
    let allowed = edit.array(&["permissions", "allow"])?;
    let is_listed = allowed.is_some();
    let allowed = allowed.unwrap_or_default();
    let missing: Vec<Value> = wanted
        .iter()
        .filter(|tool| !allowed.iter().any(|rule| rule == tool.as_str() || is_for_all(rule)))
        .map(|tool| Value::from(tool.as_str()))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    edit.changes
        .extend(missing.iter().filter_map(Value::as_str).map(|tool| format!("allow {tool}")));
    if is_listed {
        let items: Vec<_> = missing.into_iter().map(|tool| (None, tool)).collect();
        edit.append(&["permissions", "allow"], &items);
    } else if edit.object(&["permissions"])?.is_some() {
        edit.append(&["permissions"], &[(Some("allow"), missing.into())]);
    } else {
        edit.added.insert("permissions".to_owned(), json!({ "allow": missing }));
    }
    Ok(())
}

/// Takes back the permission of our tools, one by one; a rule for all of them was not ours.
pub(super) fn unwire(edit: &mut Edit) -> Result<(), SettingsError> {
    if edit.object(&["permissions"])?.is_none() {
        return Ok(());
    }
    let allowed = edit.array(&["permissions", "allow"])?.unwrap_or_default();
    for (idx, tool) in allowed.iter().enumerate().rev() {
        let Some(tool) = tool.as_str().filter(|tool| is_for_one(tool)) else { continue };
        edit.remove(&[Step::Key("permissions"), Step::Key("allow"), Step::Item(idx)]);
        edit.changes.push(format!("no longer allow {tool}"));
    }
    Ok(())
}

fn is_for_all(rule: &Value) -> bool {
    *rule == format!("mcp__{SERVER}") || *rule == format!("mcp__{SERVER}__*")
}

fn is_for_one(rule: &str) -> bool {
    let server = rule.strip_prefix("mcp__").and_then(|rest| rest.strip_prefix(SERVER));
    let tool = server.and_then(|rest| rest.strip_prefix("__")).unwrap_or_default();
    !tool.is_empty() && tool.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
