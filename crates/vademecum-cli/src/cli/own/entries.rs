//! The commands `vade decision list`, `vade issue list` and `vade learning list`: one category of what `vade plan show` shows.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use vademecum::ops::ops::show_plan::ShowPlan;
use vademecum::ops::{Op, Reply};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const PLAN: &str = "plan";
const ALL: &str = "all";
const LIMIT: &str = "limit";

/// Lists the decisions.
pub(crate) const DECISIONS: Own =
    list(&["decision", "list"], "List the decisions of a plan", |setup, globals, matches| {
        run("decision", setup, globals, matches)
    });

/// Lists the issues.
pub(crate) const ISSUES: Own =
    list(&["issue", "list"], "List the issues of a plan", |setup, globals, matches| {
        run("issue", setup, globals, matches)
    });

/// Lists the learnings.
pub(crate) const LEARNINGS: Own =
    list(&["learning", "list"], "List the learnings of a plan", |setup, globals, matches| {
        run("learning", setup, globals, matches)
    });

type Run = fn(&Setup, &Globals, &ArgMatches) -> Result<Reply, Failure>;

const fn list(words: &'static [&'static str], title: &'static str, run: Run) -> Own {
    Own {
        words,
        title,
        about: "The newest first, with their ids: of the active plan, else of the project. vade plan show lists all kinds.",
        of: None,
        arguments,
        run,
    }
}

fn arguments(command: Command) -> Command {
    let plan = Arg::new(PLAN).value_name("PLAN").help("Which plan; _project for the project");
    let all = Arg::new(ALL).long(ALL).action(ArgAction::SetTrue);
    let limit = Arg::new(LIMIT).long(LIMIT).value_name("N").value_parser(value_parser!(usize));
    command
        .arg(plan)
        .arg(all.help("Superseded and resolved ones too"))
        .arg(limit.help("At most so many, 0 for all [default: 20]"))
}

fn run(
    category: &str,
    setup: &Setup,
    globals: &Globals,
    matches: &ArgMatches,
) -> Result<Reply, Failure> {
    let arguments = json!({
        "category": category,
        "plan": matches.get_one::<String>(PLAN),
        "all": matches.get_flag(ALL),
        "limit": matches.get_one::<usize>(LIMIT),
    });
    setup.call(&Op::of::<ShowPlan>(), arguments, globals)
}
