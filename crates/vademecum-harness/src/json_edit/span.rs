//! Where the elements of a JSON container stand in its text; `serde_json` does the reading.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::JsonError;

/// The deepest nesting that is read, as `serde_json` has it.
const DEPTH: usize = 128;

/// A key and its value, by their places in the text of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Where its value stands.
    pub value: Range<usize>,
}

/// A member of an object or an item of an array, by its place in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    /// The key of a member; none for an item.
    pub key: Option<String>,
    /// Where it starts: a member with its key.
    pub start: usize,
    /// Where its value starts.
    pub value: usize,
    /// Where it ends.
    pub end: usize,
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

/// The elements of the container at `place` of a checked `text`; none for any other value.
pub(super) fn elements(text: &str, place: &Range<usize>) -> Vec<Element> {
    let container = &text[place.clone()];
    let values: Vec<(Option<String>, Range<usize>)> = if container.starts_with('{') {
        let members = members(container).unwrap_or_default();
        members.into_iter().map(|member| (Some(member.key), member.value)).collect()
    } else {
        let items: Vec<&RawValue> = serde_json::from_str(container).unwrap_or_default();
        let start = container.as_ptr() as usize;
        items.into_iter().map(|item| (None, self::place(start, item))).collect()
    };
    let mut from = 1;
    let mut elements = Vec::with_capacity(values.len());
    for (key, value) in values {
        // Between an element and the next key stand white space and one comma.
        let quote = key.as_ref().and_then(|_| container[from..].find('"')).map(|at| from + at);
        elements.push(Element {
            key,
            start: place.start + quote.unwrap_or(value.start),
            value: place.start + value.start,
            end: place.start + value.end,
        });
        from = value.end;
    }
    elements
}

/// Checks that `text` is one JSON object and that no key stands twice in any object.
pub(super) fn check(text: &str) -> Result<(), JsonError> {
    let whole: &RawValue = serde_json::from_str(text)?;
    if !whole.get().starts_with('{') {
        members(whole.get())?;
    }
    check_keys(text, place(text.as_ptr() as usize, whole), DEPTH)
}

fn check_keys(text: &str, place: Range<usize>, depth: usize) -> Result<(), JsonError> {
    if !text[place.clone()].starts_with(['{', '[']) {
        return Ok(());
    }
    if text[place.clone()].starts_with('{') {
        // A key that cannot be read is an error here and would be no element later.
        members(&text[place.clone()])?;
    }
    let mut keys = HashSet::new();
    for element in elements(text, &place) {
        if let Some(key) = element.key
            && !keys.insert(key.clone())
        {
            let (line, column) = line_and_column(text, element.value);
            return Err(JsonError::Twice { key, line, column });
        }
        let depth = depth.checked_sub(1).ok_or(JsonError::Deep(DEPTH))?;
        check_keys(text, element.value..element.end, depth)?;
    }
    Ok(())
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}
