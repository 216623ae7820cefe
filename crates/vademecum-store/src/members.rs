//! Who shares a project, on an engine that knows persons.

/// Who shares a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members {
    /// The person that made it.
    pub owner: String,
    /// Those who were invited, as far as who asks may know.
    pub invited: Vec<String>,
}

/// What became of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// It holds, or is taken back, from now on.
    Done,
    /// It was so before.
    Before,
    /// There is no such person.
    Nobody,
}
