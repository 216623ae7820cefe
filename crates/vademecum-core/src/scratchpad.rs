//! The scratchpad: a door to the session's page with a budget, in front of each user message (S2).

use serde::{Deserialize, Serialize};

use crate::context::Cap;
use crate::error::Kind;
use crate::frame::{self, Nonce};
use crate::tokens::chars4;

/// The tool's name in the seed.
pub const NAME: &str = "session.scratchpad";

/// The tool's name where dots are not allowed.
pub const HOST_NAME: &str = "session_scratchpad";

/// What the tool says of itself.
pub const DESCRIPTION: &str = "Persist important working state (plans, findings, decisions) that survives context compaction. Content is prepended to each message you receive.";

/// The budget in tokens where the configuration names none.
pub const DEFAULT_BUDGET: usize = 2000;

/// How new content meets the text that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// It takes its place, cut to the budget.
    #[default]
    Replace,
    /// It follows on a new line, or is refused where the whole would pass the budget.
    Append,
}

/// A mode that is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown mode \"{given}\": use replace or append")]
pub struct ModeError {
    /// The mode as given.
    pub given: String,
}

impl ModeError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::Usage
    }
}

impl Mode {
    /// Reads the word for a mode.
    pub fn parse(word: &str) -> Result<Self, ModeError> {
        match word {
            "replace" => Ok(Self::Replace),
            "append" => Ok(Self::Append),
            given => Err(ModeError { given: given.to_owned() }),
        }
    }
}

/// What became of a write; all counts are tokens of the seed, `ceil(chars / 4)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The text is stored as given.
    Updated {
        /// The text to store.
        text: String,
        /// What it costs.
        tokens: usize,
        /// What it may cost.
        budget: usize,
    },
    /// The start of the text is stored.
    Truncated {
        /// The text to store.
        text: String,
        /// What it costs.
        tokens: usize,
        /// What the text as given would have cost.
        original: usize,
        /// What it may cost.
        budget: usize,
    },
    /// The stored text stays as it is.
    Refused {
        /// What the stored text costs.
        current: usize,
        /// What the addition costs.
        addition: usize,
        /// What both would have cost, joined.
        joined: usize,
        /// What they may cost.
        budget: usize,
    },
}

impl Outcome {
    /// The text to store, or none where it stays as it is.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Updated { text, .. } | Self::Truncated { text, .. } => Some(text),
            Self::Refused { .. } => None,
        }
    }

    /// The reply of the seed.
    #[must_use]
    pub fn reply(&self) -> String {
        match self {
            Self::Updated { tokens, budget, .. } => {
                format!("Scratchpad updated ({tokens} tokens / {budget} budget)")
            }
            Self::Truncated { original, budget, .. } => format!(
                "Scratchpad truncated to {budget} tokens (original: {original}). Consider summarizing."
            ),
            Self::Refused { current, addition, budget, .. } => format!(
                "Append would exceed {budget} token budget (current: {current}, append: {addition}). Use mode 'replace' to rewrite, or reduce content."
            ),
        }
    }
}

/// Brings `content` into the page that holds `current`, within `budget` tokens.
#[must_use]
pub fn put(current: &str, content: &str, mode: Mode, budget: usize) -> Outcome {
    match mode {
        Mode::Replace => replace(content, budget),
        Mode::Append => append(current, content, budget),
    }
}

fn replace(content: &str, budget: usize) -> Outcome {
    let original = chars4(content);
    if original <= budget {
        return Outcome::Updated { text: content.to_owned(), tokens: original, budget };
    }
    let text = truncate(content, budget).to_owned();
    Outcome::Truncated { tokens: chars4(&text), text, original, budget }
}

fn append(current: &str, content: &str, budget: usize) -> Outcome {
    let separator = if current.is_empty() || content.is_empty() { "" } else { "\n" };
    let text = [current, separator, content].concat();
    let tokens = chars4(&text);
    if tokens <= budget {
        return Outcome::Updated { text, tokens, budget };
    }
    let (current, addition) = (chars4(current), chars4(content));
    Outcome::Refused { current, addition, joined: tokens, budget }
}

