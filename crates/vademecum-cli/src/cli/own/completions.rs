//! The command `vade completions`: what a shell needs to complete our commands.

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use serde_json::json;
use vademecum::ops::Reply;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::tree::Tree;

/// Prints the completions for a shell.
pub(crate) const COMPLETIONS: Own = Own {
    words: &["completions"],
    title: "Print the completions for a shell",
    about: "For bash: vade completions bash > ~/.local/share/bash-completion/completions/vade\n\
            For zsh: a file _vade in a folder of $fpath; for fish: ~/.config/fish/completions/vade.fish",
    arguments: |command: Command| {
        let shell = Arg::new("SHELL").required(true).value_parser(value_parser!(Shell));
        command.arg(shell.help("The shell"))
    },
    run,
};

fn run(setup: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let shell = *matches.get_one::<Shell>("SHELL").expect("it is required");
    let mut tree = Tree::grow(setup.config_or_default());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tree.root, "vade", &mut script);
    let text = String::from_utf8(script).context("the completions are no text")?;
    Ok(Reply { object: json!({"shell": shell.to_string(), "script": text}), text })
}
