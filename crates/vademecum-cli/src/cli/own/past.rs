//! The commands `vade blame`, `vade fix` and `vade how`: what earlier sessions did, by what is asked about.

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use vademecum::ops::ops::recall::Recall;
use vademecum::ops::{Op, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const ABOUT: &str = "about";
const LIMIT: &str = "limit";

/// Who changed a file, and why.
pub(crate) const BLAME: Own = Own {
    words: &["blame"],
    title: "Show which sessions changed a file, and why",
    about: "The newest first: for what request, the agent's own words of why, the commit that followed, and what was noted and decided about it. Read from the transcripts that the harnesses keep of this project.",
    of: None,
    arguments: |command| {
        let path = Arg::new(ABOUT).value_name("PATH").required(true).num_args(1);
        limited(command.arg(path.help("A file or folder, or the name of a file")))
    },
    run: |setup, globals, matches| run("file", setup, globals, matches),
};

/// What ended an error.
pub(crate) const FIX: Own = Own {
    words: &["fix"],
    title: "Show what ended an error here before",
    about: "What was changed and run before the same command went well, and whether the error came back. Read from the transcripts that the harnesses keep of this project.",
    of: None,
    arguments: |command| arguments(command, "ERROR", "A line of the error as it was printed"),
    run: |setup, globals, matches| run("error", setup, globals, matches),
};

/// How a program is run.
pub(crate) const HOW: Own = Own {
    words: &["how"],
    title: "Show how a program is run in this project",
    about: "With which options and variables, how often, and how it went. Read from the transcripts that the harnesses keep of this project.",
    of: None,
    arguments: |command| {
        let help = "A program, how a command begins (cargo test), or a word of it; none for what is run most";
        arguments(command, "PROGRAM", help)
            .mut_arg(ABOUT, |program| program.required(false).num_args(0..))
    },
    run: |setup, globals, matches| run("program", setup, globals, matches),
};

/// Words without quotes are one name, as a person types them.
fn arguments(command: Command, name: &'static str, help: &'static str) -> Command {
    let about = Arg::new(ABOUT).value_name(name).help(help).required(true).num_args(1..);
    limited(command.arg(about))
}

fn limited(command: Command) -> Command {
    let limit = Arg::new(LIMIT).long(LIMIT).value_name("N").value_parser(value_parser!(usize));
    command.arg(limit.help("At most so many, 0 for all [default: 8]"))
}

fn run(
    kind: &str,
    setup: &Setup,
    globals: &Globals,
    matches: &ArgMatches,
) -> Result<Reply, Failure> {
    let words = matches.get_many::<String>(ABOUT).into_iter().flatten();
    let about = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let limit = matches.get_one::<usize>(LIMIT);
    setup.call(&Op::of::<Recall>(), json!({"kind": kind, "about": about, "limit": limit}), globals)
}
