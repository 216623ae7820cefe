//! The command `vade status`: the operation, with what only the command line knows: the store's address, a faulty configuration.

use clap::{ArgMatches, Command};
use serde_json::json;
use vademecum::ops::ops::status::Status;
use vademecum::ops::{Op, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::own::install::flag;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;
use crate::install::has_hooks;

const EXPLAIN: &str = "explain";

/// Whatever is switched on, nobody notices it once the hooks are out.
const OUT: &str = "vade was uninstalled: no harness starts it; vade install puts it back";

/// Says where the session stands.
pub(crate) const STATUS: Own = Own {
    words: &["status"],
    title: "Say where the session stands",
    about: "Says where the session, its notepad and its notes stand, where the store lies, and what is wrong. \
            It also answers while vade is off or the configuration is faulty.",
    of: Some("status"),
    arguments: |command: Command| {
        command.arg(flag(EXPLAIN, "Say also why the warning before a compaction is due or not"))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let config = setup.config_or_default();
    let address = setup.store_address(config, globals)?;
    let mut reply =
        setup.with_call(config, globals.session.clone(), Whose::OnlyAgent, globals, |call| {
            setup.keep_up(call, globals)?;
            Ok(Op::of::<Status>().run(call, json!({ EXPLAIN: matches.get_flag(EXPLAIN) }))?)
        })?;

    let mut lines = vec![reply.text, format!("store    {address}")];
    reply.object["store"] = address.to_string().into();
    if has_hooks(&setup.world.folders.data) == Some(false) {
        lines[0] = lines[0].replacen(", vade is on\n", ", vade is uninstalled\n", 1);
        lines.push(format!("problem  {OUT}"));
        reply.object["uninstalled"] = true.into();
    }
    if let Err(error) = setup.config() {
        lines.push(format!("problem  {}; the defaults are used here", error.message));
        reply.object["config_error"] = error.message.into();
    }
    Ok(Reply { text: lines.join("\n"), ..reply })
}
