//! The command `vade man`: the manual pages, one for each command.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_mangen::Man;
use serde_json::json;
use vademecum::ops::Reply;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::tree::Tree;

/// Prints or writes the manual pages.
pub(crate) const MAN: Own = Own {
    words: &["man"],
    title: "Print the manual page, or write all of them into a folder",
    about: "Without DIR, prints vade(1): vade man | man -l -\n\
            With DIR, writes a page for each command: vade man ~/.local/share/man/man1",
    arguments: |command: Command| {
        let folder = Arg::new("DIR").value_parser(value_parser!(PathBuf));
        command.arg(folder.help("The folder to write to; it is made if it is not there"))
    },
    run,
};

fn run(setup: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let root = Tree::grow(setup.config_or_default()).root;
    let Some(folder) = matches.get_one::<PathBuf>("DIR") else {
        let mut page = Vec::new();
        Man::new(root).render(&mut page).context("cannot make the page")?;
        let text = String::from_utf8(page).context("the page is no text")?;
        return Ok(Reply { object: json!({"page": text}), text });
    };
    let place = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {place}"))?;
    clap_mangen::generate_to(root, folder).with_context(|| format!("cannot write to {place}"))?;
    Ok(Reply {
        object: json!({"folder": place.to_string()}),
        text: format!("manual pages are in {place}"),
    })
}
