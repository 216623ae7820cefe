//! Opens a store by its address.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use vademecum_core::hash::{self, Key};
use vademecum_core::id::{PersonId, Seq};
use vademecum_ops::world::{OpenStore, World};
use vademecum_ops::{Config, OpError, renderings};
#[cfg(feature = "postgres")]
use vademecum_postgres::Postgres;
pub use vademecum_sqlite::backup::{Restored, back_up, restore};
pub use vademecum_sqlite::disk::{Size, is_same, size, sync_time};
pub use vademecum_sqlite::repair::{Report, Saved, copies, repair};
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::store::{Decide, Look};
use vademecum_store::{
    Depth, Erase, Health, IntentId, Outcome, ReadOnly, Store, StoreError, Write,
};

#[cfg(feature = "postgres")]
use vademecum_postgres as server;

/// Without the feature there is no address of a server.
#[cfg(not(feature = "postgres"))]
mod server {
    /// The address of a store on a server.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Address {}

    impl Address {
        /// What the store is called.
        pub fn name(&self) -> String {
            match *self {}
        }

        /// The login role that connects.
        pub fn user(&self) -> Option<&str> {
            match *self {}
        }
    }

    impl std::fmt::Display for Address {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match *self {}
        }
    }
}

/// How long an opener can wait for other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A hook: milliseconds, since a person waits.
    Hook,
    /// The hook of a session's start: longer, since several sessions may start in the same moment.
    Start,
    /// A command or a server: up to half a minute.
    Command,
    /// What these do beside their work: milliseconds, since nobody has asked for it.
    Beside,
}

/// The name of the database in the data folder.
const FILE: &str = "vade.db";

/// Where a store lies. What it shows holds no password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// In a file of this machine.
    File(PathBuf),
    /// In a PostgreSQL database.
    Server(Box<server::Address>),
}

impl Address {
    /// The file; none for a store on a server.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }

    /// The address of the store that hooks call `name` in `world`, as `VADE_STORE` takes it.
    #[must_use]
    pub fn of_name(name: &str, world: &World) -> String {
        if name.contains("://") {
            name.to_owned()
        } else {
            world.folders.data.join(name).display().to_string()
        }
    }

    /// What hooks call the store in `world`, by which their events find it.
    #[must_use]
    pub fn name(&self, world: &World) -> String {
        match self {
            // The data folder may be moved, with what waits in it.
            Self::File(path) => {
                let real = |path: &Path| path.canonicalize().ok();
                let data = &world.folders.data;
                let data = real(data).unwrap_or_else(|| data.clone());
                // The file may not be there yet.
                let path = real(path)
                    .or_else(|| Some(real(path.parent()?)?.join(path.file_name()?)))
                    .unwrap_or_else(|| path.clone());
                path.strip_prefix(&data).unwrap_or(&path).display().to_string()
            }
            Self::Server(address) => address.name(),
        }
    }

    /// Tells `world` that it is the store that was opened.
    pub fn tell(&self, world: &World) {
        let person = match self {
            Self::File(_) => None,
            Self::Server(address) => address.user().map(person),
        };
        drop(world.store.set(OpenStore { name: self.name(world), person }));
    }
}

/// The person that a login role of a server is.
fn person(role: &str) -> PersonId {
    let hash = hash::plain(&[b"vade person ", role.as_bytes()].concat());
    PersonId(*hash.first_chunk().expect("a hash is longer than an id"))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(address) => address.fmt(f),
        }
    }
}

/// A store that was named, whatever keeps it.
#[derive(Debug)]
pub enum Opened {
    /// One in a file.
    File(Box<Sqlite>),
    /// One in a PostgreSQL database.
    #[cfg(feature = "postgres")]
    Server(Postgres, Beside),
    /// Either of them, where nothing is to be written.
    ReadOnly(Box<ReadOnly<Opened>>),
}

/// The data folder beside a store on a server, and what hooks call that store: what is rendered there follows what is
/// written here.
#[cfg(feature = "postgres")]
#[derive(Debug)]
pub struct Beside {
    data: PathBuf,
    name: String,
}

impl Opened {
    /// The data folder beside a store on a server, and its name; none of any other.
    fn beside(&self) -> Option<(&Path, &str)> {
        match self {
            Self::File(_) | Self::ReadOnly(_) => None,
            #[cfg(feature = "postgres")]
            Self::Server(_, Beside { data, name }) => Some((data, name)),
        }
    }

    /// Notes that something was written, or may have been.
    fn moved(&self, outcome: &Result<Outcome, StoreError>) {
        let Some((data, name)) = self.beside() else { return };
        match outcome {
            Ok(Outcome::Done { seq } | Outcome::Replayed { seq, .. }) => {
                renderings::moved(data, name, *seq);
            }
            Err(StoreError::Unsettled { .. }) => drop(renderings::erased(data)),
            Ok(Outcome::Unchanged | Outcome::Refused) | Err(_) => {}
        }
    }

    /// Takes what is rendered of it away.
    fn erased(&self) -> Result<(), StoreError> {
        let Some((data, _)) = self.beside() else { return Ok(()) };
        let what = |error| format!("a rendering beside the store cannot be erased: {error}");
        renderings::erased(data).map_err(|error| StoreError::Engine { what: what(error) })
    }

    fn port(&self) -> &dyn Store {
        match self {
            Self::File(store) => &**store,
            #[cfg(feature = "postgres")]
            Self::Server(store, _) => store,
            Self::ReadOnly(store) => &**store,
        }
    }
}

