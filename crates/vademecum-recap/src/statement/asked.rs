//! The user's words in sentences that can be quoted: as they were written, each with how it follows the one before.

use super::sentence::{each, is_short_form};
use crate::cues::{count, is_of_dense_script};

/// How a sentence of the user follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// Behind a blank.
    Blank,
    /// In a line of its own.
    Line,
    /// Something of the message stands between them.
    Gap,
}

impl Follows {
    fn of(between: &str) -> Self {
        match between.trim() {
            "" if !between.contains('\n') => Self::Blank,
            marks if marks.contains(char::is_alphanumeric) => Self::Gap,
            _ => Self::Line,
        }
    }

    /// What stands between two sentences in one pair of quotes: what the user put there, or a mark of omission.
    pub(crate) fn join(self, before: &str) -> &'static str {
        match self {
            Self::Blank if before.ends_with(['。', '！', '？']) => "",
            Self::Blank => " ",
            Self::Gap if before.ends_with('…') => " ",
            Self::Gap => " … ",
            // Two quotes: nobody knows by what mark they were parted.
            Self::Line => "\" \"",
        }
    }
}

/// Calls `found` with each sentence of what the user wrote, and whether it is a heading; where it says that it takes
/// none, the next one follows a gap.
pub(crate) fn sentences(text: &str, mut found: impl FnMut(&str, bool, Follows) -> bool) {
    let mut end = 0;
    each(text, usize::MAX, |sentence, is_heading| {
        // What does not stand there like this, such as the row of a table, is nothing to quote.
        let Some(at) = text[end..].find(sentence).map(|at| end + at) else { return };
        if found(sentence, is_heading, Follows::of(&text[end..at])) {
            end = at + sentence.len();
        }
    });
}

/// The text up to the last end of a clause within its first `most` bytes, with `…`. Where no clause ends there, up to the
/// last whole word, if there are words enough to tell what is asked; else nothing.
pub(crate) fn clause(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(most)];
    let end = head.char_indices().rev().find_map(|(at, c)| match c {
        ' ' => Some(at).filter(|at| is_clause_end(&text[..*at], &text[at + 1..])),
        '\n' => Some(at),
        '，' | '、' | '；' | '。' | '！' | '？' => Some(at + c.len_utf8()),
        _ => None,
    });
    let is_dense = || head.ends_with(is_of_dense_script).then_some(head.len());
    let word = || head.rfind(' ').or_else(is_dense).filter(|at| WORDS <= count(&head[..*at]));
    end.or_else(word).map_or_else(String::new, |end| format!("{} …", text[..end].trim_end()))
}

/// Fewer words than this, cut anywhere, may mean anything.
const WORDS: usize = 12;

fn is_clause_end(before: &str, behind: &str) -> bool {
    let is_point = before.ends_with('.') && !is_short_form(&before[..before.len() - 1]);
    is_point
        || before.ends_with([',', ';', ':', '!', '?', ')', '…'])
        || ["- ", "– ", "— ", "("].iter().any(|mark| behind.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_wrote_is_cut_where_a_clause_ends() {
        let text = "keep the table, e.g. for refunds - nothing else of it";
        for (most, expected) in [
            (200, text),
            (40, "keep the table, e.g. for refunds …"),
            (24, "keep the table, …"),
            (12, ""),
        ] {
            assert_eq!(clause(text, most), expected);
        }
        assert_eq!(clause("修复测试，然后继续", 18), "修复测试， …");
        assert_eq!(clause("Why does this fail?\nE1\nE2", 24), "Why does this fail?\nE1 …");
        let words = "and so on ".repeat(40);
        assert_eq!(clause(&words, 42), "and so on and so on and so on and so on …");
        assert_eq!(clause(&words, 30), "");
    }

    #[test]
    fn sentences_tell_how_they_follow() {
        let mut found = Vec::new();
        sentences("So **fix** it. Ok. Then go on:\n- the key\n- the log", |text, _, follows| {
            found.push((text.to_owned(), follows));
            text != "Ok."
        });
        let all = [
            ("So **fix** it.", Follows::Blank),
            ("Then go on:", Follows::Gap),
            ("the key", Follows::Line),
            ("the log", Follows::Line),
        ];
        assert_eq!(found, all.map(|(text, follows)| (text.to_owned(), follows)));
    }
}
