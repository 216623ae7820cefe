//! Entries: what a plan was told, a learning, a decision or an issue; never changed afterwards.

mod parts;
mod stood;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use parts::{Labels, Line, PartError, Text};
pub use stood::{Commit, Elsewhere, Stood, on_branch};

use crate::hash;
use crate::id::EntryId;
use crate::plan::PlanName;
use crate::reported::{ALSO, FROM_FILE, RULE, UNCONFIRMED, USER};
use crate::session::SessionKey;
use crate::time::Time;
use crate::words;

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

words! {
    /// How bad an issue is.
    Severity {
        /// It can wait.
        Low = "low",
        /// It should be dealt with.
        Medium = "medium",
        /// It hurts.
        High = "high",
        /// Nothing goes on with it.
        Critical = "critical",
    }
}

words! {
    /// Where an issue stands.
    #[derive(Default)]
    Status {
        /// It is there.
        #[default]
        Open = "open",
        /// It is there, and there is a way around it.
        Workaround = "workaround",
        /// It is gone.
        Resolved = "resolved",
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
    /// Of a category that only a later program knows: all that is kept of it.
    #[serde(untagged)]
    Unknown {
        /// The word for the category.
        category: Box<str>,
        /// How bad it is, where that was said.
        severity: Option<Severity>,
        /// Where it stands, where that was said.
        status: Option<Status>,
        /// The way around it.
        workaround: Option<Text>,
        /// Why.
        rationale: Option<Text>,
        /// What was not taken.
        alternatives: Option<Text>,
    },
}

/// What belongs to one category only, whichever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Own<'a> {
    /// How bad it is.
    pub severity: Option<&'a str>,
    /// Where it stands.
    pub status: Option<&'a str>,
    /// The way around it.
    pub workaround: Option<&'a str>,
    /// Why.
    pub rationale: Option<&'a str>,
    /// What was not taken.
    pub alternatives: Option<&'a str>,
}

