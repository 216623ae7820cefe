//! The command `vade store status`: how large a store is, how fast it answers now, and who has it open.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use vademecum::core::hash::plain;
use vademecum::core::id::WriteId;
use vademecum::ops::shapes::counted;
use vademecum::ops::{OpError, Reply, upkeep};
use vademecum::port::{
    Decision, Depth, Health, Origin, Scope, Store, StoreError, Surface, Write, read,
};
use vademecum::store::{Size, size, sync_time};
use vademecum::{Address, Patience, open};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::doctor::holder;

/// Says how a store is.
pub(super) const STORE_STATUS: Own = Own {
    words: &["store", "status"],
    title: "Say how large the store is, how fast it answers, and who has it open",
    about: "Says the size of database and log, the schema and the engine, how long a read and a write take at this \
            moment, which processes have the store open, and what waits or is unfinished. What is measured leaves \
            nothing behind. Another store is named with --store.",
    of: None,
    arguments: |command: Command| command,
    run,
};

/// What was found, in the order in which it is told.
#[derive(Default)]
struct Told {
    lines: Vec<(&'static str, String)>,
    object: serde_json::Map<String, Value>,
}

impl Told {
    fn say(&mut self, about: &'static str, text: impl Into<String>) {
        self.lines.push((about, text.into()));
    }

    fn reply(self) -> Reply {
        let lines = self.lines.iter().map(|(about, text)| format!("{about:<9}{text}\n"));
        Reply { text: lines.collect(), object: Value::Object(self.object) }
    }
}

fn run(setup: &Setup, globals: &Globals, _: &ArgMatches) -> Result<Reply, Failure> {
    let address = setup.store_address(setup.config_or_default(), globals)?;
    let Address::File(path) = &address else { return on_server(setup, &address) };
    let mut told = Told::default();
    told.say("store", path.display().to_string());
    told.object.insert("store".to_owned(), path.display().to_string().into());
    let Size { database, log } = size(path);
    told.object.insert("database_bytes".to_owned(), database.into());
    told.object.insert("log_bytes".to_owned(), log.into());
    if database + log == 0 {
        told.say("size", "not made yet: the first write makes it");
        return Ok(told.reply());
    }
    let kib = |bytes: u64| bytes.div_ceil(1024);
    told.say("size", format!("{} KiB, and {} KiB of log", kib(database), kib(log)));
    let store = open(&address, &setup.world, Patience::Hook);
    let health = store.health(Depth::Quick).map_err(OpError::from)?;
    kind(&mut told, &health);
    latency(&mut told, setup, &store, Some(path))?;
    holders(&mut told, path);
    waiting(&mut told, setup, &store, &health)?;
    Ok(told.reply())
}

/// A store on a server: what is asked first is connected for, and is not what an answer takes.
fn on_server(setup: &Setup, address: &Address) -> Result<Reply, Failure> {
    let mut told = Told::default();
    told.say("store", address.to_string());
    told.object.insert("store".to_owned(), address.to_string().into());
    let store = open(address, &setup.world, Patience::Command);
    let (health, took) = timed(|| store.health(Depth::Quick));
    let health = health.map_err(OpError::from)?;
    told.say("connect", shown(took));
    told.object.insert("connect_ms".to_owned(), ms(took).into());
    kind(&mut told, &health);
    if health.schema.is_none() {
        told.say("size", "not made yet: the first write makes it");
        return Ok(told.reply());
    }
    latency(&mut told, setup, &store, None)?;
    waiting(&mut told, setup, &store, &health)?;
    Ok(told.reply())
}

/// The engine and the schema.
fn kind(told: &mut Told, health: &Health) {
    let schema = health.schema.as_deref().unwrap_or("none");
    told.say("engine", format!("{}, schema {schema}", health.engine));
    told.object.insert("engine".to_owned(), health.engine.clone().into());
    told.object.insert("schema".to_owned(), health.schema.clone().into());
}

/// How long a read and a write take now; the write is given up before anything is kept.
fn latency(
    told: &mut Told,
    setup: &Setup,
    store: &dyn Store,
    path: Option<&Path>,
) -> Result<(), OpError> {
    let (looked, took) = timed(|| read(store, |view| view.projects(None).map(drop)));
    looked?;
    told.say("read", shown(took));
    told.object.insert("read_ms".to_owned(), ms(took).into());
    let request = probe(setup)?;
    let (refused, took) = timed(|| store.write(&request, &mut |_| Ok(Decision::Refuse)));
    if let Err(error) = refused {
        told.say("write", format!("none now: {error}"));
        told.object.insert("write_error".to_owned(), error.to_string().into());
        return Ok(());
    }
    told.object.insert("write_ms".to_owned(), ms(took).into());
    let Some(path) = path else {
        told.say("write", format!("{} to begin one", shown(took)));
        return Ok(());
    };
    let synced = sync_time(path);
    let disk = synced.map_or_else(|| "not known".to_owned(), shown);
    told.say("write", format!("{} to begin one, {disk} for the disk to keep it", shown(took)));
    told.object.insert("sync_ms".to_owned(), synced.map(ms).into());
    Ok(())
}

/// What `run` gives, and how long it takes.
#[expect(clippy::disallowed_methods, reason = "a stretch of time is measured, no time is told")]
fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let given = run();
    (given, began.elapsed())
}

