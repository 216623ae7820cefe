//! Notes: one fact, decision or finding of a session, with its limits.

pub mod links;
mod suggest;

use serde::{Deserialize, Serialize};

use crate::id::NoteId;
use crate::time::Time;

/// What a model is told of notes where it has nothing else, in the sense of their published design.
pub const GUIDANCE: &str = "\
Notes keep what this session would lose when its context is compacted; they are this session's only.
Note what links components, what was decided and why, where a long task stands, and what no search can find. Do not note what one search or one file read gives back, results that change with the next run, or what only the next call needs.
One idea a note, 1-5 tags: its kind (decision, todo, bug, pattern, dependency), its domain (auth, database, api), its urgency (critical, blocking, tech-debt).
scratch_note when it is resolved, update_note when it changed, delete_note when it was wrong or is in the code now.";

/// What a model is told of notes beside a page.
pub const BRIEF: &str = "Keep single decisions, causes and relations with add_note: as many open notes as fit are put back after a compaction.";

/// One fact, decision or finding of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its id, unique and rising in its session.
    pub id: NoteId,
    /// The text, 1 to [`Content::MAX`] characters.
    pub content: Content,
    /// What it is about.
    pub tags: Tags,
    /// When it was added.
    pub created_at: Time,
    /// When its content or tags last changed.
    pub updated_at: Time,
    /// When it was crossed out; none while it is open.
    pub scratched_at: Option<Time>,
}

impl Note {
    /// Whether the note is crossed out.
    #[must_use]
    pub fn is_scratched(&self) -> bool {
        self.scratched_at.is_some()
    }
}

/// A text that cannot be the content of a note.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// Nothing but white space.
    #[error("a note needs content, none given")]
    Empty,
    /// Too many characters.
    #[error("a note takes at most {} characters, {given} given", Content::MAX)]
    Long {
        /// How many were given.
        given: usize,
    },
}

/// The text of one note: not blank, at most [`Content::MAX`] characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Content(String);

impl Content {
    /// The most characters (Unicode scalar values) in a note.
    pub const MAX: usize = 800;

    /// Checks `text` and keeps it byte for byte.
    pub fn new(text: impl Into<String>) -> Result<Self, ContentError> {
        let text = text.into();
        if text.trim().is_empty() {
            return Err(ContentError::Empty);
        }
        let given = text.chars().count();
        if Self::MAX < given {
            return Err(ContentError::Long { given });
        }
        Ok(Self(text))
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A list of words that cannot be the tags of a note.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// None, or too many.
    #[error("a note takes 1 to {} tags, {given} given", Tags::MAX)]
    Count {
        /// How many distinct ones were given.
        given: usize,
    },
    /// Nothing but white space.
    #[error("tag {place} is blank")]
    Blank {
        /// Its place in the list, from 1.
        place: usize,
    },
    /// A character that would break a list of tags.
    #[error("tag {place} holds a comma, line break or control character")]
    Character {
        /// Its place in the list, from 1.
        place: usize,
    },
    /// Too many characters.
    #[error("a tag takes at most {} characters, tag {place} has {given}", Tags::CHARS)]
    Long {
        /// Its place in the list, from 1.
        place: usize,
        /// How many it has.
        given: usize,
    },
}

/// The tags of one note: one to five, trimmed, lower case, none twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Tags(Vec<String>);

impl Tags {
    /// The most tags that one note may carry.
    pub const MAX: usize = 5;

    /// What stands for a note whose words suggest no tag.
    pub const UNTAGGED: &'static str = "untagged";

    /// The most characters of a tag: a name or two, which a list can show whole.
    pub const CHARS: usize = 64;

    /// Checks `words` and keeps them in the order given.
    pub fn new<S: AsRef<str>>(words: &[S]) -> Result<Self, TagError> {
        let tags = Self::kept(words)?;
        for (idx, tag) in tags.0.iter().enumerate() {
            check_length(tag, idx + 1)?;
        }
        Ok(tags)
    }

    /// Takes the tags of a note that is kept already: those of earlier programs were of any length.
    pub fn kept<S: AsRef<str>>(words: &[S]) -> Result<Self, TagError> {
        let tags = Self::filter(words)?;
        if tags.is_empty() || Self::MAX < tags.len() {
            return Err(TagError::Count { given: tags.len() });
        }
        Ok(Self(tags))
    }

