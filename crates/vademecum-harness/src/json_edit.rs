//! Finding and changing single places of a JSON text, byte for byte around them.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A key and its value, by their places in the text of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Where its value stands.
    pub value: Range<usize>,
}

/// The members of the JSON object in `text`, which starts with its opening brace.
pub(crate) fn members(text: &str) -> serde_json::Result<Vec<Member>> {
    let mut json = serde_json::Deserializer::from_str(text);
    let members = (&mut json).deserialize_map(Members { start: text.as_ptr() as usize })?;
    json.end()?;
    Ok(members)
}

struct Members {
    start: usize,
}

impl<'de> Visitor<'de> for Members {
    type Value = Vec<Member>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Member>, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
            members.push(Member { key, value: place(self.start, value) });
        }
        Ok(members)
    }
}

/// Where a borrowed value stands in the text that starts at address `start`.
fn place(start: usize, value: &RawValue) -> Range<usize> {
    let at = value.get().as_ptr() as usize - start;
    at..at + value.get().len()
}
