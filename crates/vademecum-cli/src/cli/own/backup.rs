//! The command `vade backup`: the whole store in one file, and the way back. It is a person's alone.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use vademecum::ops::shapes::count;
use vademecum::ops::{OpError, Reply};
use vademecum::store::{back_up, restore};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::own::install::flag;
use crate::cli::setup::Setup;

const FILE: &str = "file";
const RESTORE: &str = "restore";

/// Copies the whole store, or brings a copy back.
pub(super) const BACKUP: Own = Own {
    words: &["backup"],
    title: "Copy the whole store into one file, or bring such a file back",
    about: "Agents may go on meanwhile: the copy is of one moment. The file holds the key of the store and can be \
            read by you alone; vade forget cannot reach it. With --restore the file is checked in full, the store \
            is saved among the backups, and the file's content takes its place.",
    of: None,
    arguments: |command: Command| {
        command
            .arg(
                Arg::new(FILE)
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("The copy; one that is there already is not overwritten"),
            )
            .arg(flag(RESTORE, "Put the copy in the place of the store"))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let database = setup.store_path(setup.config()?, globals)?;
    let file = matches.get_one::<PathBuf>(FILE).expect("it is required");
    let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
    let reply = if matches.get_flag(RESTORE) {
        setup.world.check_can_write("backup --restore")?;
        bring_back(&database, &file)?
    } else {
        copy(&database, &file, setup.world.is_read_only())?
    };
    Ok(reply)
}

fn copy(database: &Path, file: &Path, is_looked_at: bool) -> Result<Reply, OpError> {
    let shown = file.display();
    if file.symlink_metadata().is_ok() {
        return Err(OpError::conflict(format!("{shown} is there already"))
            .hint("name another file: a backup overwrites nothing"));
    }
    if !file.parent().is_some_and(Path::is_dir) {
        return Err(OpError::missing(format!("no folder for {shown}")));
    }
    let Some(n_notes) = back_up(database, file, is_looked_at)? else {
        return Err(OpError::missing("nothing was ever written, so there is nothing to copy"));
    };
    Ok(Reply {
        object: json!({ "file": file.to_string_lossy(), "notes": n_notes }),
        text: format!(
            "the store is in {shown} ({}), with its key: keep it to yourself\n",
            count(n_notes)
        ),
    })
}

fn bring_back(database: &Path, file: &Path) -> Result<Reply, OpError> {
    let shown = file.display();
    if !file.is_file() {
        return Err(OpError::missing(format!("no file {shown}")));
    }
    let restored = restore(database, file)?;
    let saved = restored.saved.as_ref().map(|path| path.display().to_string());
    let before = saved.iter().map(|saved| format!("the store as it was is kept: {saved}\n"));
    let first = format!("the store is what {shown} holds ({})\n", count(restored.n_notes));
    Ok(Reply {
        object: json!({ "restored": file.to_string_lossy(), "notes": restored.n_notes, "saved": saved }),
        text: std::iter::once(first).chain(before).collect(),
    })
}
