//! Our status line in `settings.json`; one of somebody else stays, whatever it is.

use serde_json::{Value, json};

use crate::json_edit::Step;
use crate::wiring::shell::{quoted, unquoted};
use crate::wiring::{Edit, SettingsError, Wiring, is_our_binary};

const KEY: &str = "statusLine";

/// The word behind the program.
const WORD: &str = "statusline";

/// Sets our status line where none is set, and keeps the one that is ours up to date.
pub(super) fn wire(edit: &mut Edit, wiring: &Wiring) -> Result<(), SettingsError> {
    // Claude Code gives this command to a shell; it has no form of a program with arguments.
    let command = format!("{} {WORD}", quoted(wiring.command()));
    match edit.value(&[KEY])? {
        Some(line) if is_ours(&line) && line["command"] != command.as_str() => {
            edit.replace(&[Step::Key(KEY), Step::Key("command")], &command.into());
            edit.changes.push("update the status line".to_owned());
        }
        None if wiring.has_status_line() => {
            let line = json!({ "type": "command", "command": command });
            edit.added.insert(KEY.to_owned(), line);
            edit.changes.push("add a status line: none is set".to_owned());
        }
        Some(_) | None => {}
    }
    Ok(())
}

/// Takes our status line out.
pub(super) fn unwire(edit: &mut Edit) -> Result<(), SettingsError> {
    if edit.value(&[KEY])?.is_some_and(|line| is_ours(&line)) {
        edit.remove(&[Step::Key(KEY)]);
        edit.changes.push("remove the status line".to_owned());
    }
    Ok(())
}

/// Whether it starts our program and nothing else: a script that calls it is the person's.
fn is_ours(line: &Value) -> bool {
    let word = line["command"].as_str().and_then(|command| command.strip_suffix(WORD));
    let program = word.and_then(|word| unquoted(word.strip_suffix(' ')?));
    program.is_some_and(|program| is_our_binary(&program))
}
