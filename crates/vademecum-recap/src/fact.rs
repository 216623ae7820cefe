//! Facts: what of a text can be matched exactly. Found by one pass over the bytes, copied nowhere.

mod shape;

use std::borrow::Cow;
use std::ops::ControlFlow;

use vademecum_core::frame;

/// What a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file or a folder.
    Path,
    /// An address on the web.
    Link,
    /// A name in code: `fooBar`, `foo_bar`.
    Name,
    /// A long option: `--no-verify`.
    Flag,
    /// A commit, an issue, a version, a UUID.
    Id,
    /// The code of an error: `E0382`, `TS2345`.
    Code,
    /// A simple command, whole.
    Command,
}

/// Whether a name is one that every session is full of and that tells nothing.
fn is_common(name: &str) -> bool {
    matches!(
        name,
        "file_path"
            | "old_string"
            | "new_string"
            | "tool_use_id"
            | "session_id"
            | "exit_code"
            | "toString"
            | "apply_patch"
            | "node_modules"
            | "JavaScript"
            | "TypeScript"
            | "GitHub"
            | "tool_use_error"
            | "files_with_matches"
            | "output_mode"
            | "run_in_background"
            | "in_progress"
    )
}

/// Whether a name is an id of our own: it tells of the memory and not of the work.
fn is_own_id(name: &str) -> bool {
    let digits = name.strip_prefix("note_").or_else(|| name.strip_prefix("entry_"));
    digits.is_some_and(|it| 10 <= it.len() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Calls `found` with each fact of `text`, in its order, until it breaks off.
///
/// Commands are not among them: only a shell line has commands.
pub fn scan<'a>(text: &'a str, mut found: impl FnMut(Kind, &'a str) -> ControlFlow<()>) {
    for run in runs(text) {
        if let Some((kind, fact)) = run.fact()
            && found(kind, fact).is_break()
        {
            return;
        }
    }
}

/// Characters without a gap that may be a fact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) text: &'a str,
    marks: Marks,
    /// Whether `://` stands in it; all others are told by their text alone.
    pub(crate) is_link: bool,
}

impl<'a> Run<'a> {
    /// The fact that it is or begins with.
    pub(crate) fn fact(self) -> Option<(Kind, &'a str)> {
        if self.is_link { link(self.text) } else { classify(self.text, self.marks) }
    }
}

/// The runs of `text` in their order, without most of those that are no fact.
pub(crate) fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0 }
}

/// Goes through runs.
pub(crate) struct Runs<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        let bytes = self.text.as_bytes();
        let mark = |at: usize| bytes.get(at).map(|byte| MARKS[usize::from(*byte)]);
        let mut at = self.at;
        loop {
            while mark(at)? == 0 {
                at += 1;
            }
            let (mut start, mut marks) = (at, Marks(0));
            while let Some(mark @ 1..) = mark(at) {
                marks.0 |= mark;
                at += 1;
            }
            start += escape(bytes, start, at);
            let is_link = bytes.get(at) == Some(&b':') && bytes[at..].starts_with(b"://");
            if is_link {
                at = link_end(bytes, at);
            } else if marks.tell_of_none(&bytes[start..at]) {
                continue;
            }
            self.at = at;
            return Some(Run { text: &self.text[start..at], marks, is_link });
        }
    }
}

/// How much of the run from `start` to `end` belongs to an escape before it, as the `n` of `\nDate` does.
///
/// On the way through folders, as in `C:\new\file.rs`, a backslash escapes nothing.
fn escape(bytes: &[u8], start: usize, end: usize) -> usize {
    let is_escape = 0 < start
        && bytes[start - 1] == b'\\'
        && matches!(bytes[start], b'n' | b't' | b'r' | b'b')
        && 1 < end - start;
    if !is_escape {
        return 0;
    }
    let word = bytes[..start].iter().rposition(|byte| byte.is_ascii_whitespace() || *byte == b'"');
    let word = &bytes[word.map_or(0, |at| at + 1)..start];
    usize::from(match word {
        // Where the backslashes of folders are escaped themselves, a single one is none of them.
        [_, b':', b'\\', b'\\', .., before, _] => *before != b'\\',
        [drive, b':', b'\\', ..] => !drive.is_ascii_alphabetic(),
        _ => true,
    })
}

/// Of which kinds the bytes of a run are; most runs are told to be no fact by that alone.
#[derive(Debug, Clone, Copy)]
struct Marks(u8);

impl Marks {
    const PLAIN: u8 = 1;
    const UPPER: u8 = 2;
    const DIGIT: u8 = 4;
    const UNDERSCORE: u8 = 8;
    const DOT: u8 = 16;
    const SLASH: u8 = 32;

    fn has(self, any: u8) -> bool {
        self.0 & any != 0
    }

    /// Whether a run of these marks is no fact, whatever its letters.
    fn tell_of_none(self, run: &[u8]) -> bool {
        match run {
            [b'#', ..] | [b'-', b'-', _, _, ..] => false,
            _ => run.len() < 4 || (!self.has(!Self::PLAIN) && run.len() < UUID),
        }
    }
}

/// By byte: 0 if it stands in no path, name, flag or id.
const MARKS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            b'A'..=b'Z' => Marks::UPPER,
            b'0'..=b'9' => Marks::DIGIT,
            b'_' => Marks::UNDERSCORE,
            b'.' => Marks::DOT,
            b'/' => Marks::SLASH,
            b'a'..=b'z' | b'@' | b'+' | b'-' | b'~' | b'#' | 0x80.. => Marks::PLAIN,
            _ => 0,
        };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

