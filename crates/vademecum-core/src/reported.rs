//! What a message says by itself is to be kept: the findings of a sub-agent, and what a person asks to remember.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::entry::{Category, Said};

/// The tag of an entry that was taken from a sub-agent's last message: nobody chose to record it.
pub const UNCONFIRMED: &str = "unconfirmed";

/// How the tag begins that names an agent who reported the same before.
pub const ALSO: &str = "also ";

/// What is said of an entry with these tags that nobody chose to record: that, and how many agents reported it.
#[must_use]
pub fn unconfirmed(tags: &[String]) -> Option<Cow<'static, str>> {
    tags.iter().find(|tag| *tag == UNCONFIRMED)?;
    Some(match tags.iter().filter(|tag| tag.starts_with(ALSO)).count() {
        0 => UNCONFIRMED.into(),
        n => format!("{UNCONFIRMED}, reported by {} agents", n + 1).into(),
    })
}

/// The tag of an entry in a person's own words.
pub const USER: &str = "user";

/// The tag of an entry that was read from a file, which a repository may bring along.
pub const FROM_FILE: &str = "from-file";

/// The tag of an entry that states a rule of the user.
pub const RULE: &str = "rule";

/// So many findings are taken from one message.
pub const N_FINDINGS: usize = 5;

/// The most characters of one of them; what is longer is a report and no finding.
const FINDING_MAX: usize = 2_000;

/// One thing that a sub-agent reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What sort of thing.
    pub category: Category,
    /// It, in the agent's words.
    pub text: String,
}

/// What stands under the headings `## Key Learnings`, `## Decisions` and `## Issues`, at most [`N_FINDINGS`].
///
/// Each item of a list is one, and each paragraph where there is no list. A colon may end the heading.
#[must_use]
pub fn findings(message: &str) -> Vec<Finding> {
    let mut reader = Reader::default();
    // Of a message of megabytes no more is read than is told.
    for line in message.lines() {
        if N_FINDINGS <= reader.found.len() {
            break;
        }
        reader.line(line);
    }
    reader.end_item();
    reader.found.truncate(N_FINDINGS);
    reader.found
}

/// So much of the words of two reports is the same where they say the same.
const ALIKE: f64 = 0.8;

/// Whether two entries say nearly the same: most of their words are the same, and all of their numbers.
#[must_use]
pub fn are_alike(one: &Said, other: &Said) -> bool {
    let (one, other) = (words(one.content.as_str()), words(other.content.as_str()));
    let numbers = |words: &BTreeSet<String>| -> Vec<String> {
        words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).cloned().collect()
    };
    let negated = |words: &BTreeSet<String>| words.iter().filter(|word| is_negation(word)).count();
    let n_both = one.intersection(&other).count();
    let n_all = one.union(&other).count();
    #[expect(clippy::cast_precision_loss, reason = "a text has few words")]
    let share = n_both as f64 / n_all.max(1) as f64;
    ALIKE <= share && numbers(&one) == numbers(&other) && negated(&one) == negated(&other)
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a word turns what is said into its opposite.
fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "no" | "never" | "without" | "cannot")
        || word.ends_with("n't")
        || word.ends_with("n’t")
}

/// What a person asks to be remembered, where a prompt begins with `remember:`.
#[must_use]
pub fn remember(prompt: &str) -> Option<&str> {
    const WORD: &str = "remember:";
    let prompt = prompt.trim();
    let word = prompt.get(..WORD.len())?;
    let rest = prompt[WORD.len()..].trim();
    (word.eq_ignore_ascii_case(WORD) && !rest.is_empty()).then_some(rest)
}

/// A message as it is read line by line.
#[derive(Default)]
struct Reader {
    found: Vec<Finding>,
    /// What the section that is read holds, and how deep its heading is.
    section: Option<(Category, usize)>,
    /// The item that is read.
    item: String,
    /// Whether it is an item of a list.
    is_listed: bool,
    is_fenced: bool,
    /// Whether a blank line came since.
    is_after_gap: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            self.is_fenced = !self.is_fenced;
        } else if !self.is_fenced
            && let Some((level, title)) = heading(line)
        {
            return self.heading(level, title);
        }
        if self.section.is_none() {
            return;
        }
        if text.is_empty() {
            self.is_after_gap = true;
            return;
        }
        let indent = line.len() - line.trim_start().len();
        let listed = if self.is_fenced || 1 < indent { None } else { bullet(text) };
        let goes_on = !self.is_after_gap || (self.is_listed && 1 < indent) || self.is_fenced;
        match listed {
            Some(item) => self.begin_item(item, true),
            None if self.item.is_empty() || !goes_on => self.begin_item(text, false),
            None => {
                self.item.push('\n');
                self.item.push_str(text);
            }
        }
        self.is_after_gap = false;
    }

    fn heading(&mut self, level: usize, title: &str) {
        self.end_item();
        let is_below = self.section.is_some_and(|(_, of)| of < level);
        let named = category(title).map(|category| (category, level));
        if named.is_some() || !is_below {
            self.section = named;
        }
    }

    fn begin_item(&mut self, text: &str, is_listed: bool) {
        self.end_item();
        self.item.push_str(text);
        self.is_listed = is_listed;
    }

    fn end_item(&mut self) {
        let text = std::mem::take(&mut self.item);
        self.is_after_gap = false;
        let Some((category, _)) = self.section else { return };
        // Words that lead up to a list are no item of it.
        let leads = !self.is_listed && text.ends_with(':');
        if !leads && says_something(&text) && text.chars().count() <= FINDING_MAX {
            self.found.push(Finding { category, text });
        }
    }
}

