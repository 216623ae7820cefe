//! The line long before a compaction that says what happened since the page was written.

use super::Words;
use crate::frame;
use crate::tokens::estimate;

/// What a reminder costs its reader at most, in tokens.
pub const MOST: usize = 40;

/// So many calls alone are much.
pub const MANY_CALLS: u32 = 40;

/// Fewer calls are little work, whatever came of them.
pub const FEW_CALLS: u32 = 12;

/// What happened since page and notes were written, as far as a page should tell of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Happened<'a> {
    /// How many commits were made.
    pub commits: usize,
    /// How many rules the user gave.
    pub rules: usize,
    /// The newest of them.
    pub rule: Option<&'a str>,
    /// How many tools were called.
    pub calls: u32,
}

impl Happened<'_> {
    fn is_much(&self) -> bool {
        let is_worth_a_line = 0 < self.commits || 0 < self.rules;
        MANY_CALLS <= self.calls || (is_worth_a_line && FEW_CALLS <= self.calls)
    }

    fn words(&self, quote: &str) -> String {
        let count = |n: usize, one: &str, more: &str| match n {
            0 => None,
            1 => Some(format!("a {one}")),
            n => Some(format!("{n} {more}")),
        };
        let commits = count(self.commits, "commit", "commits");
        let rules = count(self.rules, "rule of the user", "rules of the user");
        let rules = rules.map(|rules| format!("{rules}{quote}"));
        let what: Vec<String> = commits.into_iter().chain(rules).collect();
        if what.is_empty() { format!("{} calls", self.calls) } else { what.join(", ") }
    }
}

impl Words {
    /// Says in one line what happened since page and notes were written; nothing where that is little.
    #[must_use]
    pub fn reminder(&self, happened: &Happened<'_>, is_anything_kept: bool) -> Option<String> {
        if !self.warns_of_lacks() || !happened.is_much() {
            return None;
        }
        let since = if is_anything_kept {
            "since notepad and notes were written"
        } else {
            "the notepad is empty; so far"
        };
        let line = |quote: &str| {
            format!("vade: {since}: {}. update_notepad saves it.", happened.words(quote))
        };
        let rule = happened.rule.unwrap_or_default();
        // As much of the rule as there is room for.
        let lengths = [60, 48, 36, 24, 16].into_iter().filter(|_| !rule.is_empty());
        let quoted = lengths.map(|most| line(&format!(" (\"{}\")", opening(rule, most))));
        let fits = |line: &String| estimate(line) <= MOST;
        quoted.chain([line("")]).find(fits)
    }
}

/// The first words of a sentence, innocent and at most so many characters.
fn opening(sentence: &str, most: usize) -> String {
    let line = frame::line(sentence, most);
    match line.strip_suffix('…').and_then(|cut| cut.rsplit_once(' ')) {
        // Not every script parts its words.
        Some((words, _)) if line != sentence && line.len() < 2 * words.len() => {
            format!("{words}…")
        }
        Some(_) | None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Profile;
    use super::*;

    #[test]
    fn it_says_what_happened_in_forty_tokens() {
        let rule =
            "No mocks in the integration tests, use the real Stripe sandbox and its webhooks.";
        let all = Happened { commits: 2, rules: 1, rule: Some(rule), calls: 57 };
        let cases = [
            (all, true),
            (Happened { rule: Some("Never: touch the ledger."), ..all }, true),
            (Happened { commits: 1, rules: 0, rule: None, calls: 14 }, false),
            (
                Happened {
                    rules: 12,
                    rule: Some("Nie: 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"),
                    ..all
                },
                false,
            ),
            (Happened { calls: 40, ..Happened::default() }, true),
        ];
        let words = Profile::Default.words();
        let said = cases.map(|(happened, is_kept)| {
            let line = words.reminder(&happened, is_kept).expect("much happened");
            let tokens = estimate(&line);
            assert!(tokens <= MOST, "{line}");
            format!("{tokens}: {line}")
        });
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn of_little_nothing_is_said_and_nothing_in_the_words_of_a_published_design() {
        let much = Happened { commits: 1, calls: 50, ..Happened::default() };
        for little in [
            Happened::default(),
            Happened { calls: 39, ..Happened::default() },
            Happened { calls: 11, ..much },
        ] {
            assert_eq!(Profile::Default.words().reminder(&little, true), None, "{little:?}");
        }
        for profile in Profile::ALL {
            let is_ours = matches!(profile, Profile::Default | Profile::Seed4);
            assert_eq!(profile.words().reminder(&much, true).is_some(), is_ours, "{profile:?}");
        }
    }
}