/// A write that is refused before anything is changed.
pub(super) fn probe(setup: &Setup) -> Result<Write, OpError> {
    let id = WriteId::new((setup.world.new_id)());
    Ok(Write {
        is_fresh: true,
        scope: Scope::Store,
        id: id.ok_or_else(|| OpError::broken("no write id could be made"))?,
        arguments: plain(b"store_status"),
        kind: "store_status",
        origin: Origin { surface: Surface::Cli, author: vademecum::port::Author::Tool },
        by: setup.world.writer(),
        at: setup.world.now(),
    })
}

fn ms(took: Duration) -> f64 {
    (took.as_secs_f64() * 100_000.0).round() / 100.0
}

fn shown(took: Duration) -> String {
    format!("{:.2} ms", ms(took))
}

/// Which other processes have the store open, and which of them writes.
fn holders(told: &mut Told, path: &Path) {
    let writer = holder::of(path);
    let open = holder::openers(path);
    let object = match &open {
        None => {
            told.say("open", "by whom is not known here: there is no /proc");
            Value::Null
        }
        Some(open) if open.is_empty() => {
            told.say("open", "by no other process that can be seen");
            json!([])
        }
        Some(open) => {
            for (pid, name) in open {
                told.say("open", format!("process {pid} ({name})"));
            }
            open.iter().map(|(pid, name)| json!({ "pid": pid, "name": name })).collect()
        }
    };
    told.object.insert("open".to_owned(), object);
    if let Some(writer) = &writer {
        told.say("writer", format!("{writer} holds the lock of writers now"));
    }
    told.object.insert("writer".to_owned(), writer.into());
}

/// What is unfinished, and what waits to be taken in.
fn waiting(
    told: &mut Told,
    setup: &Setup,
    store: &dyn Store,
    health: &Health,
) -> Result<(), OpError> {
    let left = read(store, |view| Ok::<_, StoreError>(view.store()?.unfinished))?;
    let mut waits = Vec::new();
    if !left.intents.is_empty() {
        let n = counted(left.intents.len(), "thing");
        waits.push(format!("{n} to be forgotten: the next command ends it"));
    }
    if left.has_bytes {
        waits.push("erased bytes are still on disk: the next write ends it".to_owned());
    }
    if upkeep::is_spooled(&setup.world) {
        waits.push("what hooks could not note waits in the data folder's spool".to_owned());
    }
    waits.extend(health.faults.iter().map(|fault| format!("{fault}: vade doctor says more")));
    if waits.is_empty() {
        told.say("waiting", "nothing");
    }
    for wait in &waits {
        told.say("waiting", wait.clone());
    }
    told.object.insert("waiting".to_owned(), waits.into());
    Ok(())
}
