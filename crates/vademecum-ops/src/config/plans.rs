//! What is set for plans: where their files lie, when they are merged, what wisdom may cost.

use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use vademecum_core::wisdom::{DEFAULT_BUDGET, Pick};

/// How many bytes the path of the folder of plans has at most.
const ROOT_MAX: usize = 64;

/// When a plan's entries go to its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Merge {
    /// When the plan is completed, and on demand.
    #[default]
    OnComplete,
    /// On demand only.
    Manual,
}

/// What is set for plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plans {
    /// The folder of their files, seen from the top of the work tree.
    pub root: String,
    /// When they are merged.
    pub merge: Merge,
    /// What wisdom may cost, in tokens of four characters.
    pub wisdom_tokens: usize,
    /// Which entries wisdom shows.
    pub wisdom_pick: Pick,
    /// Whether what is said to be kept becomes an entry by itself: `remember: …`, and what sub-agents report.
    pub capture: bool,
}

impl Default for Plans {
    fn default() -> Self {
        Self {
            root: ".planning".to_owned(),
            merge: Merge::OnComplete,
            wisdom_tokens: DEFAULT_BUDGET,
            wisdom_pick: Pick::Latest,
            capture: true,
        }
    }
}

/// The table as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) root: Option<String>,
    pub(super) merge: Option<Merge>,
    pub(super) wisdom_tokens: Option<usize>,
    pub(super) wisdom_pick: Option<Pick>,
    pub(super) capture: Option<bool>,
}

impl Table {
    /// What a project's file may not set, if it does.
    pub(super) fn not_of_project(&self) -> Option<&'static str> {
        if self.merge.is_some() {
            return Some("plans.merge");
        }
        if self.wisdom_pick.is_some() {
            return Some("plans.wisdom_pick");
        }
        self.capture.map(|_| "plans.capture")
    }

    /// Whether the root stays inside the work tree.
    pub(super) fn has_legal_root(&self) -> bool {
        self.root.as_deref().is_none_or(|root| {
            // What lies in .git is the version control's own; not every file system minds the case.
            let is_plain = |part: Component<'_>| match part {
                Component::Normal(name) => {
                    // Models are told where files of plans lie: a sentence is no name of a folder.
                    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
                    let is_name = name.to_str().is_some_and(|name| name.chars().all(is_letter));
                    is_name && !name.eq_ignore_ascii_case(".git")
                }
                Component::Prefix(_)
                | Component::RootDir
                | Component::CurDir
                | Component::ParentDir => false,
            };
            (1..=ROOT_MAX).contains(&root.len()) && Path::new(root).components().all(is_plain)
        })
    }
}
