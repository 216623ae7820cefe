//! The commands `vade mcp` and `vade hook` in help: they answer by themselves when they are the first word.

use clap::{Arg, ArgAction, ArgMatches, Command};
use vademecum::ops::{OpError, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

/// Serves models.
pub(crate) const MCP: Own = Own {
    words: &["mcp"],
    title: "Serve models over MCP on standard input and output",
    about: "A harness starts this; vade install wires it.",
    of: None,
    arguments,
    run,
};

/// Answers a harness.
pub(crate) const HOOK: Own = Own {
    words: &["hook"],
    title: "Answer a harness at one of its moments",
    about: "A harness starts this as vade hook HARNESS EVENT; vade install wires it. It always exits 0.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    let rest = Arg::new("WORDS").action(ArgAction::Append).num_args(0..);
    command.arg(rest.trailing_var_arg(true).allow_hyphen_values(true).hide(true))
}

fn run(_: &Setup, _: &Globals, _: &ArgMatches) -> Result<Reply, Failure> {
    let error = OpError::usage("hook and mcp are first words: options stand behind them");
    Err(error.hint("vade mcp").into())
}