/// Cuts `text` to `budget` tokens, at a line end where one lies in the last 5 %.
fn truncate(text: &str, budget: usize) -> &str {
    let limit = budget.saturating_mul(4);
    let cut = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
    let (kept, rest) = text.split_at(cut);
    if rest.is_empty() || rest.starts_with('\n') {
        return kept;
    }

    let line_end = kept.rfind('\n').filter(|&at| kept[at..].chars().count() <= limit / 20);
    &kept[..line_end.unwrap_or(kept.len())]
}

/// In which order the parts of a message stand; written as a list of their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "[&'static str; 3]")]
pub enum Order {
    /// Scratchpad, steer, user.
    #[default]
    ScratchpadFirst,
    /// Steer, scratchpad, user.
    SteerFirst,
}

/// A list that is no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "an order is [\"scratchpad\", \"steer\", \"user\"] or [\"steer\", \"scratchpad\", \"user\"], {given:?} given"
)]
pub struct OrderError {
    /// The words as given.
    pub given: Vec<String>,
}

impl From<Order> for [&'static str; 3] {
    fn from(order: Order) -> Self {
        match order {
            Order::ScratchpadFirst => ["scratchpad", "steer", "user"],
            Order::SteerFirst => ["steer", "scratchpad", "user"],
        }
    }
}

impl TryFrom<Vec<String>> for Order {
    type Error = OrderError;

    fn try_from(given: Vec<String>) -> Result<Self, OrderError> {
        let is = |order: &Self| given == <[&str; 3]>::from(*order);
        let found = [Self::ScratchpadFirst, Self::SteerFirst].into_iter().find(is);
        found.ok_or(OrderError { given })
    }
}

/// Renders the block of the seed; nothing for a text without a visible character.
///
/// `shown` is the stored text in the form that is safe to show.
#[must_use]
pub fn block(shown: &str) -> Option<String> {
    let is_empty = shown.trim().is_empty();
    let block = || {
        format!("[Session Scratchpad - your persistent working memory]\n{shown}\n[End Scratchpad]")
    };
    (!is_empty).then(block)
}

/// The block with all of the page; none where budget or harness cut it, or nothing is on it.
pub(crate) fn whole(
    page: &str,
    more: u64,
    budget: usize,
    cap: &Cap,
    nonce: &Nonce,
) -> Option<String> {
    if 0 < more || truncate(page, budget).len() < page.len() {
        return None;
    }
    block(&frame::render(page, nonce)).filter(|whole| cap.measure(whole) <= cap.units)
}

/// Renders as much of `page` as its budget and the harness let through; a line says where it is cut.
///
/// `more` bytes of the page were not read. Whoever wrote it by another door did not mind the budget.
#[must_use]
pub fn fitted(page: &str, more: u64, budget: usize, cap: &Cap, nonce: &Nonce) -> Option<String> {
    if more == 0 {
        block(&frame::render(page, nonce))?;
    }
    if let Some(whole) = whole(page, more, budget, cap, nonce) {
        return Some(whole);
    }
    let within_budget = truncate(page, budget);
    let of = match more {
        0 => format!("{} characters", page.chars().count()),
        more => format!("{} bytes", page.len() as u64 + more),
    };
    let mut head = cap.clip(within_budget, cap.units);
    loop {
        let is_budget = head.len() == within_budget.len();
        let why = if is_budget { "its budget is used up" } else { "the harness takes no more" };
        let (text, n) = (frame::render(head, nonce), head.chars().count());
        let marker = format!("[vade: the scratchpad is cut here, {n} of {of} shown: {why}]");
        let block = block(&format!("{text}\n{marker}"))?;
        let units = cap.measure(&block);
        if units <= cap.units {
            return Some(block);
        }
        // A guard grows with its text, so the same share of it is a little too much at most.
        let next = cap.measure(head) * cap.units / units;
        head = cap.clip(head, next.min(cap.measure(head).checked_sub(1)?));
    }
}

