//! What a key writes, by the operations that the command line calls.

use serde_json::{Value, json};
use vademecum::ops::registry;

use super::memory::Memory;
use super::state::Act;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::{edit_note, edit_notepad};

impl Act {
    /// Whether it starts a program that needs the terminal.
    pub(super) fn is_edit(&self) -> bool {
        matches!(self, Self::EditNotepad { .. } | Self::EditNote { .. })
    }
}

/// Writes it; what came of it, in one line.
pub(super) fn perform(memory: &Memory<'_>, act: &Act) -> Result<String, Failure> {
    match act {
        Act::EditNotepad { session } => {
            Ok(edit_notepad(memory.setup, &globals(memory, session))?.text)
        }
        Act::EditNote { session, id } => {
            Ok(edit_note(memory.setup, &globals(memory, session), id)?.text)
        }
        Act::Scratch { session, id, is_scratched } => {
            run(memory, "scratch_note", session, json!({"id": id, "scratched": is_scratched}))
        }
        Act::Tag { session, id, tags } => {
            run(memory, "update_note", session, json!({"id": id, "tags": tags}))
        }
        Act::Promote { session, id } => run(memory, "promote_note", session, json!({"id": id})),
        Act::UndoNote { session, id } => run(memory, "restore_note", session, json!({"id": id})),
        Act::UndoNotepad { session } => undo_notepad(memory, session),
        Act::Dismiss { session } => {
            run(memory, "dismiss_handoff", session, json!({"from": session}))
        }
        Act::ForgetNote { session, id } => {
            run(memory, "forget", session, json!({"what": "note", "id": id, "yes": true}))
        }
        Act::ForgetSession { session } => {
            run(memory, "forget", session, json!({"what": "session", "id": session, "yes": true}))
        }
    }
}

fn globals(memory: &Memory<'_>, session: &str) -> Globals {
    let store = memory.globals.store.clone();
    Globals { session: Some(session.to_owned()), store, ..Globals::default() }
}

fn run(
    memory: &Memory<'_>,
    name: &str,
    session: &str,
    arguments: Value,
) -> Result<String, Failure> {
    let op = registry::find(name).expect("the operation is declared");
    Ok(memory.run(op, Some(session), arguments)?.text)
}

/// Writes the revision before the present one again, by which an undo can be undone too.
fn undo_notepad(memory: &Memory<'_>, session: &str) -> Result<String, Failure> {
    let op = registry::find("notepad_history").expect("the operation is declared");
    let history = memory.run(op, Some(session), json!({"limit": 2}))?.object;
    match history["revisions"][1]["rev"].as_u64() {
        Some(rev) => run(memory, "restore_notepad", session, json!({"rev": rev})),
        None => Ok("there is no earlier notepad to go back to".to_owned()),
    }
}
