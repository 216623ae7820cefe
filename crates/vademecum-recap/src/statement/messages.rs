//! What a shell line says of a change: messages of commits, titles and texts of pull requests.

/// The programs that keep such a text, and by which options they take it.
const OPTIONS: &[&str] = &["--message", "--title", "-t", "--body", "-b"];

/// The texts that `line` gives to `git commit`, `gh pr` or `gh issue`.
pub(crate) fn of_changes(line: &str) -> Vec<String> {
    let keeps = ["git commit", "gh pr ", "gh issue "];
    if !keeps.iter().any(|program| line.contains(program)) && !is_commit(line) {
        return Vec::new();
    }
    let texts: Vec<String> = match document(line) {
        Some(text) => options(&line[..text.start]).chain([line[text].to_owned()]).collect(),
        None => options(line).collect(),
    };
    texts.iter().map(|text| without_trailers(text)).filter(|text| !text.is_empty()).collect()
}

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

/// Whether a line commits with options before the word: `git -C shop commit`.
fn is_commit(line: &str) -> bool {
    line.contains("git -") && line.contains(" commit ")
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
        assert_eq!(of_changes(line), expected, "{line}");
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
        check("git commit -m \"open", &["open"]);
    }
}
