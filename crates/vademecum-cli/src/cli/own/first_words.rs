//! The commands `vade mcp`, `vade hook` and `vade statusline` in help: they answer by themselves when they are the first word.

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

/// Answers the status line of Claude Code.
pub(crate) const STATUSLINE: Own = Own {
    words: &["statusline"],
    title: "Print the line that Claude Code shows below its prompt",
    about: "Claude Code starts this and tells it on standard input which session is in front of you; vade install \
            wires it where no status line is set. It prints one line: the revision of the page, the open notes, and \
            how many tokens are left until the warning before a compaction. Whatever is wrong, the line is empty.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    let rest = Arg::new("WORDS").action(ArgAction::Append).num_args(0..);
    command.arg(rest.trailing_var_arg(true).allow_hyphen_values(true).hide(true))
}

fn run(_: &Setup, _: &Globals, _: &ArgMatches) -> Result<Reply, Failure> {
    let error =
        OpError::usage("hook, mcp and statusline are first words: options stand behind them");
    Err(error.hint("vade mcp").into())
}
