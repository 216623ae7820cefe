//! The arguments of an operation as a command line has them, read from its schema for parser and pages alike.

use serde_json::{Map, Value};

use crate::operation::{Op, Stdin};

/// The field that every operation of a session has, and that surfaces take away before a call.
pub const SESSION: &str = "session";

const SESSION_HELP: &str = "Handle or full name of the session; without it the one of the call";

/// What may stand for a field at the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// One of these words; whether another is refused is the operation's to say.
    Choice(Vec<String>),
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Yes or no.
    Switch,
    /// Several texts; `by_comma` where none of them can hold a comma.
    Texts {
        /// Whether one value may hold several, parted by commas.
        by_comma: bool,
    },
    /// Anything else, written as JSON.
    Json,
}

/// One argument of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON.
    pub name: String,
    /// What it means.
    pub help: String,
    /// What may stand for it.
    pub kind: FieldKind,
    /// Whether a call needs it.
    pub is_required: bool,
    /// Whether it is given by place.
    pub is_place: bool,
    /// How it can be read from standard input; none if it cannot.
    pub stdin: Option<Stdin>,
}

impl Field {
    /// Its option, without the dashes: a list is named for one of its values.
    #[must_use]
    pub fn option(&self) -> String {
        let whole = self.plural_option();
        match self.kind {
            FieldKind::Texts { .. } => whole.strip_suffix('s').unwrap_or(&whole).to_owned(),
            FieldKind::Text
            | FieldKind::Choice(_)
            | FieldKind::Integer
            | FieldKind::Number
            | FieldKind::Switch
            | FieldKind::Json => whole,
        }
    }

    /// Its option as the field is named: `replace_all` and `replaceAll` are `replace-all`.
    #[must_use]
    pub fn plural_option(&self) -> String {
        let mut option = String::new();
        for c in self.name.chars() {
            match c {
                '_' | '.' => option.push('-'),
                c if c.is_ascii_uppercase() => option.extend(['-', c.to_ascii_lowercase()]),
                c => option.push(c),
            }
        }
        option
    }

    /// The word that stands for its value in help.
    #[must_use]
    pub fn value_name(&self) -> String {
        self.option().to_uppercase()
    }
}

/// The arguments of an operation: those given by place in their order, then the others.
#[must_use]
pub fn of(op: &Op) -> Vec<Field> {
    of_schema(op, &op.input_schema())
}

/// The arguments of an operation by this schema of them.
#[must_use]
pub fn of_schema(op: &Op, schema: &Value) -> Vec<Field> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut fields: Vec<Field> = properties
        .into_iter()
        .flatten()
        .map(|(name, part)| field(op, schema, name, part))
        .filter(|field| field.is_place || !(op.declaration.of_session && field.name == SESSION))
        .collect();
    let places = op.declaration.command.map_or(&[][..], |command| command.places);
    fields.sort_by_key(|field| {
        places.iter().position(|place| *place == field.name).unwrap_or(places.len())
    });
    fields
}

fn field(op: &Op, schema: &Value, name: &str, part: &Value) -> Field {
    let command = op.declaration.command.as_ref();
    let required = schema.get("required").and_then(Value::as_array);
    // The schema's own words are for models, which seldom name a session.
    let help = match part.get("description").and_then(Value::as_str) {
        Some(_) if op.declaration.of_session && name == SESSION => SESSION_HELP,
        help => help.unwrap_or_default(),
    };
    Field {
        name: name.to_owned(),
        help: help.to_owned(),
        kind: kind(name, part),
        is_required: required.is_some_and(|names| names.iter().any(|other| other == name)),
        is_place: command.is_some_and(|command| command.places.contains(&name)),
        stdin: command.and_then(|command| command.stdin).filter(|stdin| stdin.field() == name),
    }
}

fn kind(name: &str, part: &Value) -> FieldKind {
    let choices = choices(part);
    if !choices.is_empty() {
        return FieldKind::Choice(choices);
    }
    let is = |part: &Value, kind: &str| part.get("type").is_some_and(|found| found == kind);
    let holds_texts = || part.get("items").is_some_and(|items| is(items, "string"));
    match part.get("type").and_then(Value::as_str) {
        Some("string") => FieldKind::Text,
        Some("integer") => FieldKind::Integer,
        Some("number") => FieldKind::Number,
        Some("boolean") => FieldKind::Switch,
        Some("array") if holds_texts() => FieldKind::Texts { by_comma: name == "tags" },
        Some(_) | None => FieldKind::Json,
    }
}

