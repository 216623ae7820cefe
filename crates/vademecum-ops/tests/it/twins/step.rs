//! One step of a sequence: what is asked of a program, as any of its surfaces can ask it.

use serde_json::Value;

/// Who calls an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The model of the session with this full name.
    Model(String),
    /// A person at the command line.
    Person,
    /// A client of MCP that is no harness; its calls belong to the session of this full name.
    Client(String),
}

/// Where a call of the store fails, and which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// 0 before anything is done, 1 before it is kept, 2 once it is kept.
    pub(crate) point: u64,
    /// The number of the call, from 0.
    pub(crate) nth: usize,
}

/// A call of an operation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) caller: Caller,
    /// The session that the caller names.
    pub(crate) named: Option<String>,
    pub(crate) operation: &'static str,
    pub(crate) arguments: Value,
    pub(crate) write_id: Option<String>,
}

/// An event of a harness.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Happened {
    /// The harness's id.
    pub(crate) harness: &'static str,
    pub(crate) name: &'static str,
    /// What the harness sends, but for the folder and the name of the event.
    ///
    /// `transcript_path` is a path below the folder of the play.
    pub(crate) payload: Value,
}

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Deed {
    /// The clock moves by so many milliseconds.
    Clock(i64),
    Call(Asked),
    Hook(Happened),
    /// A session stems from another one, as a host in a library says it: child, parent, what it is given.
    Child(String, String, u64),
    /// Lines are added to a file below the folder of the play.
    Lines(String, String),
    /// A folder of a project gets another name.
    Move(&'static str, &'static str),
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// The folder below that of the play in which it is done.
    pub(crate) folder: &'static str,
    pub(crate) deed: Deed,
    pub(crate) fault: Option<Fault>,
}
