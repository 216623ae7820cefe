//! The command `vade export`: the operation, whose lines of JSON go out one by one.

use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::Context;
use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use vademecum::ops::ops::export::{Export, LINES, write_lines};
use vademecum::ops::{Op, Reply};

use crate::cli::arguments;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const OP: &Op = &Op::of::<Export>();

/// Writes sessions out.
pub(crate) const EXPORT: Own = Own {
    words: &["export"],
    title: "Write sessions out as Markdown or JSON",
    about: "Writes a session, or all of the project with its plans, out as Markdown, as JSON or as lines of JSON. \
            import reads the last two; lines need no memory, however many notes there are.",
    arguments: |command: Command| arguments::add(command, OP),
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let given = arguments::read(OP, matches)?;
    // A terminal shows what is safe to show, which the text of the operation is made.
    let is_whole = setup.as_json || io::stdout().is_terminal();
    if is_whole || given["format"] != LINES {
        return setup.call(OP, given, globals);
    }
    setup.with_call(setup.config()?, globals.session.clone(), globals, |call| {
        let all = given["all"].as_bool().unwrap_or_default();
        let mut out = BufWriter::new(io::stdout().lock());
        let sessions = write_lines(call, all, &mut out)?;
        if !all {
            setup.name_desk(call);
        }
        out.flush().context("cannot write to standard output")?;
        Ok(Reply { text: String::new(), object: json!({ "sessions": Value::from(sessions) }) })
    })
}
