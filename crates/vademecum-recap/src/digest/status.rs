//! What `git status` says is not committed.

use super::commits::Files;
use super::since::NOTHING;
use crate::command;

/// How git says that nothing is left to commit.
const CLEAN: &str = "nothing to commit, working tree clean";

/// How lines begin with which git tells of the whole work tree.
const TELLING: &[&str] = &["On branch ", "HEAD detached ", "Changes ", "Untracked files:"];

/// Where one command asks git for all that is not committed: whether in short lines.
fn asked(part: &str) -> Option<bool> {
    let mut words = command::alone(part).split_whitespace();
    if (words.next(), words.next()) != (Some("git"), Some("status")) {
        return None;
    }
    let options: Vec<&str> = words.filter(|word| *word != "2>&1").collect();
    let is_short = |word: &&str| matches!(*word, "-s" | "--short" | "-sb" | "--porcelain");
    let is_all = |word: &&str| is_short(word) || matches!(*word, "-b" | "--branch" | "-uall");
    options.iter().all(is_all).then(|| options.iter().any(is_short))
}

/// Whether a line asks git for it, of the folder that it runs in.
pub(super) fn is_asked(line: &str) -> bool {
    line.contains("git status") && command::parts(line).into_iter().any(|it| asked(it).is_some())
}

/// The files that are not committed, if all that a line prints tells just that.
pub(super) fn uncommitted(line: &str, output: &str) -> Option<Files> {
    let moves = |part: &&str| command::alone(part).starts_with("cd ");
    let parts = command::parts(line);
    let [one] = parts.into_iter().filter(|it| !moves(it)).collect::<Vec<_>>()[..] else {
        return None;
    };
    let is_short = asked(one)?;
    // What git puts in quotes has signs in the place of letters.
    if output.contains('\\') || line.contains("--git-dir") || line.contains("GIT_") {
        return None;
    }
    let mut lines = output.lines().filter(|line| !line.is_empty() && !NOTHING.contains(line));
    if is_short {
        let told = lines.filter(|line| !line.starts_with("## ")).map(short);
        return told.collect::<Option<_>>().map(Files::At);
    }
    if output.lines().any(|it| it.trim() == CLEAN) {
        return Some(Files::At(Vec::new()));
    }
    let is_told = lines.clone().any(|line| TELLING.iter().any(|it| line.starts_with(it)));
    let is_clear = is_told && !lines.any(|line| line.contains('…'));
    is_clear.then(|| Files::At(output.lines().filter_map(long).collect()))
}

/// The file of a line like ` M src/key.rs`.
fn short(line: &str) -> Option<String> {
    let (marks, path) = line.split_at_checked(3)?;
    let is_mark = |c: char| " MADRCTU?!".contains(c);
    (marks.chars().all(is_mark) && marks.ends_with(' ')).then(|| named(path))
}

/// The file of a line like `⇥modified:   src/key.rs`.
fn long(line: &str) -> Option<String> {
    let told = line.strip_prefix('\t')?;
    Some(named(told.split_once(": ").map_or(told, |(_, path)| path)))
}

/// A path as it is now, from the folder that the work tree begins with.
fn named(told: &str) -> String {
    let path = told.split_once(" -> ").map_or(told, |(_, to)| to).trim().trim_matches('"');
    path.trim_start_matches("../").trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_tells_what_is_not_committed() {
        let long = "On branch main\nChanges not staged for commit:\n  (use \"git add\")\n\
                    \tmodified:   src/a.rs\n\trenamed:    b.rs -> lib/c.rs\n\nUntracked files:\n\tdocs/\n";
        for (line, output, expected) in [
            ("git status", long, Some(&["src/a.rs", "lib/c.rs", "docs"][..])),
            ("git status", "On branch main\nnothing to commit, working tree clean", Some(&[])),
            ("git log -1; git status", "1a2b3c4 one\nnothing to commit, working tree clean", None),
            (
                "cd /home/dev/shop && git status --short",
                " M src/a.rs\n?? docs/\n",
                Some(&["src/a.rs", "docs"]),
            ),
            ("git status -sb", "## main\nR  b.rs -> lib/c.rs", Some(&["lib/c.rs"])),
            ("git status --porcelain", "(Bash completed with no output)", Some(&[])),
            ("git status -s", "?? \"docs/\\303\\274ber.md\"", None),
            ("git status -s", "fatal: not a git repository", None),
            ("git status -s | head -3", " M src/a.rs", None),
            ("git status -s src", " M src/a.rs", None),
            ("git status; git diff", long, None),
            ("git status", "fatal: not a git repository", None),
        ] {
            let told = uncommitted(line, output);
            let expected =
                expected.map(|it| Files::At(it.iter().map(|it| (*it).to_owned()).collect()));
            assert_eq!(told, expected, "{line}: {output}");
        }
    }
}
