//! What a call needs beside its arguments: the world, the configuration, the store, and who calls.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::Value;
use vademecum::core::error::Kind;
use vademecum::core::frame;
use vademecum::core::session::SessionKey;
use vademecum::harness::codex;
use vademecum::ops::fields::SESSION;
use vademecum::ops::operation::Effect;
use vademecum::ops::ops::adopt::{self, Adopt};
use vademecum::ops::ops::read_handoff::ReadHandoff;
use vademecum::ops::ops::read_notepad::{self, ReadNotepad};
use vademecum::ops::ops::recall::Recall;
use vademecum::ops::ops::run_sandbox_code::RunSandboxCode;
use vademecum::ops::ops::show_config::ShowConfig;
use vademecum::ops::place::Place;
use vademecum::ops::who::{Clues, full_key};
use vademecum::ops::{Call, Caller, Config, Declaration, Op, OpError, Operation, Reply, World};
use vademecum::ops::{notes, upkeep};
use vademecum::port::{Author, Origin, Surface, unsaid};
use vademecum::store::{Address, Patience};

use super::exit::Failure;
use super::globals::{Globals, Scanned};
use super::print;
use super::whose::Whose;

/// So long a command takes in what waits, in milliseconds: some hundred sessions of it, which its answer would lack.
const KEEP_UP_MS: i64 = 5_000;

/// The world and the configuration of this process.
pub(crate) struct Setup {
    /// The outside world.
    pub(crate) world: World,
    /// What is set; a fault is told when a command needs it.
    config: Result<Config, OpError>,
    /// What hooks go by while a fault keeps it from being known.
    fallback: Config,
    /// Whether answers are JSON, so that nothing else is said.
    pub(crate) as_json: bool,
    /// What is told of the session that was found for a command that named none.
    meant: OnceCell<String>,
}

impl Setup {
    /// Looks at the folder that the words are about.
    pub(crate) fn new(scanned: &Scanned) -> Self {
        let mut world = vademecum::world::real(scanned.project.clone());
        world.program = vademecum::world::own_program();
        let config = match scanned.project.as_deref().filter(|folder| !folder.is_dir()) {
            None if scanned.project.is_none() && !vademecum::world::has_current_folder() => {
                Err(OpError::missing("the current folder is gone")
                    .hint("go to a folder that is there, or name one with --project"))
            }
            Some(folder) => Err(OpError::missing(format!("no folder \"{}\"", folder.display()))
                .hint("--project names a folder of the project")),
            None => Config::load(&world.folders, &Place::of(&world.folders.work).root),
        };
        // A project's file that is broken takes away nothing that a person has set.
        let own = config.is_err().then(|| Config::load_own(&world.folders).ok()).flatten();
        Self {
            world,
            config,
            fallback: own.unwrap_or_default(),
            as_json: scanned.json,
            meant: OnceCell::new(),
        }
    }

    /// What is set, or the fault that keeps it from being known.
    pub(crate) fn config(&self) -> Result<&Config, OpError> {
        self.config.as_ref().map_err(Clone::clone)
    }

    /// What is set; what hooks go by where a fault keeps it from being known.
    pub(crate) fn config_or_default(&self) -> &Config {
        self.config.as_ref().unwrap_or(&self.fallback)
    }

    /// What is set, as `op` needs it: what shows the configuration must answer when it is faulty.
    fn config_for(&self, op: &Op) -> Result<&Config, OpError> {
        let Err(error) = &self.config else { return self.config() };
        if op.declaration.name != ShowConfig::DECLARATION.name {
            return Err(error.clone());
        }
        print::say(&format!(
            "vade: {}\n  shown is what hooks go by: your own configuration, where it can be read, and the defaults",
            error.message
        ));
        Ok(&self.fallback)
    }

