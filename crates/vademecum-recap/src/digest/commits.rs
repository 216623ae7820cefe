//! The commits of a session, and which of them were pushed.

use std::collections::VecDeque;

/// How many commits are kept.
const MOST: usize = 24;

/// A commit, as git answered to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) hash: String,
    pub(crate) subject: String,
    pub(crate) branch: String,
    /// Whether its branch was pushed since.
    pub(crate) is_pushed: bool,
}

/// The commits so far, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Commits(VecDeque<Commit>);

impl Commits {
    /// Takes in what git said to the commands of a shell line.
    pub(crate) fn ran(&mut self, command: &str, output: &str) {
        if command.contains("commit") {
            output.lines().filter_map(made).for_each(|commit| self.add(commit));
        }
        if command.contains("push") {
            let pushed: Vec<&str> = output.lines().filter_map(pushed).collect();
            let news = self.0.iter_mut().filter(|it| pushed.contains(&it.branch.as_str()));
            news.for_each(|commit| commit.is_pushed = true);
        }
    }

    fn add(&mut self, commit: Commit) {
        // An amended one takes the place of the one before.
        self.0.retain(|known| known.subject != commit.subject || known.branch != commit.branch);
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(commit);
    }

    pub(crate) fn newest(&self) -> impl Iterator<Item = &Commit> {
        self.0.iter().rev()
    }
}

/// The commit of a line like `[main 1a2b3c4] the subject`.
fn made(line: &str) -> Option<Commit> {
    let (head, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
    let (branch, hash) = head.rsplit_once(' ')?;
    let is_hash = (7..=40).contains(&hash.len()) && hash.bytes().all(|it| it.is_ascii_hexdigit());
    let branch = branch.split(' ').next().unwrap_or_default();
    (is_hash && !subject.is_empty()).then(|| Commit {
        hash: hash.to_owned(),
        subject: subject.to_owned(),
        branch: branch.to_owned(),
        is_pushed: false,
    })
}

/// The branch of a line like `1a2b3c4..5d6e7f8  main -> main`.
fn pushed(line: &str) -> Option<&str> {
    let (before, to) = line.trim().split_once(" -> ")?;
    let is_refused = before.starts_with('!');
    let from = before.rsplit(' ').next()?;
    (!is_refused && !to.is_empty() && to.split(' ').next()?.contains(from)).then_some(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_known_and_whether_they_were_pushed() {
        let mut commits = Commits::default();
        commits.ran("git commit -m x", "[main (root-commit) 1a2b3c4] first\n 1 file changed");
        commits.ran("git commit -m y", "[key 5d6e7f8] second\n[not one] x");
        commits.ran("git push", "To github.com:a/b\n   1a2b3c4..5d6e7f8  main -> main");
        commits.ran("git push", " ! [rejected]        key -> key (fetch first)");
        commits.ran("git commit --amend", "[key 9d6e7f8] second");
        let told =
            |it: &Commit| format!("{} {} {} {}", it.hash, it.branch, it.subject, it.is_pushed);
        let told: Vec<String> = commits.newest().map(told).collect();
        assert_eq!(told, ["9d6e7f8 key second false", "1a2b3c4 main first true"]);
    }
}
