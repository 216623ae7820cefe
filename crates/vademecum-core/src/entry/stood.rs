//! Where a work tree of git stood: the branch that was checked out, and the commit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Entry, Line};
use crate::frame;
use crate::id::EntryId;

/// Where the work tree stood when an entry was recorded, as its repository said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stood {
    /// The branch that was checked out; none on a commit alone, or where no [`Line`] holds its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Line>,
    /// The commit; none before the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
}

impl Stood {
    /// What is known of a place; none where that is nothing.
    #[must_use]
    pub fn some(branch: Option<Line>, commit: Option<Commit>) -> Option<Self> {
        (branch.is_some() || commit.is_some()).then_some(Self { branch, commit })
    }
}

/// Entries of a project that were recorded on another branch than the one they are told on, and may not hold there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Elsewhere(BTreeSet<EntryId>);

impl Elsewhere {
    /// The branch of an entry, if that is another one.
    #[must_use]
    pub fn branch<'e>(&self, entry: &'e Entry) -> Option<&'e Line> {
        let branch = entry.stood.as_ref()?.branch.as_ref()?;
        self.0.contains(&entry.id).then_some(branch)
    }

    /// How far behind the others an entry is told: what nobody chose to record takes no room from what somebody did,
    /// and what was recorded elsewhere none from what was recorded here.
    #[must_use]
    pub fn behind(&self, entry: &Entry) -> (bool, bool) {
        (entry.said.is_unconfirmed(), self.0.contains(&entry.id))
    }
}

impl FromIterator<EntryId> for Elsewhere {
    fn from_iter<I: IntoIterator<Item = EntryId>>(ids: I) -> Self {
        Self(ids.into_iter().collect())
    }
}

/// So many characters of a branch's name are told.
const TOLD: usize = 60;

/// What stands beside an entry that was recorded on a branch of this name: one line, innocent whatever the name holds.
#[must_use]
pub fn on_branch(name: &str) -> String {
    format!("branch {}", frame::line(name, TOLD))
}

/// The name of a commit in git: 40 hexadecimal digits, or 64 in a repository of SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Commit(String);

impl Commit {
    /// Checks a whole name in small letters; none for anything else.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_whole = matches!(text.len(), 40 | 64) && text.bytes().all(is_digit);
        is_whole.then(|| Self(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Commit {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text).ok_or("a commit is 40 or 64 hexadecimal digits")
    }
}

impl From<Commit> for String {
    fn from(commit: Commit) -> Self {
        commit.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_a_whole_name() {
        let sha1 = "0123456789abcdef0123456789abcdef01234567";
        let sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        for whole in [sha1, sha256] {
            let commit = Commit::new(whole).expect("a commit");
            assert_eq!(commit.as_str(), whole);
            let json = serde_json::to_string(&commit).expect("JSON");
            assert_eq!(serde_json::from_str::<Commit>(&json).ok(), Some(commit));
        }
        for bad in ["", "0123456", &sha1[1..], &sha1.to_uppercase(), &format!("{sha1}\n")] {
            assert_eq!(Commit::new(bad), None, "{bad:?}");
            let json = serde_json::to_string(bad).expect("JSON");
            assert!(serde_json::from_str::<Commit>(&json).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn nothing_known_is_no_place() {
        assert_eq!(Stood::some(None, None), None);
        let branch = Line::new("main").ok();
        let stood = Stood::some(branch.clone(), None).expect("a place");
        assert_eq!(serde_json::to_string(&stood).ok().as_deref(), Some(r#"{"branch":"main"}"#));
        assert_eq!(stood, Stood { branch, commit: None });
    }
}
