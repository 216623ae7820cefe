//! A rebase or merge that stopped at a conflict, and that nobody went on with.

use crate::command;

/// So many of its files are told.
const FILES: usize = 4;

/// The commands of git that stop at conflicts.
const STOPPING: [&str; 4] = ["rebase", "merge", "cherry-pick", "revert"];

/// How git says that one did not go on.
const STILL: [&str; 4] = ["unmerged", "Unmerged", "needs merge", "conflicts"];

/// What git stopped at last; nothing where nothing is under way.
#[derive(Debug, Default)]
pub(crate) struct Halt {
    what: Option<&'static str>,
    files: Vec<String>,
}

impl Halt {
    /// Takes in what git answered to a line.
    pub(super) fn ran(&mut self, line: &str, output: &str, is_ok: bool) {
        let done = command::parts(line).into_iter().filter_map(of_git).collect::<Vec<_>>();
        let named = done.iter().rev().find_map(|(name, words)| stopping(name, words));
        let conflicts: Vec<String> = output.lines().filter_map(conflict).collect();
        let has = |names: &[&str]| done.iter().any(|(name, _)| names.contains(name));
        let goes_on = |word: &&str| matches!(*word, "--continue" | "--skip" | "--abort" | "--quit");
        let is_gone_on = done.iter().any(|(_, words)| words.iter().any(goes_on));
        let is_over = || is_ok && !STILL.iter().any(|it| output.contains(it));
        if let (Some(what), false) = (named, conflicts.is_empty()) {
            *self = Self { what: Some(what), files: conflicts };
        } else if output.contains("Successfully rebased") || is_gone_on && is_over() {
            *self = Self::default();
        } else if has(&["status"]) {
            self.told(output);
        } else if self.what.is_some_and(|what| what != "rebase")
            && (has(&["commit"]) && is_over() || has(&["reset"]) && line.contains("--hard"))
        {
            *self = Self::default();
        }
    }

    /// Takes in what `git status` tells of it.
    fn told(&mut self, output: &str) {
        let is_rebase =
            ["rebase in progress", "currently rebasing"].iter().any(|it| output.contains(it));
        let is_merge = ["You have unmerged paths", "you are still merging"]
            .iter()
            .any(|it| output.contains(it));
        if is_rebase || is_merge {
            let what = if is_rebase { "rebase" } else { self.what.unwrap_or("merge") };
            let files = output.lines().filter_map(unmerged).collect();
            *self = Self { what: Some(what), files };
        } else if output.lines().any(|line| line.starts_with("On branch ")) {
            *self = Self::default();
        }
    }

    /// The line that tells it.
    pub(crate) fn line(&self) -> Option<String> {
        let what = self.what?;
        let n_more = self.files.len().saturating_sub(FILES);
        let files =
            self.files.iter().take(FILES).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if n_more == 0 { String::new() } else { format!(", {n_more} more") };
        let at =
            if files.is_empty() { String::new() } else { format!(", conflicts in {files}{more}") };
        Some(format!("{UNDER_WAY}`git {what} --continue` or `--abort` ends it{at}"))
    }
}

/// What stands before it.
const UNDER_WAY: &str = "Stopped at a conflict and not finished: ";

/// The command of git that a part of a line is, and the words behind it.
fn of_git(part: &str) -> Option<(&str, Vec<&str>)> {
    let mut words =
        command::alone(part).split_whitespace().skip_while(|word| *word != "git").skip(1);
    let mut name = words.next()?;
    while matches!(name, "-C" | "-c") {
        (_, name) = (words.next()?, words.next()?);
    }
    Some((name, words.collect()))
}

/// What of git it is that stops at conflicts.
fn stopping(name: &str, words: &[&str]) -> Option<&'static str> {
    match name {
        "pull" if words.iter().any(|word| word.starts_with("--rebase") || *word == "-r") => {
            Some("rebase")
        }
        "pull" => Some("merge"),
        name => STOPPING.into_iter().find(|it| *it == name),
    }
}

/// The file of a line like `CONFLICT (content): Merge conflict in src/key.rs`.
fn conflict(line: &str) -> Option<String> {
    let told = line.trim_start().strip_prefix("CONFLICT (")?;
    let (_, told) = told.split_once("): ")?;
    let path = told.split_once("Merge conflict in ").map_or(told, |(_, path)| path);
    Some(path.split(' ').next()?.to_owned())
}

/// The file of a line of `git status` like `⇥both modified:   src/key.rs`.
fn unmerged(line: &str) -> Option<String> {
    let (how, path) = line.strip_prefix('\t')?.split_once(':')?;
    let is_both = how.starts_with("both ") || how.ends_with(" by us") || how.ends_with(" by them");
    is_both.then(|| path.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOPPED: &str = "Auto-merging src/key.rs\nCONFLICT (content): Merge conflict in src/key.rs\nerror: could not apply 1a2b3c4... key: one";

    #[test]
    fn what_git_stopped_at_is_told_until_somebody_goes_on() {
        let stopped = ("git fetch && git rebase origin/main", STOPPED, false);
        let told = "Stopped at a conflict and not finished: `git rebase --continue` or `--abort` ends it, conflicts in src/key.rs";
        let merge = "Stopped at a conflict and not finished: `git merge --continue` or `--abort` ends it, conflicts in src/key.rs";
        let status = "interactive rebase in progress; onto 1a2b3c4\nUnmerged paths:\n\tboth modified:   src/key.rs\n";
        for (then, expected) in [
            (&[][..], Some(told)),
            (&[("cargo test", "ok", true)], Some(told)),
            (&[("git diff", "+one", true)], Some(told)),
            (&[("git status", status, true)], Some(told)),
            (&[("git commit -qm two", "", true)], Some(told)),
            (
                &[("git rebase --continue 2>&1 | tail -3", "src/key.rs: needs merge", true)],
                Some(told),
            ),
            (&[("git rebase --continue", STOPPED, false)], Some(told)),
            (
                &[(
                    "git rebase --continue",
                    "Successfully rebased and updated refs/heads/main.",
                    true,
                )],
                None,
            ),
            (&[("git rebase --abort", "", true)], None),
            (
                &[("git status", "On branch main\nnothing to commit, working tree clean", true)],
                None,
            ),
            (&[("git rebase --abort", "", true), ("git merge main", STOPPED, false)], Some(merge)),
            (
                &[
                    ("git rebase --abort", "", true),
                    ("git pull", STOPPED, false),
                    ("git commit -qm both", "", true),
                ],
                None,
            ),
        ] {
            let mut halt = Halt::default();
            for (line, output, is_ok) in [stopped].iter().chain(then) {
                halt.ran(line, output, *is_ok);
            }
            assert_eq!(halt.line().as_deref(), expected, "{then:?}");
        }
    }
}
