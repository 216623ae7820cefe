//! The command `vade store copy`: one store into another. It is a person's alone.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ArgMatches, Command, value_parser};
use vademecum::core::time::Time;
use vademecum::ops::copying::{Report, Side, copy};
use vademecum::ops::moments::waiting_for;
use vademecum::ops::shapes::counted;
use vademecum::ops::{OpError, Reply};
use vademecum::port::{Origin, Surface};
use vademecum::store::{Address, Opened, is_same};
use vademecum::{Patience, open};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;

const FROM: &str = "from";
const TO: &str = "to";

/// Copies one store into another.
pub(super) const STORE_COPY: Own = Own {
    words: &["store", "copy"],
    title: "Copy a store into another one",
    about: "Copies projects, sessions, pages, notes, plans and their journal. FROM loses nothing and may be in use. \
            What TO has stays: of two pages that of FROM stands before it in the history, and a note whose id is \
            taken there gets the next free one, which is said. To run it again copies what is new, and goes on where \
            one was stopped. What runs in FROM counts as ended. What was forgotten in FROM is not in the copy; what TO \
            had of it stays until it is forgotten there too. What was forgotten in TO is left out, and that is said.",
    of: None,
    arguments: |command: Command| {
        let store = |name, help| address(name, help);
        command
            .arg(store(FROM, "The store that is copied: sqlite:PATH or a path"))
            .arg(store(TO, "The store that it is copied into; it is made where there is none"))
    },
    run,
};

/// An argument that names a store.
pub(super) fn address(name: &'static str, help: &'static str) -> Arg {
    let shown = name.to_uppercase();
    Arg::new(name).value_name(shown).required(true).value_parser(value_parser!(OsString)).help(help)
}

/// The store that an argument names; one that must be there is.
pub(super) fn named(
    setup: &Setup,
    matches: &ArgMatches,
    name: &str,
    must_be_there: bool,
) -> Result<(Address, String), OpError> {
    let given = matches.get_one::<OsString>(name).expect("it is required");
    let address = setup.address_of(given)?;
    let shown = address.to_string();
    // Whether a server has it is seen when it is read.
    let Some(path) = address.file() else { return Ok((address, shown)) };
    refuse_link(path, &shown)?;
    if must_be_there && !path.exists() {
        let message = format!("no store at {shown}");
        return Err(OpError::missing(message).hint(
            "a store is named as sqlite:PATH or by the path of its file; vade status shows yours",
        ));
    }
    Ok((address, shown))
}

/// Whoever opens a store follows no link, and would leave a lock beside it.
fn refuse_link(path: &Path, shown: &str) -> Result<(), OpError> {
    let Ok(meta) = path.symlink_metadata() else { return Ok(()) };
    if meta.is_symlink() {
        return Err(OpError::usage(format!("{shown} is a link: a store is named by its own path"))
            .hint("name the file that it leads to"));
    }
    if !meta.is_file() {
        return Err(OpError::usage(format!("{shown} is no file, and a store is one"))
            .hint("name the file itself, such as vade.db in that folder"));
    }
    Ok(())
}

/// Names a store for a command that reads or fills it.
pub(super) fn opened(setup: &Setup, address: &Address) -> Opened {
    open(address, &setup.world, Patience::Command)
}

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    setup.world.check_can_write("store copy")?;
    let (from_path, from) = named(setup, matches, FROM, true)?;
    let (to_path, to) = named(setup, matches, TO, false)?;
    refuse_itself(&from_path, &to_path)?;
    let (source, target) = (opened(setup, &from_path), opened(setup, &to_path));
    let author = setup.caller(None, globals)?.origin.author;
    let origin = Origin { surface: Surface::Import, author };
    let from = Side { store: &source, name: &from };
    let to = Side { store: &target, name: &to };
    let now: Time = setup.world.now();
    let mut report = copy(from, to, (&origin, setup.world.writer()), now)?;
    report.notices.extend(waiting(setup, &from_path));
    let object = serde_json::to_value(&report).unwrap_or_default();
    Ok(Reply { text: said(&report, from.name, to.name), object })
}

/// Says what hooks here could not note in the store that was copied: it is not in the copy.
fn waiting(setup: &Setup, from: &Address) -> Option<String> {
    let name = from.name(&setup.world);
    let n = waiting_for(&setup.world.folders.data, &name);
    (n != 0).then(|| {
        let (lines, address) = (counted(n, "line"), Address::of_name(&name, &setup.world));
        format!(
            "{lines} that hooks could not note there wait on disk and are not in the copy; run: VADE_STORE='{address}' vade status, then copy again"
        )
    })
}

/// A store that is copied onto itself would be read while it is written.
fn refuse_itself(from: &Address, to: &Address) -> Result<(), OpError> {
    let is_one = match (from, to) {
        (Address::File(from), Address::File(to)) => is_same(from, to),
        (from, to) => from == to,
    };
    if !is_one {
        return Ok(());
    }
    let message = format!("{from} and {to} are one store");
    Err(OpError::usage(message)
        .hint("name another file to copy into; vade backup FILE makes a copy in one file"))
}

fn said(report: &Report, from: &str, to: &str) -> String {
    let counts = report.counts();
    let brought: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n != 0)
        .map(|(n, one)| counted(usize::try_from(*n).unwrap_or(usize::MAX), one))
        .collect();
    let first = if brought.is_empty() && report.left_out == 0 {
        format!("{to} has all of {from}: nothing was copied\n")
    } else if brought.is_empty() {
        format!("{to} has all of {from} but what it has forgotten: nothing was copied\n")
    } else {
        format!("copied {from} into {to}: {}\n", brought.join(", "))
    };
    let notices = report.notices.iter().map(|notice| format!("- {notice}\n"));
    std::iter::once(first).chain(notices).collect()
}