    /// Calls `op` for the session that the words or the environment name, else for the one that is meant.
    pub(crate) fn call(
        &self,
        op: &Op,
        mut arguments: Value,
        globals: &Globals,
    ) -> Result<Reply, Failure> {
        op.declaration.check_can_write(&self.world, &arguments)?;
        let given = session_of(op, &mut arguments)?;
        let named = given.or_else(|| globals.session.clone());
        let config = self.config_for(op)?;
        if globals.allow_secret && !can_allow(op.declaration) {
            let message = format!(
                "--allow-secret is for commands that write, not for {}",
                op.declaration.name
            );
            return Err(OpError::usage(message).into());
        }
        let whose = Whose::of(op, &arguments);
        self.with_call(config, named, whose, globals, |call| {
            whole_ids(op, &mut arguments, call)?;
            // What erases ends first what was begun, and says so.
            if op.declaration.effect != Effect::Destroys {
                self.keep_up(call, globals)?;
            }
            let is_of_session = is_of_session(op, &arguments);
            let unknown = unknown(call);
            let reply = op.run(call, arguments);
            let is_asked = !matches!(&reply, Err(error) if error.kind == Kind::Usage);
            if is_of_session && is_asked {
                self.name_session(call);
            }
            let reply = reply?;
            if !self.as_json {
                say_beside(op, call, &reply, unknown)?;
            }
            Ok(reply)
        })
    }

    /// Ends what others left behind; what the store does not take now is left to the next one.
    pub(crate) fn keep_up(&self, call: &Call<'_>, globals: &Globals) -> Result<(), OpError> {
        if upkeep::is_due(call.store, &self.world) {
            let address = self.store_address(call.config, globals)?;
            let is_hooks = address == vademecum::store::address(None, &self.world, call.config)?;
            let until = is_hooks.then(|| self.world.now().plus(KEEP_UP_MS));
            let store = vademecum::open(&address, &self.world, Patience::Beside);
            upkeep::upkeep(&store, &self.world, call.config, until);
        }
        Ok(())
    }

    /// Says which session a call was about, when nothing named one.
    pub(crate) fn name_session(&self, call: &Call<'_>) {
        let clues = &call.caller.clues;
        match self.meant.get() {
            _ if self.as_json => {}
            Some(line) => print::say(line),
            None if clues.is_unnamed() => {
                let project = call.read(|view| call.project(view)).ok().flatten();
                let name = project.map_or_else(|| call.place().name(), |project| project.name);
                print::say(&format!("desk session of {}", frame::line(&name, 100)));
            }
            None => {}
        }
    }

