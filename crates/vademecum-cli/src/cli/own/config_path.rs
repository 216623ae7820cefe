//! The command `vade config path`: where the person's configuration is looked for.

use clap::Command;
use serde_json::json;
use vademecum::ops::Reply;

use crate::cli::own::Own;
use crate::cli::setup::Setup;

/// Prints the path of the configuration.
pub(crate) const CONFIG_PATH: Own = Own {
    words: &["config", "path"],
    title: "Print where the configuration is looked for",
    about: "The file need not be there. A project's own file, .vademecum.toml at the top of its work tree, may \
            set the profile and budgets only.",
    of: None,
    arguments: |command: Command| command,
    run: |setup, _, _| Ok(path(setup)),
};

fn path(setup: &Setup) -> Reply {
    let path = setup.world.folders.config.join("config.toml").display().to_string();
    Reply { object: json!({"path": path}), text: path }
}
