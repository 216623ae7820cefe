//! Entries: what a plan was told, a learning, a decision or an issue; never changed afterwards.

mod parts;

use serde::{Deserialize, Serialize};

pub use parts::{Labels, Line, PartError, Text};

use crate::hash;
use crate::id::{EntryId, SessionId};
use crate::plan::PlanName;
use crate::time::Time;

/// The sort of an entry, and of the file that it is mirrored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// A problem, a trap or what blocks.
    Issue,
    /// A choice and its reason.
    Decision,
    /// What the next one must know.
    Learning,
}

impl Category {
    /// All of them, in the order in which a reader is told.
    pub const ALL: [Self; 3] = [Self::Issue, Self::Decision, Self::Learning];

    /// The word that is kept and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Decision => "decision",
            Self::Learning => "learning",
        }
    }

    /// The word for several.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Issue => "issues",
            Self::Decision => "decisions",
            Self::Learning => "learnings",
        }
    }

    /// The category that `word` names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.word() == word)
    }
}

/// How bad an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It can wait.
    Low,
    /// It should be dealt with.
    Medium,
    /// It hurts.
    High,
    /// Nothing goes on with it.
    Critical,
}

impl Severity {
    /// All of them, the least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The word that is kept and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The severity that `word` names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.word() == word)
    }
}

/// Where an issue stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is there.
    #[default]
    Open,
    /// It is there, and there is a way around it.
    Workaround,
    /// It is gone.
    Resolved,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Open, Self::Workaround, Self::Resolved];

    /// The word that is kept and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Workaround => "workaround",
            Self::Resolved => "resolved",
        }
    }

    /// The status that `word` names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// What belongs to one category only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "category", rename_all = "lowercase")]
pub enum Matter {
    /// Of an issue.
    Issue {
        /// How bad it is, where that was said.
        severity: Option<Severity>,
        /// Where it stands.
        status: Status,
        /// The way around it.
        workaround: Option<Text>,
    },
    /// Of a decision.
    Decision {
        /// Why.
        rationale: Option<Text>,
        /// What was not taken.
        alternatives: Option<Text>,
    },
    /// Of a learning.
    Learning,
}

impl Matter {
    /// The category without anything else being said.
    #[must_use]
    pub fn bare(category: Category) -> Self {
        match category {
            Category::Issue => {
                Self::Issue { severity: None, status: Status::Open, workaround: None }
            }
            Category::Decision => Self::Decision { rationale: None, alternatives: None },
            Category::Learning => Self::Learning,
        }
    }

    /// The category.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            Self::Issue { .. } => Category::Issue,
            Self::Decision { .. } => Category::Decision,
            Self::Learning => Category::Learning,
        }
    }
}

/// What an entry says: all of it that a file holds, but the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The text, byte for byte.
    pub content: Text,
    /// What belongs to its category.
    pub matter: Matter,
    /// The task in which it was found.
    pub task: Option<Line>,
    /// Where to look, as `file:lines`.
    pub pattern: Option<Line>,
    /// What it is about.
    pub tags: Labels,
    /// The entry that it corrects.
    pub supersedes: Option<EntryId>,
}

impl Said {
    /// A text of a category, without anything else being said.
    #[must_use]
    pub fn bare(category: Category, content: Text) -> Self {
        Self {
            content,
            matter: Matter::bare(category),
            task: None,
            pattern: None,
            tags: Labels::default(),
            supersedes: None,
        }
    }

    /// By what an entry that says the same again is recognised: white space, case, time, task,
    /// tags and a final full stop do not count.
    #[must_use]
    pub fn sameness(&self) -> Sameness {
        let (mut said, some) =
            (vec![self.matter.category().word().to_owned()], |text: &Option<Text>| {
                text.as_ref().map_or_else(String::new, |text| fold(text.as_str()))
            });
        said.push(fold(self.content.as_str()));
        said.push(self.pattern.as_ref().map_or_else(String::new, |line| fold(line.as_str())));
        match &self.matter {
            Matter::Issue { severity, status, workaround } => said.extend([
                severity.map_or("", Severity::word).to_owned(),
                status.word().to_owned(),
                some(workaround),
            ]),
            Matter::Decision { rationale, alternatives } => {
                said.extend([some(rationale), some(alternatives)]);
            }
            Matter::Learning => {}
        }
        Sameness(hash::hex(&hash::plain(said.join("\0").as_bytes()), 16))
    }
}

/// A text in the form in which two that say the same are equal.
fn fold(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join(" ");
    text.strip_suffix('.').unwrap_or(&text).replace('\0', " ")
}

/// What entries that say the same have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sameness(String);

impl Sameness {
    /// The hash, in hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One learning, decision or issue of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id, unique and rising in its project.
    pub id: EntryId,
    /// Its plan.
    pub plan: PlanName,
    /// When it was said: for one that was read from a file, what stands there.
    pub at: Time,
    /// What it says.
    pub said: Said,
    /// The session that said it; none for one that was read from a file.
    pub session: Option<SessionId>,
    /// The entry of another plan that it repeats.
    pub merged_from: Option<EntryId>,
}

impl Entry {
    /// The category.
    #[must_use]
    pub fn category(&self) -> Category {
        self.said.matter.category()
    }

    /// Whether it is an issue that is gone.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        match &self.said.matter {
            Matter::Issue { status, .. } => *status == Status::Resolved,
            Matter::Decision { .. } | Matter::Learning => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::new(text).expect("a text")
    }

    #[track_caller]
    fn check(first: &Said, second: &Said, are_same: bool) {
        assert_eq!(first.sameness() == second.sameness(), are_same, "{first:?} {second:?}");
    }

    #[test]
    fn what_says_the_same_is_recognised() {
        let said = |content: &str| Said::bare(Category::Learning, text(content));
        let plain = said("Zod 3.23 needs `.pipe()`");
        check(&plain, &said("zod  3.23\nneeds `.pipe()`."), true);
        check(&plain, &said("zod 3.24 needs `.pipe()`"), false);
        let tagged = Said {
            task: Some(Line::new("03-01").expect("a task")),
            tags: Labels::new(&["zod"]).expect("tags"),
            supersedes: Some(EntryId(7)),
            ..plain.clone()
        };
        check(&plain, &tagged, true);
        check(&plain, &Said { matter: Matter::bare(Category::Decision), ..plain.clone() }, false);

        let issue = |status| {
            let matter = Matter::Issue { severity: None, status, workaround: None };
            Said { matter, ..said("the build is slow") }
        };
        check(&issue(Status::Open), &issue(Status::Resolved), false);
    }

    #[test]
    fn words_read_back() {
        for category in Category::ALL {
            assert_eq!(Category::parse(category.word()), Some(category));
            assert_eq!(Matter::bare(category).category(), category);
        }
        for severity in Severity::ALL {
            assert_eq!(Severity::parse(severity.word()), Some(severity));
        }
        for status in Status::ALL {
            assert_eq!(Status::parse(status.word()), Some(status));
        }
    }
}
