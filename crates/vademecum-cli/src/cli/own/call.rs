//! The command `vade call`: any operation by its name, with arguments as JSON or in the XML of the notes' design.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use vademecum::ops::{Op, OpError, Reply, registry};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::text::Text;
use crate::cli::{stdin, xml};

/// Calls any operation.
pub(crate) const CALL: Own = Own {
    words: &["call"],
    title: "Call any operation by its name",
    about: "NAME is the name that models use, ARGUMENTS a JSON object. Without ARGUMENTS, or with -, \
            standard input is read. With --xml the whole call is XML:\n\
            <tool><tool_name>list_notes</tool_name><arguments><limit>5</limit></arguments></tool>",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    let text =
        |name, help| Arg::new(name).value_name(name).help(help).value_parser(Text::default());
    command
        .arg(text("NAME", "The operation, such as add_note; with --xml the call"))
        .arg(text("ARGUMENTS", "The arguments as a JSON object"))
        .arg(Arg::new("xml").long("xml").action(ArgAction::SetTrue).help("Read the call as XML"))
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let given = |name: &str| matches.get_one::<String>(name).cloned();
    let (op, arguments) = if matches.get_flag("xml") {
        if let Some(more) = given("ARGUMENTS") {
            return Err(OpError::usage(format!(
                "\"{more}\" is one word too many: --xml takes the call alone"
            ))
            .into());
        }
        xml::call(&given_or_read(given("NAME"))?)?
    } else {
        let name = given("NAME").ok_or_else(|| unknown("call needs NAME, none given"))?;
        (find(&name)?, object(&given_or_read(given("ARGUMENTS"))?)?)
    };
    setup.call(op, arguments, globals)
}

/// What was given; else standard input, unless a person sits there.
fn given_or_read(given: Option<String>) -> Result<String, Failure> {
    match given {
        Some(text) if text != "-" => Ok(text),
        None if stdin::is_terminal() => Ok(String::new()),
        Some(_) | None => stdin::read(),
    }
}

fn find(name: &str) -> Result<&'static Op, OpError> {
    registry::find(name).ok_or_else(|| OpError {
        kind: vademecum::core::error::Kind::Missing,
        ..unknown(&format!("unknown operation \"{name}\""))
    })
}

fn unknown(message: &str) -> OpError {
    let names: Vec<&str> = registry::ALL.iter().map(|op| op.declaration.name).collect();
    OpError::usage(message).hint(format!("one of {}", names.join(", ")))
}

fn object(text: &str) -> Result<Value, OpError> {
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(object) if object.is_object() => Ok(object),
        Ok(_) => Err(OpError::usage("arguments are a JSON object, something else given")),
        Err(error) => Err(OpError::usage(format!("arguments are no JSON: {error}"))),
    }
}
