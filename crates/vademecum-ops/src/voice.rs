//! What a model reads of an answer: words that others wrote never stand in it as ours.

use serde_json::Value;
use vademecum_core::frame::{self, Nonce};

use crate::error::OpError;
use crate::operation::{Answer, Op, Reply};
use crate::registry;

/// The most characters of an error: it may name what was given, which has no bound of its own.
const ERROR_MAX: usize = 1000;

/// The error as a person at the command line reads it: with commands where a model has tools.
#[must_use]
pub fn to_person(error: OpError) -> OpError {
    let OpError { kind, message, hint } = error;
    let named = registry::ALL.iter().find(|op| message.starts_with(op.declaration.name));
    let (mut message, mut hint) = (message, hint);
    if let Some(Op { declaration, .. }) = named
        && let Some(command) = declaration.command
    {
        let words = command.words.join(" ");
        let is_of_model = hint.as_ref().is_some_and(|hint| hint.starts_with(ARGUMENTS));
        hint = if is_of_model { Some(format!("vade {words} --help")) } else { hint };
        message = format!("{words}{}", &message[declaration.name.len()..]);
    }
    OpError { kind, message, hint: hint.map(|hint| with_commands(&hint)) }
}

/// How the hint begins that shows a model what a call looks like.
pub(crate) const ARGUMENTS: &str = "arguments look like: ";

/// The text with commands in the place of the operations that it names.
#[must_use]
pub fn with_commands(said: &str) -> String {
    let is_of_name = |c: char| c.is_ascii_lowercase() || c == '_';
    // People have a command of its own for this kind.
    let said = said.replace("recall kind=known", "get_wisdom");
    let (mut text, mut rest) = (String::new(), said.as_str());
    while let Some(at) = rest.find(is_of_name) {
        let end = rest[at..].find(|c| !is_of_name(c)).map_or(rest.len(), |length| at + length);
        let word = &rest[at..end];
        let command = registry::find(word).filter(|_| word.contains('_'));
        text.push_str(&rest[..at]);
        match command.and_then(|op| op.declaration.command) {
            Some(command) => text.extend(["vade ", &command.words.join(" ")]),
            None => text.push_str(word),
        }
        rest = &rest[end..];
    }
    text.push_str(rest);
    text.replace(" from=", " ")
}

/// The answer of `op` as a model may read it: what is not innocent is guarded, as in a context.
///
/// Most answers are innocent, so `nonce`, which reads a file, is asked for only where one is not.
#[must_use]
pub fn of_answer(op: &Op, reply: Reply, nonce: &dyn Fn() -> Nonce) -> Reply {
    let guarded = match op.declaration.answer {
        Answer::OfSession => return reply,
        Answer::OfSessionBut(field) if reply.object.get(field).is_none() => return reply,
        Answer::OfSessionBut(_) | Answer::OfAnyone => None,
        Answer::Guarded(field) => Some(field),
    };
    let Reply { mut object, mut text } = reply;
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
