//! The command `vade why`: the operation on the transcript that `vade recap` would take.

use clap::{ArgMatches, Command};
use vademecum::ops::ops::why::Why;
use vademecum::ops::{Op, Reply};

use crate::cli::arguments;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::{Own, recap};
use crate::cli::setup::Setup;

const OP: Op = Op::of::<Why>();

/// Shows where a recap has its words from.
pub(crate) const WHY: Own = Own {
    words: &["why"],
    title: "Show where a transcript says what its recap says",
    about: "Shows the lines of a transcript that say what its recap says, with time, whose words they are and what \
            stands around them. It takes a line of a recap as it stands, or some words of it, and finds the \
            transcript as vade recap does.",
    of: Some("why"),
    arguments: |command: Command| {
        // The lines of a recap begin with `- `.
        arguments::add(command, &OP).mut_arg("words", |words| words.allow_hyphen_values(true))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let given = arguments::read(&OP, matches)?;
    let whose = recap::whose(&given);
    setup.with_call(setup.config()?, globals.session.clone(), whose, globals, |call| {
        Ok(OP.run(call, given.clone())?)
    })
}
