//! What a model reads of an answer: words that others wrote never stand in it as ours.

use serde_json::Value;
use vademecum_core::frame::{self, Nonce};

use crate::error::OpError;
use crate::operation::{Op, Reply};

/// The most characters of an error: it may name what was given, which has no bound of its own.
const ERROR_MAX: usize = 1000;

/// Operations that give back what the session itself wrote, which must come byte for byte: who edits
/// a page replaces what stands there.
const OWN_WORDS: [&str; 11] = [
    "read_notepad",
    "write_notepad",
    "update_notepad",
    "session_scratchpad",
    "notepad_history",
    "list_notes",
    "search_notes",
    "add_note",
    "update_note",
    "scratch_note",
    "show_session",
];

/// Operations whose text guards each part by itself, and the field of the object that holds it.
const GUARDED: [(&str, &str); 4] = [
    ("read_handoff", "text"),
    ("get_context", "context"),
    ("get_wisdom", "text"),
    ("format_directive", "prompt"),
];

/// The answer of `op` as a model may read it: what is not innocent is guarded, as in a context.
///
/// Most answers are innocent, so `nonce`, which reads a file, is asked for only where one is not.
#[must_use]
pub fn of_answer(op: &Op, reply: Reply, nonce: &dyn Fn() -> Nonce) -> Reply {
    let name = op.declaration.name;
    if OWN_WORDS.contains(&name) {
        return reply;
    }
    let Reply { mut object, mut text } = reply;
    let guarded = GUARDED.iter().find(|(of, _)| *of == name).map(|(_, field)| *field);
    if guarded.is_none() && !frame::is_innocent(&text) {
        text = frame::guard(&text, &nonce()).text;
    }
    guard(&mut object, guarded, nonce);
    Reply { object, text }
}

/// Guards each text in `value` but those under the field `but`.
fn guard(value: &mut Value, but: Option<&str>, nonce: &dyn Fn() -> Nonce) {
    match value {
        Value::String(text) => {
            if !frame::is_innocent(text) {
                *text = frame::guard(text, &nonce()).text;
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| guard(part, but, nonce)),
        Value::Object(members) => {
            let members = members.iter_mut().filter(|(name, _)| Some(name.as_str()) != but);
            members.for_each(|(_, part)| guard(part, but, nonce));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An error as a model may read it; what is long or not innocent comes on one line, cut and escaped.
#[must_use]
pub fn of_error(error: &OpError) -> OpError {
    let line = |text: &String| {
        // A program that failed says where on lines of its own. Bytes are no fewer than characters.
        let is_plain = text.len() <= ERROR_MAX && frame::is_innocent(text);
        if is_plain { text.clone() } else { frame::line(text, ERROR_MAX) }
    };
    OpError { kind: error.kind, message: line(&error.message), hint: error.hint.as_ref().map(line) }
}

/// What a model is told of an error: what went wrong, and on its own line what to do next.
#[must_use]
pub fn refusal(error: &OpError) -> String {
    let OpError { message, hint, .. } = of_error(error);
    match hint {
        Some(hint) => format!("{message}\n{hint}"),
        None => message,
    }
}