    /// Brings `words` into the form that tags are kept in, to search by; any number is allowed.
    pub fn filter<S: AsRef<str>>(words: &[S]) -> Result<Vec<String>, TagError> {
        let mut tags: Vec<String> = Vec::with_capacity(words.len());
        for (idx, word) in words.iter().enumerate() {
            let tag = tag(word.as_ref(), idx + 1)?;
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        Ok(tags)
    }

    /// The tags in the order given.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl From<Vec<String>> for Tags {
    /// Takes what is kept already: tags of one line each, whatever they hold.
    fn from(tags: Vec<String>) -> Self {
        Self(tags.into_iter().map(on_one_line).collect())
    }
}

impl From<Tags> for Vec<String> {
    fn from(tags: Tags) -> Self {
        tags.0
    }
}

/// The text with a blank for whatever ends a line or is obeyed by a terminal.
pub(crate) fn on_one_line(text: String) -> String {
    let is_wrong = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(is_wrong) { text.replace(is_wrong, " ") } else { text }
}

/// How long what a note says holds, as one of its tags tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// Until it is crossed out.
    Always,
    /// While it is fresh: why something failed.
    AsCause,
    /// While it is fresh.
    Fresh,
}

/// The tags by which a note says what others will need after its session.
pub const LASTING: [(&str, Lasts); 13] = [
    ("decision", Lasts::Always),
    ("decisions", Lasts::Always),
    ("rule", Lasts::Always),
    ("rules", Lasts::Always),
    ("cause", Lasts::AsCause),
    ("root-cause", Lasts::AsCause),
    ("dead-end", Lasts::AsCause),
    ("deadend", Lasts::AsCause),
    ("gotcha", Lasts::AsCause),
    ("failed", Lasts::AsCause),
    ("bug", Lasts::AsCause),
    ("pattern", Lasts::Fresh),
    ("dependency", Lasts::Fresh),
];

/// Refuses a tag of more than [`Tags::CHARS`] characters.
pub(crate) fn check_length(tag: &str, place: usize) -> Result<(), TagError> {
    if tag.len() <= Tags::CHARS {
        return Ok(());
    }
    match tag.chars().count() {
        given if Tags::CHARS < given => Err(TagError::Long { place, given }),
        _ => Ok(()),
    }
}

fn tag(word: &str, place: usize) -> Result<String, TagError> {
    // Most tags are as they are kept, and each note that is read is checked.
    let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if !word.is_empty() && word.bytes().all(is_plain) {
        return Ok(word.to_owned());
    }
    let word = word.trim();
    if word.is_empty() {
        return Err(TagError::Blank { place });
    }
    if word.chars().any(|c| c == ',' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(TagError::Character { place });
    }
    Ok(word.to_lowercase())
}

/// How often a tag is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagCount {
    /// The tag.
    pub tag: String,
    /// How many notes carry it.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_tags(words: &[&str], expected: Result<&[&str], TagError>) {
        let tags = Tags::new(words).map(|tags| tags.0);
        assert_eq!(tags, expected.map(|tags| tags.iter().map(ToString::to_string).collect()));
    }

    #[test]
    fn tags_are_trimmed_lowered_and_said_once() {
        check_tags(&[" Auth ", "auth"], Ok(&["auth"]));
        check_tags(&["ÜBER", "b", "c", "d", "e", "B"], Ok(&["über", "b", "c", "d", "e"]));
        check_tags(&[], Err(TagError::Count { given: 0 }));
        check_tags(&["a", "b", "c", "d", "e", "f"], Err(TagError::Count { given: 6 }));
        check_tags(&["a", "  "], Err(TagError::Blank { place: 2 }));
        check_tags(&["a", "b,c"], Err(TagError::Character { place: 2 }));
        check_tags(&["a\u{2028}b"], Err(TagError::Character { place: 1 }));
        for one in ["a", "漢", "Ü"] {
            assert!(Tags::new(&[one.repeat(64)]).is_ok());
            let long = one.repeat(65);
            check_tags(&["b", &long], Err(TagError::Long { place: 2, given: 65 }));
            assert!(Tags::kept(&[long]).is_ok());
        }
        let error = TagError::Long { place: 2, given: 65 };
        assert_eq!(error.to_string(), "a tag takes at most 64 characters, tag 2 has 65");
    }

    #[test]
    fn content_is_counted_in_characters() {
        for one in ["a", "漢", "😀"] {
            assert!(Content::new(one.repeat(800)).is_ok());
            assert_eq!(Content::new(one.repeat(801)), Err(ContentError::Long { given: 801 }));
        }
        assert_eq!(Content::new(" \n\t"), Err(ContentError::Empty));
        let error = Content::new("a".repeat(801)).map_err(|error| error.to_string());
        assert_eq!(error, Err("a note takes at most 800 characters, 801 given".to_owned()));
    }
}
