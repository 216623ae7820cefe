//! The notepad: the free Markdown page of a session, its edits and the block it is shown in (S0).

use crate::error::Kind;
use crate::intake::Intake;

/// The most bytes of a page after an edit: what one message can bring can be on it, and no more.
pub const MAX: usize = Intake::NOTEPAD_MAX;

/// The line that the notepad is shown under.
pub const HEADER: &str = "## Session Notepad";

/// What stands under the header while the notepad is empty.
pub const EMPTY_HINT: &str = "(empty — use write_notepad or update_notepad to save working notes, findings, and task progress; content here survives context compaction)";

/// The seed's warning before a compaction, four lines.
pub const WARNING: &str = "\
[System] Context is approaching the token limit and will be compacted after your next response.
Review your session notepad and update it with any working state, findings, or progress you
need to preserve. Conversation details may be summarized during compaction, but the notepad
is kept in full.";

/// The seed's guidance for the system prompt.
pub const GUIDANCE: &str = "For multi-step or complex tasks, use the session notepad to track your plan and record findings as you work. The notepad survives context compaction — conversation details may be summarized, but the notepad is preserved in full. Update it after significant findings or completed steps.";

/// One change of the notepad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Replaces the whole text; an empty one clears it.
    Write {
        /// The new text.
        content: String,
    },
    /// Adds text at the end, without a separator.
    Append {
        /// The text to add, not empty.
        content: String,
    },
    /// Adds text at the start, without a separator.
    Prepend {
        /// The text to add, not empty.
        content: String,
    },
    /// Removes the first occurrence of a text.
    Delete {
        /// The text to remove, not empty.
        content: String,
    },
    /// Replaces a text, taken literally on both sides.
    FindReplace {
        /// The text to find, not empty.
        find: String,
        /// What takes its place, as it is.
        replace: String,
        /// Whether every occurrence is replaced, not only the first.
        all: bool,
    },
}

/// The arguments of `update_notepad` as they came, but for the operation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// The text to add or to delete.
    pub content: Option<String>,
    /// The text to find.
    pub find: Option<String>,
    /// What takes its place.
    pub replace: Option<String>,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
}

/// An edit that cannot be made; the notepad stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No such operation.
    #[error("unknown operation \"{given}\": use find_replace, append, prepend or delete")]
    Operation {
        /// The operation as given.
        given: String,
    },
    /// The text to add or to delete is absent or empty.
    #[error("{operation} needs content, none given")]
    Content {
        /// The operation that needs it.
        operation: &'static str,
    },
    /// The text to find is absent or empty, or its replacement is absent.
    #[error("find_replace needs find and replace, {lacking} not given")]
    Replacement {
        /// The argument that lacks.
        lacking: &'static str,
    },
    /// The text to find does not occur.
    #[error("text to find is not in the notepad")]
    NotFound {
        /// The text that was looked for.
        sought: String,
    },
    /// The text to delete does not occur.
    #[error("text to delete is not in the notepad")]
    NothingToDelete {
        /// The text that was looked for.
        sought: String,
    },
    /// The page would have more bytes than a page may have.
    #[error("a notepad takes at most {allowed} bytes, {given} would be on it: nothing was written")]
    Long {
        /// How many there would be.
        given: usize,
        /// How many are allowed.
        allowed: usize,
    },
}

impl EditError {
    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Operation { .. }
            | Self::Content { .. }
            | Self::Replacement { .. }
            | Self::Long { .. } => Kind::Usage,
            Self::NotFound { .. } | Self::NothingToDelete { .. } => Kind::Missing,
        }
    }
}

