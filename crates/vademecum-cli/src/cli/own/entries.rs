//! The commands `vade decision list`, `vade issue list` and `vade learning list`.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use vademecum::ops::ops::list_entries::ListEntries;
use vademecum::ops::{Op, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const ALL: &str = "all";
const LIMIT: &str = "limit";

/// Lists the decisions.
pub(crate) const DECISIONS: Own = Own {
    words: &["decision", "list"],
    title: "List the decisions of the project",
    about: "The newest first, each with its reason, its day and its session; vade plan entries lists issues and learnings too.",
    of: None,
    arguments,
    run: |setup, globals, matches| run("decision", setup, globals, matches),
};

/// Lists the issues.
pub(crate) const ISSUES: Own = Own {
    words: &["issue", "list"],
    title: "List the issues of the project",
    about: "The newest first, each with its workaround, its day and its session; vade plan entries lists decisions and learnings too.",
    of: None,
    arguments,
    run: |setup, globals, matches| run("issue", setup, globals, matches),
};

/// Lists the learnings.
pub(crate) const LEARNINGS: Own = Own {
    words: &["learning", "list"],
    title: "List the learnings of the project",
    about: "The newest first, each with its day and its session; vade plan entries lists decisions and issues too.",
    of: None,
    arguments,
    run: |setup, globals, matches| run("learning", setup, globals, matches),
};

fn arguments(command: Command) -> Command {
    let all = Arg::new(ALL).long(ALL).action(ArgAction::SetTrue);
    let limit = Arg::new(LIMIT).long(LIMIT).value_name("N").value_parser(value_parser!(usize));
    command
        .arg(all.help("Those that were superseded or resolved too"))
        .arg(limit.help("At most so many, 0 for all [default: 20]"))
}

fn run(
    category: &str,
    setup: &Setup,
    globals: &Globals,
    matches: &ArgMatches,
) -> Result<Reply, Failure> {
    let arguments = json!({
        "category": category, "all": matches.get_flag(ALL), "limit": matches.get_one::<usize>(LIMIT),
    });
    setup.call(&Op::of::<ListEntries>(), arguments, globals)
}
