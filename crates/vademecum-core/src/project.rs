//! Projects: a repository with all its worktrees, else a folder.

use serde::{Deserialize, Serialize};

use crate::frame;
use crate::id::{MachineId, ProjectId};
use crate::time::Time;
use crate::words;

words! {
    /// What a project is known by.
    KeyKind {
        /// The folder that all worktrees of a repository share, on one machine.
        Git = "git",
        /// The address of the repository elsewhere, brought into one form.
        Remote = "remote",
        /// A folder on one machine.
        Folder = "folder",
    }
}

/// One thing that a project is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProjectKey {
    /// What it is.
    pub kind: KeyKind,
    /// Where a path means this; none for what means the same everywhere, and where nobody knows which machine it was.
    ///
    /// Who asks by a key without a machine asks for any machine's, where all of them mean one project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineId>,
    /// The path or address, as bytes.
    pub value: Vec<u8>,
}

/// A repository with all its worktrees, else a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// The name people see: the last part of its folder.
    pub name: String,
    /// When vade was switched off for it; none while it is on.
    pub off_at: Option<Time>,
    /// When it was first seen.
    pub created_at: Time,
}

/// The most characters of a project's name.
pub const NAME_MAX: usize = 100;

/// The name of a project as a line of ours shows it, whoever wrote it into the database.
#[must_use]
pub fn shown(name: &str) -> String {
    frame::line(name, NAME_MAX)
}
