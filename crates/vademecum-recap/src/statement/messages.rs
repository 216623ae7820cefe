//! What a shell line says of a change: messages of commits, titles and texts of pull requests.

use super::sentence::without_mark;
use crate::command;

/// The programs that keep such a text, and by which options they take it.
const OPTIONS: &[&str] = &["--message", "--title", "-t", "--body", "-b"];

/// A text that a shell line gives away.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) of: Of,
}

/// What a text is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// A commit.
    Commit,
    /// A pull request that is opened.
    Pull,
    /// An issue, a review, a comment.
    Post,
}

/// The texts that `line` gives to `git commit`, `gh pr` or `gh issue`.
pub(crate) fn of_changes(line: &str) -> Vec<Message> {
    if !(line.contains("commit") || line.contains("gh ")) {
        return Vec::new();
    }
    let mut messages = Vec::new();
    for part in command::parts(line) {
        let of = match part {
            _ if is_commit(part) => Of::Commit,
            _ if part.contains("gh pr create") => Of::Pull,
            _ if part.contains("gh pr ") || part.contains("gh issue ") => Of::Post,
            _ => continue,
        };
        let behind = &line[part.as_ptr() as usize - line.as_ptr() as usize + part.len()..];
        let document = Some(behind).filter(|it| it.starts_with("<<")).and_then(document);
        let texts = options(part).chain(document.map(|text| behind[text].to_owned()));
        let texts = texts.map(|text| unwrapped(&without_trailers(&text)));
        let texts = texts.filter(|text| !text.is_empty());
        messages.extend(texts.map(|text| Message { text, of }));
    }
    messages
}

/// The first line of the message that `line` gives to its first commit.
pub(crate) fn subject(line: &str) -> Option<String> {
    match of_changes(line).into_iter().find(|it| it.of == Of::Commit) {
        Some(message) => message.text.lines().next().map(str::to_owned),
        None => command::parts(line).into_iter().find(|part| is_commit(part)).and_then(bare_word),
    }
}

/// The message of one word without quotes: `git commit -qam wip`.
fn bare_word(part: &str) -> Option<String> {
    let mut words = part.split_whitespace().skip_while(|word| *word != "commit");
    words.find(|word| is_message(word) || *word == "--message")?;
    let is_plain = |word: &&str| word.starts_with(char::is_alphanumeric);
    words.next().filter(is_plain).map(str::to_owned)
}

/// A text whose paragraphs stand on one line each: those of commits are wrapped by hand.
fn unwrapped(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let bare = line.trim();
        let is_wrapped =
            WRAPPED <= before.chars().count() && bare == without_mark(bare) && !bare.is_empty();
        match is_wrapped {
            true => whole.push(' '),
            false if whole.is_empty() => {}
            false => whole.push('\n'),
        }
        whole.push_str(if is_wrapped { bare } else { line });
        before = line;
    }
    whole
}

/// From which length on a line may go on in the next.
const WRAPPED: usize = 50;

/// A text without the lines that say who or what made it.
fn without_trailers(text: &str) -> String {
    let is_trailer = |line: &&str| {
        let low = line.trim().to_ascii_lowercase();
        ["co-authored-by:", "signed-off-by:"].iter().any(|start| low.starts_with(start))
            || low.contains("generated with [")
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_trailer(line)).collect();
    lines.join("\n").trim().to_owned()
}

/// Whether one command of a line is `git commit`.
pub(crate) fn is_commit(part: &str) -> bool {
    let mut words = command::alone(part).split_whitespace().skip_while(|word| *word != "git");
    words.by_ref().take(6).any(|word| word == "commit")
}

/// Where the text of the first here-document stands.
fn document(line: &str) -> Option<std::ops::Range<usize>> {
    let at = line.find("<<")?;
    let word = line[at + 2..].trim_start_matches(['-', ' ', '\'', '"']);
    let len = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let start = at + line[at..].find('\n')? + 1;
    let mut from = start;
    for text in line[start..].split_inclusive('\n') {
        if 0 < len && text.trim() == &word[..len] {
            return Some(start..from);
        }
        from += text.len();
    }
    None
}

/// The quoted texts behind the options that take one.
fn options(line: &str) -> impl Iterator<Item = String> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let (at, quote) = rest.char_indices().find(|(_, c)| matches!(c, '"' | '\''))?;
            let before = rest[..at].trim_end_matches(['=', ' ']);
            let option = before.rsplit(char::is_whitespace).next().unwrap_or_default();
            let is_wanted = OPTIONS.contains(&option) || is_message(option);
            let (text, behind) = quoted(&rest[at + 1..], quote);
            rest = behind;
            if is_wanted && !text.starts_with("$(") && !text.trim().is_empty() {
                return Some(text);
            }
        }
    })
}

/// Whether an option of one letter each ends with the one that takes a message: `-qm`.
fn is_message(option: &str) -> bool {
    let letters = option.strip_prefix('-').and_then(|it| it.strip_suffix('m'));
    letters.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// A quoted text without its escapes, and what follows it.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut plain = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return (plain, &text[at + 1..]),
            '\\' if quote == '"' => match chars.next() {
                Some((_, c @ ('"' | '\\' | '`' | '$'))) => plain.push(c),
                Some((_, c)) => plain.extend(['\\', c]),
                None => {}
            },
            c => plain.push(c),
        }
    }
    (plain, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let texts: Vec<String> = of_changes(line).into_iter().map(|it| it.text).collect();
        assert_eq!(texts, expected, "{line}");
    }

    #[test]
    fn texts_of_changes_are_found() {
        check(
            "git add -A && git commit -m \"key: a \\\"type\\\" of its own\"",
            &["key: a \"type\" of its own"],
        );
        check("git commit -am 'one' -m 'two\nthree'", &["one", "two\nthree"]);
        check("git -C shop commit -m 'one'", &["one"]);
        check("git commit -qm 'one' && ls -la 'two'", &["one"]);
        check("git commit -m \"$(cat <<'EOF'\nsubject\n\nbody\nEOF\n)\"", &["subject\n\nbody"]);
        check("gh pr create --title \"A key\" --body \"It's why\"", &["A key", "It's why"]);
        check(
            "gh pr create --title 'A key' --body-file - <<EOF\nIt is why\nEOF",
            &["A key", "It is why"],
        );
        check("grep -m 'x' file && echo 'git'", &[]);
        check("git commit -m 'one\n\nCo-Authored-By: A <a@b.c>'", &["one"]);
        check("git commit", &[]);
        check(
            "git commit -qm 'one' && bd close -b 'two' && gh pr comment 3 -b 'three'",
            &["one", "three"],
        );
        let wrapped = "key: one\n\nThe key of an order is parsed once, before it is looked up\nin the table of refunds.\n- a list\n- of two";
        let whole = "key: one\n\nThe key of an order is parsed once, before it is looked up in the table of refunds.\n- a list\n- of two";
        check(&format!("git commit -m '{wrapped}'"), &[whole]);
        check("git commit -m \"open", &["open"]);
    }
}