/// A heading's depth and words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, title))
}

fn category(title: &str) -> Option<Category> {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '#' | ':' | '*' | '_');
    match title.trim_matches(is_around).to_lowercase().as_str() {
        "key learnings" => Some(Category::Learning),
        "decisions" => Some(Category::Decision),
        "issues" => Some(Category::Issue),
        _ => None,
    }
}

/// The words of an item of a list.
fn bullet(text: &str) -> Option<&str> {
    let plain = ["- ", "* ", "+ "].into_iter().find_map(|mark| text.strip_prefix(mark));
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = || {
        let rest = text[n_digits..].strip_prefix(['.', ')'])?.strip_prefix(' ')?;
        (1..=3).contains(&n_digits).then_some(rest)
    };
    plain.or_else(numbered).map(str::trim)
}

/// Whether it is more than a word or two, and not that there is nothing.
fn says_something(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '/')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let first = words.first().map(String::as_str);
    let of_section = |word: &String| {
        let word = word.strip_suffix('s').unwrap_or(word);
        ["issue", "decision", "learning", "problem", "blocker", "error", "finding"].contains(&word)
    };
    let is_none = words.len() <= 6
        && match first {
            Some("none" | "nothing" | "n/a" | "na") => true,
            Some("no") => words.iter().skip(1).take(3).any(of_section),
            _ => false,
        };
    let is_spaced = text.is_ascii() || text.contains(' ');
    !is_none && (3 <= words.len() || (!is_spaced && 6 <= text.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Text;

    #[track_caller]
    fn check(message: &str, expected: &[(Category, &str)]) {
        let found = findings(message);
        let found: Vec<_> = found.iter().map(|it| (it.category, it.text.as_str())).collect();
        assert_eq!(found, expected, "{message}");
    }

    #[test]
    fn items_of_the_three_sections_are_found() {
        use Category::{Decision, Issue, Learning};
        check(
            "Done.\n\n## Key Learnings:\n- Zod 3 needs `.pipe()`\n  behind `.transform()`\n- The tests\nneed Redis\n\
             \n## Decisions\n1. Keep argon2id, as bcrypt cuts at 72 bytes\n\n### ISSUES\n\nThe build is slow here.\n\n## Files\n- src/a.rs is new here",
            &[
                (Learning, "Zod 3 needs `.pipe()`\nbehind `.transform()`"),
                (Learning, "The tests\nneed Redis"),
                (Decision, "Keep argon2id, as bcrypt cuts at 72 bytes"),
                (Issue, "The build is slow here."),
            ],
        );
        // A deeper heading goes on with the section, and nested items belong to theirs.
        check(
            "## Issues\n### Build\n* It is slow:\n    - cold 4 min\n    - warm 1 min\n\n  And on CI too.\n# Next\n* not this one",
            &[(Issue, "It is slow:\n- cold 4 min\n- warm 1 min\nAnd on CI too.")],
        );
    }

    #[test]
    fn what_says_nothing_is_no_finding() {
        for message in [
            "",
            "Key Learnings: the tests need Redis",
            "## Key Learnings\n- None.\n## Issues\nNo issues found.\n## Decisions\nN/A",
            "## Learnings\n- the tests need Redis",
            "## Issues fixed\n- the tests need Redis",
            "```\n## Issues\n- the tests need Redis\n```",
            "## Key Learnings\nWhat I found out:",
        ] {
            check(message, &[]);
        }
        check(
            "## Decisions\n- No retries on bad hosts\n- No new decisions\n- No significant issues found",
            &[(Category::Decision, "No retries on bad hosts")],
        );
        let many = format!("## Issues\n{}", "- the tests need Redis\n".repeat(9));
        assert_eq!(findings(&many).len(), N_FINDINGS);
        check(&format!("## Issues\n{}", "word ".repeat(500)), &[]);
        check(
            "## 問題\n## Issues\n- テストにはRedisが必要",
            &[(Category::Issue, "テストにはRedisが必要")],
        );
    }

    #[test]
    fn a_fenced_block_belongs_to_its_item() {
        let text = "Run it so:\n```\n# not a heading\n- no item\n```";
        check(&format!("## Key Learnings\n- {text}\n"), &[(Category::Learning, text)]);
    }

    #[test]
    fn reports_that_say_nearly_the_same_are_alike() {
        let said = |text: &str| Said::bare(Category::Issue, Text::new(text).expect("a text"));
        let first = "The integration tests need a running Redis on port 6379, else they hang.";
        for (other, is_alike) in [
            (first, true),
            ("Integration tests need a running Redis on port 6379, else they hang", true),
            ("The integration tests need a running Redis on port 6380, else they hang.", false),
            (
                "The integration tests do not need a running Redis on port 6379, else they hang.",
                false,
            ),
            ("The unit tests need Postgres.", false),
        ] {
            assert_eq!(are_alike(&said(first), &said(other)), is_alike, "{other}");
        }
    }

    #[test]
    fn a_person_asks_to_remember_at_the_beginning_of_a_prompt() {
        for (prompt, asked) in [
            ("remember: use pnpm", Some("use pnpm")),
            (" Remember:\nuse pnpm\nand node 22 \n", Some("use pnpm\nand node 22")),
            ("remember:", None),
            ("remember to use pnpm", None),
            ("please remember: use pnpm", None),
            ("rememberé", None),
        ] {
            assert_eq!(remember(prompt), asked, "{prompt}");
        }
    }
}
