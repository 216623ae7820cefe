//! What was thrown, as words and a place in the program.

use rquickjs::convert::Coerced;
use rquickjs::{Ctx, Error, Exception, Object, Value};

use super::state::State;
use super::{NAME, OPEN};
use crate::wire::{Failure, Fault, Place};

/// The longest message, in characters.
const MESSAGE: usize = 1000;

/// What `error` stands for: the exception that is pending, or a fault of the binding.
pub(super) fn caught(ctx: &Ctx<'_>, error: &Error, state: &State) -> Failure {
    match error {
        Error::Exception => failure(ctx, &ctx.catch(), state),
        Error::Allocation => Failure { fault: Fault::Memory, place: None },
        other => Failure { fault: threw(other.to_string()), place: None },
    }
}

/// A program that is none.
pub(super) fn syntax(message: &str) -> Failure {
    Failure { fault: threw(format!("SyntaxError: {message}")), place: None }
}

/// What a thrown value says.
pub(super) fn failure<'js>(ctx: &Ctx<'js>, value: &Value<'js>, state: &State) -> Failure {
    let Some(error) = exception(value) else {
        // Memory was short for an error that says so.
        let fault = if value.is_null() { Fault::Memory } else { threw(plain(ctx, value)) };
        return Failure { fault, place: None };
    };
    let message = error.message().unwrap_or_default();
    let name = text(error.as_object(), "name").unwrap_or_else(|| "Error".to_owned());
    drop(ctx.catch());
    let fault = match (name.as_str(), message.as_str()) {
        ("InternalError", words) if words.starts_with("out of memory") => Fault::Memory,
        ("RangeError", "Maximum call stack size exceeded") => Fault::Stack,
        ("SyntaxError", _) if is_behind(value, state) => {
            return syntax("the program ends in the middle of something");
        }
        _ => Fault::Threw {
            message: cut(&format!("{name}: {message}")),
            hint: text(error.as_object(), "hint").map(|hint| cut(&hint)),
        },
    };
    Failure { fault, place: place(value, state) }
}

/// Where in the program an error was made.
pub(super) fn place(value: &Value<'_>, state: &State) -> Option<Place> {
    let stack = exception(value)?.stack()?;
    stack.lines().find_map(|line| in_program(line, state.n_lines.get()))
}

/// Whether an error was found behind the last line, where the program is closed.
fn is_behind(value: &Value<'_>, state: &State) -> bool {
    let stack = exception(value).and_then(|error| error.stack()).unwrap_or_default();
    let place = stack.lines().find_map(|line| in_program(line, usize::MAX));
    place.is_some_and(|place| state.n_lines.get() < place.line)
}

fn exception<'js>(value: &Value<'js>) -> Option<Exception<'js>> {
    value.clone().into_object().and_then(Exception::from_object)
}

/// Reads `… (program:3:14)`; the first line begins behind what stands before the code.
fn in_program(frame: &str, n_lines: usize) -> Option<Place> {
    let frame = frame.trim_end().trim_end_matches(')');
    let (rest, column) = frame.rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    let is_ours = rest.strip_suffix(NAME).is_some_and(|before| before.ends_with(['(', ' ']));
    let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
    let shift = if line == 1 { OPEN.len() } else { 0 };
    is_ours.then(|| Place { line: line.min(n_lines), column: column.saturating_sub(shift).max(1) })
}

fn threw(message: String) -> Fault {
    Fault::Threw { message, hint: None }
}

/// A thrown value that is no error.
fn plain<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    let text = value.get::<Coerced<String>>().map(|text| text.0);
    // A value that cannot be shown throws, and what it throws is no news.
    let text = text.unwrap_or_else(|_| {
        drop(ctx.catch());
        "something that cannot be shown".to_owned()
    });
    format!("the program threw {}", cut(&text))
}

fn text(object: &Object<'_>, name: &str) -> Option<String> {
    let value: Value<'_> = object.get(name).ok()?;
    value.as_string()?.to_string().ok()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
