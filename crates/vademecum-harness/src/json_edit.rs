//! Changing single places of a JSON file and no other byte of it.

mod layout;
mod span;

use std::ops::Range;

use serde_json::Value;
use vademecum_core::error::Kind;

use self::layout::{Layout, line_indent};
pub(crate) use self::span::members;
use self::span::{Element, elements};

/// A file that is left alone because it is no plain JSON object.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// Bytes that are no text.
    #[error("not UTF-8 at byte {}", .0.valid_up_to())]
    Text(#[from] std::str::Utf8Error),
    /// Text that is no JSON, with its line and column.
    #[error("no JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// A key that stands twice in one object, so that readers differ on what it means.
    #[error("the key \"{key}\" stands twice, again at line {line} column {column}")]
    Twice {
        /// The key.
        key: String,
        /// The line of its second value.
        line: usize,
        /// The column of its second value, in characters.
        column: usize,
    },
    /// Text of more levels than is sensible.
    #[error("nested deeper than {0} levels")]
    Deep(usize),
    /// A value of another type than the harness takes.
    #[error("\"{path}\" is no {wanted}")]
    Shape {
        /// The keys to the value.
        path: String,
        /// What it should be.
        wanted: &'static str,
    },
}

impl JsonError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Text(_)
            | Self::Syntax(_)
            | Self::Twice { .. }
            | Self::Deep(_)
            | Self::Shape { .. } => Kind::Broken,
        }
    }
}

/// One step from a value to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// To the value of a key.
    Key(&'a str),
    /// To an item, from 0.
    Item(usize),
}

/// The text of a JSON object that is known to be well formed.
///
/// A container that we make has white space behind its opening bracket; one that was there empty
/// gets our first element directly behind it. So both can be undone to the byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    text: String,
    has_mark: bool,
}

const MARK: &str = "\u{feff}";

impl Document {
    /// Checks `bytes` and keeps them.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        let text = std::str::from_utf8(bytes)?;
        let (text, has_mark) = match text.strip_prefix(MARK) {
            Some(text) => (text, true),
            None => (text, false),
        };
        span::check(text)?;
        Ok(Self { text: text.to_owned(), has_mark })
    }

    /// A document of our own making that holds `value`.
    pub(crate) fn new(value: &Value) -> Self {
        let text = Layout::OWN.render(value, "") + "\n";
        Self { text, has_mark: false }
    }

    /// The document as bytes, with the mark that it began with.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mark = if self.has_mark { MARK } else { "" };
        format!("{mark}{}", self.text).into_bytes()
    }

    /// The value at the end of `path`; none if there is none.
    pub(crate) fn value(&self, path: &[Step<'_>]) -> Result<Option<Value>, JsonError> {
        let Some(place) = self.place(path) else { return Ok(None) };
        Ok(Some(serde_json::from_str(&self.text[place])?))
    }

    /// Puts `value` in the place of the one at the end of `path`.
    pub(crate) fn replace(&mut self, path: &[Step<'_>], value: &Value) {
        let Some(place) = self.place(path) else { return };
        let layout = Layout::of(&self.text, !self.text[place.clone()].contains('\n'));
        let text = layout.render(value, line_indent(&self.text, place.start));
        self.text.replace_range(place, &text);
    }

    /// Adds `values` at the end of the container at the end of `path`, with keys for an object.
    pub(crate) fn append(&mut self, path: &[Step<'_>], values: &[(Option<&str>, Value)]) {
        let Some(place) = self.place(path) else { return };
        let elements = elements(&self.text, &place);
        let Some(last) = elements.last() else { return self.fill(&place, values) };

        let lead = self.lead(&place, &elements, elements.len() - 1);
        let indent = lead.rfind('\n').map(|at| &lead[at + 1..]);
        let layout = Layout::of(&self.text, indent.is_none());
        let lead = if lead.is_empty() && !layout.is_one_line { " " } else { lead };
        let text: String = values
            .iter()
            .map(|(key, value)| layout.element(*key, value, indent.unwrap_or_default()))
            .map(|element| [",", lead, &element].concat())
            .collect();
        self.text.insert_str(last.end, &text);
    }

    /// Adds the first elements to an empty container, directly behind its opening bracket.
    fn fill(&mut self, container: &Range<usize>, values: &[(Option<&str>, Value)]) {
        let layout = Layout::of(&self.text, false);
        let indent = line_indent(&self.text, container.start);
        let elements: Vec<String> =
            values.iter().map(|(key, value)| layout.element(*key, value, indent)).collect();
        self.text.insert_str(container.start + 1, &elements.join(", "));
    }

    /// Takes out the element at the end of `path`, and every container of ours that it leaves
    /// empty; true if that is the whole document.
    pub(crate) fn remove(&mut self, path: &[Step<'_>]) -> bool {
        let Some((step, parent)) = path.split_last() else { return true };
        let Some(place) = self.place(parent) else { return false };
        let elements = elements(&self.text, &place);
        let Some(idx) = find(&elements, *step) else { return false };

        if elements.len() == 1 && !self.lead(&place, &elements, 0).is_empty() {
            return self.remove(parent);
        }
        let element = &elements[idx];
        let gone = match (idx.checked_sub(1), elements.get(idx + 1)) {
            (_, Some(next)) => element.start..next.start,
            (Some(before), None) => elements[before].end..element.end,
            (None, None) => place.start + 1..element.end,
        };
        self.text.replace_range(gone, "");
        false
    }

    /// The white space in front of an element.
    fn lead(&self, container: &Range<usize>, elements: &[Element], idx: usize) -> &str {
        let from = match idx.checked_sub(1) {
            None => container.start + 1,
            Some(before) => {
                let gap = &self.text[elements[before].end..elements[idx].start];
                elements[before].end + gap.find(',').map_or(0, |at| at + 1)
            }
        };
        &self.text[from..elements[idx].start]
    }

    /// Where the value at the end of `path` stands.
    fn place(&self, path: &[Step<'_>]) -> Option<Range<usize>> {
        let start = self.text.len() - self.text.trim_start().len();
        let mut place = start..self.text.trim_end().len();
        for step in path {
            let elements = elements(&self.text, &place);
            let idx = find(&elements, *step)?;
            place = elements[idx].value..elements[idx].end;
        }
        Some(place)
    }
}

fn find(elements: &[Element], step: Step<'_>) -> Option<usize> {
    match step {
        Step::Key(key) => elements.iter().position(|element| element.key.as_deref() == Some(key)),
        Step::Item(idx) => elements.get(idx).filter(|element| element.key.is_none()).map(|_| idx),
    }
}
