//! An answer without what a program drew by chance: its folder, random ids, marks and receipts.

use std::path::Path;

use serde_json::Value;

use super::plot::CAST;
use super::step::{Deed, Step};

/// The shortest run of hexadecimal digits that may be drawn: a mark has eight.
const DRAWN: usize = 8;

/// What stands before the name of a desk, which is called after the id of its project: a number once, drawn now.
const OWN: &[&str] = &[
    "desk:",
    "desk=",
    "\"session\":\"",
    "\"from\":\"",
    "session \\\"",
    "of session ",
    "what session ",
    "handoff show ",
];

/// What one program calls its folder.
pub(super) struct Plain {
    root: String,
}

impl Plain {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.display().to_string() }
    }

    /// The answer to a step as text that both programs give.
    pub(super) fn of(&self, step: &Step, answer: &Value) -> String {
        let mut answer = answer.clone();
        if let Deed::Call(asked) = &step.deed {
            match asked.operation {
                // An engine takes as many bytes as it takes.
                "prune" => {
                    hide(&mut answer, "bytes_before");
                    hide(&mut answer, "bytes_after");
                }
                "list_projects" | "join_project" => hide(&mut answer, "id"),
                _ => {}
            }
        }
        if matches!(&step.deed, Deed::Call(asked) if asked.operation == "list_sessions") {
            // A table is as wide as the name of a desk; the object says the same.
            hide(&mut answer, "text");
        }
        let text = answer.to_string();
        if text.contains("<vade-") {
            // A mark is drawn, and costs what its digits cost.
            hide(&mut answer, "tokens");
        }
        let text = answer.to_string().replace(&self.root, "ROOT");
        // Claude Code names a folder of its own after each project's.
        let text = text.replace(&self.root.replace('/', "-"), "ROOT");
        let text = without_drawn(&text);
        let text = OWN.iter().fold(text, |text, opening| without_desk(&text, opening));
        if text.contains(" sessions run in ") { sorted(&text) } else { text }
    }
}

/// The text with one sign for each word of hexadecimal digits that no session of the cast has in its name.
fn without_drawn(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        let is_hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_drawn = DRAWN <= word.len()
            && word.bytes().all(is_hexadecimal)
            // The digits of a note's id, and the zeros of a name, are no chance.
            && !(word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() != DRAWN)
            && !CAST.iter().any(|(key, _)| key.contains(&word));
        plain.push_str(if is_drawn { "#" } else { &word });
        word.clear();
        plain.push(letter);
    }
    plain
}

/// The lines of a message in one order: sessions that were heard of at one moment are told apart by their names now.
fn sorted(text: &str) -> String {
    // The last of them is followed by the hint.
    let lines = text.split("\\n").flat_map(|line| line.split("\",\\\"hint"));
    let lines = lines.flat_map(|line| line.split("\\\",\\\"hint"));
    let mut lines: Vec<&str> = lines.map(|line| line.trim_end_matches('\\')).collect();
    lines.sort_unstable();
    lines.join("\\n")
}

/// Puts nothing in the place of every field of this name.
fn hide(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields.iter_mut() {
                if field == name {
                    *value = Value::Null;
                } else {
                    hide(value, name);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| hide(value, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text with one name for all desks behind `opening`.
fn without_desk(text: &str, opening: &str) -> String {
    let mut parts = text.split(opening);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(opening);
        let is_id = |c: char| c.is_ascii_digit() || c == '#';
        let rest = part.trim_start_matches(is_id);
        let ends = rest.starts_with(|c: char| !c.is_alphanumeric() && c != '-' && c != '/');
        let is_desk = ends
            && (rest.len() < part.len())
            && (opening.starts_with("desk") || !part.starts_with('#'));
        plain.push_str(if is_desk { "desk" } else { &part[..part.len() - rest.len()] });
        plain.push_str(rest);
    }
    plain
}
