//! What people type to uninstall, and what it leads to.

use clap::{ArgMatches, Command};
use vademecum::ops::Reply;

use super::super::exit::Failure;
use super::super::globals::Globals;
use super::super::setup::Setup;
use super::Own;
use super::install::{DRY_RUN, YES, flag, harness, named};
use crate::install::Uninstall;

const PURGE: &str = "purge";

/// The command.
pub(super) const UNINSTALL: Own = Own {
    words: &["uninstall"],
    title: "Take vade out of Claude Code or Codex again",
    about: "Lists every file that vade made or changed, and what becomes of it. Notes and notepads stay unless \
            --purge is given, which takes vade out of every harness. Files of plans in your work trees \
            are listed and stay: they belong to the project.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    command
        .arg(harness())
        .arg(flag(PURGE, "Erase all that was kept, and the program, too"))
        .arg(flag(DRY_RUN, "Only show what would become of each file"))
        .arg(flag(YES, "Do it without asking"))
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let is_purge = matches.get_flag(PURGE);
    // What is erased must be known for sure; what only stays need not be.
    let config = if is_purge { setup.config()? } else { setup.config_or_default() };
    let address = vademecum::store::address(globals.store.as_deref(), &setup.world, config)?;
    let asked = Uninstall {
        harness: named(matches),
        is_purge,
        is_dry: matches.get_flag(DRY_RUN),
        is_sure: matches.get_flag(YES),
        database: address.file().map(std::path::Path::to_owned),
        server: address.file().is_none().then(|| address.to_string()),
    };
    if !asked.is_dry {
        setup.world.check_can_write("uninstall")?;
    }
    Ok(asked.run(&setup.world)?)
}
