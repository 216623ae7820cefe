//! What a recap says, as the words by which it is found again, whatever marks stand between them.

use std::ops::Range;

use crate::cues::is_of_dense_script;

/// Pieces that stand in one text in this order, each without a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quote(Vec<Vec<String>>);

/// What stands before steps, each of which was a call of its own.
const STEPS: &str = "Last steps:";

/// What stands before files, of which each was changed in a place of its own.
const FILES: &[&str] = &["Not committed:", "Committed: in "];

/// What recaps put before quotes.
const LABELS: &[&str] = &[
    "Asked first:",
    "Asked before:",
    "Asked last:",
    "Asked last, not begun yet:",
    "The agent asked:",
    "The agent had said:",
    "User:",
    "Change:",
    "Posted:",
    "Plan:",
    "Named in the plan and not changed yet:",
    "Began:",
    "Doing:",
    "By the to-do list:",
    "On a to-do list older than the last changes:",
    "Doing, by a to-do list older than the last changes:",
    "Open on the notepad and done since:",
    "Since the notepad was written:",
    "Before tests passed:",
    "Before the last edits:",
    "Ruled out since the notepad was written:",
    "Running:",
    STEPS,
    "On the branch",
    "Stopped at a conflict and not finished:",
    "Was running when it ended:",
    "Sub-agent that had not reported when it ended:",
    "Tried:",
    "Sub-agent:",
    "Pull request:",
    "Committed:",
    "Not committed:",
];

/// What recaps put between and behind quotes.
const BETWEEN: &[&str] = &[
    "` passed, before the last edits",
    "` passed",
    "` ran well",
    "` ran",
    "(ran well since)",
    "(files were changed since; not run again)",
    "(run again since; how that ended is not seen)",
    "(deleted)",
    "(put back)",
    " → ",
    " | ",
];

impl Quote {
    /// The words of a recap's line, or of a part of one; none if there is no word in it.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut plain = text.lines().map(without_label).collect::<Vec<_>>().join("\n");
        if text.contains(STEPS) {
            plain = plain.replace("edited ", "\n");
        }
        if FILES.iter().any(|label| text.trim_start_matches("- ").starts_with(label)) {
            plain = plain.replace([',', ';', ' '], "\n");
        }
        for words in BETWEEN {
            plain = plain.replace(words, "\n");
        }
        let pieces = pieces(&plain).into_iter().map(|piece| {
            let words = Words { text: piece, at: 0, roots: &[] };
            words.map(|at| piece[at].to_lowercase()).collect::<Vec<_>>()
        });
        let pieces: Vec<_> = pieces.filter(|words| !words.is_empty()).collect();
        (!pieces.is_empty()).then_some(Self(pieces))
    }

    pub(super) fn n_words(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Its longest piece, where there are several.
    pub(super) fn longest(&self) -> Option<Self> {
        let longest = self.0.iter().max_by_key(|words| words.len())?;
        (1 < self.0.len()).then(|| Self(vec![longest.clone()]))
    }

    /// Where all of it stands in a text, in which paths below `roots` are told relative to them.
    pub(super) fn find(&self, text: &str, roots: &[String]) -> Option<Range<usize>> {
        let mut words = Words { text, at: 0, roots };
        let mut place: Option<Range<usize>> = None;
        for piece in &self.0 {
            let found = find(piece, &mut words)?;
            place = Some(place.map_or(found.start, |it| it.start)..found.end);
        }
        place
    }
}

/// A line without its mark, and without what a recap puts before a quote.
fn without_label(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("- ").unwrap_or(line);
    if line.starts_with("Committed ")
        && let Some((_, subject)) = line.split_once(": ")
    {
        return subject;
    }
    LABELS.iter().find_map(|label| line.strip_prefix(label)).unwrap_or(line)
}

/// The text between its gaps, and between its sentences: what opens one and says nothing was left out.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut before) = (Vec::new(), 0, ' ');
    for (at, c) in text.char_indices() {
        let ends = c.is_whitespace() && matches!(before, '.' | '!' | '?' | ':' | ';' | '"');
        if ends || matches!(c, '…' | '\n' | '。' | '！' | '？') {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = c;
    }
    pieces.push(&text[start..]);
    pieces
}

