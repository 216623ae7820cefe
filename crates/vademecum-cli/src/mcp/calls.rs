//! Calls operations for the server, off its runtime: writes in the order in which they came, but for a program's own.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, Semaphore};
use vademecum::core::frame::Nonce;
use vademecum::core::session::SessionKey;
use vademecum::ops::operation::{Effect, Operation};
use vademecum::ops::ops::run_sandbox_code::RunSandboxCode;
use vademecum::ops::place::Place;
use vademecum::ops::who::full_key;
use vademecum::ops::{
    Call, Caller, Config, Op, OpError, Reply, World, gather, moments, upkeep, voice,
};
use vademecum::port::{Store, unsaid};
use vademecum::{Address, Patience, world};

use crate::cli::print;
use crate::mcp::caller::{self, Host};
use crate::mcp::installed::Installed;
use crate::mcp::nameless::{Beside, Nameless};

/// So long a server takes in what waits behind its first call, in milliseconds: a day's spool, on a slow disk.
const KEEP_UP_MS: i64 = 10_000;

/// So long it leaves alone what waits behind a later one, in milliseconds: hooks of sub-agents queue while it runs.
const KEEP_UP_EVERY_MS: i64 = 2_000;

/// The most programs of sandboxes that run at once; each of them keeps a thread for as long as it runs.
pub(super) const PROGRAMS: usize = 4;

/// What operations need to be called.
pub(super) struct Calls {
    pub(super) world: World,
    pub(super) config: Config,
    host: Host,
    store: Result<Box<dyn Store>, OpError>,
    nameless: Nameless,
    address: Option<Address>,
    turn: Mutex<()>,
    programs: Semaphore,
    warned: std::sync::Mutex<Vec<String>>,
    /// When what others left behind was begun to be ended; 0 before the first call.
    kept_up_at: AtomicI64,
    installed: Installed,
    /// The configuration as it works without hooks.
    without_hooks: OnceLock<Config>,
}

/// The answer to a model, and what is said beside it.
pub(super) struct Answered {
    pub(super) reply: Result<Reply, OpError>,
    pub(super) beside: Option<Beside>,
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
        let address = config.as_ref().map_err(Clone::clone).and_then(|config| {
            world.read_only()?;
            vademecum::store::address(store, &world, config)
        });
        let store = address.as_ref().map_err(Clone::clone).map(|address| {
            address.tell(&world);
            Box::new(vademecum::open(address, &world, Patience::Command)) as Box<dyn Store>
        });
        if let Err(error) = &store {
            print::say(&format!("vade mcp: {error}"));
        }
        let store = store.map_err(|error| unusable(&error));
        let file = address.as_ref().ok().and_then(Address::file);
        let (host, installed) = (Host::of(&world), Installed::of(&world, file));
        let (address, config) = (address.ok(), config.unwrap_or_default());
        let nameless = Nameless::under(&config);
        Self {
            host,
            store,
            address,
            config,
            world,
            nameless,
            turn: Mutex::default(),
            programs: Semaphore::new(PROGRAMS),
            warned: std::sync::Mutex::default(),
            kept_up_at: AtomicI64::new(0),
            installed,
            without_hooks: OnceLock::new(),
        }
    }

    /// Ends what others left behind, on a thread of its own that ends with the process.
    ///
    /// At the first call and no earlier: until `tools/list` is answered a harness waits for its server. Then
    /// where anything waits in the spool, which costs each call one look at a folder.
    fn keep_up(self: &Arc<Self>) {
        let (now, last) = (self.world.now().0, self.kept_up_at.load(Ordering::Relaxed));
        let is_due =
            KEEP_UP_EVERY_MS <= now - last && moments::is_waiting(&self.world.folders.data);
        if last != 0 && !is_due {
            return;
        }
        let begun = (Ordering::Relaxed, Ordering::Relaxed);
        if self.kept_up_at.compare_exchange(last, now, begun.0, begun.1).is_err() {
            return;
        }
        let calls = Arc::clone(self);
        let kept = std::thread::Builder::new().spawn(move || {
            let Some(address) = &calls.address else { return };
            let store = vademecum::open(address, &calls.world, Patience::Beside);
            if upkeep::is_due(&store, &calls.world) {
                let hooks = vademecum::store::address(None, &calls.world, &calls.config).ok();
                let is_hooks = hooks.as_ref() == Some(address);
                let until = is_hooks.then(|| calls.world.now().plus(KEEP_UP_MS));
                upkeep::upkeep(&store, &calls.world, &calls.config, until);
            }
        });
        // Without a thread it is left to the next one.
        drop(kept);
    }

    /// Where the store lies, if the configuration names one that can be.
    pub(super) fn address(&self) -> Option<&Address> {
        self.address.as_ref()
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
    ) -> Answered {
        let caller = session_of(op, &mut arguments).and_then(|session| {
            let mut caller = self.caller(meta, session)?;
            self.nameless.name(op, &mut caller.clues, &(self.world.new_id)())?;
            Ok(caller)
        });
        let made = match caller {
            Ok(caller) => self.make(op, Value::Object(arguments), caller).await,
            Err(error) => Err(error),
        };
        made.unwrap_or_else(|error| Answered { reply: Err(error), beside: None })
    }

    /// Calls `op` on a thread for blocking work.
    pub(super) async fn run(
        self: &Arc<Self>,
        op: &'static Op,
        arguments: Value,
        caller: Caller,
    ) -> Result<Reply, OpError> {
        self.make(op, arguments, caller).await?.reply
    }

    async fn make(
        self: &Arc<Self>,
        op: &'static Op,
        arguments: Value,
        caller: Caller,
    ) -> Result<Answered, OpError> {
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
        let made = self.blocking(move |calls| {
            let call = calls.call(caller)?;
            let reply = op.run(&call, arguments);
            let reply = reply.map(|reply| voice::of_answer(op, reply, &|| nonce(&call)));
            calls.warn();
            Ok(Answered { reply, beside: calls.nameless.beside(op, &call) })
        });
        let made = made.await;
        self.installed.notice();
        self.keep_up();
        made
    }

    /// Says what the store warns of, once.
    fn warn(&self) {
        let warnings = self.store().map(unsaid).unwrap_or_default();
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings {
            if !warned.contains(&warning) {
                eprintln!("vade mcp: {warning}; run: vade doctor");
                warned.push(warning);
            }
        }
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
        self.installed.check()?;
        let config = if self.installed.is_without_hooks() {
            self.without_hooks.get_or_init(|| self.config.without_hooks())
        } else {
            &self.config
        };
        Ok(Call::new(self.store()?, &self.world, config, caller))
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

/// What marks guarded text in answers to the caller.
fn nonce(call: &Call<'_>) -> Nonce {
    let clues = &call.caller.clues;
    let names = [&clues.told, &clues.environment, &clues.fresh, &clues.named];
    let key = names.into_iter().flatten().find_map(|name| full_key(name));
    // A handle is no key: the desk's mark is as secret as any other.
    let key = key.unwrap_or_else(SessionKey::new_desk);
    gather::nonce(call.store, call.world, &key)
}

/// No arguments.
pub(super) fn nothing() -> Value {
    json!({})
}
