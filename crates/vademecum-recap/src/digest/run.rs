//! By what a command is known to have run again: the same line, with its arguments, in the same folder.

use std::hash::Hasher as _;

use super::quick::Quick;
use crate::command;

/// Programs that show what another one wrote, or say something: they are not what ran.
const SHOWING: &[&str] =
    &["head", "tail", "grep", "rg", "cat", "wc", "sort", "tee", "sed", "awk", "cut", "tr", "echo"];

/// Where output goes, which makes no other command.
const REDIRECTED: &[&str] = &["2>&1", "2>/dev/null", ">/dev/null", "> /dev/null", "2> /dev/null"];

/// One run of a command line; two are equal if the same thing was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    line: u64,
    place: u64,
}

impl Run {
    /// Whether both ran in the same folder.
    pub(super) fn is_beside(self, other: Self) -> bool {
        self.place == other.place
    }
}

/// The folder that the agent's commands run in, as far as their own `cd` tell it.
#[derive(Debug, Default)]
pub(super) struct Shell {
    folder: String,
    /// How often it was lost: two runs with such a loss between them are not the same.
    n_lost: u64,
}

impl Shell {
    /// Whether commands run in one of the roots.
    pub(super) fn is_at(&self, is_root: impl Fn(&str) -> bool) -> bool {
        self.n_lost == 0 && (self.folder.is_empty() || is_root(self.folder.trim_end_matches('/')))
    }

    /// What is run by `line`, in a call with these arguments; follows where it leads.
    pub(super) fn run(
        &mut self,
        line: &str,
        arguments: &str,
        is_root: impl Fn(&str) -> bool,
    ) -> Run {
        let (mut hash, mut place) = (Quick::default(), Quick::default());
        // The text of a here-document is what runs, and a part of no command in the line.
        if line.contains("<<") {
            hash.write(line.trim().as_bytes());
        } else {
            self.parts(line, &mut hash);
        }
        // Where a harness takes a folder with the call it stands among the arguments.
        if line.len() < arguments.len() {
            let is_folder = |text: &&str| text.starts_with('/') && !text.contains(' ');
            let folders = arguments.lines().filter(is_folder).filter(|folder| !is_root(folder));
            folders.for_each(|folder| place.write(folder.as_bytes()));
        }
        // Who names the folder of the session runs no other thing.
        if !self.folder.is_empty() && !is_root(self.folder.trim_end_matches('/')) {
            place.write(self.folder.as_bytes());
        }
        place.write_u64(self.n_lost);
        Run { line: hash.finish(), place: place.finish() }
    }

    fn parts(&mut self, line: &str, hash: &mut Quick) {
        let parts: Vec<&str> = command::parts(line).into_iter().map(bare).collect();
        let is_shown = |part: &str| part.is_empty() || SHOWING.contains(&first(part));
        let ran_something = parts.iter().any(|part| !is_shown(part) && moves(part).is_none());
        for part in parts {
            match moves(part) {
                Some(folder) => self.enter(part, folder),
                None if ran_something && is_shown(part) => {}
                None => hash.write(part.as_bytes()),
            }
        }
    }

    /// Follows `part`, which leads to `folder`; a way back, a variable or a shell of its own tells no folder.
    fn enter(&mut self, part: &str, folder: &str) {
        let is_told = part.starts_with("cd ") && !folder.starts_with(['-', '$']);
        // What wanders further than any real path was lost long before.
        if !is_told || folder.starts_with("\"$") || 4_096 < self.folder.len() {
            self.n_lost += 1;
        }
        if folder.starts_with(['/', '~', '"', '\'']) || 4_096 < self.folder.len() {
            self.folder.clear();
        }
        self.folder.push_str(folder);
        self.folder.push('/');
    }
}

/// Where a part of a line leads, if it changes the folder.
fn moves(part: &str) -> Option<&str> {
    let part = part.trim_start_matches(['(', '{', ' ']);
    let mut words = part.split_whitespace();
    matches!(words.next()?, "cd" | "pushd" | "popd").then(|| words.next().unwrap_or("~"))
}

fn first(part: &str) -> &str {
    part.split_whitespace().next().unwrap_or_default()
}

/// A part of a line without blanks, joints and redirections around it.
fn bare(part: &str) -> &str {
    let mut part = part.trim_matches(|c: char| c.is_whitespace() || c == '&');
    while let Some(rest) = REDIRECTED.iter().find_map(|end| part.strip_suffix(end)) {
        part = rest.trim_end();
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(shell: &mut Shell, line: &str) -> Run {
        shell.run(line, line, |folder| folder == "/home/dev/shop")
    }

    /// Whether the last of these lines runs what the first one ran.
    #[track_caller]
    fn check(lines: &[&str], is_same: bool) {
        let mut shell = Shell::default();
        let runs: Vec<Run> = lines.iter().map(|line| run(&mut shell, line)).collect();
        assert_eq!(runs.first() == runs.last(), is_same, "{lines:?}");
    }

    #[test]
    fn the_same_line_is_the_same_run() {
        check(&["cargo test 2>&1 | tail -5", "ls", "cargo test | tail -1"], true);
        check(&["cd /w && make test", "make lint", "cd /w && make test >/dev/null 2>&1"], true);
        check(&["python3 - <<'E'\nx()\nE", "python3 - <<'E'\nx()\nE"], true);
        check(&["grep -c x log", "grep -c x log"], true);
        check(&["make test", "cd /home/dev/shop && make test | tail -5"], true);
    }

    #[test]
    fn another_argument_or_folder_is_another_run() {
        check(&["pytest tests/test_a.py", "pytest tests/test_b.py"], false);
        check(&["cargo test -p a foo", "cargo test -p b bar"], false);
        check(&["python3 tests/run.py", "python3 -V"], false);
        check(&["psql -c \"drop\"", "psql -c \"select 1\""], false);
        check(&["terraform apply", "terraform apply -target=x"], false);
        check(&["A=1 make test", "A=2 make test"], false);
        check(&["make test", "cd /other", "make test"], false);
        check(&["make test", "(cd sub; ls)", "make test"], false);
        check(&["cd a && make test", "cd b && make test"], false);
        check(&["make lint && make test", "make lint"], false);
        check(&["python3 - <<'E'\nx()\nE", "python3 - <<'E'\ny()\nE"], false);
        check(&["grep -c x log", "grep -c y log"], false);
    }

    #[test]
    fn a_folder_among_the_arguments_counts() {
        let mut shell = Shell::default();
        let mut run = |folder: &str| {
            let arguments = format!("make test\n{folder}");
            shell.run("make test", &arguments, |folder| folder == "/home/dev")
        };
        let first = run("/home/dev/a");
        assert_ne!(first, run("/home/dev/b"));
        assert_eq!(first, run("/home/dev/a"));
        assert_eq!(run("/home/dev"), run(""));
    }
}
