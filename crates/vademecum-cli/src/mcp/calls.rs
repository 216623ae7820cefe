//! Calls operations for the server, off its runtime: writes in the order in which they came, but for a program's own.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, Semaphore};
use vademecum::ops::operation::{Effect, Operation};
use vademecum::ops::ops::run_sandbox_code::RunSandboxCode;
use vademecum::ops::place::Place;
use vademecum::ops::{Call, Caller, Config, Op, OpError, Reply, World};
use vademecum::port::Store;
use vademecum::{Patience, world};

use crate::mcp::caller::{self, Host};

/// The most programs of sandboxes that run at once; each of them keeps a thread for as long as it runs.
pub(super) const PROGRAMS: usize = 4;

/// What operations need to be called.
pub(super) struct Calls {
    pub(super) world: World,
    pub(super) config: Config,
    host: Host,
    store: Result<Box<dyn Store>, OpError>,
    turn: Mutex<()>,
    programs: Semaphore,
}

impl Calls {
    /// Looks at the environment and the configuration; the store is opened by the first call.
    pub(super) fn new(store: Option<&OsStr>) -> Self {
        let mut world = world::real(None);
        world.program = world::own_program();
        if let Some(folder) = project_folder(&world) {
            world.folders.work = folder;
        }
        let root = Place::of(&world.folders.work).root;
        let config = Config::load(&world.folders, &root);
        let store = config.as_ref().map_err(Clone::clone).and_then(|config| {
            let path = vademecum::store::path(store, &world, config)?;
            Ok(Box::new(vademecum::open(&path, Patience::Command)) as Box<dyn Store>)
        });
        if let Err(error) = &store {
            eprintln!("vade mcp: {error}");
        }
        let store = store.map_err(|error| unusable(&error));
        let host = Host::of(&world);
        Self {
            host,
            store,
            config: config.unwrap_or_default(),
            world,
            turn: Mutex::new(()),
            programs: Semaphore::new(PROGRAMS),
        }
    }

    /// Who makes a call with this metadata.
    pub(super) fn caller(
        &self,
        meta: &Map<String, Value>,
        session: Option<String>,
    ) -> Result<Caller, OpError> {
        caller::caller(&self.host, meta, session)
    }

    /// Calls `op` for a model; `session` is taken out of the arguments.
    pub(super) async fn of_model(
        self: &Arc<Self>,
        op: &'static Op,
        mut arguments: JsonObject,
        meta: &Map<String, Value>,
    ) -> Result<Reply, OpError> {
        let session = session_of(op, &mut arguments)?;
        let caller = self.caller(meta, session)?;
        self.run(op, Value::Object(arguments), caller).await
    }

    /// Calls `op` on a thread for blocking work.
    pub(super) async fn run(
        self: &Arc<Self>,
        op: &'static Op,
        arguments: Value,
        caller: Caller,
    ) -> Result<Reply, OpError> {
        let turn = match op.declaration.effect {
            Effect::Reads => None,
            Effect::Writes | Effect::Destroys => Some(self.turn.lock().await),
        };
        // A program may run for a minute: it begins after the writes before it, and those behind it go on.
        let (_turn, _program) = if op.declaration.name == RunSandboxCode::DECLARATION.name {
            drop(turn);
            (None, self.programs.acquire().await.ok())
        } else {
            (turn, None)
        };
        self.blocking(move |calls| op.run(&calls.call(caller)?, arguments)).await
    }

    /// Does `work` on a thread for blocking work.
    pub(super) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, OpError> + Send + 'static,
    ) -> Result<T, OpError> {
        let calls = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&calls)).await;
        done.unwrap_or_else(|_| {
            Err(OpError::broken("vade failed inside, so it is not certain that anything was done")
                .hint("read back what should be there; the server's stderr says more"))
        })
    }

    /// A call by `caller`.
    pub(super) fn call(&self, caller: Caller) -> Result<Call<'_>, OpError> {
        Ok(Call::new(self.store()?, &self.world, &self.config, caller))
    }

    /// The store, if the configuration names one that can be.
    pub(super) fn store(&self) -> Result<&dyn Store, OpError> {
        self.store.as_deref().map_err(Clone::clone)
    }
}

/// The folder of the project, as Claude Code tells its own servers.
fn project_folder(world: &World) -> Option<PathBuf> {
    let told = world.var("CLAUDE_PROJECT_DIR").filter(|_| caller::is_child_of_claude(world))?;
    Some(PathBuf::from(told)).filter(|folder| folder.is_absolute())
}

/// What a model is told of a broken configuration: no path, and who can mend it.
fn unusable(error: &OpError) -> OpError {
    OpError::new(error.kind, "the configuration of vade cannot be used, so nothing was done")
        .hint("ask the user to run vade config show --explain")
}

/// The session that the arguments name, unless it is the operation's own argument.
fn session_of(op: &Op, arguments: &mut JsonObject) -> Result<Option<String>, OpError> {
    let is_own = !op.declaration.of_session
        && op.input_schema()["properties"].get(caller::SESSION).is_some();
    if is_own {
        return Ok(None);
    }
    match arguments.remove(caller::SESSION) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(session)) => Ok(Some(session)),
        Some(given) => Err(OpError::usage(format!("session takes a text, {given} given"))),
    }
}

/// No arguments.
pub(super) fn nothing() -> Value {
    json!({})
}
