//! The command `vade view`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use vademecum::ops::ops::search::since;
use vademecum::ops::{OpError, Reply};

use super::Own;
use super::install::flag;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;
use crate::page::{self, Which};

const HTML: &str = "html";
const SINCE: &str = "since";
const FORCE: &str = "force";

/// Shows what is kept.
pub(crate) const VIEW: Own = Own {
    words: &["view"],
    title: "Write a page of HTML with sessions, notes and plans",
    about: "Writes sessions with their timelines, notepads and notes, and the project's plans, into one file of HTML \
            that needs nothing else: it has a search, and is read with a browser, on a phone or on paper. Secrets are \
            taken out again. --session NAME writes one session whole.",
    of: None,
    arguments: |command: Command| {
        let file = Arg::new(HTML).long(HTML).value_name("FILE").required(true);
        command
            .arg(file.value_parser(value_parser!(PathBuf)).help("Write the page into this file"))
            .arg(Arg::new(SINCE).long(SINCE).value_name("TIME").help(
                "Only what was heard of since: a day, 2026-10-01, a month, 2026-10, or 12h, 7d, 8w ago",
            ))
            .arg(flag(FORCE, "Write over a file that is no page of vade"))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let file =
        matches.get_one::<PathBuf>(HTML).ok_or_else(|| OpError::usage("--html takes a file"))?;
    setup.with_call(setup.config()?, globals.session.clone(), Whose::OnlyAgent, globals, |call| {
        setup.keep_up(call, globals)?;
        let since = matches.get_one::<String>(SINCE).map(|text| since(call, text)).transpose()?;
        let which = Which { session: globals.session.clone(), since };
        Ok(page::write(call, &which, file, matches.get_flag(FORCE))?)
    })
}
