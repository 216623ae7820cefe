//! The command `vade sandbox run`: the operation, with its program from a file or from standard input.

use std::io;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use vademecum::ops::ops::run_sandbox_code::RunSandboxCode;
use vademecum::ops::{Op, OpError, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::{arguments, stdin};

const FILE: &str = "FILE";
const OP: &Op = &Op::of::<RunSandboxCode>();

/// Runs JavaScript in a sandbox.
pub(crate) const SANDBOX_RUN: Own = Own {
    words: &["sandbox", "run"],
    title: "Run JavaScript in a sandbox",
    about: "Runs the body of an async function in a process of its own, without files, network, environment or \
            modules, and within limits of time, memory, stack and output. It may use session.notepad.read(), \
            .write(content), .append(text), and operations as session.add_note({…}); all of them give promises. \
            What it returns and what console.log prints is shown.",
    of: Some("run_sandbox_code"),
    arguments: |command: Command| {
        let file = Arg::new(FILE).value_parser(value_parser!(PathBuf));
        let file = file.help("The file with the code; - reads standard input");
        arguments::add(command, OP).arg(file.value_name(FILE))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let mut given = match matches.get_one::<PathBuf>(FILE) {
        Some(_) if matches.contains_id("code") => {
            let error = OpError::usage("sandbox run needs FILE or --code, both given");
            return Err(error.into());
        }
        Some(path) => json!({ "code": code(path)? }),
        None if matches.contains_id("code") => arguments::read(OP, matches)?,
        None => {
            let error = OpError::usage("sandbox run needs FILE or --code, neither given");
            return Err(error.hint("vade sandbox run - reads the code from standard input").into());
        }
    };
    if let Some(seconds) = matches.get_one::<i64>("seconds") {
        given["seconds"] = Value::from(*seconds);
    }
    setup.call(OP, given, globals)
}

fn code(path: &PathBuf) -> Result<String, Failure> {
    if path.as_os_str() == "-" {
        return stdin::read();
    }
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let error = OpError::missing(format!("no file \"{}\"", path.display()));
            return Err(error.hint("--code takes the code itself, - reads it").into());
        }
        read => read.with_context(|| format!("cannot read {}", path.display()))?,
    };
    String::from_utf8(bytes)
        .map_err(|_| OpError::usage(format!("{} is no UTF-8 text", path.display())).into())
}