/// The words of an enumeration, bare or each with a description.
fn choices(part: &Value) -> Vec<String> {
    let parts = |name: &str| part.get(name).and_then(Value::as_array).into_iter().flatten();
    let bare = parts("enum").filter_map(Value::as_str);
    let described = parts("oneOf").filter_map(|one| one.get("const")?.as_str());
    bare.chain(described).map(str::to_owned).collect()
}

/// The words that a person types to call `op` with `arguments`; none if people cannot call it.
#[must_use]
pub fn words(op: &Op, arguments: &Map<String, Value>) -> Option<Vec<String>> {
    let command = op.declaration.command?;
    let (mut options, mut places) = (Vec::new(), Vec::new());
    for field in of(op) {
        let Some(value) = arguments.get(&field.name) else { continue };
        if field.is_place {
            places.extend(texts(value));
        } else {
            options.extend(option_words(&field, value));
        }
    }
    // Behind `--` nothing is an option, whatever a text begins with.
    let is_dashed = places.iter().any(|place| place.starts_with('-'));
    let verbs = command.words.iter().map(|word| (*word).to_owned());
    Some(if is_dashed {
        verbs.chain(options).chain(["--".to_owned()]).chain(places).collect()
    } else {
        verbs.chain(places).chain(options).collect()
    })
}

fn option_words(field: &Field, value: &Value) -> Vec<String> {
    let option = format!("--{}", field.option());
    if value == &Value::Bool(true) {
        return vec![option];
    }
    let word = |text: String| match text.as_str() {
        _ if text.starts_with('-') || value.is_boolean() => vec![format!("{option}={text}")],
        _ => vec![option.clone(), text],
    };
    texts(value).into_iter().flat_map(word).collect()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => parts.iter().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            vec![value.to_string()]
        }
    }
}

/// The words on one line, as a shell reads them back.
#[must_use]
pub fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.contains('\n') {
        let escaped = word.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
        return format!("$'{escaped}'");
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[track_caller]
    fn check(name: &str, arguments: &str, words_wanted: &[&str]) {
        let op = registry::find(name).expect("an operation");
        let arguments: Value = serde_json::from_str(arguments).expect("JSON");
        let words = words(op, arguments.as_object().expect("an object")).expect("a command");
        assert_eq!(words, words_wanted);
    }

    #[test]
    fn arguments_become_words() {
        check(
            "add_note",
            r#"{"content": "a b", "tags": ["x", "y"]}"#,
            &["note", "add", "a b", "--tag", "x", "--tag", "y"],
        );
        check(
            "update_notepad",
            r#"{"operation": "find_replace", "find": "- a", "replace": "", "replace_all": true, "if_rev": 3}"#,
            &[
                "notepad",
                "update",
                "find_replace",
                "--find=- a",
                "--replace",
                "",
                "--replace-all",
                "--if-rev",
                "3",
            ],
        );
        check("write_notepad", r#"{"content": "- a"}"#, &["notepad", "write", "--", "- a"]);
        check(
            "search_notes",
            r#"{"query": "q", "include_scratched": false}"#,
            &["note", "search", "q", "--include-scratched=false"],
        );
        check(
            "scratch_note",
            r#"{"id": "n", "scratched": false}"#,
            &["note", "scratch", "n", "false"],
        );
    }

    #[test]
    fn names_become_options() {
        for (name, kind, option) in [
            ("if_rev", FieldKind::Integer, "if-rev"),
            ("maxTokens", FieldKind::Integer, "max-tokens"),
            ("tags", FieldKind::Texts { by_comma: true }, "tag"),
            ("alias", FieldKind::Text, "alias"),
        ] {
            let field = Field {
                name: name.to_owned(),
                help: String::new(),
                kind,
                is_required: false,
                is_place: false,
                stdin: None,
            };
            assert_eq!(field.option(), option);
        }
    }
}