/// Where the words of a piece follow each other first; those behind are left in `words`.
fn find(piece: &[String], words: &mut Words<'_>) -> Option<Range<usize>> {
    loop {
        let text = words.text;
        let first = words.find(|at| is_same(&text[at.clone()], &piece[0]))?;
        let mut ahead = words.clone();
        let mut end = first.end;
        let is_whole = piece[1..].iter().all(|word| {
            ahead.next().is_some_and(|at| {
                end = at.end;
                is_same(&ahead.text[at], word)
            })
        });
        if is_whole {
            *words = ahead;
            return Some(first.start..end);
        }
    }
}

/// Whether a word is this one, which is in small letters.
fn is_same(word: &str, low: &str) -> bool {
    word.eq_ignore_ascii_case(low) || (!word.is_ascii() && word.to_lowercase() == low)
}

/// The places of the words of a text: letters and digits, of scripts without blanks one by one.
///
/// Targets of links and the roots before paths are passed over, as recaps do.
#[derive(Debug, Clone)]
struct Words<'a> {
    text: &'a str,
    at: usize,
    roots: &'a [String],
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = &self.text[self.at..];
            let c = rest.chars().next()?;
            let passed = match c {
                '/' => {
                    self.roots.iter().find(|root| rest.starts_with(root.as_str())).map(String::len)
                }
                ']' => target(rest),
                _ => None,
            };
            if passed.is_none() && c.is_alphanumeric() {
                let len = if is_of_dense_script(c) {
                    c.len_utf8()
                } else {
                    let is_end = |c: char| !c.is_alphanumeric() || is_of_dense_script(c);
                    rest.find(is_end).unwrap_or(rest.len())
                };
                self.at += len;
                return Some(self.at - len..self.at);
            }
            self.at += passed.unwrap_or(c.len_utf8());
        }
    }
}

/// How long the target of a link is that stands here.
fn target(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("](")?;
    let end = inside.find([')', '\n'])?;
    inside[end..].starts_with(')').then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, text: &str, expected: Option<&str>) {
        let quote = Quote::new(line).expect("it has words");
        let found = quote.find(text, &["/home/dev/shop/".to_owned()]);
        assert_eq!(found.map(|at| &text[at]), expected, "{quote:?}");
    }

    #[test]
    fn what_a_recap_says_is_found_where_it_was_said() {
        let text = "Good. Now the **key** is parsed in `/home/dev/shop/src/key.rs`, see [the page](https://a.b/c).\n\
                    - It works\n- The rest is easy. The retry _follows_.";
        for line in [
            "the key is parsed in src/key.rs, see the page.",
            "- the key is parsed in src/key.rs, see … It works; The rest is easy.",
            "The Key is parsed",
        ] {
            let found =
                Quote::new(line).and_then(|it| it.find(text, &["/home/dev/shop/".to_owned()]));
            assert!(found.is_some(), "{line}");
        }
        check(
            "It works … retry follows",
            text,
            Some("It works\n- The rest is easy. The retry _follows"),
        );
        check("the retry … it works", text, None);
        check("the keys", text, None);
        check("User: \"the rest is easy.\"", text, Some("The rest is easy"));
    }

    #[test]
    fn what_a_recap_puts_around_quotes_is_passed_over() {
        check("- Asked last: \"No caches.\"", "no caches", Some("no caches"));
        check("Committed 1a2b3c4 on key, pushed: one order", "one order", Some("one order"));
        check("Committed: one order", "one order", Some("one order"));
        check("Asked first: \"one order\"", "one order", Some("one order"));
        check(
            "`make test` (ran well since) → it fails",
            "make test: it fails",
            Some("make test: it fails"),
        );
        check(
            "`make test` passed, before the last edits → ok",
            "make test\nok",
            Some("make test\nok"),
        );
        let files = "Not committed: src/a.rs; in crates/pay/ src/key.rs, src/map_of_keys.rs";
        let longest = Quote::new(files).and_then(|it| it.longest()).expect("several");
        let file = "crates/pay/src/map_of_keys.rs";
        assert_eq!(longest.find(file, &[]).map(|at| &file[at]), Some("src/map_of_keys.rs"));
        check("入账本", "写入账本。", Some("入账本"));
        check("Größe", "die GRÖSSE, die GRÖẞE", Some("GRÖẞE"));
        assert_eq!(Quote::new("- … `**`"), None);
    }
}
