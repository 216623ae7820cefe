//! Facts: what of a text can be matched exactly. Found by one pass over the bytes, copied nowhere.

mod shape;

use std::ops::ControlFlow;

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
    /// What a command starts with: the program and its subcommand.
    Program,
}

/// Names that every session is full of and that tell nothing.
const COMMON: &[&str] = &[
    "file_path",
    "old_string",
    "new_string",
    "tool_use_id",
    "session_id",
    "exit_code",
    "toString",
    "apply_patch",
    "node_modules",
    "JavaScript",
    "TypeScript",
    "GitHub",
];

/// Calls `found` with each fact of `text`, in its order, until it breaks off.
///
/// Commands are not among them: only a shell line has commands.
pub fn scan<'a>(text: &'a str, mut found: impl FnMut(Kind, &'a str) -> ControlFlow<()>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let end =
            at + bytes[at..].iter().position(|byte| !is_part(*byte)).unwrap_or(bytes.len() - at);
        let end = if bytes[end..].starts_with(b"://") { link_end(bytes, end) } else { end };
        if let Some((kind, fact)) = classify(&text[at..end])
            && found(kind, fact).is_break()
        {
            return;
        }
        at = end;
    }
}

/// Whether a byte stands in a path, name, flag or id.
fn is_part(byte: u8) -> bool {
    PART[usize::from(byte)]
}

const PART: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'.' | b'/' | b'@' | b'+' | b'-' | b'~' | b'#')
            || 0x80 <= byte;
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

/// Whether a path may as well be words between slashes: `read/write/execute`.
#[must_use]
pub fn is_loose(path: &str) -> bool {
    shape::is_loose(path)
}

fn classify(run: &str) -> Option<(Kind, &str)> {
    if run.len() < 4 {
        return (run.starts_with('#') && shape::is_id(run)).then_some((Kind::Id, run));
    }
    if run.contains("://") {
        let link = run.trim_end_matches(['.', ':', ';', '/']);
        return link.starts_with("http").then_some((Kind::Link, link));
    }
    if run.starts_with("--") {
        return shape::flag(run).map(|flag| (Kind::Flag, flag));
    }
    let run = run.trim_end_matches(['.', '-', '+', '@', '~', '#', '/']);
    if shape::is_path(run) {
        return Some((Kind::Path, run));
    }
    if run.contains('/') {
        return None;
    }
    if shape::is_id(run) {
        return Some((Kind::Id, run));
    }
    if shape::is_code(run) {
        return Some((Kind::Code, run));
    }
    shape::name(run).filter(|name| !COMMON.contains(name)).map(|name| (Kind::Name, name))
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
    fn breaks_off() {
        let mut n = 0;
        scan("a_fact b_fact c_fact", |_, _| {
            n += 1;
            if n == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(n, 2);
    }
}
