//! The ids of everything that is kept.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::time::Time;

/// A text that names nothing of 16 random bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no id of 32 hexadecimal digits: \"{0}\"")]
pub struct NoRandomId(pub String);

/// Ids of 16 random bytes, made once with what they name, so that no two machines give the same one.
///
/// They are written as 32 hexadecimal digits.
macro_rules! random_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// It is 16 random bytes, written as 32 hexadecimal digits.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
        )]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(pub [u8; 16]);

        impl $name {
            /// None: of what has none yet, or none that is known.
            pub const NONE: Self = Self([0; 16]);

            /// So many of its digits name it, where no other begins with the same.
            pub const SHORT: usize = 8;
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", u128::from_be_bytes(self.0))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = NoRandomId;

            fn try_from(text: String) -> Result<Self, NoRandomId> {
                let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                let digits = Some(&text).filter(|text| text.len() == 32 && text.bytes().all(is_hex));
                let number = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
                number.map(|number| Self(number.to_be_bytes())).ok_or(NoRandomId(text))
            }
        }
    )+};
}

random_ids! {
    /// A project.
    ProjectId;
    /// A person, by the folder in which their data lies.
    PersonId;
    /// A machine, as one installation of an operating system.
    MachineId;
}

/// A note of one session, written `note_<milliseconds>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoteId(pub i64);

/// Whether `text` is a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12 (RFC 9562).
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(idx, byte)| match idx {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

impl NoteId {
    /// The id of a note added at `now`, above `last` whatever the clock says.
    ///
    /// A `last` beyond the year 9999 is no note of ours and is not followed: who asks then looks whether
    /// the id is free.
    #[must_use]
    pub fn after(last: Option<Self>, now: Time) -> Self {
        Self(after(last.map(|last| last.0), now))
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "note_{}", self.0)
    }
}

/// A text that is no note id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no note id: \"{0}\"")]
pub struct NoNoteId(pub String);

impl FromStr for NoteId {
    type Err = NoNoteId;

    fn from_str(text: &str) -> Result<Self, NoNoteId> {
        let digits = text.strip_prefix("note_").filter(|d| d.bytes().all(|b| b.is_ascii_digit()));
        digits.and_then(|d| d.parse().ok()).map(Self).ok_or_else(|| NoNoteId(text.to_owned()))
    }
}

/// An entry of one project, written `entry_<milliseconds>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub i64);

impl EntryId {
    /// The id of an entry added at `now`, above `last` as [`NoteId::after`] has it.
    #[must_use]
    pub fn after(last: Option<Self>, now: Time) -> Self {
        Self(after(last.map(|last| last.0), now))
    }

    /// The id that `text` writes; none if it is no entry id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("entry_")?;
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse().ok()).flatten().map(Self)
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry_{}", self.0)
    }
}

/// The end of the year 9999: no clock that was ever wrong has told a later time, and no id has another
/// left above it if it is the largest number.
const LAST_OF_CLOCKS: i64 = 253_402_300_799_999;

fn after(last: Option<i64>, now: Time) -> i64 {
    let believed = last.filter(|last| *last <= LAST_OF_CLOCKS);
    let next = believed.map_or(0, |last| last.saturating_add(1));
    now.0.max(next).max(0)
}

/// The place of a write in the journal: later writes have larger numbers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub i64);

/// The name by which a caller repeats a write without doubling it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WriteId(String);

impl WriteId {
    /// The longest write id, in bytes.
    pub const MAX: usize = 256;

    /// Takes any text of 1 to [`WriteId::MAX`] bytes without control characters.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = (1..=Self::MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        fits.then_some(Self(text))
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_ids_rise_whatever_the_clock_says() {
        let now = Time(1_000);
        assert_eq!(NoteId::after(None, now), NoteId(1_000));
        assert_eq!(NoteId::after(Some(NoteId(1_000)), now), NoteId(1_001));
        assert_eq!(NoteId::after(Some(NoteId(5_000)), now), NoteId(5_001));
        assert_eq!(NoteId::after(None, Time(-5)), NoteId(0));
        let ahead = NoteId(LAST_OF_CLOCKS);
        assert_eq!(NoteId::after(Some(ahead), now), NoteId(LAST_OF_CLOCKS + 1));
        for bomb in [LAST_OF_CLOCKS + 1, i64::MAX] {
            assert_eq!(NoteId::after(Some(NoteId(bomb)), now), NoteId(1_000));
        }
    }

    #[test]
    fn note_ids_read_back() {
        assert_eq!("note_1734604200000".parse(), Ok(NoteId(1_734_604_200_000)));
        for bad in ["", "note_", "note_x", "note_-1", "1734604200000", "note_99999999999999999999"]
        {
            assert_eq!(bad.parse::<NoteId>(), Err(NoNoteId(bad.to_owned())));
        }
    }

    #[test]
    fn entry_ids_read_back_and_rise() {
        assert_eq!(EntryId::after(Some(EntryId(5)), Time(3)), EntryId(6));
        assert_eq!(EntryId::after(Some(EntryId(i64::MAX)), Time(3)), EntryId(3));
        assert_eq!(EntryId::parse(&EntryId(17).to_string()), Some(EntryId(17)));
        for bad in ["", "entry_", "entry_+1", "entry_x", "note_1", "17"] {
            assert_eq!(EntryId::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn write_ids_have_a_length() {
        assert!(WriteId::new("").is_none());
        assert!(WriteId::new("a\nb").is_none());
        assert!(WriteId::new("x".repeat(257)).is_none());
        assert_eq!(
            WriteId::new("toolu_1").map(|id| id.as_str().to_owned()),
            Some("toolu_1".to_owned())
        );
    }
}
