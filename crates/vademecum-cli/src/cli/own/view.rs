//! The command `vade view`: the viewer, or a page of HTML in its place.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::Value;
use vademecum::ops::Reply;
use vademecum::ops::ops::search::since;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::own::install::flag;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;
use crate::page::{self, Which};
use crate::view;

/// Opens the viewer.
pub(crate) const VIEW: Own = Own {
    words: &["view"],
    title: "Look through what is kept, live, on this terminal",
    about: "Opens the viewer, as vade alone on a terminal does: sessions, their notepads, notes, plans and timelines, \
            what a compaction lost, a search over all of it. ? shows the keys. --session opens one session. \
            With --html it writes a page instead, into one file that needs nothing else, with a search, for a browser, a \
            phone or paper; secrets are taken out again, and --session NAME writes one session whole.",
    of: None,
    arguments,
    run,
};

const PLAIN: &str = "plain";

const HTML: &str = "html";
const SINCE: &str = "since";
const FORCE: &str = "force";

fn arguments(command: Command) -> Command {
    let plain = Arg::new(PLAIN).long(PLAIN).action(ArgAction::SetTrue).conflicts_with(HTML);
    let html = Arg::new(HTML).long(HTML).value_name("FILE").value_parser(value_parser!(PathBuf));
    let since = Arg::new(SINCE).long(SINCE).value_name("TIME").requires(HTML);
    command
        .arg(plain.help("Tell numbered lines and ask, without a screen: for a screen reader"))
        .arg(html.help("Write a page of HTML into this file instead"))
        .arg(since.help(
            "Of the page: only what was heard of since a day, 2026-10-01, a month, 2026-10, or 12h, 7d, 8w ago",
        ))
        .arg(flag(FORCE, "Write the page over a file that is none of vade's").requires(HTML))
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    if let Some(file) = matches.get_one::<PathBuf>(HTML) {
        return written(setup, globals, matches, file);
    }
    view::run(setup, globals, matches.get_flag(PLAIN))?;
    Ok(Reply { text: String::new(), object: Value::Null })
}

/// Writes the page into `file`.
fn written(
    setup: &Setup,
    globals: &Globals,
    matches: &ArgMatches,
    file: &Path,
) -> Result<Reply, Failure> {
    setup.with_call(setup.config()?, globals.session.clone(), Whose::OnlyAgent, globals, |call| {
        setup.keep_up(call, globals)?;
        let since = matches.get_one::<String>(SINCE).map(|text| since(call, text)).transpose()?;
        let which = Which { session: globals.session.clone(), since };
        Ok(page::write(call, &which, file, matches.get_flag(FORCE))?)
    })
}
