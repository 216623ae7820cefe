//! The command `vade store make`: for who keeps a store on a server, whose tables only their owner makes.

use clap::{ArgMatches, Command};
use serde_json::json;
use vademecum::ops::{OpError, Reply};
use vademecum::port::{Decision, Depth, Store as _};
use vademecum::{Patience, open};

use super::store_status::probe;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

/// Makes a store, or brings it to the schema of this program.
pub(super) const STORE_MAKE: Own = Own {
    words: &["store", "make"],
    title: "Make the store, or bring it to the schema of this program",
    about: "A first write does the same. On a server only the owner of the tables can: who keeps a store for others \
            makes it with this, and brings it on after a new version of vade. Another store is named with --store.",
    of: None,
    arguments: |command: Command| command,
    run,
};

fn run(setup: &Setup, globals: &Globals, _: &ArgMatches) -> Result<Reply, Failure> {
    setup.world.check_can_write("store make")?;
    let address = setup.store_address(setup.config()?, globals)?;
    let store = open(&address, &setup.world, Patience::Command);
    // Whoever begins a write finds it made.
    store.write(&probe(setup)?, &mut |_| Ok(Decision::Refuse)).map_err(OpError::from)?;
    let schema = store.health(Depth::Quick).map_err(OpError::from)?.schema.unwrap_or_default();
    let address = address.to_string();
    let text = format!("{address} is of schema {schema}\n");
    Ok(Reply { text, object: json!({ "store": address, "schema": schema }) })
}
