//! Words that are text: what begins with a dash and cannot be an option is taken for what it is.

use std::ffi::{OsStr, OsString};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};

/// Stands before a word that the parser must not take for an option.
const MARK: char = '\u{1}';

/// Marks the words that begin with a dash and are no option, such as `- [ ] step`.
pub(crate) fn marked(words: &[OsString]) -> Vec<OsString> {
    words.iter().map(|word| mark(word)).collect()
}

fn mark(word: &OsStr) -> OsString {
    match word.to_str() {
        Some(text) if text.starts_with(MARK) || is_dashed_text(text) => {
            format!("{MARK}{text}").into()
        }
        Some(_) | None => word.to_owned(),
    }
}

/// The word as it was before it was marked.
fn unmarked(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Whether `text` begins with a dash and is neither an option, nor a number, nor one of `-` and `--`.
fn is_dashed_text(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else { return false };
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let name = rest.split('=').next().unwrap_or_default();
    let is_option = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    !(text == "-" || text == "--" || is_option || text.parse::<f64>().is_ok())
}

/// Takes any text, shows which ones are meant, and leaves it to the operation to refuse another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    /// The words that are meant; none if any text will do.
    pub(crate) choices: Vec<String>,
}

impl TypedValueParser for Text {
    type Value = String;

    fn parse_ref(
        &self,
        cmd: &Command,
        _arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = value.to_str().map(|text| unmarked(text).to_owned());
        text.ok_or_else(|| clap::Error::new(ErrorKind::InvalidUtf8).with_cmd(cmd))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.choices.iter().map(PossibleValue::new);
        (!self.choices.is_empty()).then(|| Box::new(values) as Box<dyn Iterator<Item = _>>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_options() {
        for (word, is_text) in [
            ("- [ ] step", true),
            ("-", false),
            ("--", false),
            ("---", true),
            ("-5", false),
            ("-5 apples", true),
            ("--tag", false),
            ("--find=- a", false),
            ("--find it", true),
            ("-h", false),
            ("a", false),
            ("\u{1}a", true),
        ] {
            let marked = mark(OsStr::new(word));
            assert_eq!(marked != word, is_text, "{word}");
            assert_eq!(unmarked(marked.to_str().expect("text")), word);
        }
    }
}
