//! The commits of a session, and which of them were pushed.

use std::collections::VecDeque;

use crate::command;
use crate::state::Committed;
use crate::statement::messages;

/// How many commits are kept.
const MOST: usize = 24;

/// In how many lines of an output git says on which branch it is.
const LOOKED_AT: usize = 12;

/// How lines begin with which it says so.
const BRANCH: &[&str] =
    &["On branch ", "Switched to a new branch ", "Switched to branch ", "Already on "];

/// What a command of git does with changes.
#[derive(Debug, PartialEq, Eq)]
enum Git {
    Committed,
    /// These files are as they were before.
    PutBack(Files),
    /// The same, with what they were kept aside.
    Stashed(Files),
    /// What was kept aside is back.
    Unstashed,
}

/// The commits so far, the newest last, and what the next one will take in.
#[derive(Debug, Default)]
pub(crate) struct Commits {
    all: VecDeque<Committed>,
    /// The branch that is worked on, as far as git said.
    pub(crate) branch: Option<String>,
    /// What was added since the last commit.
    staged: Option<Files>,
}

/// Files whose changes are settled.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) files: Files,
    pub(crate) by: By,
    /// Whether files that git does not know are among them.
    pub(crate) has_new: bool,
}

impl Settled {
    /// All that was changed and not committed is as it was.
    pub(crate) fn put_back() -> Self {
        Self { files: Files::All, by: By::PutBack, has_new: true }
    }
}

/// What settled changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Commit,
    /// They are as they were before.
    PutBack,
    /// The same, with what they were kept aside.
    Stash,
    /// What was kept aside is back, and settled no more.
    Unstash,
    /// So many commits are undone, and what they took in is settled no more.
    TakenBack(usize),
}

/// Some files of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Files {
    All,
    /// Those with these paths, and those below them.
    At(Vec<String>),
}

impl Files {
    /// Those that the operands of a git command name, relative to some folder.
    fn of<'w>(operands: impl Iterator<Item = &'w str>) -> Self {
        let mut paths = Vec::new();
        for path in operands {
            let path =
                path.trim_matches(['"', '\'']).trim_start_matches("./").trim_end_matches('/');
            match path {
                "-A" | "--all" | "-u" | "--update" | "" | "." | ":/" => return Self::All,
                _ if path.contains(['*', '$']) => return Self::All,
                _ if path.starts_with('-') => {}
                _ => paths.push(path.to_owned()),
            }
        }
        Self::At(paths)
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::At(mut paths), Self::At(more)) => {
                paths.extend(more);
                Self::At(paths)
            }
            _ => Self::All,
        }
    }

    /// Whether the file at `path` is one of them; one of the two may lack folders in front.
    pub(crate) fn hold(&self, path: &str) -> bool {
        let Self::At(paths) = self else { return true };
        let is_below = |folder: &str| {
            let inside = path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
            inside || path.contains(&format!("/{folder}/"))
        };
        paths.iter().any(|it| may_be_one(path, it) || is_below(it))
    }
}

