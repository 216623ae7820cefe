//! One engine with a world around it, in which the steps of a sequence are done.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_core::time::Time;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::children::{self, Given};
use vademecum_ops::config::Scratchpad;
use vademecum_ops::identity::Identity;
use vademecum_ops::who::{Clues, full_key};
use vademecum_ops::world::{Folders, World};
use vademecum_ops::{Call, Caller as Calls, Config, OpError, registry};
use vademecum_sqlite::opencode::Opencode;
use vademecum_store::faulty::{Faulty, Point};
use vademecum_store::{Author, Origin, Store, Surface};

use super::step::{Asked, Caller, Deed, Fault, Happened, Step};
use crate::moments::hooked;

/// When every sequence begins.
const BEGIN: i64 = 1_763_700_000_000;

/// An engine under test.
pub(crate) trait Engine {
    type Store: Store;

    /// A handle on the store; one for a process that ends at once where `is_brief`.
    fn handle(&self, is_brief: bool) -> Self::Store;
}

/// The engine and its world.
pub(crate) struct Stage<E: Engine> {
    engine: E,
    /// The handle of a program that stays, as a server does.
    pub(crate) store: E::Store,
    world: World,
    config: Config,
    clock: Arc<AtomicI64>,
    root: PathBuf,
}

impl<E: Engine> Stage<E> {
    /// Sets up the folders of a play in `root`.
    pub(crate) fn new(root: &Path, engine: E) -> Self {
        let file = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        file("one/.git/HEAD", "ref: refs/heads/main\n");
        file("one/.git/config", "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n");
        let own = root.join("one/.git/worktrees/side");
        file("side/.git", &format!("gitdir: {}\n", own.display()));
        let back = root.join("side/.git");
        file("one/.git/worktrees/side/gitdir", &format!("{}\n", back.display()));
        file("one/.git/worktrees/side/commondir", "../..\n");
        for name in ["two", "three", "records", "data"] {
            fs::create_dir_all(root.join(name)).expect("a folder");
        }
        let clock = Arc::new(AtomicI64::new(BEGIN));
        let world = world(root, Arc::clone(&clock));
        let config = Config {
            scratchpad: Some(Scratchpad { enabled: true, max_tokens: 500 }),
            ..Config::default()
        };
        let store = engine.handle(false);
        Self { engine, store, world, config, clock, root: root.to_owned() }
    }

    /// Does one step; what was answered.
    pub(crate) fn does(&mut self, step: &Step) -> Value {
        self.world.folders.work = self.root.join(step.folder);
        match (&step.deed, step.fault) {
            (Deed::Call(asked), None) => self.calls(&self.store, asked),
            (Deed::Hook(happened), None) => self.hooked(&self.engine.handle(true), happened),
            (Deed::Call(asked), Some(fault)) => {
                self.calls(&faulty(self.engine.handle(false), fault), asked)
            }
            (Deed::Hook(happened), Some(fault)) => {
                self.hooked(&faulty(self.engine.handle(true), fault), happened)
            }
            (Deed::Clock(by), _) => {
                self.clock.fetch_add(*by, Ordering::SeqCst);
                Value::Null
            }
            (Deed::Child(child, parent, given), _) => self.begins(child, parent, *given),
            (Deed::Lines(path, lines), _) => {
                let path = self.root.join(path);
                let file = fs::OpenOptions::new().create(true).append(true).open(path);
                file.expect("a file").write_all(lines.as_bytes()).expect("a line");
                Value::Null
            }
            (Deed::Move(from, to), _) => {
                let (from, to) = (self.root.join(from), self.root.join(to));
                let is_moved = !to.exists() && fs::rename(from, to).is_ok();
                json!(is_moved)
            }
        }
    }

    /// What a person at the command line of a folder is answered.
    pub(crate) fn asks(
        &mut self,
        folder: &'static str,
        operation: &'static str,
        arguments: Value,
    ) -> Value {
        let (caller, named, write_id) = (Caller::Person, None, None);
        let deed = Deed::Call(Asked { caller, named, operation, arguments, write_id });
        self.does(&Step { folder, deed, fault: None })
    }

