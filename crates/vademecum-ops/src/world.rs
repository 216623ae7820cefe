//! The outside world as one value: clock, ids, environment and folders come in here and nowhere else.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use vademecum_core::frame;
use vademecum_core::id::PersonId;
use vademecum_core::time::Time;
use vademecum_store::{Databases, READ_ONLY, StoreError};

use crate::error::OpError;
use crate::identity::Identity;

/// The clock.
pub type Now = dyn Fn() -> Time + Send + Sync;

/// The source of new ids: UUID version 7.
pub type NewId = dyn Fn() -> String + Send + Sync;

/// The environment.
pub type Env = dyn Fn(&str) -> Option<OsString> + Send + Sync;

/// How many seconds east of UTC this place is at a time.
pub type East = dyn Fn(Time) -> i32 + Send + Sync;

/// When a process began.
pub type ProcessBegan = dyn Fn(u32) -> Option<Time> + Send + Sync;

/// The nearest process above this one whose program has a name.
pub type ProcessAbove = dyn Fn(&str) -> Option<u32> + Send + Sync;

/// Tells what an installation of the operating system is called.
pub type HostId = dyn Fn() -> Option<Vec<u8>> + Send + Sync;

/// The values of `VADE_READONLY` by which nothing is written, in letters of either case.
const ON: [&str; 3] = ["1", "true", "yes"];

/// Those that change nothing; one that is not set is empty.
const OFF: [&str; 4] = ["", "0", "false", "no"];

/// So many characters of another value are quoted.
const VALUE_MAX: usize = 40;

/// Everything outside that an operation may look at.
pub struct World {
    /// Tells the time.
    pub now: Box<Now>,
    /// Tells how many seconds east of UTC this place is at a time: days are the person's own.
    pub east: Box<East>,
    /// Makes an id that nobody else has.
    pub new_id: Box<NewId>,
    /// Looks a variable of the environment up.
    pub env: Box<Env>,
    /// Where things lie.
    pub folders: Folders,
    /// The name of this host.
    pub host_name: String,
    /// Tells what the operating system calls its installation here, whatever the host's name; none where nothing tells.
    pub host_id: Box<HostId>,
    /// Who writes here, and on which machine.
    pub identity: Identity,
    /// The store that was opened; unset where there is only one, of one person.
    pub store: OnceLock<OpenStore>,
    /// Opens the databases in which harnesses keep transcripts.
    pub databases: Box<dyn Databases>,
    /// Tells when the process of a number began, by the same clock; none where nothing tells.
    pub process_began: Box<ProcessBegan>,
    /// Finds the process of the program that called; none where nothing tells.
    pub process_above: Box<ProcessAbove>,
    /// The program of which sandboxes are made, such as vade itself; without one there are none.
    pub program: Option<PathBuf>,
}

/// Where things lie on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The person's own folder.
    pub home: PathBuf,
    /// Where the store and its files are kept: `$XDG_DATA_HOME/vademecum`.
    pub data: PathBuf,
    /// Where the configuration is: `$XDG_CONFIG_HOME/vademecum`.
    pub config: PathBuf,
    /// The folder that the call is about.
    pub work: PathBuf,
}

impl Folders {
    /// Finds the folders from the environment; `work` is the current folder.
    ///
    /// A relative XDG path is ignored, as the XDG base directory specification says.
    #[must_use]
    pub fn from_env(env: &Env, work: PathBuf) -> Self {
        // A relative one would put the store into whatever folder the call is made from.
        let home = env("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let home = home.unwrap_or_else(|| PathBuf::from("/"));
        let xdg = |name: &str, default: &str| {
            let given = env(name).map(PathBuf::from).filter(|path| path.is_absolute());
            given.unwrap_or_else(|| home.join(default)).join("vademecum")
        };
        let (data, config) =
            (xdg("XDG_DATA_HOME", ".local/share"), xdg("XDG_CONFIG_HOME", ".config"));
        Self { home, data, config, work }
    }

    /// Whether the environment names no folder for the store, so that it would lie in the root.
    #[must_use]
    pub fn are_of_nobody(&self, env: &Env) -> bool {
        let is_named = |name| env(name).is_some_and(|path| PathBuf::from(path).is_absolute());
        self.home.parent().is_none() && !is_named("HOME") && !is_named("XDG_DATA_HOME")
    }
}

/// What is told of the store that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStore {
    /// What hooks call it, by which their events find it.
    pub name: String,
    /// Who works there, where it knows persons by itself: they are the same on each of their machines.
    pub person: Option<PersonId>,
}

impl World {
    /// What hooks call the store that was opened, as far as it was told.
    #[must_use]
    pub fn store_name(&self) -> Option<&String> {
        self.store.get().map(|store| &store.name)
    }

    /// Who works here, as the store that was opened knows them, else as the data folder does; nobody where they have
    /// written nothing yet.
    #[must_use]
    pub fn person(&self) -> PersonId {
        let of_store = self.store.get().and_then(|store| store.person);
        of_store.unwrap_or_else(|| self.kept_person())
    }

    /// Whether what a person wrote is of the one who works here; nobody's is.
    #[must_use]
    pub fn is_own(&self, person: PersonId) -> bool {
        // What was copied from a file has the person of its folder.
        [PersonId::NONE, self.person(), self.kept_person()].contains(&person)
    }

    /// A variable of the environment, if it is set, not empty, and text.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<String> {
        (self.env)(name)?.into_string().ok().filter(|value| !value.is_empty())
    }

    /// Whether a variable of the environment is set to bytes that are no text.
    #[must_use]
    pub fn is_no_text(&self, name: &str) -> bool {
        (self.env)(name).is_some_and(|value| value.to_str().is_none())
    }

    /// Whether the environment asks that nothing is written; a value that says neither is refused.
    pub fn read_only(&self) -> Result<bool, OpError> {
        let value = (self.env)(READ_ONLY).unwrap_or_default();
        let is_one_of = |words: &[&str]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
        match (is_one_of(&ON), is_one_of(&OFF)) {
            (true, _) => Ok(true),
            (false, true) => Ok(false),
            (false, false) => {
                let given = frame::line(&value.to_string_lossy(), VALUE_MAX);
                let message =
                    format!("{READ_ONLY} takes 1, true, yes, 0, false or no, \"{given}\" given");
                Err(OpError::usage(message).hint("set it to 1 to look only, or unset it to write"))
            }
        }
    }

    /// Whether nothing is written here: whoever sets a value that says neither wants no writes.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only().unwrap_or(true)
    }

    /// Refuses `what`, which writes, where nothing is to be written.
    pub fn check_can_write(&self, what: &str) -> Result<(), OpError> {
        if self.read_only()? {
            return Err(StoreError::Unwanted { what: what.to_owned() }.into());
        }
        Ok(())
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Time {
        (self.now)()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("folders", &self.folders).finish_non_exhaustive()
    }
}
