//! Why a store could not do what was asked.

use std::time::Duration;

use vademecum_core::error::Kind;

/// How the words for a store begin that is to be brought to another version.
pub const UNMIGRATED: &str = "the store is of version ";

/// How the words for a store begin whose server cannot be reached.
pub const AT_SERVER: &str = "the store at ";

/// How the reason begins why a server cannot be reached that may only be slow.
pub const NO_ANSWER: &str = "no answer within ";

/// The variable of the environment by which a person asks that nothing is written.
pub const READ_ONLY: &str = "VADE_READONLY";

/// Why a store could not do what was asked; nothing has changed then, but after `Unfinished`, and perhaps `Unsettled`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process held the store for the whole of the bounded wait.
    #[error("the store is busy: another process held it for {} ms", waited.as_millis())]
    Busy {
        /// How long was waited.
        waited: Duration,
    },
    /// The store is of an earlier schema, and bringing it on takes longer than this process has.
    #[error("{UNMIGRATED}{found}: the next command or MCP server brings it to {needed}")]
    Unmigrated {
        /// The version found, as major.minor.
        found: String,
        /// The version of this program.
        needed: String,
    },
    /// What was to be erased is gone for readers, but its bytes are not gone from the disk yet.
    #[error(
        "the rows are erased, but after {} ms another process still reads an older state",
        waited.as_millis()
    )]
    Unfinished {
        /// How long was waited.
        waited: Duration,
    },
    /// The write id was used before, with other arguments.
    #[error("write id \"{id}\" was used before with other arguments")]
    Reused {
        /// The write id.
        id: String,
    },
    /// The write id was used before, and what it answered was erased since.
    #[error("write id \"{id}\" was used before and its reply was erased since")]
    Erased {
        /// The write id.
        id: String,
    },
    /// The store was written by a later program.
    #[error("the store has schema {found}, this program knows {known}")]
    Newer {
        /// The version found, as major.minor.
        found: String,
        /// The version of this program.
        known: String,
    },
    /// The store was written by an earlier program, whose schema this one does not read.
    #[error("the store is of version {found}, this vade needs {needed}")]
    Older {
        /// The version found, as major.minor.
        found: String,
        /// The version of this program.
        needed: String,
    },
    /// The file is no store of vade.
    #[error("the file is no vademecum store")]
    Foreign,
    /// A change that only a later program can make.
    #[error("only a later vade can make the change \"{word}\"")]
    Unknown {
        /// What it is called.
        word: String,
    },
    /// The store can be read and not written.
    #[error("the store is read-only")]
    ReadOnly,
    /// What was to be written is of a project of somebody else.
    #[error("this is of a project that somebody else made, and that you are not invited to now")]
    Uninvited,
    /// The environment asks that nothing is written.
    #[error("{what} writes, and {READ_ONLY} is set")]
    Unwanted {
        /// What would have written: an operation or a command.
        what: String,
    },
    /// The disk is full.
    #[error("the disk of the store is full")]
    Full,
    /// The database has a second name, under which others would keep a log of its own.
    #[error(
        "the database file has {n_names} names, it may have one: two logs of one file lose writes"
    )]
    Linked {
        /// How many there are.
        n_names: u64,
    },
    /// The file system is shared between machines, or reached over a network.
    #[error(
        "the store lies on a shared file system ({system}), where locks of other machines do not hold"
    )]
    Shared {
        /// What it is, such as `nfs`.
        system: String,
    },
    /// The server of the store cannot be reached.
    #[error("{AT_SERVER}{place} cannot be reached: {what}")]
    Unreachable {
        /// The server and the database.
        place: String,
        /// What was reported.
        what: String,
    },
    /// The server of the store was lost as it was told to keep something.
    #[error("{AT_SERVER}{place} went away as it saved this ({what}): it may be saved or not")]
    Unsettled {
        /// The server and the database.
        place: String,
        /// What was reported.
        what: String,
    },
    /// The server of the store answers, and lets this user not in.
    #[error("the store at {place} is closed to this user: {what}")]
    Closed {
        /// The server and the database.
        place: String,
        /// What the server said.
        what: String,
    },
    /// The log holds writes and cannot be read: without it the database is an older state.
    #[error("the log of the store ({n_bytes} bytes) cannot be read: {what}")]
    Log {
        /// What the engine found.
        what: String,
        /// How long it is.
        n_bytes: u64,
    },
    /// The log was removed while it held writes that were nowhere else.
    #[error("the log of the store was removed while it held {n_pages} pages that are nowhere else")]
    LogGone {
        /// How many there were.
        n_pages: u32,
    },
    /// The database is empty or gone, and what lies beside it says that it held a store.
    #[error("the database file is empty or gone, its log has {n_log_bytes} bytes")]
    Emptied {
        /// How long the log is, from which it can be made again.
        n_log_bytes: u64,
    },
    /// The key of the journal is there and cannot be read.
    #[error("the key of the journal cannot be read: {what}")]
    Key {
        /// What was reported.
        what: String,
    },
    /// The store is damaged.
    #[error("the store is damaged: {what}")]
    Corrupt {
        /// What the engine found.
        what: String,
    },
    /// Anything else that the engine or the operating system reported.
    #[error("the store failed: {what}")]
    Engine {
        /// What was reported.
        what: String,
    },
}

