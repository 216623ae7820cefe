//! Words that the parser refuses, told as every other failure is told.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use vademecum::ops::OpError;

use super::habits;
use super::tree::Tree;

/// The help or version that was asked for, else what is wrong with the words that were `typed`.
pub(crate) fn answer(
    error: &clap::Error,
    tree: &Tree,
    typed: &[OsString],
) -> Result<String, OpError> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(error.render().to_string()),
        ErrorKind::InvalidSubcommand => {
            let given = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let meant = || text(error, ContextKind::SuggestedSubcommand);
            let meant = habits::meant(tree, typed, &given).or_else(meant);
            let hint = meant.map(|meant| format!("did you mean {meant}?"));
            let hint = hint.or_else(|| habits::verbs(tree, typed, &given));
            let refusal = OpError::usage(format!("unknown command \"{given}\""));
            Err(OpError { hint, ..refusal })
        }
        _ => Err(refusal(error)),
    }
}

fn refusal(error: &clap::Error) -> OpError {
    let part = |kind| text(error, kind).unwrap_or_default();
    let (arg, value) = (part(ContextKind::InvalidArg), part(ContextKind::InvalidValue));
    let name = name_in(&arg);
    let message = match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => format!("unknown option {arg}"),
        ErrorKind::UnknownArgument => format!("\"{arg}\" is one word too many"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{name} needs a value, none given"),
        ErrorKind::InvalidValue => {
            format!("{name} takes {}, \"{value}\" given", part(ContextKind::ValidValue))
        }
        ErrorKind::MissingRequiredArgument => {
            let places = arg.replace(['<', '>'], "").replace(" or ", " and ");
            format!("{} needs {places}, none given", words(error))
        }
        ErrorKind::ValueValidation if is_number(error) => {
            format!("{name} takes a whole number, \"{value}\" given")
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("{name} does not take \"{value}\": {why}")
        }
        ErrorKind::ArgumentConflict if part(ContextKind::PriorArg) == arg => {
            format!("{name} is given twice")
        }
        ErrorKind::ArgumentConflict => {
            format!("{name} does not go with {}", part(ContextKind::PriorArg))
        }
        ErrorKind::InvalidUtf8 => "an argument is no UTF-8 text".to_owned(),
        _ => first_line(&error.render().to_string()),
    };
    match hint(error) {
        Some(hint) => OpError::usage(message).hint(hint),
        None => OpError::usage(message),
    }
}

/// The name alone of an argument as the parser shows it: `--include-scratched[=<true|false>]`, `<FROM>`.
fn name_in(arg: &str) -> &str {
    let bare = arg.trim_start_matches(['[', '<']);
    bare.split([' ', '[', ']', '=', '>']).next().unwrap_or_default()
}

fn hint(error: &clap::Error) -> Option<String> {
    if text(error, ContextKind::InvalidArg).is_some_and(|arg| arg.contains("HARNESS")) {
        return Some(
            "any other client that speaks MCP starts the server itself: vade mcp".to_owned(),
        );
    }
    let arg = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let option = text(error, ContextKind::SuggestedArg).filter(|meant| is_near(&arg, meant));
    let meant = option.or_else(|| text(error, ContextKind::SuggestedValue));
    if let Some(meant) = meant.filter(|meant| !meant.is_empty()) {
        return Some(format!("did you mean {meant}?"));
    }
    let usage = format!("usage: {}", usage(error)?);
    let words = words(error);
    Some(match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            format!("{} lists the options", ["vade", &words, "--help"].join(" ").replace("  ", " "))
        }
        ErrorKind::UnknownArgument => match habits::surplus(&words) {
            Some(place) => format!("{place}; {usage}"),
            // One word of many, where the last place is a text.
            None if TEXTS.iter().any(|end| usage.ends_with(end))
                && !arg.contains(char::is_whitespace) =>
            {
                format!("quote a text of several words: \"… words\"; {usage}")
            }
            None => usage,
        },
        _ => usage,
    })
}

/// How the usage ends of a command whose last place is a text of several words.
const TEXTS: [&str; 4] = ["[CONTENT]", "[QUERY]", "<QUERY>", "<WORDS>"];

/// Whether the option `meant` is one that a hand that typed `given` may have meant: the parser offers any that begins alike.
///
/// Half of the letters of the longer one are in the other, or it is the first word of it.
fn is_near(given: &str, meant: &str) -> bool {
    let (given, meant) = (given.trim_start_matches('-'), meant.trim_start_matches('-'));
    let is_first = meant.strip_prefix(given).is_some_and(|rest| rest.starts_with('-'));
    let mut rest: Vec<char> = meant.chars().collect();
    let (n_given, n_meant) = (given.chars().count(), rest.len());
    for c in given.chars() {
        rest.iter().position(|other| *other == c).map(|idx| rest.swap_remove(idx));
    }
    is_first || n_given.max(n_meant) <= 2 * (n_meant - rest.len())
}

/// The words of the command that was typed, without `vade`.
fn words(error: &clap::Error) -> String {
    let usage = usage(error).unwrap_or_default();
    let is_word = |word: &&str| !word.starts_with(['-', '<', '[']);
    usage.split(' ').skip(1).take_while(is_word).collect::<Vec<_>>().join(" ")
}

/// How the command is used, on one line.
fn usage(error: &clap::Error) -> Option<String> {
    let usage = text(error, ContextKind::Usage)?;
    let usage = usage.trim().strip_prefix("Usage: ").unwrap_or(usage.trim()).to_owned();
    Some(first_line(&usage))
}

fn is_number(error: &clap::Error) -> bool {
    error.source().is_some_and(<dyn std::error::Error>::is::<std::num::ParseIntError>)
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(" or ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        other => Some(other.to_string()),
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).trim().to_owned()
}