/// Whether two paths may be of one file: one of the two may lack folders in front.
pub(crate) fn may_be_one(one: &str, other: &str) -> bool {
    let ends = |long: &str, end: &str| {
        long.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    ends(one, other) || ends(other, one)
}

impl Commits {
    /// Takes in what git said to the commands of a shell line, which went well or not; what is settled by it.
    pub(crate) fn ran(&mut self, command: &str, output: &str, is_ok: bool) -> Vec<Settled> {
        if !command.contains("git") {
            return Vec::new();
        }
        let taken_back = if is_ok { self.took_back(command) } else { None };
        let is_commit = command.contains("commit") && self.committed(command, output, is_ok);
        if output.contains("Successfully rebased") {
            self.all.iter_mut().for_each(|commit| commit.hash.clear());
        }
        if command.contains("push") {
            let pushed: Vec<&str> = output.lines().filter_map(pushed).collect();
            let news = self.all.iter_mut().filter(|it| pushed.contains(&it.branch.as_str()));
            news.for_each(|commit| commit.pushed = true);
        }
        let mut settled = None;
        for part in command::parts(command) {
            match self.git(part) {
                Some(Git::Committed) if is_commit => {
                    let files = self.staged.take().unwrap_or(Files::All);
                    settled = Some(Settled { files, by: By::Commit, has_new: true });
                }
                Some(Git::PutBack(files)) => {
                    let has_new = self.staged.is_some();
                    settled = Some(Settled { files, by: By::PutBack, has_new });
                }
                Some(Git::Stashed(files)) if !output.contains("No local changes") => {
                    let is_all =
                        |word| matches!(word, "-u" | "-a" | "--include-untracked" | "--all");
                    let has_new = self.staged.is_some() || part.split_whitespace().any(is_all);
                    settled = Some(Settled { files, by: By::Stash, has_new });
                }
                Some(Git::Unstashed) => {
                    settled = Some(Settled { files: Files::All, by: By::Unstash, has_new: true });
                }
                Some(Git::Committed | Git::Stashed(_)) | None => {}
            }
        }
        taken_back.into_iter().chain(settled).collect()
    }

    /// Whether what a line printed shows a commit that it made, whatever failed behind that.
    pub(crate) fn is_made(command: &str, output: &str) -> bool {
        Self::default().committed(command, output, false)
    }

    /// Whether a line made commits; takes them in.
    fn committed(&mut self, command: &str, output: &str, is_ok: bool) -> bool {
        let mut made: Vec<Committed> = output.lines().filter_map(made).collect();
        if let Some(last) = made.last() {
            self.branch = Some(last.branch.clone()).filter(|it| it != "detached");
        } else {
            made.extend(self.made_quietly(command, output, is_ok));
        }
        let is_any = !made.is_empty();
        for commit in made {
            self.add(commit);
        }
        is_any
    }

    /// Lets go of the commits that `git reset` takes back; what is settled no more by that.
    fn took_back(&mut self, command: &str) -> Option<Settled> {
        if !command.contains("reset") {
            return None;
        }
        let n = taken_back(command).min(MOST);
        self.all.truncate(self.all.len().saturating_sub(n));
        (0 < n).then_some(Settled { files: Files::All, by: By::TakenBack(n), has_new: true })
    }

    /// The commit of a line to which git said nothing, as to `git commit -q`: one that was made for certain, or that
    /// the rest of the line shows.
    fn made_quietly(&self, command: &str, output: &str, is_ok: bool) -> Option<Committed> {
        let parts = command::parts(command);
        let mut commits = (0..parts.len()).filter(|idx| is_commit(parts[*idx]));
        let (at, None) = (commits.next()?, commits.next()) else { return None };
        let subject = messages::subject(command)?;
        let hash = output.lines().find_map(|line| hash_of(line, &subject));
        // Behind `;` and `|` the exit code is another's, and behind `||`, which parts twice, nobody knows whether it ran.
        // What `git status` says behind a commit is of the time after it.
        let is_refused = !command.contains("status")
            && ["nothing to commit", "no changes added"].iter().any(|it| output.contains(it));
        let is_certain = is_ok
            && !is_refused
            && parts[..at].iter().all(|part| !part.is_empty())
            && parts[at + 1..]
                .iter()
                // Behind a here-document stands what closes its quotes.
                .filter(|part| !matches!(part.trim(), ")\"" | ")"))
                .all(|part| part.starts_with('&'));
        let is_counts = || !COUNTING.iter().any(|word| command.contains(word));
        let is_counted = || is_ok && !is_refused && is_counts() && output.lines().any(counts_files);
        let branch = self.branch.clone().unwrap_or_default();
        (is_certain || hash.is_some() || is_counted()).then(|| Committed {
            hash: hash.unwrap_or_default().to_owned(),
            subject,
            branch,
            pushed: false,
        })
    }

    /// Takes in the branch that git says it is on, and the hashes of commits to which it said nothing.
    pub(crate) fn heard(&mut self, output: &str) {
        for commit in self.all.iter_mut().filter(|it| it.hash.is_empty()) {
            let hash = output.lines().find_map(|line| hash_of(line, &commit.subject));
            commit.hash = hash.unwrap_or_default().to_owned();
        }
        let on = |line: &str| {
            let name = BRANCH.iter().find_map(|start| line.strip_prefix(start))?;
            let name = name.trim_matches(['\'', ' ']);
            (!name.is_empty() && !name.contains(' ')).then(|| name.to_owned())
        };
        self.branch = output.lines().take(LOOKED_AT).find_map(on).or(self.branch.take());
    }

    /// What one command of a line does with changes, if it is git's.
    fn git(&mut self, part: &str) -> Option<Git> {
        let mut words = command::alone(part).split_whitespace();
        words.by_ref().find(|word| *word == "git")?;
        let mut name = words.next()?;
        while matches!(name, "-C" | "-c") {
            (_, name) = (words.next()?, words.next()?);
        }
        match name {
            "add" | "stage" => {
                let files = Files::of(words);
                self.staged = Some(match self.staged.take() {
                    Some(staged) => staged.and(files),
                    None => files,
                });
                None
            }
            "commit" => {
                let is_all = |word: &str| {
                    let short = word.strip_prefix('-').filter(|it| !it.starts_with('-'));
                    word == "--all" || short.is_some_and(|it| it.split('m').next() == Some("a"))
                };
                if words.take_while(|word| *word != "--").any(is_all) {
                    self.staged = Some(Files::All);
                }
                Some(Git::Committed)
            }
            "reset" => words.any(|word| word == "--hard").then_some(Git::PutBack(Files::All)),
            "restore" | "checkout" => put_back(name, &words.collect::<Vec<_>>()),
            "stash" => stashed(&words.collect::<Vec<_>>()),
            _ => None,
        }
    }

    fn add(&mut self, commit: Committed) {
        // An amended one takes the place of the one before.
        self.all.retain(|known| known.subject != commit.subject || known.branch != commit.branch);
        if self.all.len() == MOST {
            self.all.pop_front();
        }
        self.all.push_back(commit);
    }

    pub(crate) fn newest(&self) -> impl Iterator<Item = &Committed> {
        self.all.iter().rev()
    }
}

/// How many commits a line takes back.
pub(crate) fn taken_back(line: &str) -> usize {
    if !line.contains("reset") {
        return 0;
    }
    command::parts(line).into_iter().filter_map(n_taken_back).fold(0, usize::saturating_add)
}

/// How many commits `git reset` takes back.
fn n_taken_back(part: &str) -> Option<usize> {
    let mut words = command::alone(part).split_whitespace().skip_while(|word| *word != "git");
    words.by_ref().take(4).find(|word| *word == "reset")?;
    let n = words.by_ref().find_map(n_back)?;
    // With files it takes these back alone.
    let mut behind = words.take_while(|word| !word.starts_with('#') && !word.contains(['<', '>']));
    behind.all(|word| word.starts_with('-') && word != "--").then_some(n)
}

/// How many commits a revision lies behind the last one: `HEAD~2`, `HEAD^`.
fn n_back(revision: &str) -> Option<usize> {
    let behind = revision.trim_matches(['"', '\'']).strip_prefix("HEAD")?;
    match behind.strip_prefix('~') {
        Some("") => Some(1),
        Some(n) => n.parse().ok(),
        None => Some(behind.len()).filter(|_| behind.bytes().all(|byte| byte == b'^')),
    }
}

/// Whether one command of a line is `git commit`, and not one that only shows what it would do.
fn is_commit(part: &str) -> bool {
    messages::is_commit(part) && !part.split_whitespace().any(|word| word == "--dry-run")
}

/// What counts files as well.
const COUNTING: &[&str] = &["diff", "log", "show", "pull", "merge", "stash", "rebase", "--stat"];

/// Whether a line counts the files of a commit, as `git commit` does: ` 1 file changed, 2 insertions(+)`.
fn counts_files(line: &str) -> bool {
    let counted = line.trim().split_once(" file");
    counted.is_some_and(|(n, rest)| n.parse::<u32>().is_ok() && rest.contains("changed"))
}

/// The hash of a line like `1a2b3c4 the subject`, as `git log --oneline` prints them.
fn hash_of<'l>(line: &'l str, subject: &str) -> Option<&'l str> {
    let (hash, told) = line.trim().split_once(' ')?;
    (is_hash(hash) && !subject.is_empty() && told.ends_with(subject)).then_some(hash)
}

