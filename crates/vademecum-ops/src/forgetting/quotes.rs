//! Whether a text says what another one said: whole, or a part that gives it away.

use serde_json::Value;

/// So many words in a row are no chance.
const RUN: usize = 4;

/// A word of so many characters is a name, a path or a key, and stands for the text that held it.
const LONG: usize = 12;

/// Texts that are looked for, whatever white space stands between their words.
pub(crate) struct Texts(Vec<Vec<String>>);

impl Texts {
    /// The texts, without those that say nothing.
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut all: Vec<Vec<String>> = texts.into_iter().map(words).collect();
        all.retain(|words| !words.is_empty());
        all.sort();
        all.dedup();
        Self(all)
    }

    /// Whether `text` says one of them whole.
    pub(crate) fn stand_in(&self, text: &str) -> bool {
        let text = words(text).join(" ");
        self.0.iter().any(|words| text.contains(&words.join(" ")))
    }

    /// Whether `text` says a part of one of them that is no chance.
    ///
    /// For what can be made again: to remove too much of it loses nothing.
    pub(crate) fn are_quoted_in(&self, text: &str) -> bool {
        let text = words(text).join(" ");
        self.0.iter().any(|words| {
            let has_long = words
                .iter()
                .any(|word| LONG <= word.chars().count() && text.contains(word.as_str()));
            has_long || words.windows(RUN.min(words.len())).any(|run| text.contains(&run.join(" ")))
        })
    }

    /// Whether one of the texts in a JSON document says one of them whole.
    pub(crate) fn stand_in_json(&self, json: &str) -> bool {
        is_in_json(json, &|text| self.stand_in(text))
    }

    /// Whether one of the texts in a JSON document says a part of one of them that is no chance.
    pub(crate) fn are_quoted_in_json(&self, json: &str) -> bool {
        is_in_json(json, &|text| self.are_quoted_in(text))
    }
}

/// Whether any text of a JSON document is meant; what is no JSON is one text.
fn is_in_json(json: &str, is_meant: &dyn Fn(&str) -> bool) -> bool {
    match serde_json::from_str(json) {
        Ok(value) => is_in_value(&value, is_meant),
        Err(_) => is_meant(json),
    }
}

fn is_in_value(value: &Value, is_meant: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is_meant(text),
        Value::Array(values) => values.iter().any(|value| is_in_value(value, is_meant)),
        Value::Object(values) => values.values().any(|value| is_in_value(value, is_meant)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The words of a text, in small letters.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, found_in: &str, whole: bool, quoted: bool) {
        let texts = Texts::new([text]);
        assert_eq!(
            (texts.stand_in(found_in), texts.are_quoted_in(found_in)),
            (whole, quoted),
            "{found_in}"
        );
    }

    #[test]
    fn a_text_is_found_whole_and_by_a_part_that_is_no_chance() {
        let text = "The deploy key is hunter2-hunter2\nand lies in the vault";
        check(
            text,
            "He said: the deploy  key is hunter2-hunter2 and lies in the vault.",
            true,
            true,
        );
        check(text, "the deploy key is …", false, true);
        check(text, "export KEY=hunter2-hunter2", false, true);
        check(text, "the deploy went well, the key too", false, false);
        check("short one", "a SHORT  one here", true, true);
        check(" ", "anything", false, false);
    }
}
