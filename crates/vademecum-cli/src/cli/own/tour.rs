//! The command `vade tour` as the command line knows it.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;
use vademecum::ops::Reply;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::tour;

/// Shows what vade does.
pub(crate) const TOUR: Own = Own {
    words: &["tour"],
    title: "Show on a recorded session what a model gets back",
    about: "Replays a recorded session of Claude Code through this program's own hooks and MCP server. It needs \
            nothing and leaves nothing: it works in a throw-away folder with a home and a store of its own.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    command.arg(Arg::new(tour::KEEP).long(tour::KEEP).action(ArgAction::SetTrue).hide(true))
}

fn run(setup: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    if matches.get_flag(tour::KEEP) {
        tour::keep(&setup.world)?;
        return Ok(Reply { text: String::new(), object: Value::Null });
    }
    Ok(tour::run(&setup.world)?)
}
