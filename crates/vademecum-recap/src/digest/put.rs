//! What an answer of the user is to: the question before it, the option that it names.

use super::voices::{low, sentences, without_marks};
use crate::cues::{AGREEING, ASSENT, count, has_any};
use crate::statement::short;

/// What the agent put before the user; what there is none of is empty.
#[derive(Debug, Default)]
pub(crate) struct Put {
    /// What the agent's message ends with, where the answer is to that.
    pub(crate) question: String,
    /// The option that the answer names by its number or letter.
    pub(crate) option: String,
    /// The options beside it.
    pub(crate) others: Vec<String>,
}

impl Put {
    /// What `answer` is to, of what the agent said before it.
    pub(super) fn of(say: &str, answer: &str) -> Option<Self> {
        let last = sentences(say).last()?;
        let (option, others) = options(say, &chosen(answer)).unwrap_or_default();
        let low = low(answer);
        let is_short = count(answer) < ANSWER;
        let is_assent = count(answer) <= BARE && has_any(&low, &ASSENT)
            || is_short && AGREEING.opening(&low).is_some();
        let is_answered = is_short && (!option.is_empty() || last.ends_with(['?', '？']));
        let question = if is_assent || is_answered { short(last, &[]) } else { String::new() };
        let is_any = !question.is_empty() || !option.is_empty();
        is_any.then_some(Self { question, option, others })
    }
}

/// How many words an answer has at most, and one that says nothing by itself.
const ANSWER: usize = 10;
const BARE: usize = 3;

/// The options of these names among the lines of a message, and those beside them.
fn options(say: &str, names: &[&str]) -> Option<(String, Vec<String>)> {
    let first = names.first()?;
    let option = |line: &str| {
        let bare = line.trim_matches(['|', ' ']);
        let bare = without_marks(bare.strip_prefix("**Option ").unwrap_or(bare));
        let bare = bare.strip_prefix("Option ").unwrap_or(bare);
        let end = bare.find(|c: char| !c.is_ascii_alphanumeric())?;
        let (name, behind) = bare.split_at(end);
        let is_name = end <= 2 && behind.trim_start_matches('*').starts_with(['.', ')', ':']);
        let text = without_marks(line.trim_matches(['|', ' '])).replace(" | ", ": ");
        let is_option = is_name && is_of_kind(name, first);
        is_option.then(|| (names.contains(&name), short(&text, &[])))
    };
    let (chosen, others): (Vec<_>, Vec<_>) =
        say.lines().filter_map(option).partition(|(is, _)| *is);
    let text = |options: Vec<(bool, String)>| options.into_iter().map(|(_, text)| text);
    let chosen: Vec<String> = text(chosen).collect();
    (!chosen.is_empty()).then(|| (chosen.join("; "), text(others).collect()))
}

/// Whether both are numbers, or both letters.
fn is_of_kind(name: &str, other: &str) -> bool {
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    is_number(name) == is_number(other) && (is_number(name) || name.len() == 1)
}

/// The numbers or letters by which an answer names options; of a long one, where it says that it does.
fn chosen(answer: &str) -> Vec<&str> {
    let is_named = |before: &str| CHOOSING.contains(&&*before.to_ascii_lowercase());
    let is_letter = |word: &str| matches!(word.as_bytes(), [b'A'..=b'H']);
    let is_short = count(answer) < ANSWER;
    let is_part = |c: char| !c.is_alphanumeric() && c != '\'';
    let mut names: Vec<&str> = Vec::new();
    let (mut before, mut is_on) = ("", false);
    for word in answer.split(is_part).filter(|word| !word.is_empty()) {
        let is_number = word.parse::<u8>().is_ok();
        let is_said = is_named(before) || is_on;
        if is_number && (is_short || is_said) || is_letter(word) && is_said {
            names.push(word);
            is_on = true;
        }
        is_on &= is_number || is_letter(word) || matches!(word, "and" | "then" | "und");
        if EXCEPT.contains(&&*word.to_ascii_lowercase()) {
            return Vec::new();
        }
        before = word;
    }
    names
}

/// Of what is taken out nobody knows what is left.
const EXCEPT: &[&str] =
    &["not", "skip", "except", "without", "don't", "but", "no", "drop", "nicht"];

/// What stands before the name of an option that is chosen.
const CHOOSING: &[&str] = &[
    "option", "do", "with", "choose", "pick", "take", "try", "tackle", "like", "prefer", "nehmen",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(say: &str, answer: &str, question: &str, option: &str, n_others: usize) {
        let put = Put::of(say, answer).unwrap_or_default();
        assert_eq!(
            (&*put.question, &*put.option, put.others.len()),
            (question, option, n_others),
            "{answer}"
        );
    }

    #[test]
    fn an_answer_names_what_it_is_to() {
        let listed =
            "Want to:\n1. **Now** - at once\n2. **Copy** - of the helper\n\nIt is a detour.";
        check(listed, "2", "It is a detour.", "2. Copy - of the helper", 1);
        check(
            listed,
            "let's do 2 for now, and open an issue for the rest",
            "",
            "2. Copy - of the helper",
            1,
        );
        check(
            listed,
            "for now limit the list to 2 of them, on every branch that there is",
            "",
            "",
            0,
        );
        check(listed, "yes, that makes sense", "It is a detour.", "", 0);
        check(
            listed,
            "let's tackle 1 and 2",
            "It is a detour.",
            "1. Now - at once; 2. Copy - of the helper",
            0,
        );
        check(listed, "all but 2", "", "", 0);
        check(listed, "7", "", "", 0);
        let table = "| Option | what |\n|---|---|\n| **A. All** | every one |\n| **B. Few** | new ones |\n\nWhich?";
        check(
            table,
            "I'd like it to do B, and for main itself it can show all",
            "",
            "B. Few: new ones",
            1,
        );
        check(table, "no idea, tell me more", "Which?", "", 0);
        check(
            "**Option 1: Now** at once\n**Option 2: Later**",
            "option 2",
            "Option 2: Later",
            "Option 2: Later",
            1,
        );
        check("It is mended.", "good, now write the page about the key for us", "", "", 0);
    }
}
