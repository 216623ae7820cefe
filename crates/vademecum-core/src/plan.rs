//! Plans: named pieces of work that outlive sessions, and what they may be called.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::ProjectId;
use crate::time::Time;

/// A text that cannot be the name of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanNameError {
    /// A character, a length or a beginning that names do not have.
    #[error(
        "plan name \"{given}\" is not allowed: use letters, digits, \".\", \"_\", \"-\", {} at most, first one a letter or digit",
        PlanName::MAX
    )]
    Form {
        /// What was given.
        given: String,
    },
}

/// The name of a plan: also the name of its folder, so it is checked and never changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlanName(String);

impl PlanName {
    /// The most characters of a name.
    pub const MAX: usize = 64;

    /// The plan that every project has.
    pub const PROJECT: &'static str = "_project";

    /// Checks the name of a plan that somebody makes.
    pub fn new(text: &str) -> Result<Self, PlanNameError> {
        let is_inner =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if begins && text.bytes().all(is_inner) && text.len() <= Self::MAX {
            return Ok(Self(text.to_owned()));
        }
        Err(PlanNameError::Form { given: text.to_owned() })
    }

    /// The plan that every project has.
    #[must_use]
    pub fn project() -> Self {
        Self(Self::PROJECT.to_owned())
    }

    /// Checks a name by which a plan is looked up: `_project` is one too.
    pub fn parse(text: &str) -> Result<Self, PlanNameError> {
        if text == Self::PROJECT { Ok(Self::project()) } else { Self::new(text) }
    }

    /// Whether it is the plan that every project has.
    #[must_use]
    pub fn is_project(&self) -> bool {
        self.0 == Self::PROJECT
    }

    /// Whether a file system that knows no case would take both for one folder.
    #[must_use]
    pub fn clashes_with(&self, other: &Self) -> bool {
        self != other && self.0.eq_ignore_ascii_case(&other.0)
    }

    /// The name as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlanName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It is worked on.
    Open,
    /// It is done; entries may still be added.
    Complete,
    /// It is put away; nothing is added any more.
    Archived,
}

impl Stage {
    /// The word that is shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Archived => "archived",
        }
    }
}

/// A named piece of work of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Its project.
    pub project: ProjectId,
    /// Its name, unique in its project whatever the case.
    pub name: PlanName,
    /// When it was begun.
    pub created_at: Time,
    /// When it was completed; none before.
    pub completed_at: Option<Time>,
    /// When it was put away; none before.
    pub archived_at: Option<Time>,
    /// Whether its files are meant for version control.
    pub is_tracked: bool,
}

impl Plan {
    /// Where it stands.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match (self.archived_at, self.completed_at) {
            (Some(_), _) => Stage::Archived,
            (None, Some(_)) => Stage::Complete,
            (None, None) => Stage::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_allowed: bool) {
        assert_eq!(PlanName::new(text).is_ok(), is_allowed, "{text:?}");
    }

    #[test]
    fn names_are_checked_and_never_changed() {
        for text in ["a", "03-01-PLAN", "a.b_c-d", "9", "a..", &"x".repeat(64)] {
            check(text, true);
            assert_eq!(PlanName::new(text).expect("a name").as_str(), text);
        }
        let long = "x".repeat(65);
        for text in [
            "", "_project", "../x", "a b", ".a", "-a", "_a", "a/b", "a\\b", "a\n", "é", "a\0",
            &long,
        ] {
            check(text, false);
        }
        let error = PlanName::new("a b").expect_err("a blank").to_string();
        assert_eq!(
            error,
            "plan name \"a b\" is not allowed: use letters, digits, \".\", \"_\", \"-\", 64 at most, \
             first one a letter or digit"
        );
    }

    #[test]
    fn one_folder_has_one_name() {
        let name = |text| PlanName::parse(text).expect("a name");
        assert!(name("A").clashes_with(&name("a")));
        assert!(!name("a").clashes_with(&name("a")));
        assert!(name("_project").is_project());
    }
}
