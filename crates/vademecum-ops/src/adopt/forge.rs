//! Notes that Forge keeps as JSON: a list of them, alone or as `notes` of an object.

use serde::Deserialize;
use serde_json::Value;
use vademecum_core::time::Time;

/// One note as it stands in the file; what it says is checked when it is taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its text.
    pub(crate) content: String,
    /// Its tags.
    pub(crate) tags: Vec<String>,
    /// When it was made, where that is said.
    pub(crate) created_at: Option<Time>,
    /// When it was last changed, where that is said.
    pub(crate) updated_at: Option<Time>,
    /// Whether it is crossed out.
    pub(crate) is_scratched: bool,
}

#[derive(Deserialize)]
struct Wire {
    content: String,
    #[serde(default)]
    tags: Vec<String>,
    created_at: Option<String>,
    updated_at: Option<String>,
    #[serde(default)]
    scratched: bool,
}

/// The notes in the order in which they were made, and how many were damaged; none if it is no such file.
pub(crate) fn read(text: &str) -> Option<(Vec<Found>, usize)> {
    let all: Value = serde_json::from_str(text).ok()?;
    let notes = match all {
        Value::Array(notes) => notes,
        Value::Object(mut all) => match all.remove("notes")? {
            Value::Array(notes) => notes,
            Value::Object(notes) => notes.into_iter().map(|(_, note)| note).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let n_all = notes.len();
    let mut found: Vec<Found> = notes.into_iter().filter_map(note).collect();
    found.sort_by_key(|note| note.created_at);
    let n_damaged = n_all - found.len();
    Some((found, n_damaged))
}

fn note(note: Value) -> Option<Found> {
    let Wire { content, tags, created_at, updated_at, scratched } =
        serde_json::from_value(note).ok()?;
    let time = |text: Option<String>| Time::parse(&text?);
    let (created_at, updated_at) = (time(created_at), time(updated_at));
    Some(Found { content, tags, created_at, updated_at, is_scratched: scratched })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_forms_in_the_order_of_their_making() {
        let note = |id: &str, at: &str| {
            format!(
                r#"{{"id":"{id}","content":"{id}","tags":["a"],"created_at":"2024-12-19T{at}Z","scratched":true}}"#
            )
        };
        let (one, two) = (note("one", "10:30:00"), note("two", "10:31:00"));
        let forms = [
            format!("[{two},{one},{{\"id\":\"torn\"}}]"),
            format!("{{\"notes\":[{two},{one},7]}}"),
            format!("{{\"notes\":{{\"b\":{two},\"a\":{one},\"c\":null}}}}"),
        ];
        for form in forms {
            let (found, n_damaged) = read(&form).expect("notes");
            let contents: Vec<&str> = found.iter().map(|note| note.content.as_str()).collect();
            assert_eq!((contents, n_damaged), (vec!["one", "two"], 1), "{form}");
            assert!(found.iter().all(|note| note.is_scratched && note.updated_at.is_none()));
        }
        for other in ["", "7", "{}", r#"{"notes":"none"}"#] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
