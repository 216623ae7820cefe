//! The command `vade view`: the viewer, and where its pictures go.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;
use vademecum::ops::Reply;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::view;

/// Opens the viewer.
pub(crate) const VIEW: Own = Own {
    words: &["view"],
    title: "Look through what is kept, live, on this terminal",
    about: "Opens the viewer, as vade alone on a terminal does: sessions, their notepads, notes, plans and timelines, \
            what a compaction lost, a search over all of it. ? shows the keys. --session opens one session.",
    of: None,
    arguments,
    run,
};

const PLAIN: &str = "plain";

/// The place where `--html FILE` joins: one argument here, and one branch in [`run`] that calls the page.
fn arguments(command: Command) -> Command {
    let plain = Arg::new(PLAIN).long(PLAIN).action(ArgAction::SetTrue);
    command.arg(plain.help("Tell numbered lines and ask, without a screen: for a screen reader"))
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    view::run(setup, globals, matches.get_flag(PLAIN))?;
    Ok(Reply { text: String::new(), object: Value::Null })
}
