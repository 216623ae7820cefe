//! Files that a session read whole: after a compaction it is told which of them are as it read them.
//!
//! The transcript has what was read. What a file held then is kept as its length and a part of its hash, and
//! compared with what lies there: nothing is believed of times, which a checkout and `touch` set as they like.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum_core::hash;
use vademecum_core::intake::is_own_block;
use vademecum_core::turn::{Action, Event, Turn};
use vademecum_files::{Kind, Root};

use super::Kept;
use super::methods::Method;

/// So many files are remembered, the last that were read.
const FILES: usize = 50;

/// So many calls wait for their answer.
const OPEN: usize = 1_000;

/// So many bytes of all files together are read again.
const BYTES: u64 = 8 * 1024 * 1024;

/// So many of them are named.
const NAMED: usize = 8;

/// So many bytes their names take.
const LINE: usize = 200;

/// A file as it was when it was read whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// The file, as the agent named it.
    pub path: String,
    /// How long it was without blank lines at its end, in bytes.
    pub len: u64,
    /// The beginning of its hash. A number: search reads the texts of a recap that is kept.
    pub hash: u64,
}

/// Takes in what a session reads.
#[derive(Debug, Default)]
pub(crate) struct Wholes {
    /// What is read and not answered, by the id of the call.
    open: HashMap<String, String>,
    /// The last read of each file, the newest last.
    read: Vec<Whole>,
    /// The work tree: of a file that lies elsewhere nothing is kept.
    root: PathBuf,
}

