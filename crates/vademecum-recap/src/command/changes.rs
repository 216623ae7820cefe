//! What a shell line changes without writing a file: what it deletes, moves and commits.

use super::{alone, is_variable, parts};

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    Deleted,
    /// It lies there now.
    Moved(String),
}

/// A file that is no longer where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gone {
    pub(crate) path: String,
    pub(crate) fate: Fate,
}

/// How many files one line is followed for.
const MOST: usize = 40;

/// Whether a line deletes, moves or commits, by its own words.
#[must_use]
pub(crate) fn changes_state(line: &str) -> bool {
    parts(line).into_iter().any(|part| Verb::of(&words(part)).is_some())
}

/// The files that a line deletes and moves, relative to where it begins.
///
/// What a pattern or a variable names is passed over, and so is what stands behind a `cd` to a place
/// that is not told.
pub(crate) fn gone(line: &str) -> Vec<Gone> {
    // Most lines have none of these words, and are not taken apart.
    if !["rm", "mv", "unlink"].iter().any(|verb| line.contains(verb)) {
        return Vec::new();
    }
    let (mut gone, mut folder) = (Vec::new(), Some(String::new()));
    for part in parts(line) {
        let words = words(part);
        if words.first().is_some_and(|word| matches!(word.as_str(), "cd" | "pushd" | "popd")) {
            folder =
                folder.and_then(|from| Some(below(&from, words.get(1).filter(|it| is_plain(it))?)));
            continue;
        }
        let Some((verb, operands)) = Verb::of(&words) else { continue };
        let place = |path: &String| {
            let is_told = path.starts_with('/') || folder.is_some();
            let from = folder.as_deref().unwrap_or_default();
            (is_told && is_plain(path)).then(|| below(from, path))
        };
        match verb {
            Verb::Delete => gone.extend(operands.iter().filter_map(place).map(deleted)),
            Verb::Move => gone.extend(moved(operands, &place)),
            Verb::Commit => {}
        }
    }
    gone.truncate(MOST);
    gone
}

fn deleted(path: String) -> Gone {
    Gone { path, fate: Fate::Deleted }
}

fn moved(operands: &[String], place: &dyn Fn(&String) -> Option<String>) -> Vec<Gone> {
    let Some((to, from)) = operands.split_last() else { return Vec::new() };
    let Some(to) = place(to) else { return Vec::new() };
    let gone = |path: String| Gone { path, fate: Fate::Moved(to.clone()) };
    from.iter().filter_map(place).map(gone).collect()
}

/// `path` as it is seen from where the line began.
fn below(folder: &str, path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    if folder.is_empty() || path.starts_with(['/', '~']) {
        return path.to_owned();
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Delete,
    Move,
    Commit,
}

impl Verb {
    /// What these words do, and to what.
    fn of(words: &[String]) -> Option<(Self, &[String])> {
        let is_before = |word: &&String| {
            is_variable(word)
                || matches!(word.as_str(), "sudo" | "command" | "then" | "do" | "else")
        };
        let words = &words[words.iter().take_while(is_before).count()..];
        let (program, rest) = words.split_first()?;
        let (verb, rest) = match program.as_str() {
            "rm" | "unlink" => (Self::Delete, rest),
            "mv" => (Self::Move, rest),
            "git" => match rest.split_first()? {
                (verb, rest) if verb == "rm" => (Self::Delete, rest),
                (verb, rest) if verb == "mv" => (Self::Move, rest),
                (verb, rest) if verb == "commit" => (Self::Commit, rest),
                _ => return None,
            },
            _ => return None,
        };
        let options = rest.iter().take_while(|word| word.starts_with('-')).count();
        // `git rm --cached` leaves the file; where it goes to first is another way to write it.
        let is_other = |word: &String| {
            matches!(word.as_str(), "--cached" | "-n" | "--dry-run" | "-t")
                || word.starts_with("--target")
        };
        if verb != Self::Commit && rest[..options].iter().any(is_other) {
            return None;
        }
        Some((verb, &rest[options..]))
    }
}

/// Whether a word names one place, whatever a shell makes of it.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && !word.contains(['*', '?', '[', '{', '$', '`', '~'])
}

/// The words of a simple command without their quotes, as far as its redirections.
fn words(part: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in alone(part).chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '>' | '<') => {
                // The number in front of it is the stream's.
                word = word.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
                break;
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (Some(_) | None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, wanted: &[(&str, Option<&str>)]) {
        let wanted = wanted.iter().map(|(path, to)| Gone {
            path: (*path).to_owned(),
            fate: to.map_or(Fate::Deleted, |to| Fate::Moved(to.to_owned())),
        });
        assert_eq!(gone(line), wanted.collect::<Vec<_>>(), "{line}");
    }

    #[test]
    fn what_is_gone_is_told() {
        check("rm -f src/a.rs ./b.rs 2>/dev/null; ls", &[("src/a.rs", None), ("b.rs", None)]);
        check("cd pay && git rm -q old.rs && make", &[("pay/old.rs", None)]);
        check("mv src/a.rs src/b.rs", &[("src/a.rs", Some("src/b.rs"))]);
        check(
            "sudo git mv 'a b.rs' c.rs d/ > log",
            &[("a b.rs", Some("d/")), ("c.rs", Some("d/"))],
        );
        check(
            "cd /w; rm x.rs; cd \"$D\"; rm y.rs; rm /w/z.rs",
            &[("/w/x.rs", None), ("/w/z.rs", None)],
        );
    }

    #[test]
    fn what_may_still_be_there_is_not() {
        for line in [
            "rm -rf target/* $OUT ~/x",
            "git rm --cached a.rs",
            "git rm -n a.rs",
            "mv -t dir a.rs",
            "echo rm a.rs",
            "grep -r 'rm a.rs' .",
            "git commit -m \"rm a.rs\"",
            "mv",
            "cargo rm serde",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn what_changes_state_is_seen() {
        for line in [
            "rm -rf target/*",
            "A=1 git commit -m x",
            "cd a && git mv b c",
            "if x; then mv a b; fi",
        ] {
            assert!(changes_state(line), "{line}");
        }
        for line in ["git log", "echo git commit", "make", "npm rm x", "git status | grep rm"] {
            assert!(!changes_state(line), "{line}");
        }
    }
}
