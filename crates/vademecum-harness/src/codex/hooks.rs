//! Our hooks in Codex's `hooks.json`, and which of them the person has approved.
//!
//! Codex runs a hook only once a person has approved it, and asks again when its command changes: the
//! command names the program where it stays, and no version. It is no bare name, because Codex starts it
//! through a login shell, which may look elsewhere than the person's own.

use serde_json::{Map, Value};

use super::ID;
use crate::wiring::hooks::{Hook, Hooks};
use crate::wiring::shell::{quoted, unquoted};
use crate::wiring::{Edit, Plan, SettingsError, Wiring, edit, is_our_binary};

/// Codex lets the end of a session take 3 seconds at most.
const HOOKS: Hooks = Hooks {
    list: &[
        Hook {
            event: "SessionStart",
            matcher: Some("startup|resume|clear|compact|fork"),
            timeout: 10,
            status: None,
        },
        Hook { event: "UserPromptSubmit", matcher: None, timeout: 5, status: None },
        Hook { event: "PostToolUse", matcher: None, timeout: 5, status: None },
        Hook {
            event: "PreCompact",
            matcher: None,
            timeout: 10,
            status: Some("vade: keeping what the summary may lose"),
        },
        Hook { event: "PostCompact", matcher: None, timeout: 5, status: None },
        Hook { event: "SubagentStart", matcher: None, timeout: 5, status: None },
        Hook { event: "SubagentStop", matcher: None, timeout: 5, status: None },
        Hook { event: "SessionEnd", matcher: None, timeout: 3, status: None },
    ],
    start,
    program,
};

/// Plans our hooks in `hooks.json`; none or a blank one is made anew.
///
/// Entries of ours from before are brought up to date, all others stay byte for byte.
pub fn plan_hooks(existing: Option<&[u8]>, wiring: &Wiring) -> Result<Plan, SettingsError> {
    edit(existing, |edit| HOOKS.wire(edit, wiring.command()))
}

/// Plans `hooks.json` without any entry of ours.
pub fn unplan_hooks(existing: Option<&[u8]>) -> Result<Plan, SettingsError> {
    edit(existing, |edit| HOOKS.unwire(edit))
}

/// Our hooks as a file has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WiredHooks {
    /// The programs that they start, each once.
    pub programs: Vec<String>,
    /// How Codex names each in its list of approvals, without the file: `session_start:0:0`.
    pub names: Vec<String>,
}

/// Reads which hooks of ours are in `hooks.json`.
pub fn wired_hooks(existing: Option<&[u8]>) -> Result<WiredHooks, SettingsError> {
    let edit = Edit::of(existing)?;
    let places = HOOKS.all_places(&edit)?.into_iter();
    let names =
        places.map(|(event, group, handler)| format!("{}:{group}:{handler}", snake(&event)));
    Ok(WiredHooks { programs: HOOKS.programs(&edit)?, names: names.collect() })
}

/// `session_start` of `SessionStart`.
fn snake(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn start(program: &str, event: &str) -> Map<String, Value> {
    let command = format!("{} hook {ID} {event}", quoted(program));
    [("command".to_owned(), command.into())].into_iter().collect()
}

fn program(handler: &Value, event: &str) -> Option<String> {
    let command = handler["command"].as_str()?;
    let word = command.strip_suffix(&format!(" hook {ID} {event}"))?;
    unquoted(word).filter(|program| is_our_binary(program))
}