impl Wholes {
    /// Starts with nothing, in a work tree.
    pub(crate) fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Takes the next turn in.
    pub(crate) fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Called(call) => {
                let path = match call.actions.as_slice() {
                    [Action::Read { path }] => Some(path.as_str()),
                    [Action::Ran { command, is_look: true }] => printed(command),
                    _ => None,
                };
                let path = path.filter(|path| below(path, &self.root).is_some());
                if let Some(path) = path.filter(|_| self.open.len() < OPEN) {
                    self.open.insert(call.id.clone(), path.to_owned());
                }
            }
            Event::Answered(answer) if !self.open.is_empty() => {
                if let Some(path) = self.open.remove(&answer.call).filter(|_| answer.is_ok()) {
                    self.add(path, &answer.text);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, path: String, said: &str) {
        self.read.retain(|known| known.path != path);
        let said = output(said);
        let text = unnumbered(said);
        let (len, hash) = sum(text.as_deref().unwrap_or(said).as_bytes());
        if 0 < len {
            self.read.push(Whole { path, len, hash });
        }
        if FILES < self.read.len() {
            self.read.remove(0);
        }
    }

    /// What was read, the newest last.
    pub(crate) fn into_read(self) -> Vec<Whole> {
        self.read
    }
}

/// The file that a command prints from its first line on, and nothing else; none of any other command.
///
/// Whether it was to the last line is seen beside the file.
fn printed(command: &str) -> Option<&str> {
    let (how, path) = command.trim().rsplit_once(' ')?;
    let is_whole = match how.trim() {
        "cat" | "nl -ba" => true,
        how => {
            let range = how.strip_prefix("sed -n ")?.trim_matches(['\'', '"']);
            let last = range.strip_prefix("1,")?.strip_suffix('p')?;
            !last.is_empty() && last.bytes().all(|it| it.is_ascii_digit() || it == b'$')
        }
    };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@".contains(c);
    (is_whole && !path.starts_with('-') && path.chars().all(is_plain)).then_some(path)
}

/// What a command printed, without what Codex tells of it first.
fn output(said: &str) -> &str {
    match said.split_once("\nOutput:\n") {
        Some((told, output)) if told.len() < TOLD && told.contains("Wall time") => output,
        Some(_) | None => said,
    }
}

/// What a harness tells of a command is no longer than so many bytes.
const TOLD: usize = 400;

/// The lines of a listing that numbers them from 1; none of a text that is no such listing.
fn unnumbered(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    for (at, line) in text.trim_end().lines().enumerate() {
        let (number, line) = line.trim_start().split_once(['→', '\t']).or_else(|| {
            // The last line may be empty behind its number, whose mark went with the blanks at the end.
            Some((line.trim(), ""))
        })?;
        if number.parse() != Ok(at + 1) {
            return None;
        }
        plain.push_str(line);
        plain.push('\n');
    }
    Some(plain)
}

/// Length and hash of a text without blank lines at its end: harnesses show those or not.
fn sum(bytes: &[u8]) -> (u64, u64) {
    let bytes = bytes.trim_ascii_end();
    let mut first = [0; 8];
    first.copy_from_slice(&hash::plain(bytes)[..8]);
    (bytes.len() as u64, u64::from_le_bytes(first))
}

/// One line that names which of the files of a recap are as they were read; none where none is, or nothing can be read.
///
/// Only what lies below `root` is looked at, and nothing behind a link. A recap by a published method is as published.
pub(crate) fn unchanged(kept: &Kept, root: &Path) -> Option<String> {
    let is_ours = kept.method == Method::Best && !kept.wholes.is_empty();
    is_ours.then(|| line(&kept.wholes, root)).flatten()
}

fn line(read: &[Whole], root: &Path) -> Option<String> {
    let tree = Root::open(root).ok().flatten()?;
    let mut left = BYTES;
    let newest = read.iter().rev();
    let same: Vec<&str> = newest.filter_map(|it| it.same_below(&tree, root, &mut left)).collect();
    let mut spare = LINE;
    let fits = |name: &&&str| {
        let left = spare.checked_sub(name.len());
        left.map(|left| spare = left).is_some()
    };
    let named: Vec<&str> = same.iter().take(NAMED).take_while(fits).copied().collect();
    let more = match same.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    (!named.is_empty()).then(|| format!("{UNCHANGED}{}{more}", named.join(", ")))
}

/// What stands before the names.
const UNCHANGED: &str = "Read in full earlier, and the same on disk at this compaction: ";

impl Whole {
    /// The path below `root`, where the file lies there as it was read.
    fn same_below<'a>(&'a self, tree: &Root, root: &Path, left: &mut u64) -> Option<&'a str> {
        let path = below(&self.path, root)?;
        let name = path.to_str().filter(|name| is_nameable(name))?;
        let stat = tree.stat(path).ok()??;
        // Blank lines at its end are not counted; of what is longer than they may be nothing is read.
        let may_be = self.len <= stat.size && stat.size <= self.len + BLANKS && stat.size <= *left;
        if stat.kind != Kind::File || !may_be {
            return None;
        }
        *left -= stat.size;
        let bytes = tree.read(path, stat.size).ok()??;
        (sum(&bytes) == (self.len, self.hash)).then_some(name)
    }
}

/// Where a file lies below `root`, by its name alone; none where it leads elsewhere.
fn below<'p>(path: &'p str, root: &Path) -> Option<&'p Path> {
    let path = Path::new(path);
    let path = if path.is_absolute() { path.strip_prefix(root).ok()? } else { path };
    let path = path.strip_prefix(".").unwrap_or(path);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// So many bytes of blanks may stand at the end of a file.
const BLANKS: u64 = 64;