    /// Opens the store and gives `act` a call on it; where nothing names a session, on the one of `whose`.
    pub(crate) fn with_call<T>(
        &self,
        config: &Config,
        named: Option<String>,
        whose: Whose,
        globals: &Globals,
        act: impl FnOnce(&Call<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let address = self.store_address(config, globals)?;
        address.tell(&self.world);
        let store = vademecum::open(&address, &self.world, Patience::Command);
        let caller = self.caller(named, globals)?;
        if globals.allow_secret && caller.origin.author != Author::User {
            return Err(OpError::denied("--allow-secret is a person's, and an agent calls here")
                .hint("keep what the secret is for and where it lies, not the secret")
                .into());
        }
        let config = Config { redact: config.redact && !globals.allow_secret, ..config.clone() };
        let mut call = Call::new(&store, &self.world, &config, caller);
        if call.caller.clues.is_unnamed() {
            let meant = whose.find(&call, self.as_json)?;
            if let Some(meant) = meant {
                call.caller.clues.at_work = Some(meant.name);
                self.meant.get_or_init(|| meant.line);
            }
        }
        let acted = act(&call);
        for warning in unsaid(&store) {
            print::say(&format!("vade: {warning}\n  hint: run: vade doctor"));
        }
        acted
    }

    /// Where the store lies.
    pub(crate) fn store_address(
        &self,
        config: &Config,
        globals: &Globals,
    ) -> Result<Address, OpError> {
        let address = globals.store.as_deref().map(seen_from_here);
        vademecum::store::address(address.as_deref(), &self.world, config)
    }

    /// The file in which the store lies, for what only a file can be asked.
    pub(crate) fn store_path(
        &self,
        config: &Config,
        globals: &Globals,
    ) -> Result<PathBuf, OpError> {
        let address = globals.store.as_deref().map(seen_from_here);
        vademecum::store::path(address.as_deref(), &self.world, config)
    }

    /// Where a store lies that the words of a command name.
    pub(crate) fn address_of(&self, address: &OsStr) -> Result<Address, OpError> {
        let address = seen_from_here(address);
        vademecum::store::address(Some(&address), &self.world, self.config_or_default())
    }

    /// A person, or an agent whose harness names its session in the environment.
    pub(crate) fn caller(
        &self,
        named: Option<String>,
        globals: &Globals,
    ) -> Result<Caller, OpError> {
        if named.as_ref().is_some_and(|named| named.trim().is_empty()) {
            return Err(OpError::usage("--session needs a value, an empty one given")
                .hint("leave it out for the session of the call; vade session list shows them"));
        }
        let (environment, fault) = match environment(&self.world) {
            Ok(environment) => (environment, None),
            Err(fault) => (None, Some(fault)),
        };
        let is_agent = environment.is_some() || fault.is_some();
        let author = if is_agent { Author::Agent } else { Author::User };
        Ok(Caller {
            origin: Origin { surface: Surface::Cli, author },
            clues: Clues { named, environment, fault, is_person: true, ..Clues::default() },
            write_id: globals.write_id.clone(),
        })
    }
}

/// The session that the words name by its full name and that is not known yet.
fn unknown(call: &Call<'_>) -> Option<SessionKey> {
    let key = full_key(call.caller.clues.named.as_deref()?)?;
    let known = call.read(|view| view.session(&key));
    known.is_ok_and(|session| session.is_none()).then_some(key)
}

/// Says what no answer holds: that a session was begun by its name, as one misspelled is, and that a page is empty.
fn say_beside(
    op: &Op,
    call: &Call<'_>,
    reply: &Reply,
    unknown: Option<SessionKey>,
) -> Result<(), OpError> {
    if let Some(key) = unknown
        && call.read(|view| view.session(&key))?.is_some()
    {
        print::say(&format!("began session {key}: none was known by this name"));
    }
    // Of an empty page a file or a pipe gets nothing.
    let is_page = op.declaration.name == ReadNotepad::DECLARATION.name;
    if is_page && reply.text.is_empty() {
        print::say(read_notepad::EMPTY);
    }
    Ok(())
}

/// Whether a person is told whose session a call was about: a handoff says it itself, and transcripts become sessions of
/// their own.
fn is_of_session(op: &Op, arguments: &Value) -> bool {
    let Declaration { name, of_session, .. } = *op.declaration;
    let is_of_none = name == Adopt::DECLARATION.name && arguments["from"] == adopt::TRANSCRIPTS;
    // What earlier sessions did is the project's.
    let is_of_project = [ReadHandoff::DECLARATION.name, Recall::DECLARATION.name].contains(&name);
    of_session && !is_of_none && !is_of_project
}

/// Takes the session out of the arguments that an operation is called with by its name.
fn session_of(op: &Op, arguments: &mut Value) -> Result<Option<String>, OpError> {
    let given = arguments.as_object_mut().filter(|_| op.declaration.of_session);
    match given.and_then(|arguments| arguments.remove(SESSION)) {
        Some(Value::String(name)) => Ok(Some(name)),
        Some(given) => Err(OpError::usage(format!("session takes a handle, {given} given"))),
        None => Ok(None),
    }
}

/// Puts the whole id of a note in the place of a part that a person typed.
fn whole_ids(op: &Op, arguments: &mut Value, call: &Call<'_>) -> Result<(), OpError> {
    let words = op.declaration.command.map_or(&[][..], |command| command.words);
    let is_of_note = words.first() == Some(&"note") || arguments["what"] == "note";
    if let Some(Value::String(id)) = arguments.get_mut("id").filter(|_| is_of_note) {
        *id = notes::whole_id(call, id)?;
    }
    Ok(())
}

/// Whether a person may have this operation keep secrets; what code in the sandbox writes is no person's.
fn can_allow(declaration: &Declaration) -> bool {
    let is_write = match declaration.effect {
        Effect::Writes | Effect::Destroys => true,
        Effect::Reads => false,
    };
    is_write && declaration.name != RunSandboxCode::DECLARATION.name
}

/// The session that the environment names.
///
/// Codex is more often started below the shell of another agent than the other way round: its ids go first.
fn environment(world: &World) -> Result<Option<String>, OpError> {
    refuse_bytes(world, &["VADE_SESSION_ID"])?;
    if let Some(given) = world.var("VADE_SESSION_ID") {
        return checked(given.clone(), || {
            OpError::usage(format!(
                "VADE_SESSION_ID takes harness:id or harness:id/agent, \"{given}\" given"
            ))
            .hint("vade session new begins a session and says its full name")
        });
    }
    refuse_bytes(world, &["CODEX_SESSION_ID", "CODEX_THREAD_ID", "CLAUDE_CODE_SESSION_ID"])?;
    let set = |name: &'static str| world.var(name).filter(|id| !id.is_empty()).map(|id| (name, id));
    let (session, thread) = (set("CODEX_SESSION_ID"), set("CODEX_THREAD_ID"));
    let id = |set: &Option<(&str, String)>| set.as_ref().map(|(_, id)| id.clone());
    let codex = codex::session_name(id(&session).as_deref(), id(&thread).as_deref());
    let claude = set("CLAUDE_CODE_SESSION_ID");
    let Some(full_name) = codex.or_else(|| Some(format!("claude-code:{}", id(&claude)?))) else {
        return Ok(None);
    };
    checked(full_name, || {
        let is_no_id = |(_, id): &(&str, String)| {
            full_key(&format!("id:{id}")).is_none_or(|key| key.agent.is_some())
        };
        let given = [session, thread, claude].into_iter().flatten().find(is_no_id);
        let (name, id) = given.expect("of two good ids a good name is made");
        OpError::usage(format!("{name} holds no id of a session: \"{id}\" given")).hint(NAME_ONE)
    })
}

/// Refuses what is no text in a variable by which an environment names a session.
fn refuse_bytes(world: &World, names: &[&str]) -> Result<(), OpError> {
    let Some(name) = names.iter().find(|name| world.is_no_text(name)) else { return Ok(()) };
    Err(OpError::usage(format!("{name} holds no id of a session: it is no text")).hint(NAME_ONE))
}

const NAME_ONE: &str = "say which session is meant: --session SESSION, or VADE_SESSION_ID";

/// The full name of a session, where it is one.
fn checked(name: String, fault: impl FnOnce() -> OpError) -> Result<Option<String>, OpError> {
    if full_key(&name).is_some() { Ok(Some(name)) } else { Err(fault()) }
}

/// A relative address of the command line is seen from the current folder, whatever the project.
fn seen_from_here(address: &OsStr) -> OsString {
    let (scheme, path) = match address.to_str() {
        Some(text) if text.contains("://") || text.starts_with("memory:") => {
            return address.to_owned();
        }
        Some(text) => {
            text.strip_prefix("sqlite:").map_or(("", address), |path| ("sqlite:", OsStr::new(path)))
        }
        None => ("", address),
    };
    let Ok(absolute) = std::path::absolute(Path::new(path)) else { return address.to_owned() };
    let mut whole = OsString::from(scheme);
    whole.push(absolute);
    whole
}
