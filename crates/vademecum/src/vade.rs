//! A store and the sessions in it, as a program of your own uses them.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::Value;
use vademecum_core::frame::{self, Nonce};
use vademecum_core::id::WriteId;
use vademecum_core::time::Time;
use vademecum_ops::page::Shown;
use vademecum_ops::who::{Clues, full_key};
use vademecum_ops::{
    Call, Caller, Config, OpError, Operation, Reply, World, gather, registry, voice,
};
use vademecum_store::{Author, Origin, Surface};

use crate::store::{self, Opened, Patience};
use crate::world;

/// A store, and the world that its calls look at.
#[derive(Debug)]
pub struct Vade {
    store: Opened,
    world: World,
    config: Config,
}

impl Vade {
    /// Names the store at `address`: `sqlite:PATH` or a plain path; with feature `postgres` also `postgres://USER@HOST/DATABASE`.
    ///
    /// The first write makes it. The project of a call is the current folder's repository. No
    /// configuration file is read.
    pub fn open(address: &str) -> Result<Self, OpError> {
        Self::with(address, world::real(None), Config::default())
    }

    /// Names the store at `address`, with a world and a configuration of your own.
    pub fn with(address: &str, world: World, config: Config) -> Result<Self, OpError> {
        let address = store::address(Some(OsStr::new(address)), &world, &config)?;
        world.read_only()?;
        address.tell(&world);
        Ok(Self { store: store::open(&address, &world, Patience::Command), world, config })
    }

    /// The same, with the program of which sandboxes are made: `vade`, or one that begins with [`child`].
    ///
    /// [`child`]: crate::sandbox::child
    #[must_use]
    pub fn with_program(mut self, program: impl Into<PathBuf>) -> Self {
        self.world.program = Some(program.into());
        self
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

impl<'a> Session<'a> {
    /// Calls the operation `name` with a JSON object, as models and the command line do.
    pub fn call(&self, name: &str, arguments: Value) -> Result<Reply, OpError> {
        let op = registry::find(name)
            .ok_or_else(|| OpError::missing(format!("no operation \"{name}\"")))?;
        op.run(&self.as_call(), arguments)
    }

    /// Calls the operation `O` with its own types.
    pub fn run<O: Operation>(&self, input: O::Input) -> Result<O::Output, OpError> {
        O::DECLARATION.check_can_write(&self.vade.world, &input)?;
        O::run(&self.as_call(), input)
    }

    /// Calls an operation so that a repeat under the same `write_id` gives the first reply.
    pub fn call_once(
        &self,
        write_id: &str,
        name: &str,
        arguments: Value,
    ) -> Result<Reply, OpError> {
        self.call_shown(write_id, name, arguments, Shown::default())
    }

    /// [`Session::call_once`] for a model that sees its page there.
    pub(crate) fn call_shown(
        &self,
        write_id: &str,
        name: &str,
        arguments: Value,
        shown: Shown,
    ) -> Result<Reply, OpError> {
        let id = WriteId::new(write_id)
            .ok_or_else(|| OpError::usage(format!("\"{write_id}\" is no write id")))?;
        let op = registry::find(name)
            .ok_or_else(|| OpError::missing(format!("no operation \"{name}\"")))?;
        let mut call = self.as_call();
        call.caller.write_id = Some(id);
        call.shown = shown;
        op.run(&call, arguments)
    }

    /// The page as it is kept; empty before the first write.
    pub fn page(&self) -> Result<String, OpError> {
        let call = self.as_call();
        let page = call.look(|view| match call.session(view)? {
            Some(session) => Ok(view.notepad(&session.key)?),
            None => Ok(None),
        })?;
        Ok(page.map(|page| page.text).unwrap_or_default())
    }

    /// The page in the form that is safe to show: as it is, or guarded.
    pub(crate) fn shown_page(&self) -> Result<String, OpError> {
        Ok(frame::render(&self.page()?, &self.nonce()).into_owned())
    }

    /// The answer of the operation `name` as a model may read it.
    pub(crate) fn as_read(&self, name: &str, reply: Reply) -> Reply {
        match registry::find(name) {
            Some(op) => voice::of_answer(op, reply, &|| self.nonce()),
            None => reply,
        }
    }

    fn nonce(&self) -> Nonce {
        let key = full_key(&self.name).expect("a session is only made for a name that is a key");
        gather::nonce(&self.vade.store, &self.vade.world, &key)
    }

    /// Its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A sub-agent of the run that this session belongs to.
    pub(crate) fn of_agent(&self, agent: &str) -> Result<Session<'a>, OpError> {
        let run = self.name.split_once('/').map_or(self.name.as_str(), |(run, _)| run);
        self.vade.session(&format!("{run}/{agent}"))
    }

    pub(crate) fn config(&self) -> &Config {
        &self.vade.config
    }

    pub(crate) fn now(&self) -> Time {
        self.vade.world.now()
    }

    pub(crate) fn as_call(&self) -> Call<'_> {
        let caller = Caller {
            origin: Origin { surface: Surface::Library, author: Author::Agent },
            clues: Clues { told: Some(self.name.clone()), ..Clues::default() },
            write_id: None,
        };
        Call::new(&self.vade.store, &self.vade.world, &self.vade.config, caller)
    }
}
