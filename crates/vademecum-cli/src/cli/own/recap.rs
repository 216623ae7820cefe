//! The command `vade recap`: the operation, again and again while its transcript grows if that is asked for.

use std::io::{BufReader, Cursor, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use vademecum::ops::operation::Operation;
use vademecum::ops::ops::recap::{self, Input, Output, Recap};
use vademecum::ops::recaps::databases::is_database;
use vademecum::ops::{Call, Op, OpError, Reply};
use vademecum::world;

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::install::flag;
use crate::cli::own::{Own, import};
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;
use crate::cli::{arguments, print};

const WATCH: &str = "watch";
const OP: Op = Op::of::<Recap>();

/// How often the transcript is looked at.
const PAUSE: Duration = Duration::from_millis(500);

/// A transcript longer than so many bytes takes long enough to say that it is being read.
const LONG: u64 = 64 * 1024 * 1024;

/// Summarises a session.
pub(crate) const RECAP: Own = Own {
    words: &["recap"],
    title: "Summarise a session from its transcript",
    about: "Says what a session did, decided and left open, within a token budget. Without a path it takes the \
            transcript of the session, else the latest of this project; - reads one from standard input.",
    of: Some("recap"),
    arguments: |command: Command| {
        let watch = flag(WATCH, "Print it again whenever the transcript has grown, until Ctrl+C");
        arguments::add(command, &OP).arg(watch)
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    let arguments = arguments::read(&OP, matches)?;
    let given = arguments.get("path").and_then(Value::as_str);
    let given = given.map(|path| setup.world.folders.work.join(path));
    if let Some(path) = &given {
        say_if_long(path);
    }
    // What is written while it is read the first time is told as well.
    let seen = given.as_deref().map(state);
    let reply = recap(setup, globals, &arguments)?;
    let path = PathBuf::from(reply.object["transcript"].as_str().unwrap_or_default());
    // The sample never grows.
    if !matches.get_flag(WATCH) || !path.is_file() {
        return Ok(reply);
    }
    let seen = seen.unwrap_or_else(|| state(&path));
    watch((&path, seen), setup.as_json, reply, || recap(setup, globals, &arguments))
}

/// What stands for standard input in place of a path.
const STDIN: &str = "-";

fn recap(setup: &Setup, globals: &Globals, arguments: &Value) -> Result<Reply, Failure> {
    if globals.allow_secret {
        return Err(
            OpError::usage("--allow-secret is for commands that write, not for recap").into()
        );
    }
    let whose = whose(arguments);
    setup.with_call(setup.config()?, globals.session.clone(), whose, globals, |call| {
        if arguments["path"] != STDIN {
            return Ok(OP.run(call, arguments.clone())?);
        }
        let input: Input =
            serde_json::from_value(arguments.clone()).context("not its arguments")?;
        let output = of_stdin(call, &input)?;
        Ok(Reply { text: Recap::say(&output), object: json!(output) })
    })
}

/// Whose transcript is meant: where these arguments name none, that of the session at work.
pub(super) fn whose(arguments: &Value) -> Whose {
    let is_named =
        ["path", "session_id", "sample"].iter().any(|name| arguments.get(name).is_some());
    if is_named { Whose::Desk } else { Whose::Transcript }
}

/// Recaps what standard input holds, which is read twice; of a pipe all is held in between.
fn of_stdin(call: &Call<'_>, input: &Input) -> Result<Output, Failure> {
    const NAME: &str = "standard input";
    let mut file = import::stdin()?;
    if file.stream_position().is_ok() {
        return Ok(recap::of_source(call, input, NAME, &mut BufReader::new(file))?);
    }
    let bytes = import::piped(&mut file, "vade recap FILE")?;
    Ok(recap::of_source(call, input, NAME, &mut Cursor::new(bytes))?)
}

/// Prints each recap; ends only when one cannot be made or printed, or when nobody reads them.
fn watch(
    (path, mut seen): (&Path, State),
    as_json: bool,
    first: Reply,
    again: impl Fn() -> Result<Reply, Failure>,
) -> Result<Reply, Failure> {
    let mut reply = first;
    loop {
        if !print::one_of_many(&reply, as_json)? {
            return Ok(reply);
        }
        while state(path) == seen {
            world::pause(PAUSE);
        }
        seen = state(path);
        reply = again()?;
    }
}

/// What changes when a file is written, or the log beside it if it is a database.
type State = [Option<(u64, SystemTime)>; 2];

fn state(path: &Path) -> State {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    [path, Path::new(&log)].map(|path| {
        let meta = path.metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?))
    })
}

fn say_if_long(path: &Path) {
    let size = path.metadata().map_or(0, |meta| meta.len());
    // Of a database one session is read, however many there are.
    if LONG < size && !is_database(path) {
        print::say(&format!("reading {} MB of {}", size / 1_000_000, path.display()));
    }
}