impl StoreError {
    /// The kind, from which surfaces take their code.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Busy { .. }
            | Self::Unmigrated { .. }
            | Self::Unfinished { .. }
            | Self::Unreachable { .. }
            | Self::Unsettled { .. } => Kind::Busy,
            Self::Reused { .. } | Self::Erased { .. } | Self::Unknown { .. } => Kind::Conflict,
            Self::ReadOnly
            | Self::Uninvited
            | Self::Unwanted { .. }
            | Self::Linked { .. }
            | Self::Shared { .. }
            | Self::Closed { .. } => Kind::Denied,
            Self::Log { .. }
            | Self::LogGone { .. }
            | Self::Emptied { .. }
            | Self::Key { .. }
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Foreign
            | Self::Full
            | Self::Corrupt { .. }
            | Self::Engine { .. } => Kind::Broken,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "nothing was changed: try the same call again in a second",
            Self::Unmigrated { .. } => "run: vade status",
            Self::Unfinished { .. } => {
                "the next write finishes it once that reader has ended; vade doctor says when"
            }
            Self::Reused { .. } => "use a new write id, or leave it out",
            Self::Erased { .. } => {
                "read what is there now; if it must be written, use a new write id"
            }
            Self::Newer { .. } => "install a current vade; the store was left as it was",
            Self::Older { .. } => {
                "the store was left as it was: bring it over with: cargo xtask convert FROM TO, or name another with --store"
            }
            Self::Unknown { .. } => "nothing was changed: use that version",
            Self::Foreign => "vade doctor names the file, and what mends it",
            Self::Unwanted { .. } => "nothing was changed: unset VADE_READONLY to write",
            Self::Full => "free some space: nothing that was acknowledged is lost",
            Self::Unreachable { .. } => {
                "nothing was saved or read, whatever is there: make the same call again later, or tell who runs the server"
            }
            Self::Unsettled { .. } => {
                "search for it, and make the call again only if it is not there"
            }
            Self::Closed { .. } => {
                "see that user, database and password are right: PGPASSFILE or ~/.pgpass (chmod 600)"
            }
            Self::ReadOnly
            | Self::Uninvited
            | Self::Linked { .. }
            | Self::Shared { .. }
            | Self::Log { .. }
            | Self::LogGone { .. }
            | Self::Emptied { .. }
            | Self::Key { .. } => self.hint_of_rights(),
            Self::Corrupt { .. } | Self::Engine { .. } => "run: vade doctor",
        }
    }

    /// What to do about a file of the store, or a right; nothing of any other error.
    fn hint_of_rights(&self) -> &'static str {
        match self {
            Self::ReadOnly => {
                "nothing was saved: make the file and its folder writable, or on a server ask for the right to write"
            }
            Self::Uninvited => {
                "nothing was saved: ask who made it for vade project invite, or vade project join another one"
            }
            Self::Linked { .. } => {
                "remove the other name of the file, or copy it to a file of its own"
            }
            Self::Shared { .. } => {
                "keep the store on a disk of this machine: name it with --store or VADE_STORE"
            }
            Self::Log { .. } => {
                "nothing was changed: make folder and log writable, or copy vade.db with vade.db-wal to where they are"
            }
            Self::LogGone { .. } => {
                "a server that runs still has it and puts it back with its next call; else, once all sessions have ended: vade doctor --repair"
            }
            Self::Emptied { n_log_bytes: 0 } => "vade doctor says what it can be restored from",
            Self::Emptied { .. } => {
                "nothing was changed; to make it again from its log run: vade doctor --repair"
            }
            Self::Key { .. } => {
                "nothing was changed: the .key file beside the store must be its key, and one that you can read (chmod 600); any other one is to be moved away"
            }
            _ => "",
        }
    }
}