impl Store for Opened {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.port().read(look)
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        let written = self.port().write(write, decide);
        self.moved(&written);
        written
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.port().wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.port().intend(what)
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        // Before, for who is killed behind the rows never comes back to it; and again, for what was made meanwhile.
        self.erased()?;
        self.port().erase(what, fulfils)?;
        self.erased()
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.port().shrink()
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.port().secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.port().health(depth)
    }
}

/// Where the store lies: named by the caller, `VADE_STORE`, the configuration, else in the data folder.
pub fn address(named: Option<&OsStr>, world: &World, config: &Config) -> Result<Address, OpError> {
    let variable = (world.env)("VADE_STORE").filter(|value| !value.is_empty());
    let configured = config.store.as_ref().map(OsString::from);
    if let Some(address) = named {
        return parse(address, world, Some(&world.folders.work));
    }
    match variable.or(configured) {
        Some(address) => parse(&address, world, None),
        None if world.folders.are_of_nobody(&*world.env) => {
            Err(OpError::usage("HOME is no absolute path: there is no folder for the store")
                .hint("set HOME to the person's own folder, or XDG_DATA_HOME to another"))
        }
        None => Ok(Address::File(world.folders.data.join(FILE))),
    }
}

/// The file in which a store lies, for what only a file can be asked.
pub fn path(named: Option<&OsStr>, world: &World, config: &Config) -> Result<PathBuf, OpError> {
    match address(named, world, config)? {
        Address::File(path) => Ok(path),
        Address::Server(address) => {
            Err(OpError::usage(format!("this works on a store in a file, not on {address}"))
                .hint("name a file with --store, or use the tools of PostgreSQL, such as pg_dump"))
        }
    }
}

/// `postgres://…`, `sqlite:PATH` or a plain path; a relative one is seen from `here`, if there is such a place.
fn parse(address: &OsStr, world: &World, here: Option<&Path>) -> Result<Address, OpError> {
    #[cfg(feature = "postgres")]
    if let Some(text) = address.to_str().filter(|text| vademecum_postgres::Address::is_one(text)) {
        let parsed = vademecum_postgres::Address::parse(text, &*world.env);
        let server = parsed.map_err(|error| {
            OpError::usage(error.to_string())
                .hint("such as postgres://me@db.example/team; keep the password in ~/.pgpass")
        });
        return Ok(Address::Server(Box::new(server?)));
    }
    let path = from_address(address)?;
    match (here, path.strip_prefix("~")) {
        (Some(here), _) => Ok(Address::File(here.join(path))),
        // No shell has replaced it.
        (None, Ok(below)) => Ok(Address::File(world.folders.home.join(below))),
        (None, Err(_)) if path.is_absolute() => Ok(Address::File(path.to_owned())),
        // It would lie in whatever folder the call is made from, and be what a repository has there.
        (None, Err(_)) => {
            let message = format!("store address \"{}\" is relative", address.display());
            Err(OpError::usage(message).hint(
                "VADE_STORE and store.url take an absolute path or one that begins with ~/, such as ~/notes/vade.db",
            ))
        }
    }
}

fn from_address(address: &OsStr) -> Result<&Path, OpError> {
    let Some(text) = address.to_str() else {
        return Ok(Path::new(address));
    };
    if let Some((scheme, _)) = text.split_once("://").filter(|(scheme, _)| *scheme != "sqlite") {
        let message = format!("store address \"{scheme}://…\" is not known: use sqlite:PATH");
        let error = OpError::usage(message);
        let is_server = matches!(scheme, "postgres" | "postgresql");
        return Err(if is_server {
            error.hint("a program built with its default features keeps a store there")
        } else {
            error
        });
    }
    if text.starts_with("memory:") {
        return Err(OpError::usage("store address memory: is gone with the process that made it")
            .hint("name a file: sqlite:PATH or a path, ./memory: for one of that name"));
    }
    let path =
        text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")).unwrap_or(text);
    if path.is_empty() {
        return Err(OpError::usage("the store address names no file: use sqlite:PATH"));
    }
    Ok(Path::new(path))
}

/// Names the store at `address`; nothing is opened or made before the first call.
///
/// Where the environment of `world` asks that nothing is written, it refuses all that would.
#[must_use]
pub fn open(address: &Address, world: &World, patience: Patience) -> Opened {
    let is_look = world.is_read_only();
    let opened = opened(address, world, patience, is_look);
    if is_look { Opened::ReadOnly(Box::new(ReadOnly(opened))) } else { opened }
}

#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a server is beside"))]
fn opened(address: &Address, world: &World, patience: Patience, is_look: bool) -> Opened {
    match address {
        Address::File(path) => {
            let options = Options { is_look, ..options(patience) };
            Opened::File(Box::new(Sqlite::at(path, options)))
        }
        #[cfg(not(feature = "postgres"))]
        Address::Server(address) => match **address {},
        #[cfg(feature = "postgres")]
        Address::Server(address) => {
            let options = match patience {
                Patience::Command => vademecum_postgres::Options::patient(),
                Patience::Hook | Patience::Start | Patience::Beside => {
                    vademecum_postgres::Options::hook()
                }
            };
            let beside = Beside { data: world.folders.data.clone(), name: address.name() };
            Opened::Server(Postgres::at(address.as_ref().clone(), options), beside)
        }
    }
}

/// Names the store in the file at `path`, to read and write whatever the environment asks.
#[must_use]
pub fn open_file(path: &Path, patience: Patience) -> Sqlite {
    Sqlite::at(path, options(patience))
}

fn options(patience: Patience) -> Options {
    match patience {
        Patience::Hook => Options::hook(),
        Patience::Start => Options::start(),
        Patience::Command => Options::patient(),
        Patience::Beside => Options::beside(),
    }
}
