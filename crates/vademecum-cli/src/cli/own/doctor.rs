//! What people type to have everything checked, and what it leads to.

use clap::{ArgMatches, Command};
use vademecum::ops::Reply;

use super::super::exit::Failure;
use super::super::globals::Globals;
use super::super::setup::Setup;
use super::Own;
use super::install::{flag, running};
use crate::doctor::Doctor;

const DEEP: &str = "deep";
const REPAIR: &str = "repair";

/// The command.
pub(super) const DOCTOR: Own = Own {
    words: &["doctor"],
    title: "Check that everything works, and say how to fix what does not",
    about: "Looks at the store, its files, PATH, the wiring of each harness, what waits to be taken \
            in, the configuration, and at what the transcripts of the latest sessions show of our \
            contexts. Changes nothing without --repair. The exit code is 7 if something is bad.",
    of: None,
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    command
        .arg(flag(DEEP, "Check every page of the store, however long it takes"))
        .arg(flag(REPAIR, "Repair the store after copying it; what cannot be read is kept apart"))
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let config = setup.config_or_default();
    let address = vademecum::store::address(globals.store.as_deref(), &setup.world, config)?;
    let doctor = Doctor {
        world: &setup.world,
        config: setup.config(),
        running: running()?,
        database: address.file().map(std::path::Path::to_owned).unwrap_or_default(),
        address,
        is_deep: matches.get_flag(DEEP),
    };
    if matches.get_flag(REPAIR) {
        setup.world.check_can_write("doctor --repair")?;
        // A server repairs its own files.
        vademecum::store::path(globals.store.as_deref(), &setup.world, config)?;
        return Ok(doctor.repair()?);
    }
    let report = doctor.check();
    if report.is_bad() { Err(Failure::Found(report.reply())) } else { Ok(report.reply()) }
}
