//! The command `vade notepad show`: the page as it is, or as it was at an earlier revision.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::ArgValueCompleter;
use serde_json::json;
use vademecum::ops::ops::notepad_history::NotepadHistory;
use vademecum::ops::ops::read_notepad::ReadNotepad;
use vademecum::ops::{Op, Reply};

use crate::cli::complete;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const REV: &str = "rev";

/// Shows the page.
pub(crate) const NOTEPAD_SHOW: Own = Own {
    words: &["notepad", "show"],
    title: "Read the notepad",
    about: "Prints the page byte for byte. vade notepad history lists its revisions, vade notepad diff shows what \
            changed between two of them.",
    of: Some("read_notepad"),
    arguments: |command: Command| {
        let rev = Arg::new(REV).long(REV).value_name("REV").value_parser(value_parser!(u32));
        let rev = rev.help("As it was at this revision");
        command.arg(rev.add(ArgValueCompleter::new(complete::revisions)))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let Some(rev) = matches.get_one::<u32>(REV) else {
        return setup.call(&Op::of::<ReadNotepad>(), json!({}), globals);
    };
    let reply = setup.call(&Op::of::<NotepadHistory>(), json!({ REV: rev }), globals)?;
    Ok(Reply { object: json!({"content": reply.object["content"], "rev": rev}), ..reply })
}