fn link_end(bytes: &[u8], from: usize) -> usize {
    let stops = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b')' | b']' | b'"' | b'\'' | b'<' | b'>' | b'`' | b',' | b'\\')
    };
    from + bytes[from..].iter().position(stops).unwrap_or(bytes.len() - from)
}

/// Whether a text is a path, by its shape alone.
pub(crate) fn is_path(text: &str) -> bool {
    let is_of_path = |byte: u8| 0 < MARKS[usize::from(byte)];
    text.bytes().all(is_of_path) && shape::is_path(text)
}

/// The longest path that is told.
pub(crate) const PATH_MAX: usize = 300;

/// A path as it is told: a file may be called as a line of ours begins, behind a line break.
pub(crate) fn named(path: &str) -> Cow<'_, str> {
    if path.contains(char::is_control) { frame::line(path, PATH_MAX).into() } else { path.into() }
}

/// Whether a path may as well be words between slashes: `read/write/execute`.
#[must_use]
pub fn is_loose(path: &str) -> bool {
    shape::is_loose(path)
}

/// How long a UUID is, the one fact that may be without any mark.
const UUID: usize = 36;

fn link(run: &str) -> Option<(Kind, &str)> {
    let link = run.trim_end_matches(['.', ':', ';', '/']);
    link.starts_with("http").then_some((Kind::Link, link))
}

fn classify(run: &str, marks: Marks) -> Option<(Kind, &str)> {
    if run.len() < 4 {
        return (run.starts_with('#') && shape::is_id(run)).then_some((Kind::Id, run));
    }
    if run.starts_with("--") {
        return shape::flag(run).map(|flag| (Kind::Flag, flag));
    }
    if !marks.has(!Marks::PLAIN) && run.len() < UUID {
        return None;
    }
    let run = run.trim_end_matches(['.', '-', '+', '@', '~', '#', '/']);
    if marks.has(Marks::DOT | Marks::SLASH) && shape::is_path(run) {
        return Some((Kind::Path, run));
    }
    if marks.has(Marks::SLASH) && run.contains('/') {
        return None;
    }
    if (marks.has(Marks::DIGIT) || UUID <= run.len()) && shape::is_id(run) {
        return Some((Kind::Id, run));
    }
    if marks.has(Marks::UPPER) && shape::is_code(run) {
        return Some((Kind::Code, run));
    }
    if !marks.has(Marks::UPPER | Marks::UNDERSCORE) {
        return None;
    }
    let tells = |name: &&str| !is_common(name) && !is_own_id(name);
    shape::name(run).filter(tells).map(|name| (Kind::Name, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, facts: &[(Kind, &str)]) {
        let mut found = Vec::new();
        scan(text, |kind, fact| {
            found.push((kind, fact));
            ControlFlow::Continue(())
        });
        assert_eq!(found, facts);
    }

    #[test]
    fn finds_paths() {
        check(
            "see ./src/lib.rs, /tmp/a/b and Cargo.toml. Not and/or, not 1.5/2, not e.g. this.",
            &[(Kind::Path, "./src/lib.rs"), (Kind::Path, "/tmp/a/b"), (Kind::Path, "Cargo.toml")],
        );
    }

    #[test]
    fn finds_names() {
        check(
            "parse_line(fooBar.baz) RefundKey Hello world x_y __dunder_name__",
            &[
                (Kind::Name, "parse_line"),
                (Kind::Name, "fooBar"),
                (Kind::Name, "RefundKey"),
                (Kind::Name, "dunder_name"),
            ],
        );
    }

    #[test]
    fn finds_flags_ids_codes_and_links() {
        check(
            "--no-verify --x #12 v1.2.3 3c1f9d2 deadbeef error[E0382] ENOENT (https://a.b/c?d=e).",
            &[
                (Kind::Flag, "--no-verify"),
                (Kind::Id, "#12"),
                (Kind::Id, "v1.2.3"),
                (Kind::Id, "3c1f9d2"),
                (Kind::Code, "E0382"),
                (Kind::Code, "ENOENT"),
                (Kind::Link, "https://a.b/c?d=e"),
            ],
        );
    }

    #[test]
    fn a_letter_of_an_escape_is_no_part_of_a_name() {
        check(
            r"\nVerifiedBy \tlast_seen grep '\bparse_line\b' C:\new_files\next.rs C:\\a\\b.toml\r\nDEBUG_OUT \n--no-verify",
            &[
                (Kind::Name, "VerifiedBy"),
                (Kind::Name, "last_seen"),
                (Kind::Name, "parse_line"),
                (Kind::Name, "new_files"),
                (Kind::Path, "next.rs"),
                (Kind::Path, "b.toml"),
                (Kind::Name, "DEBUG_OUT"),
                (Kind::Flag, "--no-verify"),
            ],
        );
    }

    #[test]
    fn our_own_ids_are_no_facts() {
        check("note_1763700000000 entry_1763700000001 note_12x", &[(Kind::Name, "note_12x")]);
    }

    #[test]
    fn breaks_off() {
        let mut n = 0;
        scan("a_fact b_fact c_fact", |_, _| {
            n += 1;
            if n == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(n, 2);
    }
}
