//! Our hooks in `settings.json`, known by their arguments `hook claude-code <Event>`.

use serde_json::{Map, Value, json};

use super::super::ID;
use crate::wiring::hooks::{Hook, Hooks};
use crate::wiring::is_our_binary;

/// The timeout of the end of a session also raises the harness's 1.5 s for all hooks.
pub(super) const HOOKS: Hooks = Hooks {
    list: &[
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
    ],
    start,
    program,
};

fn start(program: &str, event: &str) -> Map<String, Value> {
    let keys = [("command", program.into()), ("args", json!(["hook", ID, event]))];
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn program(handler: &Value, event: &str) -> Option<String> {
    let command = handler["command"].as_str().filter(|command| is_our_binary(command))?;
    (handler["args"] == json!(["hook", ID, event])).then(|| command.to_owned())
}
