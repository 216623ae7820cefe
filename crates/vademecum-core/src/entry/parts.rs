//! The parts of an entry, each checked once: texts, lines and labels.

use serde::{Deserialize, Serialize};

use crate::note::{TagError, Tags, check_length, on_one_line};

/// A text that cannot be a part of an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// Nothing but white space.
    #[error("an entry needs a text, none given")]
    Empty,
    /// Too many characters in a text.
    #[error("an entry takes at most {} characters, {given} given", Text::MAX)]
    Long {
        /// How many were given.
        given: usize,
    },
    /// More than one line, or too many characters in it.
    #[error(
        "a task or pattern is one line of at most {} characters without back-ticks, \"{given}\" given",
        Line::MAX
    )]
    Line {
        /// What was given, cut.
        given: String,
    },
    /// Too many tags.
    #[error("an entry takes at most {} tags, {given} given", Labels::MAX)]
    Count {
        /// How many distinct ones were given.
        given: usize,
    },
    /// A tag that is none.
    #[error(transparent)]
    Tag(#[from] TagError),
}

/// A text of an entry: not blank, at most [`Text::MAX`] characters, kept byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// The most characters (Unicode scalar values) in a text.
    pub const MAX: usize = 20_000;

    /// Checks `text` and keeps it byte for byte.
    pub fn new(text: impl Into<String>) -> Result<Self, PartError> {
        let text = text.into();
        if text.trim().is_empty() {
            return Err(PartError::Empty);
        }
        // As many characters take at least as many bytes.
        if Self::MAX < text.len() {
            let given = text.chars().count();
            if Self::MAX < given {
                return Err(PartError::Long { given });
            }
        }
        Ok(Self(text))
    }

    /// Checks `text` without the white space around it.
    pub fn trimmed(text: &str) -> Result<Self, PartError> {
        Self::new(text.trim())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One line of an entry, such as a task's id or `file:lines`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Line(String);

impl Line {
    /// The most characters of a line.
    pub const MAX: usize = 200;

    /// What stands in a header where no task is known.
    pub const NONE: &'static str = "-";

    /// Checks `text` and keeps it without the white space around it.
    pub fn new(text: &str) -> Result<Self, PartError> {
        let text = text.trim();
        let is_long = Self::MAX < text.len() && Self::MAX < text.chars().count();
        if text.is_empty() || text == Self::NONE || is_long || !Self::is_one(text) {
            return Err(PartError::Line { given: text.chars().take(40).collect() });
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether nothing in `text` ends a line or its marks.
    fn is_one(text: &str) -> bool {
        if text.is_ascii() {
            // No early end: so several bytes are compared at once.
            let is_wrong = |byte: u8| byte == b'`' || byte < b' ' || byte == 0x7f;
            return !text.bytes().fold(false, |any, byte| any | is_wrong(byte));
        }
        let is_wrong = |c: char| c == '`' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        !text.contains(is_wrong)
    }

    /// Takes what is kept already, which others than vade may have written: one line, whatever it holds.
    #[must_use]
    pub fn kept(text: &str) -> Self {
        Self(on_one_line(text.to_owned()))
    }

    /// The line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self(on_one_line(text))
    }
}

impl From<Line> for String {
    fn from(line: Line) -> Self {
        line.0
    }
}

/// The tags of one entry: none to [`Labels::MAX`], in the form of a note's tags.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Labels(Vec<String>);

impl Labels {
    /// The most tags that one entry may carry.
    pub const MAX: usize = 10;

    /// Checks `words` and keeps them in the order given.
    pub fn new<S: AsRef<str>>(words: &[S]) -> Result<Self, PartError> {
        let labels = Self::kept(words)?;
        for (idx, tag) in labels.0.iter().enumerate() {
            check_length(tag, idx + 1)?;
        }
        Ok(labels)
    }

    /// Takes the tags of an entry that is kept already: those of earlier programs were of any length.
    pub fn kept<S: AsRef<str>>(words: &[S]) -> Result<Self, PartError> {
        let tags = Tags::filter(words)?;
        if Self::MAX < tags.len() {
            return Err(PartError::Count { given: tags.len() });
        }
        Ok(Self(tags))
    }

    /// The tags in the order given.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl From<Vec<String>> for Labels {
    /// Takes what is kept already: tags of one line each, whatever they hold.
    fn from(tags: Vec<String>) -> Self {
        Self(tags.into_iter().map(on_one_line).collect())
    }
}

impl From<Labels> for Vec<String> {
    fn from(labels: Labels) -> Self {
        labels.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(text: &str, is_allowed: bool) {
        assert_eq!(Line::new(text).is_ok(), is_allowed, "{text:?}");
    }

    #[test]
    fn lines_stay_on_their_line() {
        for text in ["03-01", " src/a.rs:45-60 ", "Task: x", &"x".repeat(200)] {
            check_line(text, true);
        }
        for text in ["", " ", "-", "a\nb", "a`b", "a\u{2028}b", &"x".repeat(201)] {
            check_line(text, false);
        }
    }

    #[test]
    fn what_is_read_is_one_line_whatever_is_stored() {
        let forged = "src/a.rs\nvade: go\u{1b}[2J\u{2028}x";
        let json = serde_json::to_string(forged).expect("JSON");
        let plain = "src/a.rs vade: go [2J x";
        let line: Line = serde_json::from_str(&json).expect("a line");
        assert_eq!(line.as_str(), plain);
        assert_eq!(Line::kept(forged), line);
        let tags: Labels = serde_json::from_str(&format!("[{json},\"b\"]")).expect("tags");
        assert_eq!(tags.as_slice(), [plain, "b"]);
        assert_eq!(serde_json::to_string(&tags).expect("JSON"), format!("[\"{plain}\",\"b\"]"));
        assert_eq!(serde_json::to_string(&line).expect("JSON"), format!("\"{plain}\""));
    }

    #[test]
    fn texts_and_tags_have_limits() {
        assert_eq!(Text::new(" \n"), Err(PartError::Empty));
        assert_eq!(Text::new("x".repeat(20_001)), Err(PartError::Long { given: 20_001 }));
        assert_eq!(Text::new(" a\n").map(|text| text.0), Ok(" a\n".to_owned()));
        let many: Vec<String> = (0..11).map(|n| n.to_string()).collect();
        assert_eq!(Labels::new(&many), Err(PartError::Count { given: 11 }));
        assert_eq!(Labels::new::<&str>(&[]), Ok(Labels::default()));
        let long = TagError::Long { place: 1, given: 65 };
        assert_eq!(Labels::new(&["x".repeat(65)]), Err(PartError::Tag(long)));
        assert!(Labels::kept(&["x".repeat(65)]).is_ok());
    }
}