impl<'a> Own<'a> {
    /// What of it is a text.
    pub fn texts(self) -> impl Iterator<Item = &'a str> {
        [self.workaround, self.rationale, self.alternatives].into_iter().flatten()
    }
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

    /// The category; none of one that only a later program knows.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        match self {
            Self::Issue { .. } => Some(Category::Issue),
            Self::Decision { .. } => Some(Category::Decision),
            Self::Learning => Some(Category::Learning),
            Self::Unknown { .. } => None,
        }
    }

    /// The word for the category.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Unknown { category, .. } => category,
            known => known.category().map_or("", Category::word),
        }
    }

    /// What is said beside the text.
    #[must_use]
    pub fn own(&self) -> Own<'_> {
        let none = &None;
        let (severity, status, workaround, rationale, alternatives) = match self {
            Self::Issue { severity, status, workaround } => {
                (severity.as_ref(), Some(status), workaround, none, none)
            }
            Self::Decision { rationale, alternatives } => {
                (None, None, none, rationale, alternatives)
            }
            Self::Learning => (None, None, none, none, none),
            Self::Unknown { severity, status, workaround, rationale, alternatives, .. } => {
                (severity.as_ref(), status.as_ref(), workaround, rationale, alternatives)
            }
        };
        Own {
            severity: severity.map(Severity::word),
            status: status.map(Status::word),
            workaround: workaround.as_ref().map(Text::as_str),
            rationale: rationale.as_ref().map(Text::as_str),
            alternatives: alternatives.as_ref().map(Text::as_str),
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

    /// Whether nobody chose to record it: a sub-agent's report said it.
    #[must_use]
    pub fn is_unconfirmed(&self) -> bool {
        self.tags.as_slice().iter().any(|tag| tag == UNCONFIRMED)
    }

    /// The tags of what holds whatever the work is: a person said it in their own words, or it is a rule.
    pub const RULES: [&'static str; 2] = [USER, RULE];

    /// Whether it has one of [`Self::RULES`].
    #[must_use]
    pub fn is_rule(&self) -> bool {
        self.tags.as_slice().iter().any(|tag| Self::RULES.contains(&tag.as_str()))
    }

    /// The same as it is kept where a file says it, which a repository may bring along: [`FROM_FILE`] is among its tags.
    #[must_use]
    pub fn from_file(&self) -> Self {
        let tags = self.tags.as_slice().iter().map(String::as_str).filter(|tag| *tag != FROM_FILE);
        let tags: Vec<&str> = tags.take(Labels::MAX - 1).chain([FROM_FILE]).collect();
        let tags = Labels::kept(&tags).expect("as many as are allowed, all of them tags");
        Self { tags, ..self.clone() }
    }

    /// The same report with `by` as one more of its authors; none where there is no room for another.
    #[must_use]
    pub fn also_by(&self, by: &str) -> Option<Self> {
        let also = format!("{ALSO}{by}");
        let tags = [self.tags.as_slice(), &[also]].concat();
        Some(Self { tags: Labels::new(&tags).ok()?, ..self.clone() })
    }

    /// Whether it names `by` as one of those who reported it beside its author.
    #[must_use]
    pub fn is_also_by(&self, by: &str) -> bool {
        self.tags.as_slice().iter().any(|tag| tag.strip_prefix(ALSO) == Some(by))
    }

    /// The same, with what `known` says of it beside the text where this says nothing of that.
    #[must_use]
    pub fn filled(&self, known: &Self) -> Self {
        let or =
            |own: &Option<Text>, other: &Option<Text>| own.as_ref().or(other.as_ref()).cloned();
        let matter = match (&self.matter, &known.matter) {
            (
                Matter::Issue { severity, status, workaround },
                Matter::Issue { severity: graded, workaround: other, .. },
            ) => Matter::Issue {
                severity: severity.clone().or_else(|| graded.clone()),
                status: status.clone(),
                workaround: or(workaround, other),
            },
            (
                Matter::Decision { rationale, alternatives },
                Matter::Decision { rationale: why, alternatives: others },
            ) => Matter::Decision {
                rationale: or(rationale, why),
                alternatives: or(alternatives, others),
            },
            (matter, _) => matter.clone(),
        };
        let pattern = self.pattern.clone().or_else(|| known.pattern.clone());
        Self { matter, pattern, ..self.clone() }
    }

    /// By what an entry that says the same again is recognised: white space, case, time, task,
    /// tags and a final full stop do not count.
    #[must_use]
    pub fn sameness(&self) -> Sameness {
        let some = |text: Option<&str>| text.map_or_else(String::new, fold);
        let Own { severity, status, workaround, rationale, alternatives } = self.matter.own();
        let mut said = vec![self.matter.word().to_owned(), fold(self.content.as_str())];
        said.push(some(self.pattern.as_ref().map(Line::as_str)));
        let issue = || [severity, status].map(|word| word.unwrap_or_default().to_owned());
        if !matches!(self.matter, Matter::Learning | Matter::Decision { .. }) {
            said.extend(issue());
            said.push(some(workaround));
        }
        if !matches!(self.matter, Matter::Learning | Matter::Issue { .. }) {
            said.extend([some(rationale), some(alternatives)]);
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
    /// The session that said it, which many entries share; none where a file did, or the session was erased.
    pub session: Option<Arc<SessionKey>>,
    /// The entry of another plan that it repeats.
    pub merged_from: Option<EntryId>,
    /// Where the work tree stood when it was recorded; none for one that was read from a file, or outside a repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood: Option<Box<Stood>>,
}

impl Entry {
    /// Whether it was read from a file, by its tag: a session that said it may have been erased since.
    #[must_use]
    pub fn is_from_file(&self) -> bool {
        self.said.tags.as_slice().iter().any(|tag| tag == FROM_FILE)
    }

    /// Whether it is a rule that somebody gave here: one that only a file brings goes before nothing.
    #[must_use]
    pub fn is_rule(&self) -> bool {
        !self.is_from_file() && self.said.is_rule()
    }

    /// An entry of which nothing else is known.
    #[must_use]
    pub fn new(id: EntryId, plan: PlanName, at: Time, said: Said) -> Self {
        Self { id, plan, at, said, session: None, merged_from: None, stood: None }
    }

    /// The category; none of one that only a later program knows.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        self.said.matter.category()
    }

    /// The word for the category.
    #[must_use]
    pub fn word(&self) -> &str {
        self.said.matter.word()
    }

    /// Whether it is gone, as an issue can be.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        self.said.matter.own().status == Some(Status::Resolved.word())
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
            assert_eq!(Matter::bare(category).category(), Some(category));
        }
        for word in ["low", "critical", "blocker", ""] {
            assert_eq!(Severity::from(word).word(), word);
            assert_eq!(Severity::parse(word).is_some(), ["low", "critical"].contains(&word));
        }
        assert_eq!(Status::from("resolved"), Status::Resolved);
    }

    #[test]
    fn a_category_of_a_later_program_is_kept_whole() {
        let json = r#"{"category":"risk","severity":"blocker","status":"parked","workaround":"wait","rationale":null,"alternatives":null}"#;
        let risk: Matter = serde_json::from_str(json).expect("a matter");
        assert_eq!((risk.category(), risk.word()), (None, "risk"));
        assert_eq!(serde_json::to_string(&risk).expect("JSON"), json);
        let issue =
            r#"{"category":"issue","severity":"blocker","status":"open","workaround":null}"#;
        let known: Matter = serde_json::from_str(issue).expect("a matter");
        assert_eq!(
            (known.category(), known.own().severity),
            (Some(Category::Issue), Some("blocker"))
        );
        assert_eq!(serde_json::to_string(&known).expect("JSON"), issue);
        let said = |matter| Said { matter, ..Said::bare(Category::Learning, text("x")) };
        check(&said(risk.clone()), &said(Matter::bare(Category::Issue)), false);
        check(&said(risk.clone()), &said(risk), true);
    }
}
