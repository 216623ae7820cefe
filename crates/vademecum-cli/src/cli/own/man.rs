//! The command `vade man`: the manual pages, one for each command.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_mangen::Man;
use serde_json::json;
use vademecum::ops::Reply;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::tree::{ENVIRONMENT, EXIT_STATUS, Tree};

/// Prints or writes the manual pages.
pub(crate) const MAN: Own = Own {
    words: &["man"],
    title: "Print the manual page, or write all of them into a folder",
    about: "Without DIR, prints vade(1): vade man | man -l -\n\
            With DIR, writes a page for each command: vade man ~/.local/share/man/man1",
    of: None,
    arguments: |command: Command| {
        let folder = Arg::new("DIR").value_parser(value_parser!(PathBuf));
        command.arg(folder.help("The folder to write to; it is made if it is not there"))
    },
    run,
};

fn run(setup: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let mut root = Tree::grow(setup.config_or_default()).root.disable_help_subcommand(true);
    root.build();
    let Some(folder) = matches.get_one::<PathBuf>("DIR") else {
        let page = page(&root).context("cannot make the page")?;
        let text = String::from_utf8(page).context("the page is no text")?;
        return Ok(Reply { object: json!({"page": text}), text });
    };
    let place = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {place}"))?;
    write(&root, folder).with_context(|| format!("cannot write to {place}"))?;
    Ok(Reply {
        object: json!({"folder": place.to_string()}),
        text: format!("manual pages are in {place}"),
    })
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path) -> io::Result<()> {
    let name = Man::new(command.clone()).get_filename();
    std::fs::write(folder.join(name), page(command)?)?;
    command.get_subcommands().try_for_each(|below| write(below, folder))
}

/// The page of a command, with what no parser knows: the environment and the exit status.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let has_commands = command.get_subcommands().next().is_some();
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(section("ENVIRONMENT", ENVIRONMENT).into_bytes());
    page.extend(section("EXIT STATUS", EXIT_STATUS).into_bytes());
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// A section of names and what each means.
fn section(title: &str, rows: &[(&str, &str)]) -> String {
    let quote = if title.contains(' ') { "\"" } else { "" };
    let mut text = format!(".SH {quote}{title}{quote}\n");
    for (name, meaning) in rows {
        writeln!(text, ".TP\n\\fB{name}\\fR\n{}", meaning.replace('-', "\\-")).expect("memory");
    }
    text
}