/// Whether a name stands on a line as a name.
fn is_nameable(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && c != ',';
    !name.is_empty() && name.len() <= 200 && name.chars().all(is_plain) && !is_own_block(name)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use vademecum_core::turn::{Answer, Call, Holds, Outcome};

    use super::*;

    fn turn(event: Event) -> Turn {
        Turn { record: 0, at: None, event }
    }

    fn read(wholes: &mut Wholes, action: Action, outcome: Outcome, text: &str) {
        let (id, tool, said) = ("call".to_owned(), "Read".to_owned(), String::new());
        let call = Call { id, tool, actions: vec![action], text: said };
        wholes.push(&turn(Event::Called(call)));
        let (call, text) = ("call".to_owned(), text.to_owned());
        wholes.push(&turn(Event::Answered(Answer { call, outcome, text, holds: Holds::Output })));
    }

    /// What is told of a session that read `path` in this way, in a work tree whose `a.rs` holds two lines.
    #[track_caller]
    fn check(action: Action, outcome: Outcome, text: &str, told: Option<&str>) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("tree");
        fs::create_dir(&root).expect("a work tree");
        fs::write(root.join("a.rs"), "fn a() {\n\tb();\n}\n").expect("a file");
        fs::write(folder.path().join("outside.rs"), "x\n").expect("a file");
        symlink("../outside.rs", root.join("link.rs")).expect("a link");
        let mut wholes = Wholes::of(&root);
        let action = match action {
            Action::Read { path } => {
                Action::Read { path: path.replace("ROOT", &root.display().to_string()) }
            }
            other => other,
        };
        read(&mut wholes, action, outcome, text);
        let kept = serde_json::to_string(&wholes.into_read()).expect("JSON");
        let kept: Vec<Whole> = serde_json::from_str(&kept).expect("what was written");
        let told = told.map(|names| format!("{UNCHANGED}{names}"));
        assert_eq!(line(&kept, &root), told, "{text:?}");
    }

    fn file(path: &str) -> Action {
        Action::Read { path: path.to_owned() }
    }

    fn ran(command: &str) -> Action {
        Action::Ran { command: command.to_owned(), is_look: true }
    }

    #[test]
    fn a_file_is_told_that_holds_what_was_read() {
        let numbered = "     1→fn a() {\n     2→\tb();\n     3→}\n     4→";
        let done = Outcome::Done;
        for (action, text) in [
            (file("ROOT/a.rs"), numbered),
            (file("a.rs"), numbered),
            (file("./a.rs"), "1\tfn a() {\n2\t\tb();\n3\t}\n"),
            (file("a.rs"), "fn a() {\n\tb();\n}"),
            (ran("cat a.rs"), "fn a() {\n\tb();\n}\n"),
            (ran("nl -ba a.rs"), "     1\tfn a() {\n     2\t\tb();\n     3\t}\n"),
            (
                ran("sed -n '1,240p' ./a.rs"),
                "Chunk ID: 24449d\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\nfn a() {\n\tb();\n}\n",
            ),
        ] {
            check(action, done, text, Some("a.rs"));
        }
        for (action, text) in [
            // Its first lines, its last ones, other words of the same length, and what was not shown as it is.
            (file("a.rs"), "     1→fn a() {\n     2→\tb();"),
            (file("a.rs"), "     2→\tb();\n     3→}"),
            (file("a.rs"), "     1→fn a() {\n     2→\tc();\n     3→}"),
            (file("a.rs"), ""),
            (file("b.rs"), numbered),
            (file("link.rs"), "x\n"),
            (file("../outside.rs"), "x\n"),
            (file("ROOT/../outside.rs"), "x\n"),
            (ran("cat a.rs | sort"), "fn a() {\n\tb();\n}\n"),
            (ran("sed -n '2,9p' a.rs"), "\tb();\n}\n"),
            (ran("sed -n 1,2p a.rs"), "fn a() {\n\tb();\n"),
            (ran("cat a.rs b.rs"), "fn a() {\n\tb();\n}\n"),
        ] {
            check(action, done, text, None);
        }
        check(file("a.rs"), Outcome::Failed, numbered, None);
    }

    #[test]
    fn the_last_are_kept_each_once_and_few_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut wholes = Wholes::of(folder.path());
        for n in 0..60 {
            fs::write(folder.path().join(format!("{n}.txt")), format!("file {n}")).expect("a file");
            read(&mut wholes, file(&format!("{n}.txt")), Outcome::Done, &format!("file {n}"));
        }
        read(&mut wholes, file("20.txt"), Outcome::Done, "file 20");
        let kept = wholes.into_read();
        let (first, last) = (kept.first().map(|it| &*it.path), kept.last().map(|it| &*it.path));
        assert_eq!((kept.len(), first, last), (FILES, Some("10.txt"), Some("20.txt")));
        let line = line(&kept, folder.path()).expect("a line");
        assert!(
            line.ends_with(
                ": 20.txt, 59.txt, 58.txt, 57.txt, 56.txt, 55.txt, 54.txt, 53.txt and 42 more"
            ),
            "{line}"
        );
    }
}
