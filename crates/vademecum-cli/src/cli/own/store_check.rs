//! The command `vade store check`: whether two stores hold the same.

use clap::{ArgMatches, Command};
use vademecum::ops::Reply;
use vademecum::ops::comparing::{Comparison, compare};
use vademecum::ops::copying::Side;
use vademecum::ops::shapes::counted;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::own::store_copy::{address, named, opened};
use crate::cli::setup::Setup;

const A: &str = "a";
const B: &str = "b";

/// Compares two stores.
pub(super) const STORE_CHECK: Own = Own {
    words: &["store", "check"],
    title: "Compare two stores, and say what differs",
    about: "Compares what two stores hold: projects, sessions, pages, notes, plans and every write of their journals. \
            What a machine has of its own does not count: processes, seals, whether a session still runs. Changes \
            nothing. The exit code is 0 if they hold the same and 1 if they differ.",
    of: None,
    arguments: |command: Command| {
        command
            .arg(address(A, "A store: sqlite:PATH or a path"))
            .arg(address(B, "The store that it is compared with"))
    },
    run,
};

fn run(setup: &Setup, _: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let (one_path, one) = named(setup, matches, A, true)?;
    let (other_path, other) = named(setup, matches, B, true)?;
    let (first, second) = (opened(setup, &one_path), opened(setup, &other_path));
    let found = compare(Side { store: &first, name: &one }, Side { store: &second, name: &other })?;
    let mut object = serde_json::to_value(&found).unwrap_or_default();
    object["same"] = found.is_same().into();
    let reply = Reply { text: said(&found, &one, &other), object };
    if found.is_same() { Ok(reply) } else { Err(Failure::Differs(reply)) }
}

fn said(found: &Comparison, one: &str, other: &str) -> String {
    let number = |n: u64, word| counted(usize::try_from(n).unwrap_or(usize::MAX), word);
    if found.is_same() {
        let compared = [
            number(found.projects, "project"),
            number(found.sessions, "session"),
            number(found.notes, "note"),
            number(found.entries, "entry"),
            number(found.records, "journal write"),
        ];
        return format!("{one} and {other} hold the same: {}\n", compared.join(", "));
    }
    let mut lines = vec![format!("{one} and {other}: {}\n", number(found.count, "difference"))];
    lines.extend(found.differences.iter().map(|it| format!("- {it}\n")));
    let n_more = found.count - found.differences.len() as u64;
    if n_more != 0 {
        lines.push(format!("- and {n_more} more\n"));
    }
    lines.concat()
}
