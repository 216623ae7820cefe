//! The arguments of a call: an object, or a text as some tools take it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Str, json, parse};

/// The most bytes of the arguments of a call that says nothing else.
const OTHER_MAX: usize = 4 * 1024;

/// The arguments of one call.
#[derive(Debug)]
pub(crate) enum Arguments<'a> {
    /// An object.
    Fields(&'a str, Vec<(Str<'a>, &'a RawValue)>),
    /// A text, or JSON of another kind.
    Text(Cow<'a, str>),
}

impl<'a> Arguments<'a> {
    /// The arguments that stand in a record as JSON.
    pub(crate) fn of(raw: Option<&'a RawValue>) -> Self {
        let json = raw.map_or("{}", RawValue::get);
        let text = json.starts_with('"').then(|| parse::<Str<'a>>(json).ok()).flatten();
        text.map_or_else(|| Self::of_json(json), |text| Self::Text(text.0))
    }

    /// The arguments in `json`, which was a string of a record; no JSON is a text.
    pub(crate) fn of_json(json: &'a str) -> Self {
        match parse::<Fields<'a>>(json) {
            Ok(fields) => Self::Fields(json.trim(), fields.0),
            Err(_) => Self::Text(json.into()),
        }
    }

    /// The first of the fields `names` that holds a text or a number, and is not empty.
    pub(crate) fn text(&self, names: &[&str]) -> Option<Cow<'a, str>> {
        names.iter().find_map(|name| {
            let text: Str<'a> = parse(self.raw(name)?).ok()?;
            text.said().is_some().then_some(text.0)
        })
    }

    /// The field `name` as JSON.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a str> {
        match self {
            Self::Fields(_, fields) => {
                fields.iter().find(|(key, _)| &**key == name).map(|(_, raw)| raw.get())
            }
            Self::Text(_) => None,
        }
    }

    /// The arguments where they are a text.
    pub(crate) fn whole_text(&self) -> Option<&str> {
        match self {
            Self::Fields(..) => None,
            Self::Text(text) => Some(text),
        }
    }

    /// Every string, one a line, in the order they stand.
    pub(crate) fn strings(&self) -> String {
        match self {
            Self::Fields(json, _) => {
                let mut strings = String::with_capacity(json.len());
                json::strings(json, &mut strings);
                strings
            }
            Self::Text(text) => text.clone().into_owned(),
        }
    }

    /// The same without what the fields `names` hold.
    pub(crate) fn strings_but(&self, names: &[&str]) -> String {
        let Self::Fields(_, fields) = self else { return self.strings() };
        let mut strings = String::new();
        for (_, raw) in fields.iter().filter(|(key, _)| !names.contains(&&*key.0)) {
            json::strings(raw.get(), &mut strings);
        }
        strings
    }

    /// The arguments as compact JSON, cut behind [`OTHER_MAX`] bytes.
    pub(crate) fn compact(&self) -> String {
        let mut json = match self {
            Self::Fields(json, _) => {
                let value: serde_json::Result<serde_json::Value> = serde_json::from_str(json);
                value.map_or_else(|_| (*json).to_owned(), |value| value.to_string())
            }
            Self::Text(text) => serde_json::Value::from(text.as_ref()).to_string(),
        };
        if OTHER_MAX < json.len() {
            json.truncate(json.floor_char_boundary(OTHER_MAX));
            json.push('…');
        }
        json
    }
}

/// The fields of an object in their order; of a repeated one all are kept.
struct Fields<'a>(Vec<(Str<'a>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = map.next_entry()? {
            fields.push(entry);
        }
        Ok(Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_strings_listed() {
        let arguments =
            Arguments::of_json(r#" {"path": "", "file": "a\"b", "n": 7, "x": ["c", {"d": "e"}]} "#);
        assert_eq!(arguments.text(&["none", "path", "file"]).as_deref(), Some("a\"b"));
        assert_eq!(arguments.text(&["n"]).as_deref(), Some("7"));
        assert_eq!(arguments.text(&["x"]), None);
        assert_eq!(arguments.strings(), "\na\"b\nc\ne".trim_start());
        assert_eq!(arguments.strings_but(&["file", "n"]), "c\ne");
        assert_eq!(arguments.compact(), r#"{"path":"","file":"a\"b","n":7,"x":["c",{"d":"e"}]}"#);
    }

    #[test]
    fn a_text_is_no_object() {
        let arguments = Arguments::of_json("*** Begin");
        assert_eq!(arguments.whole_text(), Some("*** Begin"));
        assert_eq!(arguments.strings(), "*** Begin");
        assert_eq!(arguments.compact(), "\"*** Begin\"");
        let raw = RawValue::from_string("\"a\\nb\"".to_owned()).expect("JSON");
        assert_eq!(Arguments::of(Some(&raw)).whole_text(), Some("a\nb"));
        assert_eq!(Arguments::of(None).compact(), "{}");
        let odd = RawValue::from_string("[1]".to_owned()).expect("JSON");
        assert_eq!(Arguments::of(Some(&odd)).whole_text(), Some("[1]"));
    }
}
