//! A place to call operations from: a real store in a folder of its own, a clock that ticks by hand.

use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use serde_json::Value;
use tempfile::TempDir;
use vademecum_core::id::WriteId;
use vademecum_core::time::Time;
use vademecum_ops::identity::Identity;
use vademecum_ops::who::Clues;
use vademecum_ops::world::{Folders, World};
use vademecum_ops::{Call, Caller, Config, OpError, Reply, registry};
use vademecum_sqlite::opencode::Opencode;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Author, Origin, Surface};

/// A caller with a store, a world and a configuration.
pub(crate) struct Desk {
    pub(crate) store: Sqlite,
    pub(crate) world: World,
    pub(crate) config: Config,
    pub(crate) clock: Arc<AtomicI64>,
    pub(crate) session: Option<String>,
    pub(crate) told: Option<&'static str>,
    /// The session that a person names.
    pub(crate) named: Option<String>,
    pub(crate) write_id: Option<&'static str>,
    folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn with(config: Config) -> Self {
        Self::within(config, tempfile::tempdir().expect("a folder"))
    }

    /// The same in a folder of the caller's choice.
    pub(crate) fn within(config: Config, folder: TempDir) -> Self {
        let store = Sqlite::at(&folder.path().join("data/vade.db"), Options::patient());
        let clock = Arc::new(AtomicI64::new(1_763_700_000_000));
        let world = world(folder.path(), Arc::clone(&clock));
        let session = Some("test:session-1".to_owned());
        Self {
            store,
            world,
            config,
            clock,
            session,
            told: None,
            named: None,
            write_id: None,
            folder,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Calls the operation `name` as a model would.
    pub(crate) fn call(&self, name: &str, arguments: Value) -> Result<Reply, OpError> {
        self.call_as(Surface::Mcp, Author::Agent, name, arguments)
    }

    /// Calls the operation `name` as a person would.
    pub(crate) fn person(&self, name: &str, arguments: Value) -> Result<Reply, OpError> {
        self.call_as(Surface::Cli, Author::User, name, arguments)
    }

    fn call_as(
        &self,
        surface: Surface,
        author: Author,
        name: &str,
        arguments: Value,
    ) -> Result<Reply, OpError> {
        let clues = Clues {
            named: self.named.clone(),
            told: self.session.clone().or(self.told.map(str::to_owned)),
            is_person: self.named.is_some(),
            ..Clues::default()
        };
        self.run(Origin { surface, author }, clues, name, arguments)
    }

    /// Calls the operation `name` as a model of which so much is known.
    pub(crate) fn call_by(
        &self,
        clues: Clues,
        name: &str,
        arguments: Value,
    ) -> Result<Reply, OpError> {
        let origin = Origin { surface: Surface::Mcp, author: Author::Agent };
        self.run(origin, clues, name, arguments)
    }

    fn run(
        &self,
        origin: Origin,
        clues: Clues,
        name: &str,
        arguments: Value,
    ) -> Result<Reply, OpError> {
        let caller = Caller { origin, clues, write_id: self.write_id.and_then(WriteId::new) };
        let call = Call::new(&self.store, &self.world, &self.config, caller);
        registry::find(name).expect("an operation").run(&call, arguments)
    }

    /// Calls and gives the object.
    #[track_caller]
    pub(crate) fn object(&self, name: &str, arguments: Value) -> Value {
        self.call(name, arguments).expect("an answer").object
    }

    /// Calls and gives the error as `kind: message`.
    #[track_caller]
    pub(crate) fn error(&self, name: &str, arguments: Value) -> String {
        let error = self.call(name, arguments).expect_err("an error");
        format!("{}: {}", error.kind.word(), error.message)
    }
}

/// Where machines have git.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";

fn world(folder: &Path, clock: Arc<AtomicI64>) -> World {
    let next = AtomicU64::new(1);
    let work = folder.join("project");
    std::fs::create_dir_all(&work).expect("a folder");
    World {
        now: Box::new(move || Time(clock.load(Ordering::SeqCst))),
        east: Box::new(|_| 0),
        new_id: Box::new(move || format!("id-{}", next.fetch_add(1, Ordering::SeqCst))),
        // Git is looked for where this machine has it.
        env: Box::new(|name| (name == "PATH").then(|| PATH.into())),
        folders: Folders {
            home: folder.join("home"),
            data: folder.join("data"),
            config: folder.join("config"),
            work,
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