    fn calls(&self, store: &dyn Store, asked: &Asked) -> Value {
        let (surface, author) = match asked.caller {
            Caller::Person => (Surface::Cli, Author::User),
            Caller::Model(_) | Caller::Client(_) => (Surface::Mcp, Author::Agent),
        };
        let (told, fresh) = match &asked.caller {
            Caller::Model(key) => (Some(key.clone()), None),
            Caller::Client(key) => (None, Some(key.clone())),
            Caller::Person => (None, None),
        };
        let is_person = asked.caller == Caller::Person;
        let clues =
            Clues { named: asked.named.clone(), told, fresh, is_person, ..Clues::default() };
        let write_id = asked.write_id.clone().and_then(WriteId::new);
        let caller = Calls { origin: Origin { surface, author }, clues, write_id };
        let call = Call::new(store, &self.world, &self.config, caller);
        let op = registry::find(asked.operation).expect("an operation");
        match op.run(&call, asked.arguments.clone()) {
            // An engine takes as many bytes as it takes.
            Ok(reply) if asked.operation == "prune" => {
                json!({ "pruned": reply.object["sessions"] })
            }
            Ok(reply) => json!({ "object": reply.object, "text": reply.text }),
            Err(error) => told_of(&error),
        }
    }

    fn hooked(&self, store: &dyn Store, happened: &Happened) -> Value {
        let mut payload = happened.payload.clone();
        let record = payload["transcript_path"].as_str().unwrap_or_default();
        payload["transcript_path"] = self.root.join(record).display().to_string().into();
        payload["cwd"] = self.world.folders.work.display().to_string().into();
        payload["hook_event_name"] = happened.name.into();
        let stdin = payload.to_string();
        let harness = Harness::of(happened.harness).expect("a harness");
        let event = Event::parse(harness, happened.name, stdin.as_bytes()).expect("an event");
        let answer = hooked(store, &self.world, &self.config, &event);
        let stdout: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
        json!({ "stdout": stdout, "fault": answer.fault })
    }

    /// A host in a library says whom a session stems from.
    fn begins(&self, child: &str, parent: &str, given: u64) -> Value {
        let (Some(child), Some(parent)) = (full_key(child), full_key(parent)) else {
            return Value::Null;
        };
        let given = match given {
            0 => Given::Nothing,
            1 => Given::Page,
            _ => Given::Everything,
        };
        let origin = Origin { surface: Surface::Library, author: Author::Tool };
        let caller = Calls { origin, clues: Clues::default(), write_id: None };
        let call = Call::new(&self.store, &self.world, &self.config, caller);
        match children::begin(&call, &child, &parent, given) {
            Ok(()) => json!("begun"),
            Err(error) => told_of(&error),
        }
    }
}

fn told_of(error: &OpError) -> Value {
    json!({ "error": error.kind.word(), "message": error.message, "hint": error.hint })
}

fn faulty<S: Store>(store: S, fault: Fault) -> Faulty<S> {
    let point = match fault.point {
        0 => Point::Before,
        1 => Point::During,
        _ => Point::After,
    };
    Faulty::new(store, point, fault.nth)
}

fn world(root: &Path, clock: Arc<AtomicI64>) -> World {
    let next = AtomicU64::new(1);
    World {
        now: Box::new(move || Time(clock.load(Ordering::SeqCst))),
        east: Box::new(|_| 0),
        new_id: Box::new(move || format!("id-{}", next.fetch_add(1, Ordering::SeqCst))),
        env: Box::new(|name| (name == "CLAUDE_CODE_AUTO_COMPACT_WINDOW").then(|| "100000".into())),
        folders: Folders {
            home: root.join("home"),
            data: root.join("data"),
            config: root.join("config"),
            work: root.join("one"),
        },
        host_name: "host".to_owned(),
        host_id: Box::new(|| None),
        identity: Identity::default(),
        databases: Box::new(Opencode),
        process_began: Box::new(|_| None),
        process_above: Box::new(|_| None),
        store: OnceLock::new(),
        program: None,
    }
}