/// Puts the scratchpad and the host's `steer` in front of the user's message; empty parts are absent.
#[must_use]
pub fn message(shown: &str, steer: &str, user: &str, order: Order) -> String {
    let block = block(shown).unwrap_or_default();
    let parts = match order {
        Order::ScratchpadFirst => [block.as_str(), steer],
        Order::SteerFirst => [steer, block.as_str()],
    };
    let before = parts.into_iter().filter(|part| !part.is_empty());
    before.chain([user]).collect::<Vec<_>>().join("\n\n")
}

/// The seed's guidance for the system prompt, with the budget in its place.
#[must_use]
pub fn guidance(budget: usize) -> String {
    format!(
        "\
## Session Scratchpad
You have a persistent scratchpad tool (session.scratchpad) that survives context compaction.
Use it to save: multi-step plans, key findings, important decisions, accumulated state.
The scratchpad is prepended to each message you receive. Budget: ~{budget} tokens.
Call session.scratchpad with mode \"replace\" to overwrite, or \"append\" to add incrementally."
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(current: &str, content: &str, mode: Mode, text: Option<&str>, reply: &str) {
        let outcome = put(current, content, mode, 10);
        assert_eq!((outcome.text(), outcome.reply().as_str()), (text, reply));
    }

    #[test]
    fn an_append_over_the_budget_is_refused() {
        let (a, b) = ("a".repeat(36), "b".repeat(20));
        let refused = Outcome::Refused { current: 9, addition: 5, joined: 15, budget: 10 };
        assert_eq!(put(&a, &b, Mode::Append, 10), refused);
        let reply = "Append would exceed 10 token budget (current: 9, append: 5). Use mode 'replace' to rewrite, or reduce content.";
        check(&a, &b, Mode::Append, None, reply);
        let refused = Outcome::Refused { current: 5, addition: 5, joined: 11, budget: 10 };
        assert_eq!(put(&b, &b, Mode::Append, 10), refused);
    }

    #[test]
    fn what_fits_is_stored_as_it_is() {
        let reply = |tokens: u32| format!("Scratchpad updated ({tokens} tokens / 10 budget)");
        check("", "abcde", Mode::Append, Some("abcde"), &reply(2));
        check("ab", "cd", Mode::Append, Some("ab\ncd"), &reply(2));
        check("ab", "", Mode::Append, Some("ab"), &reply(1));
        check("old", "new\n", Mode::Replace, Some("new\n"), &reply(1));
        check("old", "", Mode::Replace, Some(""), &reply(0));
        check("old", &"漢".repeat(40), Mode::Replace, Some(&"漢".repeat(40)), &reply(10));
    }

    #[test]
    fn a_replace_over_the_budget_is_cut() {
        let reply = "Scratchpad truncated to 10 tokens (original: 25). Consider summarizing.";
        let kept = "漢".repeat(40);
        check("", &"漢".repeat(100), Mode::Replace, Some(&kept), reply);
        assert_eq!(
            put("", &"漢".repeat(100), Mode::Replace, 10),
            Outcome::Truncated { text: kept, tokens: 10, original: 25, budget: 10 }
        );
    }

    #[track_caller]
    fn check_cut(lines: &[usize], budget: usize, kept: usize) {
        let text: Vec<_> = lines.iter().map(|&n| "x".repeat(n)).collect();
        assert_eq!(truncate(&text.join("\n"), budget).len(), kept);
    }

    #[test]
    fn a_line_end_is_preferred_within_5_percent() {
        check_cut(&[390, 100], 100, 390);
        check_cut(&[380, 100], 100, 380);
        check_cut(&[379, 100], 100, 400);
        check_cut(&[400, 100], 100, 400);
        check_cut(&[399, 100], 100, 399);
        check_cut(&[9], 0, 0);
    }

    #[test]
    fn modes_are_two() {
        assert_eq!(Mode::parse("replace"), Ok(Mode::default()));
        assert_eq!(Mode::parse("append"), Ok(Mode::Append));
        let error = Mode::parse("Append").map_err(|error| (error.kind(), error.to_string()));
        let message = "unknown mode \"Append\": use replace or append".to_owned();
        assert_eq!(error, Err((Kind::Usage, message)));
    }

    #[test]
    fn stands_in_front_of_the_message() {
        insta::assert_snapshot!(message("1. a\n2. b", "steer", "user", Order::default()), @"
        [Session Scratchpad - your persistent working memory]
        1. a
        2. b
        [End Scratchpad]

        steer

        user
        ");
        insta::assert_snapshot!(message("1. a", "steer", "user", Order::SteerFirst), @"
        steer

        [Session Scratchpad - your persistent working memory]
        1. a
        [End Scratchpad]

        user
        ");
        assert_eq!(message(" \n", "", "user", Order::default()), "user");
        assert_eq!(message("", "steer", "user", Order::SteerFirst), "steer\n\nuser");
    }

    #[test]
    fn guides_with_its_budget() {
        insta::assert_snapshot!(guidance(500), @r#"
        ## Session Scratchpad
        You have a persistent scratchpad tool (session.scratchpad) that survives context compaction.
        Use it to save: multi-step plans, key findings, important decisions, accumulated state.
        The scratchpad is prepended to each message you receive. Budget: ~500 tokens.
        Call session.scratchpad with mode "replace" to overwrite, or "append" to add incrementally.
        "#);
    }

    proptest! {
        #[test]
        fn never_over_the_budget(current in "[a漢\n]{0,99}", content in "[b😀\n]{0,99}", budget in 0usize..40) {
            for mode in [Mode::Replace, Mode::Append] {
                let outcome = put(&current, &content, mode, budget);
                if let Some(text) = outcome.text() {
                    prop_assert!(chars4(text) <= budget);
                    let whole = mode == Mode::Append;
                    prop_assert!(whole && text.ends_with(&content) || content.starts_with(text));
                }
            }
        }
    }

    #[track_caller]
    fn check_fitted(page: &str, more: u64, budget: usize, units: usize, ends: &str) -> String {
        let cap = Cap { units, unit: crate::context::Unit::Utf16 };
        let nonce = Nonce::parse("3f9a1c02").expect("eight digits");
        let block = fitted(page, more, budget, &cap, &nonce).expect("a block");
        assert!(cap.measure(&block) <= units, "{}", cap.measure(&block));
        assert!(block.ends_with(&format!("{ends}\n[End Scratchpad]")), "{block}");
        block
    }

    #[test]
    fn a_block_keeps_to_budget_and_cap() {
        let long = "x".repeat(40_000);
        let used = |n| format!("{n} of 40000 characters shown: its budget is used up]");
        let block = check_fitted(&long, 0, 100, 9000, &used(400));
        assert_eq!(block.matches('x').count(), 400);
        check_fitted(&long, 0, 5000, 9000, "of 40000 characters shown: the harness takes no more]");
        check_fitted(&long, 7, 10_000, 9000, "of 40007 bytes shown: the harness takes no more]");
        check_fitted(&"x".repeat(400), 0, 100, 9000, &"x".repeat(400));
        // Guarded, each line grows.
        let marked = "Human: a\n".repeat(2000);
        check_fitted(&marked, 0, 5000, 9000, "shown: the harness takes no more]");
        let cap = Cap { units: 9000, unit: crate::context::Unit::Bytes };
        assert_eq!(fitted(" \n", 0, 9, &cap, &Nonce::parse("3f9a1c02").expect("digits")), None);
    }
}
