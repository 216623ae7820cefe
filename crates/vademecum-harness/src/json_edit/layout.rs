//! How a JSON text is laid out, so that what is added looks like what is there.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// The layout of what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout<'a> {
    /// What parts lines; one space keeps everything on one line.
    newline: &'static str,
    /// One level of indentation.
    unit: &'a str,
    /// Whether the whole document is.
    pub(super) is_one_line: bool,
}

impl<'a> Layout<'a> {
    /// The layout of a file that we make.
    pub(super) const OWN: Self = Self { newline: "\n", unit: "  ", is_one_line: false };

    /// The layout of the document `text`, for one line if `is_inline`.
    pub(super) fn of(text: &'a str, is_inline: bool) -> Self {
        let object = text.trim();
        let is_empty = object[1..].trim_start().starts_with('}');
        let is_one_line = !is_empty && !object.contains('\n');
        if is_inline || is_one_line {
            return Self { newline: " ", unit: "", is_one_line };
        }
        let lead = &object[1..object.len() - object[1..].trim_start().len()];
        let newline = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            Some(_) | None => "\n",
        };
        let unit = lead.rfind('\n').filter(|_| !is_empty).map(|at| &lead[at + 1..]);
        Self { newline, unit: unit.unwrap_or(Self::OWN.unit), is_one_line }
    }

    /// Writes a member or an item whose line is indented by `indent`.
    pub(super) fn element(&self, key: Option<&str>, value: &Value, indent: &str) -> String {
        let text = self.render(value, indent);
        match key {
            Some(key) => format!("{}: {text}", Value::from(key)),
            None => text,
        }
    }

    /// Writes `value` with white space behind every opening bracket.
    pub(super) fn render(&self, value: &Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        value
            .serialize(&mut Serializer::with_formatter(&mut bytes, formatter))
            .expect("a value can always be written");
        let text = String::from_utf8(bytes).expect("serde_json writes UTF-8");
        // A line break inside a string is written `\n`, so these are all between tokens.
        text.replace('\n', &format!("{}{indent}", self.newline))
    }
}

/// The white space that the line around the byte `at` begins with.
pub(super) fn line_indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start().len()]
}