impl Edit {
    /// The operations of `update_notepad`.
    pub const OPERATIONS: [&'static str; 4] = ["find_replace", "append", "prepend", "delete"];

    /// Reads the arguments of `update_notepad`; those that the operation does not use are ignored.
    pub fn update(operation: &str, parts: Parts) -> Result<Self, EditError> {
        let content = parts.content.unwrap_or_default();
        let edit = match operation {
            "append" => Self::Append { content },
            "prepend" => Self::Prepend { content },
            "delete" => Self::Delete { content },
            "find_replace" => {
                let find = parts.find.unwrap_or_default();
                let lacking = if find.is_empty() { "find" } else { "replace" };
                let replace = parts.replace.ok_or(EditError::Replacement { lacking })?;
                Self::FindReplace { find, replace, all: parts.replace_all }
            }
            given => return Err(EditError::Operation { given: given.to_owned() }),
        };
        edit.check()?;
        Ok(edit)
    }

    /// Adds `content` at the end of `text` on a line of its own, as a person at a shell means it.
    #[must_use]
    pub fn append_line(text: &str, content: &str) -> Self {
        let is_apart = text.is_empty() || text.ends_with('\n') || content.starts_with('\n');
        Self::Append { content: [if is_apart { "" } else { "\n" }, content].concat() }
    }

    /// The same edit, for who means lines: a new item, heading or quote joins no line that has not ended.
    #[must_use]
    pub fn on_own_line(&self, text: &str) -> Self {
        let is_within = |text: &str| !text.is_empty() && !text.ends_with('\n');
        match self {
            Self::Append { content } if is_within(text) && begins_block(content) => {
                Self::append_line(text, content)
            }
            Self::Prepend { content }
                if !text.is_empty()
                    && is_within(content)
                    && (begins_block(text) || is_whole_block(content)) =>
            {
                Self::Prepend { content: [content, "\n"].concat() }
            }
            edit => edit.clone(),
        }
    }

    /// Makes the edit in a copy of `text`, if that is no larger than a page may be.
    pub fn apply(&self, text: &str) -> Result<String, EditError> {
        self.check()?;
        check_size(text.len(), self.size(text))?;
        match self {
            Self::Write { content } => Ok(content.clone()),
            Self::Append { content } => Ok([text, content].concat()),
            Self::Prepend { content } => Ok([content, text].concat()),
            Self::Delete { content } => {
                let absent = || EditError::NothingToDelete { sought: content.clone() };
                let at = text.find(content).ok_or_else(absent)?;
                Ok([&text[..at], &text[at + content.len()..]].concat())
            }
            Self::FindReplace { find, replace, all } => {
                let absent = || EditError::NotFound { sought: find.clone() };
                let at = text.find(find).ok_or_else(absent)?;
                let (before, rest) = text.split_at(at);
                let rest = if *all {
                    rest.replace(find, replace)
                } else {
                    rest.replacen(find, replace, 1)
                };
                Ok([before, &rest].concat())
            }
        }
    }

    /// At how many places of `text` stands what the edit takes from the first of them alone.
    #[must_use]
    pub fn places(&self, text: &str) -> usize {
        match self {
            Self::FindReplace { find, all: false, .. } => text.matches(find.as_str()).count(),
            Self::Delete { content } => text.matches(content.as_str()).count(),
            Self::FindReplace { .. }
            | Self::Write { .. }
            | Self::Append { .. }
            | Self::Prepend { .. } => 1,
        }
    }

    /// How many bytes `text` would have: counted before any is taken, for a replacement multiplies.
    fn size(&self, text: &str) -> usize {
        match self {
            Self::Write { content } => content.len(),
            Self::Append { content } | Self::Prepend { content } => text.len() + content.len(),
            Self::Delete { content } => text.len().saturating_sub(content.len()),
            Self::FindReplace { find, replace, all } => {
                let most = if *all { usize::MAX } else { 1 };
                let n = text.matches(find.as_str()).take(most).count();
                (text.len() - n * find.len()).saturating_add(n.saturating_mul(replace.len()))
            }
        }
    }

    fn check(&self) -> Result<(), EditError> {
        let (operation, content) = match self {
            Self::Append { content } => ("append", content),
            Self::Prepend { content } => ("prepend", content),
            Self::Delete { content } => ("delete", content),
            Self::FindReplace { find, .. } if find.is_empty() => {
                return Err(EditError::Replacement { lacking: "find" });
            }
            Self::Write { .. } | Self::FindReplace { .. } => return Ok(()),
        };
        if content.is_empty() { Err(EditError::Content { operation }) } else { Ok(()) }
    }
}

/// Whether a page of `old` bytes may become one of `new`; one that is too large already may only shrink.
pub fn check_size(old: usize, new: usize) -> Result<(), EditError> {
    if new <= MAX.max(old) {
        return Ok(());
    }
    Err(EditError::Long { given: new, allowed: MAX })
}

/// Whether the notepad counts as empty: no character but white space.
#[must_use]
pub fn is_empty(content: &str) -> bool {
    content.trim().is_empty()
}

/// Renders the block of the seed: the header, then the text as it is, or the hint.
#[must_use]
pub fn render(content: &str) -> String {
    let shown = if is_empty(content) { EMPTY_HINT } else { content };
    format!("{HEADER}\n{shown}")
}

/// Whether the last line of a text is an item, heading or quote with words in it, to which no more belongs.
fn is_whole_block(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    begins_block(last) && !last.ends_with(' ')
}

/// Whether a text begins with what Markdown knows at the begin of a line alone.
fn begins_block(text: &str) -> bool {
    let marker = text.trim_start_matches(' ');
    let numbered = marker.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let is_number =
        numbered.len() < marker.len() && [". ", ") "].iter().any(|end| numbered.starts_with(end));
    let heading = marker.trim_start_matches('#');
    let is_heading = heading.len() < marker.len() && heading.starts_with(' ');
    let is_item =
        ["- ", "* ", "+ ", "> ", "```", "| "].iter().any(|begin| marker.starts_with(begin));
    is_item || is_number || is_heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(content: Option<&str>, find: Option<&str>, replace: Option<&str>) -> Parts {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (content, find, replace) = (owned(content), owned(find), owned(replace));
        Parts { content, find, replace, replace_all: false }
    }

    fn run(text: &str, operation: &str, parts: Parts) -> Result<String, EditError> {
        Edit::update(operation, parts)?.apply(text)
    }

    #[track_caller]
    fn check(text: &str, operation: &str, content: &str, expected: &str) {
        assert_eq!(run(text, operation, parts(Some(content), None, None)).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn check_replace(text: &str, [find, replace]: [&str; 2], once: &str, all: &str) {
        let mut parts = parts(None, Some(find), Some(replace));
        assert_eq!(run(text, "find_replace", parts.clone()).as_deref(), Ok(once));
        parts.replace_all = true;
        assert_eq!(run(text, "find_replace", parts).as_deref(), Ok(all));
    }

    #[track_caller]
    fn check_fault(operation: &str, parts: Parts, kind: Kind, message: &str) {
        let error = run("text", operation, parts).expect_err("the edit is at fault");
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }

    #[test]
    fn edits_in_place() {
        assert_eq!(Edit::Write { content: "A".to_owned() }.apply("old").as_deref(), Ok("A"));
        assert_eq!(Edit::Write { content: String::new() }.apply("old").as_deref(), Ok(""));
        check("A", "append", "B", "AB");
        check("AB", "prepend", "C", "CAB");
        check("xx", "delete", "x", "x");
        check("a漢b漢", "delete", "漢", "ab漢");
    }

    #[test]
    fn a_line_is_appended_as_one() {
        for (text, content, page) in
            [("", "b", "b"), ("a", "b", "a\nb"), ("a\n", "b", "a\nb"), ("a", "\nb", "a\nb")]
        {
            assert_eq!(Edit::append_line(text, content).apply(text).as_deref(), Ok(page));
        }
    }

    /// An open task that is glued to a done one would count as done.
    #[test]
    fn an_item_joins_no_line() {
        for (text, content, appended, prepended) in [
            ("- [x] a", "- [ ] b", "- [x] a\n- [ ] b", "- [ ] b\n- [x] a"),
            ("a", "## b", "a\n## b", "## b\na"),
            ("a", "- [ ] ", "a\n- [ ] ", "- [ ] a"),
            ("a", "12. b", "a\n12. b", "12. b\na"),
            ("a\n", "- b", "a\n- b", "- b\na\n"),
            ("a", "#b", "a#b", "#ba"),
            ("a", "-b 1.5", "a-b 1.5", "-b 1.5a"),
            ("", "- b", "- b", "- b"),
        ] {
            let content = || content.to_owned();
            let append = Edit::Append { content: content() }.on_own_line(text).apply(text);
            let prepend = Edit::Prepend { content: content() }.on_own_line(text).apply(text);
            assert_eq!((append.as_deref(), prepend.as_deref()), (Ok(appended), Ok(prepended)));
        }
    }

    #[test]
    fn replaces_literally() {
        check_replace("x x", ["x", "y"], "y x", "y y");
        check_replace("x x", ["x", "xx"], "xx x", "xx xx");
        check_replace("x.x", [".", ""], "xx", "xx");
        check_replace("aaa", ["aa", "b"], "ba", "ba");
        for literal in ["$&", "$1", "$$", "\\1", "\n", "😀"] {
            check_replace("x x", ["x", literal], &format!("{literal} x"), &[literal; 2].join(" "));
            let text = format!("a{literal}");
            check_replace(&text, [literal, "b"], "ab", "ab");
        }
    }

    #[test]
    fn faults_say_what_lacks() {
        for operation in ["append", "prepend", "delete"] {
            let message = format!("{operation} needs content, none given");
            check_fault(operation, Parts::default(), Kind::Usage, &message);
            check_fault(operation, parts(Some(""), None, None), Kind::Usage, &message);
        }
        let find = "find_replace needs find and replace, find not given";
        check_fault("find_replace", Parts::default(), Kind::Usage, find);
        check_fault("find_replace", parts(None, None, Some("y")), Kind::Usage, find);
        check_fault("find_replace", parts(None, Some(""), Some("y")), Kind::Usage, find);
        let replace = "find_replace needs find and replace, replace not given";
        check_fault("find_replace", parts(None, Some("x"), None), Kind::Usage, replace);
        let unknown = "unknown operation \"x\": use find_replace, append, prepend or delete";
        check_fault("x", Parts::default(), Kind::Usage, unknown);
        let find = "text to find is not in the notepad";
        check_fault("find_replace", parts(None, Some("z"), Some("")), Kind::Missing, find);
        let delete = "text to delete is not in the notepad";
        check_fault("delete", parts(Some("z"), None, None), Kind::Missing, delete);
    }

    #[test]
    fn an_edit_made_by_hand_is_checked_too() {
        let edit = Edit::FindReplace { find: String::new(), replace: String::new(), all: true };
        assert_eq!(edit.apply("text"), Err(EditError::Replacement { lacking: "find" }));
    }

    #[test]
    fn a_long_page_is_kept_whole() {
        let page = "漢字 a line of the page\n".repeat(200_000);
        let text = Edit::Append { content: "end".to_owned() }.apply(&page);
        assert_eq!(text, Ok(format!("{page}end")));
    }

    #[test]
    fn renders_the_block_of_the_seed() {
        assert_eq!(render("## Plan\n- [ ] a\n"), "## Session Notepad\n## Plan\n- [ ] a\n");
        assert_eq!(render(" x "), "## Session Notepad\n x ");
        for empty in ["", " \n\t", "\u{a0}\u{3000}"] {
            insta::allow_duplicates! {
                insta::assert_snapshot!(render(empty), @r"
                ## Session Notepad
                (empty — use write_notepad or update_notepad to save working notes, findings, and task progress; content here survives context compaction)
                ");
            }
        }
    }

    #[test]
    fn warns_in_the_published_words() {
        insta::assert_snapshot!(WARNING, @"
        [System] Context is approaching the token limit and will be compacted after your next response.
        Review your session notepad and update it with any working state, findings, or progress you
        need to preserve. Conversation details may be summarized during compaction, but the notepad
        is kept in full.
        ");
    }

    #[test]
    fn a_page_is_measured_before_it_is_made() {
        // Made, it would take 2^60 bytes.
        let page = "z".repeat(1 << 20);
        let bomb = Edit::FindReplace { find: "z".into(), replace: "z".repeat(1 << 20), all: true };
        let long = |given| Err(EditError::Long { given, allowed: MAX });
        assert_eq!(bomb.apply(&page), long(1 << 40));
        let ten = "x".repeat(10 << 20);
        assert_eq!(Edit::Append { content: ten.clone() }.apply(&ten), long(20 << 20));
        assert_eq!(Edit::Prepend { content: ten.clone() }.apply(&ten), long(20 << 20));
        // One that is too large already may shrink, or stay as large.
        let old = "y".repeat(MAX + 2);
        let same = Edit::FindReplace { find: "y".into(), replace: "x".into(), all: false };
        assert_eq!(same.apply(&old).map(|new| new.len()), Ok(MAX + 2));
        assert_eq!(
            Edit::Delete { content: "y".into() }.apply(&old).map(|new| new.len()),
            Ok(MAX + 1)
        );
        assert_eq!(Edit::Append { content: "y".into() }.apply(&old), long(MAX + 3));
        let error = EditError::Long { given: MAX + 3, allowed: MAX };
        insta::assert_snapshot!(error, @"a notepad takes at most 16711680 bytes, 16711683 would be on it: nothing was written");
    }
}