pub(crate) fn is_hash(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Whether a line works in a folder that is thrown away.
pub(crate) fn is_scratch(command: &str) -> bool {
    ["cd /tmp", "cd \"/tmp", "git -C /tmp", "cd /private/tmp", "cd /var/folders", "mktemp -d"]
        .iter()
        .any(|words| command.contains(words))
}

/// Whether one of the folders of a session is one.
pub(crate) fn has_scratch(roots: &[String]) -> bool {
    let starts = ["/tmp", "/private/tmp", "/var/folders"];
    roots.iter().any(|root| starts.iter().any(|start| root.starts_with(start)))
}

/// The files that `git restore` or `git checkout` puts back as they were.
fn put_back(name: &str, words: &[&str]) -> Option<Git> {
    // What has no dot, or is made, is a branch.
    let is_file = |word: &&str| !word.starts_with('-') && word.contains('.');
    let is_made = words
        .iter()
        .any(|word| matches!(*word, "-b" | "-B" | "-t" | "--track" | "--detach" | "--orphan"));
    let is_branch =
        name == "checkout" && !words.contains(&"--") && (is_made || !words.iter().any(is_file));
    let behind = words.iter().position(|word| *word == "--").map_or(0, |at| at + 1);
    let files = Files::of(words[behind..].iter().copied());
    (!is_branch && !words.contains(&"--staged")).then_some(Git::PutBack(files))
}

/// What `git stash` does with these words behind it.
fn stashed(words: &[&str]) -> Option<Git> {
    match words.first() {
        Some(&"pop" | &"apply") => Some(Git::Unstashed),
        Some(&("list" | "show" | "drop" | "clear" | "branch" | "create" | "store")) => None,
        _ => {
            let behind = words.iter().position(|word| *word == "--").map(|at| at + 1);
            let files = behind.map_or(Files::All, |at| Files::of(words[at..].iter().copied()));
            Some(Git::Stashed(files))
        }
    }
}

/// The commit of a line like `[main 1a2b3c4] the subject`.
fn made(line: &str) -> Option<Committed> {
    let (head, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
    let (branch, hash) = head.rsplit_once(' ')?;
    let branch = branch.split(' ').next().unwrap_or_default();
    (is_hash(hash) && !subject.is_empty()).then(|| Committed {
        hash: hash.to_owned(),
        subject: subject.to_owned(),
        branch: branch.to_owned(),
        pushed: false,
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
        let mut ran = |command, output| drop(commits.ran(command, output, true));
        ran("git commit -m x", "[main (root-commit) 1a2b3c4] first\n 1 file changed");
        ran("git commit -m y", "[key 5d6e7f8] second\n[not one] x");
        ran("git push", "To github.com:a/b\n   1a2b3c4..5d6e7f8  main -> main");
        ran("git push", " ! [rejected]        key -> key (fetch first)");
        ran("git commit --amend", "[key 9d6e7f8] second");
        ran("git commit -m z", "[key 7d6e7f8] third");
        ran("git commit -m z", "[key 8d6e7f8] fourth");
        ran("git reset HEAD src/a.rs", "");
        ran("git reset HEAD~1 -- src/a.rs", "");
        ran("git reset --soft HEAD~1 2>&1 | tail -3", "");
        ran("git reset --soft HEAD~1 >/dev/null # undo", "");
        let told =
            |it: &Committed| format!("{} {} {} {}", it.hash, it.branch, it.subject, it.pushed);
        let told: Vec<String> = commits.newest().map(told).collect();
        assert_eq!(told, ["9d6e7f8 key second false", "1a2b3c4 main first true"]);
    }

    #[test]
    fn commits_to_which_git_says_nothing_are_known_where_they_were_made_for_certain() {
        for (command, output, is_ok, expected) in [
            ("git add -A && git commit -qm 'key: one; two'", "", true, &["|key: one; two"][..]),
            (
                "git commit -qm 'one' && git log --oneline | head -1",
                "3b3782d one",
                true,
                &["3b3782d|one"],
            ),
            (
                "git commit -q -m \"one\" && git log -1 --oneline",
                "3b3782d (HEAD -> main) one",
                true,
                &["3b3782d|one"],
            ),
            ("git commit -qm 'one'; ls", "", true, &[]),
            (
                "git commit -qm 'one' && git status",
                "nothing to commit, working tree clean",
                true,
                &["|one"],
            ),
            (
                "git commit -qm 'one'; git log --stat -1",
                "nothing to commit\n 1 file changed",
                true,
                &[],
            ),
            ("git add -A && git commit -qam one", "", true, &["|one"]),
            ("git commit -am one | tail -1", " 1 file changed, 1 insertion(+)", true, &["|one"]),
            ("rtk git commit -m \"$(cat <<'EOF'\none\n\ntwo\nEOF\n)\"", "ok", true, &["|one"]),
            ("git commit -qm 'one' | tail", "", true, &[]),
            ("make || git commit -qm 'one'", "", true, &[]),
            ("git commit -qm 'one'", "nothing to commit", false, &[]),
            ("git commit --dry-run -qm 'one'", "", true, &[]),
            ("echo 'git commit -qm x'", "", true, &[]),
            ("git commit -q --amend --no-edit", "", true, &[]),
        ] {
            let mut commits = Commits::default();
            commits.ran(command, output, is_ok);
            let told: Vec<String> =
                commits.newest().map(|it| format!("{}|{}", it.hash, it.subject)).collect();
            assert_eq!(told, expected, "{command}");
        }
        let mut commits = Commits::default();
        commits.ran("git commit -qm one", "", true);
        commits.ran("git commit -qm 'one'", "", true);
        commits.heard("5d6e7f8 two\n3b3782d one");
        assert_eq!(commits.newest().map(|it| it.hash.as_str()).collect::<Vec<_>>(), ["3b3782d"]);
    }
}
