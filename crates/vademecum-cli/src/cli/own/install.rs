//! What people type to install, and what it leads to.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use vademecum::harness::hook::Harness;
use vademecum::ops::{OpError, Reply};

use super::super::exit::Failure;
use super::super::globals::Globals;
use super::super::setup::Setup;
use super::super::whose::Whose;
use super::Own;
use crate::install::{Install, Without, before, is_done};

const HARNESS: &str = "harness";
pub(super) const DRY_RUN: &str = "dry-run";
pub(super) const YES: &str = "yes";
const NO_PERMISSIONS: &str = "no-permissions";
const NO_STATUS_LINE: &str = "no-status-line";
const BIN_DIR: &str = "bin-dir";

/// The command.
pub(super) const INSTALL: Own = Own {
    words: &["install"],
    title: "Wire vade into Claude Code or Codex",
    about: "Shows each change, asks once, and keeps what was there. Puts the program where it stays, \
            hooks and the permission of tools that take nothing away into the settings, a status line \
            where none is set, the MCP server into the list of servers, and a file for each command \
            that you can type. Doing it again changes nothing; vade uninstall \
            gives every byte back. Codex asks you to approve new hooks when it starts.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    command
        .arg(harness())
        .arg(flag(DRY_RUN, "Only show what would change"))
        .arg(flag(YES, "Do it without asking"))
        .arg(flag(NO_PERMISSIONS, "Leave the permissions of Claude Code alone"))
        .arg(flag(NO_STATUS_LINE, "Leave the status line of Claude Code alone"))
        .arg(
            Arg::new(BIN_DIR)
                .long(BIN_DIR)
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("Put the program into this folder instead of ~/.local/bin"),
        )
}

/// The harness that is meant.
pub(super) fn harness() -> Arg {
    Arg::new(HARNESS)
        .value_name("HARNESS")
        .value_parser(Harness::ALL.map(Harness::id))
        .default_value(Harness::ClaudeCode.id())
        .help("Which harness")
}

/// The harness that was named.
pub(super) fn named(matches: &ArgMatches) -> Harness {
    let id = matches.get_one::<String>(HARNESS).expect("it has a default");
    Harness::of(id).expect("only these are parsed")
}

/// An option without a value.
pub(super) fn flag(name: &'static str, help: &'static str) -> Arg {
    let arg = Arg::new(name).long(name).help(help).action(ArgAction::SetTrue);
    if name == YES { arg.short('y') } else { arg }
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let asked = Install {
        harness: named(matches),
        running: running()?,
        folder: matches.get_one::<PathBuf>(BIN_DIR).map(seen_from_here),
        is_dry: matches.get_flag(DRY_RUN),
        is_sure: matches.get_flag(YES),
        without: Without {
            permissions: matches.get_flag(NO_PERMISSIONS),
            status_line: matches.get_flag(NO_STATUS_LINE),
        },
    };
    if !asked.is_dry {
        setup.world.check_can_write("install")?;
    }
    let mut reply = asked.run(&setup.world)?;
    if is_done(&reply) {
        reply.text.extend(before_of(setup, globals));
    }
    Ok(reply)
}

/// What is said of sessions from before; nothing where the store does not tell which of them it has.
fn before_of(setup: &Setup, globals: &Globals) -> Option<String> {
    let config = setup.config_or_default();
    let told = setup.with_call(config, None, Whose::Desk, globals, |call| Ok(before(call)?));
    told.ok().flatten()
}

/// A relative folder of the command line is seen from the current one, whatever the project.
fn seen_from_here(folder: &PathBuf) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.clone())
}

/// The program that runs, without links.
pub(super) fn running() -> Result<PathBuf, OpError> {
    #[expect(clippy::disallowed_methods, reason = "only these commands ask where they lie")]
    let path = std::env::current_exe();
    path.map_err(|error| OpError::broken(format!("cannot find the running program: {error}")))
}
