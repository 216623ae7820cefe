//! A store and the sessions in it, as a program of your own uses them.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::Value;
use vademecum_ops::who::{Clues, full_key};
use vademecum_ops::{Call, Caller, Config, OpError, Operation, Reply, World, registry};
use vademecum_sqlite::Sqlite;
use vademecum_store::{Author, Origin, Surface};

use crate::store::{self, Patience};
use crate::world;

/// A store, and the world that its calls look at.
#[derive(Debug)]
pub struct Vade {
    store: Sqlite,
    world: World,
    config: Config,
}

impl Vade {
    /// Names the store at `address`: `sqlite:PATH`, or a plain path.
    ///
    /// The first write makes it. The project of a call is the current folder's repository. No
    /// configuration file is read.
    pub fn open(address: &str) -> Result<Self, OpError> {
        Self::with(address, world::real(None), Config::default())
    }

    /// Names the store at `address`, with a world and a configuration of your own.
    pub fn with(address: &str, world: World, config: Config) -> Result<Self, OpError> {
        let path: PathBuf = store::path(Some(OsStr::new(address)), &world, &config)?;
        Ok(Self { store: store::open(&path, Patience::Command), world, config })
    }

    /// The session `name`, as `harness:id`, or `harness:id/agent` for a sub-agent.
    ///
    /// It is made known by its first write; a name that is used again goes on with it.
    pub fn session(&self, name: &str) -> Result<Session<'_>, OpError> {
        match full_key(name) {
            Some(_) => Ok(Session { vade: self, name: name.to_owned() }),
            None => Err(OpError::usage(format!(
                "a session takes harness:id or harness:id/agent, \"{name}\" given"
            ))),
        }
    }
}

/// One session, by which operations are called.
#[derive(Debug, Clone)]
pub struct Session<'a> {
    vade: &'a Vade,
    name: String,
}

impl Session<'_> {
    /// Calls the operation `name` with a JSON object, as models and the command line do.
    pub fn call(&self, name: &str, arguments: Value) -> Result<Reply, OpError> {
        let op = registry::find(name)
            .ok_or_else(|| OpError::missing(format!("no operation \"{name}\"")))?;
        op.run(&self.as_call(), arguments)
    }

    /// Calls the operation `O` with its own types.
    pub fn run<O: Operation>(&self, input: O::Input) -> Result<O::Output, OpError> {
        O::run(&self.as_call(), input)
    }

    fn as_call(&self) -> Call<'_> {
        let caller = Caller {
            origin: Origin { surface: Surface::Library, author: Author::Agent },
            clues: Clues { told: Some(self.name.clone()), ..Clues::default() },
            write_id: None,
        };
        Call::new(&self.vade.store, &self.vade.world, &self.vade.config, caller)
    }
}
