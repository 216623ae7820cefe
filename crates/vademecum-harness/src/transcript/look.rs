//! Whether a command line only looks: it prints what is there and changes nothing.

/// Programs that only look, whatever follows them.
const LOOKERS: [&str; 64] = [
    "cat",
    "head",
    "tail",
    "nl",
    "bat",
    "less",
    "more",
    "wc",
    "ls",
    "tree",
    "fd",
    "rg",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "zcat",
    "ag",
    "sort",
    "uniq",
    "cut",
    "tr",
    "jq",
    "file",
    "stat",
    "du",
    "df",
    "which",
    "type",
    "whereis",
    "printenv",
    "date",
    "whoami",
    "uname",
    "ps",
    "diff",
    "cmp",
    "comm",
    "md5sum",
    "sha256sum",
    "shasum",
    "xxd",
    "hexdump",
    "strings",
    "readlink",
    "realpath",
    "basename",
    "dirname",
    "column",
    "pwd",
    "echo",
    "printf",
    "true",
    "false",
    "test",
    "[",
    "cd",
    "pushd",
    "popd",
    "exa",
    "eza",
    "sleep",
    "hostname",
    "id",
];

/// Commands of `git` that only look, whatever follows them.
const GIT: [&str; 14] = [
    "show",
    "diff",
    "log",
    "status",
    "blame",
    "grep",
    "ls-files",
    "ls-tree",
    "rev-parse",
    "rev-list",
    "describe",
    "shortlog",
    "cat-file",
    "merge-base",
];

/// Commands of other programs that only look, in their first words.
const OTHERS: [&str; 20] = [
    "gh pr view",
    "gh pr list",
    "gh pr diff",
    "gh pr checks",
    "gh pr status",
    "gh issue view",
    "gh issue list",
    "gh run view",
    "gh run list",
    "gh repo view",
    "gh search",
    "cargo tree",
    "cargo metadata",
    "npm ls",
    "npm view",
    "git stash list",
    "git worktree list",
    "git remote -v",
    "git branch --show-current",
    "go list",
];

/// Says whether every command of the line only looks.
pub(super) fn is_look(line: &str) -> bool {
    segments(line).is_some_and(|segments| {
        let mut looks = segments.iter().map(|segment| looks(segment));
        segments.iter().any(|segment| !segment.trim().is_empty()) && looks.all(|looks| looks)
    })
}

/// The commands of a line; none if it writes to a file or holds commands inside of others.
fn segments(line: &str) -> Option<Vec<&str>> {
    let bytes = line.as_bytes();
    let mut segments = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut quote = None;
    while let Some(&byte) = bytes.get(at) {
        match (quote, byte) {
            (Some(b'"') | None, b'\\') => at += 1,
            (Some(open), _) if open == byte => quote = None,
            (Some(b'"') | None, b'`') => return None,
            (Some(b'"') | None, b'$' | b'<') if bytes.get(at + 1) == Some(&b'(') => return None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'>') => at = behind_harmless(line, at)?,
            (None, b'&') if is_redirection(bytes, at) => {}
            (None, b'|' | b'&' | b';' | b'\n') => {
                segments.push(&line[start..at]);
                start = at + 1;
            }
            (Some(_) | None, _) => {}
        }
        at += 1;
    }
    segments.push(&line[start..]);
    Some(segments)
}

/// Whether the `&` at `at` belongs to a redirection like `2>&1`.
fn is_redirection(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1] == b'>' || bytes.get(at + 1) == Some(&b'>')
}

/// The last byte of a redirection that writes to no file; none if it does.
fn behind_harmless(line: &str, at: usize) -> Option<usize> {
    let rest = line[at..].trim_start_matches('>');
    let target = rest.trim_start_matches(' ');
    let harmless = ["&1", "&2", "/dev/null"].into_iter().find(|name| target.starts_with(name))?;
    Some(line.len() - target.len() + harmless.len() - 1)
}

fn looks(segment: &str) -> bool {
    let mut words = segment.split_whitespace().peekable();
    while words.peek().is_some_and(|word| is_assignment(word) || is_prefix(word)) {
        words.next();
    }
    let Some(program) = words.next() else { return true };
    let program = program.rsplit('/').next().unwrap_or(program);
    let words: Vec<&str> = words.collect();
    let has = |flags: &[&str]| words.iter().any(|word| flags.iter().any(|f| word.starts_with(f)));
    match program {
        "sed" => !has(&["-i", "--in-place"]) && !segment.contains("w "),
        "find" => !has(&["-exec", "-ok", "-delete", "-fprint", "-fls"]),
        "awk" | "gawk" => !segment.contains('>') && !segment.contains("system("),
        "xargs" => words
            .iter()
            .find(|word| !word.starts_with('-'))
            .is_some_and(|program| LOOKERS.contains(program)),
        "sort" if has(&["-o", "--output"]) => false,
        "git" => git(&words) || OTHERS.iter().any(|other| is_start(other, "git", &words)),
        _ => {
            LOOKERS.contains(&program)
                || OTHERS.iter().any(|other| is_start(other, program, &words))
        }
    }
}

/// Whether a command of `git` looks, behind options like `-C folder` and `--no-pager`.
fn git(words: &[&str]) -> bool {
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-C" | "-c" | "--git-dir" | "--work-tree" => drop(words.next()),
            _ if word.starts_with('-') => {}
            "branch" => {
                return words.all(|word| matches!(word, "-a" | "-r" | "-v" | "-vv" | "--list"));
            }
            _ => return GIT.contains(&word),
        }
    }
    false
}

fn is_start(command: &str, program: &str, words: &[&str]) -> bool {
    let Some(rest) = command.strip_prefix(program).and_then(|rest| rest.strip_prefix(' ')) else {
        return command == program;
    };
    let mut words = words.iter();
    rest.split(' ').all(|part| words.next() == Some(&part))
}

fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

fn is_prefix(word: &str) -> bool {
    matches!(word, "time" | "command" | "(" | "{" | "!" | "if" | "then" | "fi" | "}" | ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_looking_from_doing() {
        for (line, expected) in [
            ("cat a.rs", true),
            ("cd /x && sed -n '1,5p' a | head -3; ls 2>/dev/null", true),
            ("A=1 /usr/bin/grep -n \"a > b; rm x\" src 2>&1 | sort -u", true),
            ("git -C /x --no-pager log --oneline -3\nwc -l a", true),
            ("git branch -a", true),
            ("gh pr view 3 --json body", true),
            ("find . -name '*.rs' | xargs grep -l x", true),
            ("ls || true", true),
            ("", false),
            ("cat > a <<'EOF'\nx\nEOF", false),
            ("echo a >> b", false),
            ("sed -i s/a/b/ c", false),
            ("find . -delete", false),
            ("git branch new", false),
            ("git commit -m 'cat'", false),
            ("cat $(rm a)", false),
            ("cargo test 2>&1 | tail -5", false),
            ("ls | xargs rm", false),
            ("ls & rm a", false),
        ] {
            assert_eq!(is_look(line), expected, "{line:?}");
        }
    }
}
