//! The command `vade import`: the operation, with its package from a file or from standard input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use vademecum::ops::operation::reply;
use vademecum::ops::ops::import::{self, Import, Output};
use vademecum::ops::{Call, Op, OpError, Reply};

use crate::cli::arguments;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;

const FILE: &str = "FILE";
const OP: &Op = &Op::of::<Import>();

/// Takes sessions in.
pub(crate) const IMPORT: Own = Own {
    words: &["import"],
    title: "Take sessions in that export wrote",
    about: "Reads JSON, or lines of JSON. What is there already stays, and a repeat changes nothing. Others can \
            write meanwhile; an import that was interrupted is done again.",
    of: None,
    arguments: |command: Command| {
        let file = Arg::new(FILE).value_parser(value_parser!(PathBuf));
        let file = file.help("The file that export wrote; - or nothing reads standard input");
        arguments::add(command, OP).arg(file.value_name(FILE))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let dry_run = matches.get_one::<bool>("dry_run").copied().unwrap_or_default();
    OP.declaration.check_can_write(&setup.world, &json!({ "dry_run": dry_run }))?;
    let file = matches.get_one::<PathBuf>(FILE);
    if matches.contains_id("content") {
        if file.is_some() {
            return Err(OpError::usage("import needs FILE or --content, both given").into());
        }
        return setup.call(OP, arguments::read(OP, matches)?, globals);
    }
    setup.with_call(setup.config()?, globals.session.clone(), Whose::Desk, globals, |call| {
        let file = match file.filter(|path| path.as_os_str() != "-") {
            Some(path) => open(path)?,
            None => stdin()?,
        };
        Ok(reply::<Import>(call, &taken(call, &file, dry_run)?)?)
    })
}

/// Takes in a file, which is read twice; of a pipe all is held in between.
fn taken(call: &Call<'_>, file: &File, dry_run: bool) -> Result<Output, OpError> {
    let mut file = file;
    if let Ok(start) = file.stream_position() {
        return import::from(call, dry_run, || {
            file.seek(SeekFrom::Start(start))?;
            Ok(file)
        });
    }
    let bytes = piped(&mut file, "vade import FILE")?;
    import::from(call, dry_run, || Ok(bytes.as_slice()))
}

fn open(path: &Path) -> Result<File, Failure> {
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let error = OpError::missing(format!("no file \"{}\"", path.display()));
            Err(error.hint("--content takes the JSON itself").into())
        }
        opened => Ok(opened.with_context(|| format!("cannot read {}", path.display()))?),
    }
}

/// The most that is taken in from a pipe, which cannot be read twice and so is held in memory.
const PIPED: u64 = 64 << 20;

/// Standard input as a file; where it is none, it has no position.
pub(super) fn stdin() -> Result<File, Failure> {
    let owned = io::stdin().as_fd().try_clone_to_owned().context("cannot read standard input")?;
    Ok(File::from(owned))
}

/// All that a pipe gives; `instead` takes a file, which may be longer.
pub(super) fn piped(pipe: &mut impl Read, instead: &str) -> Result<Vec<u8>, OpError> {
    let mut bytes = Vec::new();
    pipe.take(PIPED + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| OpError::broken(format!("standard input cannot be read: {error}")))?;
    if PIPED < bytes.len() as u64 {
        return Err(OpError::usage(format!("a pipe takes at most {PIPED} bytes, more given"))
            .hint(format!("put it into a file: {instead}")));
    }
    Ok(bytes)
}
