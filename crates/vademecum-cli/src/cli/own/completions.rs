//! The command `vade completions`: what a shell needs to complete our commands, and what they name.

use anyhow::Context;
use clap::{Arg, ArgMatches, Command};
use clap_complete::env::Shells;
use serde_json::json;
use vademecum::ops::Reply;

use crate::cli::COMPLETE;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

/// Prints the completions for a shell.
pub(crate) const COMPLETIONS: Own = Own {
    words: &["completions"],
    title: "Print the completions for a shell",
    about: "The script asks vade itself at each completion, so that it knows notes, sessions, plans and tags.\n\
            For bash: vade completions bash > ~/.local/share/bash-completion/completions/vade\n\
            For zsh: a file _vade in a folder of $fpath; for fish: ~/.config/fish/completions/vade.fish",
    of: None,
    arguments: |command: Command| {
        let names: Vec<&str> = Shells::builtins().names().collect();
        command.arg(Arg::new("SHELL").required(true).value_parser(names).help("The shell"))
    },
    run,
};

fn run(_: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let name = matches.get_one::<String>("SHELL").expect("it is required");
    let shells = Shells::builtins();
    let shell = shells.completer(name).expect("only these are parsed");
    let mut script = Vec::new();
    shell
        .write_registration(COMPLETE, "vade", "vade", "vade", &mut script)
        .context("cannot make the completions")?;
    let text = String::from_utf8(script).context("the completions are no text")?;
    Ok(Reply { object: json!({"shell": name, "script": text}), text })
}
