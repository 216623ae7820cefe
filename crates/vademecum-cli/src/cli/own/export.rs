//! The command `vade export`: the operation, whose lines of JSON go out one by one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use vademecum::ops::ops::export::{Export, LINES, write_lines};
use vademecum::ops::shapes::counted;
use vademecum::ops::{Op, OpError, Reply};

use crate::cli::arguments;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;

const OUTPUT: &str = "output";
const OP: &Op = &Op::of::<Export>();

/// Writes sessions out.
pub(crate) const EXPORT: Own = Own {
    words: &["export"],
    title: "Write sessions out as Markdown or JSON",
    about: "Writes a session, or all of the project with its plans, out as Markdown, as JSON or as lines of JSON. \
            import reads the last two; lines need no memory, however many notes there are.",
    of: Some("export"),
    arguments: |command: Command| {
        let output = Arg::new(OUTPUT).short('o').long(OUTPUT).value_name("FILE");
        let help =
            "Write it into this file, which is not there yet; .json and .jsonl say the format";
        arguments::add(command, OP).arg(output.value_parser(value_parser!(PathBuf)).help(help))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let mut given = arguments::read(OP, matches)?;
    if let Some(file) = matches.get_one::<PathBuf>(OUTPUT) {
        return into_file(setup, globals, file, &mut given);
    }
    // A terminal shows what is safe to show, which the text of the operation is made.
    let is_whole = setup.as_json || io::stdout().is_terminal();
    if is_whole || given["format"] != LINES {
        return setup.call(OP, given, globals);
    }
    let whose = Whose::of(OP, &given);
    setup.with_call(setup.config()?, globals.session.clone(), whose, globals, |call| {
        let all = given["all"].as_bool().unwrap_or_default();
        let mut out = BufWriter::new(io::stdout().lock());
        let sessions = write_lines(call, all, &mut out)?;
        if !all {
            setup.name_session(call);
        }
        out.flush().context("cannot write to standard output")?;
        Ok(Reply { text: String::new(), object: json!({ "sessions": Value::from(sessions) }) })
    })
}

/// Writes the export into `file`, which nobody else can read where it is made.
fn into_file(
    setup: &Setup,
    globals: &Globals,
    file: &Path,
    given: &mut Value,
) -> Result<Reply, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if given["format"].is_null() && matches!(ending, "json" | LINES) {
        given["format"] = ending.into();
    }
    let out = made(file)?;
    let is_file = out.metadata().is_ok_and(|out| out.is_file());
    let written = written(setup, globals, (file, out), given);
    if written.is_err() && is_file {
        // What is not whole would stand in the way of the next one.
        drop(fs::remove_file(file));
    }
    let sessions = written?;
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let text = format!("wrote {} to {}", counted(sessions, "session"), file.display());
    Ok(Reply { object: json!({ "file": path.to_string_lossy(), "sessions": sessions }), text })
}

/// Makes the file, or opens what is no file, such as a pipe.
fn made(file: &Path) -> Result<File, Failure> {
    let shown = file.display();
    if file.metadata().is_ok_and(|there| there.is_file()) {
        return Err(OpError::conflict(format!("{shown} is there already"))
            .hint("name another file: an export overwrites nothing")
            .into());
    }
    let is_new = file.symlink_metadata().is_err();
    let made = OpenOptions::new().write(true).create_new(is_new).mode(0o600).open(file);
    Ok(made.with_context(|| format!("cannot write {shown}"))?)
}

/// Writes the export; how many sessions it holds.
fn written(
    setup: &Setup,
    globals: &Globals,
    (file, out): (&Path, File),
    given: &Value,
) -> Result<usize, Failure> {
    let shown = file.display();
    let mut out = BufWriter::new(out);
    let sessions = if given["format"] == LINES {
        let whose = Whose::of(OP, given);
        setup.with_call(setup.config()?, globals.session.clone(), whose, globals, |call| {
            let all = given["all"].as_bool().unwrap_or_default();
            let sessions = write_lines(call, all, &mut out)?;
            if !all {
                setup.name_session(call);
            }
            Ok(sessions)
        })?
    } else {
        let reply = setup.call(OP, given.clone(), globals)?;
        let text = reply.object["content"].as_str().unwrap_or_default();
        out.write_all(text.as_bytes()).with_context(|| format!("cannot write {shown}"))?;
        usize::try_from(reply.object["sessions"].as_u64().unwrap_or_default()).unwrap_or_default()
    };
    out.flush().with_context(|| format!("cannot write {shown}"))?;
    Ok(sessions)
}
