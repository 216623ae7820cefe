//! What happens by itself, and who is told what: guidance promises this and nothing else.

use super::RESTORED;

/// What happens by itself, as a person has set it and a client can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is promised or not by itself")]
pub struct Automatic {
    /// Page and notes are put back after a compaction and a resume.
    pub restores: bool,
    /// A model is warned before a compaction.
    pub warns: bool,
    /// What a session keeps outlives it.
    pub keeps: bool,
    /// Who is told at the start what the project knows.
    pub tells: Tells,
    /// A model is offered what earlier sessions kept.
    pub recalls: bool,
}

/// Who is told at the start what the project knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// Nobody.
    Nobody,
    /// Sub-agents.
    Agents,
    /// Sessions.
    Sessions,
    /// Both.
    All,
}

impl Tells {
    /// Sub-agents, or sessions, or both.
    #[must_use]
    pub fn of(agents: bool, sessions: bool) -> Self {
        match (agents, sessions) {
            (true, true) => Self::All,
            (true, false) => Self::Agents,
            (false, true) => Self::Sessions,
            (false, false) => Self::Nobody,
        }
    }

    /// They in words; none where nobody is told.
    #[must_use]
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::All => Some("sub-agents and sessions"),
            Self::Agents => Some("sub-agents"),
            Self::Sessions => Some("sessions"),
            Self::Nobody => None,
        }
    }
}

impl Automatic {
    /// All of it.
    pub const ALL: Self =
        Self { restores: true, warns: true, keeps: true, tells: Tells::All, recalls: true };

    /// The same for a client without hooks of ours: nothing reaches its model by itself.
    #[must_use]
    pub fn without_hooks(self) -> Self {
        let tells = Tells::of(false, matches!(self.tells, Tells::Sessions | Tells::All));
        Self { restores: false, warns: false, tells, ..self }
    }

    /// What page and notes do at a compaction, a resume and the end.
    pub(super) fn restored(self) -> &'static str {
        match (self.restores, self.keeps) {
            (true, true) => RESTORED,
            (false, true) => {
                "After a compaction or a resume read them again: read_notepad, list_notes."
            }
            (true, false) => {
                "Both come back by themselves after compaction, and are erased when the session ends."
            }
            (false, false) => {
                "After a compaction read them again: read_notepad, list_notes. Both are erased when the session ends."
            }
        }
    }
}
