//! Our hooks among those of `settings.json`, known by their arguments `hook claude-code <Event>`.

use serde_json::{Map, Value, json};

use super::super::ID;
use super::{Edit, SettingsError, is_our_binary};
use crate::json_edit::Step;

/// An event that we hear of.
struct Hook {
    event: &'static str,
    /// Which cases of it; none is all.
    matcher: Option<&'static str>,
    /// Seconds; for the end of a session it also raises the harness's 1.5 s for all hooks.
    timeout: u32,
    /// What the person reads while it may take long.
    status: Option<&'static str>,
}

const HOOKS: [Hook; 9] = [
    Hook {
        event: "SessionStart",
        matcher: Some("startup|resume|clear|compact|fork"),
        timeout: 10,
        status: None,
    },
    Hook { event: "UserPromptSubmit", matcher: None, timeout: 5, status: None },
    Hook {
        event: "PreToolUse",
        // The whole name: `Task` alone would stand for `TaskStop` too.
        matcher: Some("^(mcp__vade__.*|Agent|Task)$"),
        timeout: 5,
        status: None,
    },
    Hook { event: "PostToolUse", matcher: Some("Agent|Task"), timeout: 5, status: None },
    Hook { event: "PostToolBatch", matcher: None, timeout: 5, status: None },
    Hook { event: "SubagentStart", matcher: None, timeout: 5, status: None },
    Hook { event: "SubagentStop", matcher: None, timeout: 5, status: None },
    Hook {
        event: "PreCompact",
        matcher: None,
        timeout: 10,
        status: Some("vade: keeping what the summary may lose"),
    },
    Hook { event: "SessionEnd", matcher: None, timeout: 5, status: None },
];

impl Hook {
    fn handler(&self, command: &str) -> Value {
        let mut handler = json!({
            "type": "command",
            "command": command,
            "args": ["hook", ID, self.event],
            "timeout": self.timeout,
        });
        if let Some(status) = self.status {
            handler["statusMessage"] = status.into();
        }
        handler
    }

    fn group(&self, command: &str) -> Value {
        let mut group = Map::new();
        if let Some(matcher) = self.matcher {
            group.insert("matcher".to_owned(), matcher.into());
        }
        group.insert("hooks".to_owned(), json!([self.handler(command)]));
        Value::Object(group)
    }
}

/// Where a handler of ours stands under its event.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    handler: usize,
    /// Whether it is the only one of its group.
    is_alone: bool,
}

/// Adds, updates and removes our handlers until they are the wanted ones, each once.
pub(super) fn wire(edit: &mut Edit, command: &str) -> Result<(), SettingsError> {
    let before = edit.object(&["hooks"])?;
    let mut added = Map::new();
    for hook in &HOOKS {
        let groups = edit.array(&["hooks", hook.event])?;
        let is_listed = groups.is_some();
        let groups = groups.unwrap_or_default();
        match places(&groups, hook.event).split_first() {
            Some((first, others)) => {
                update(edit, hook, command, &groups, *first);
                remove(edit, hook.event, others);
            }
            None if is_listed => {
                edit.append(&["hooks", hook.event], &[(None, hook.group(command))]);
                edit.changes.push(format!("add hook {}", hook.event));
            }
            None => {
                added.insert(hook.event.to_owned(), json!([hook.group(command)]));
                edit.changes.push(format!("add hook {}", hook.event));
            }
        }
    }
    if before.is_some() {
        edit.append(&["hooks"], &super::keyed(&added));
    } else {
        edit.added.insert("hooks".to_owned(), Value::Object(added));
    }
    unwire_others(edit, &HOOKS)
}

/// Removes all our handlers.
pub(super) fn unwire(edit: &mut Edit) -> Result<(), SettingsError> {
    unwire_others(edit, &[])
}

/// The programs that our handlers start, each once.
pub(super) fn our_commands(edit: &Edit) -> Result<Vec<String>, SettingsError> {
    let mut commands = Vec::new();
    for (event, groups) in edit.object(&["hooks"])?.unwrap_or_default() {
        let Value::Array(groups) = groups else { continue };
        for at in places(&groups, &event) {
            let command = groups[at.group]["hooks"][at.handler]["command"].as_str();
            commands.extend(command.map(str::to_owned));
        }
    }
    commands.sort();
    commands.dedup();
    Ok(commands)
}

/// Removes our handlers under every event but those of `kept`.
fn unwire_others(edit: &mut Edit, kept: &[Hook]) -> Result<(), SettingsError> {
    for (event, groups) in edit.object(&["hooks"])?.unwrap_or_default() {
        if !kept.iter().any(|hook| hook.event == event)
            && let Value::Array(groups) = groups
        {
            remove(edit, &event, &places(&groups, &event));
        }
    }
    Ok(())
}

fn update(edit: &mut Edit, hook: &Hook, command: &str, groups: &[Value], at: Place) {
    let (wanted, is_same, path) = if at.is_alone {
        let wanted = hook.group(command);
        let is_same = groups[at.group] == wanted;
        (wanted, is_same, vec![Step::Key("hooks"), Step::Key(hook.event), Step::Item(at.group)])
    } else {
        let wanted = hook.handler(command);
        let is_same = groups[at.group]["hooks"][at.handler] == wanted;
        (wanted, is_same, handler_path(hook.event, at).to_vec())
    };
    if !is_same {
        edit.replace(&path, &wanted);
        edit.changes.push(format!("update hook {}", hook.event));
    }
}

/// Removes handlers, the last first so that the places of the others hold.
fn remove(edit: &mut Edit, event: &str, places: &[Place]) {
    for at in places.iter().rev() {
        let path = handler_path(event, *at);
        edit.remove(if at.is_alone { &path[..3] } else { &path });
        edit.changes.push(format!("remove hook {event}"));
    }
}

fn handler_path(event: &str, at: Place) -> [Step<'_>; 5] {
    let (hooks, event) = (Step::Key("hooks"), Step::Key(event));
    [hooks, event, Step::Item(at.group), Step::Key("hooks"), Step::Item(at.handler)]
}

fn places(groups: &[Value], event: &str) -> Vec<Place> {
    let handlers = |group: &Value| group["hooks"].as_array().cloned().unwrap_or_default();
    let groups = groups.iter().map(handlers).enumerate();
    let places = groups.flat_map(|(group, handlers)| {
        let is_alone = handlers.len() == 1;
        let ours = handlers.into_iter().enumerate().filter(|(_, handler)| is_ours(handler, event));
        let places = ours.map(|(handler, _)| Place { group, handler, is_alone });
        places.collect::<Vec<_>>()
    });
    places.collect()
}

fn is_ours(handler: &Value, event: &str) -> bool {
    handler["args"] == json!(["hook", ID, event])
        && handler["command"].as_str().is_some_and(is_our_binary)
}
