//! Shell lines as simple commands, the same whenever the agent runs the same.

pub(crate) mod changes;
mod secret;

use std::borrow::Cow;

use crate::statement::flat;

pub(crate) use secret::prints_secrets;

/// What only shows or joins: no command that one would want to run again.
const PLUMBING: &[&str] = &[
    "cd", "echo", "head", "tail", "sed", "awk", "cat", "wc", "for", "do", "if", "then", "printf",
    "sleep", "export", "sort", "grep", "rg", "ls", "find", "nl", "true", "false", "fi", "else",
    "done", "local", "set", "xargs", "tr", "cut", "while", "exit", "source", "pwd", "test", "[",
    "[[", "set", "mkdir", "elif", "return", "function", "case", "esac", "EOF",
];

/// The longest command kept: what is longer is a script.
const LONGEST: usize = 160;

/// Calls `found` with each simple command of `line` that does something.
///
/// Blanks are single, redirections, variables in front and here-documents are left out; a command
/// of one word is none, and what is longer than 160 bytes is left out too.
pub fn simple(line: &str, mut found: impl FnMut(&str)) {
    let mut command = String::new();
    for part in parts(line) {
        if part.bytes().all(is_plain) {
            command = flat(part);
        } else {
            normalise(part, &mut command);
        }
        let head = command.split(' ').next().unwrap_or_default();
        if command.len() <= LONGEST && command.contains(' ') && is_program(head) {
            found(&command);
        }
    }
}

/// Calls `found` with each simple command of `line`, with the variables set in front of it, and without; also with one of
/// one word, and with what only shows or joins.
pub(crate) fn each_set(line: &str, mut found: impl FnMut(&str, &str)) {
    let mut bare = String::new();
    for part in parts(line) {
        normalise(part, &mut bare);
        let set = alone(part).split_whitespace().take_while(|word| is_variable(word));
        let whole = set.chain([bare.as_str()]).collect::<Vec<_>>().join(" ");
        if !bare.is_empty() && whole.len() <= LONGEST {
            found(&whole, &bare);
        }
    }
}

/// Whether a line only calls vade: what it asks of the memory is no work to tell of.
#[must_use]
pub(crate) fn is_ours(line: &str) -> bool {
    if !line.contains(OURS) {
        return false;
    }
    let mut parts =
        parts(line).into_iter().map(str::trim).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| part == OURS || part.starts_with("vade "))
}

/// Whether a command is one that an agent would not type by itself: no look at what there is, no
/// step that its commit tells of.
#[must_use]
pub fn is_own(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    !EVERYONES.contains(&words.next().unwrap_or_default())
        && !words.clone().any(|word| matches!(word, "--help" | "--version"))
        && !words.take(2).any(|word| LOOKING.contains(&word))
}

/// Whether a line does more than to show files or to put them elsewhere.
pub(crate) fn works(line: &str) -> bool {
    parts(line).into_iter().any(|part| {
        let mut words = alone(part).split_whitespace().filter(|word| !is_variable(word));
        words.next().is_some_and(|word| {
            matches!(word, "git" | "gh") || is_program(word) && !EVERYONES.contains(&word)
        })
    })
}

/// Whether a line does what another one came to at last, which failed: it pushes, commits or opens the same kind of thing,
/// or calls one program for the same thing, whatever they are told beside it.
pub(crate) fn has_same_step(line: &str, failed: &str) -> bool {
    let steps = |line: &str| {
        let mut steps = Vec::new();
        simple(line, |command| {
            let head = head(command);
            let is_look = head.rsplit(' ').next().is_some_and(|it| LOOKING.contains(&it));
            if is_look || !works(command) {
                return;
            }
            let is_step = command.starts_with("git ") || command.starts_with("gh pr ");
            let mut rest =
                command[head.len()..].split_whitespace().filter(|it| !it.starts_with('-'));
            let thing = rest.next().filter(|_| !is_step).unwrap_or_default();
            let thing = thing.trim_matches(['"', '\'']).split('?').next().unwrap_or_default();
            steps.push(format!("{head} {thing}"));
        });
        steps
    };
    steps(failed).last().is_some_and(|step| steps(line).contains(step))
}

/// The simple commands of a line.
pub(crate) fn all(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    simple(line, |command| all.push(command.to_owned()));
    all
}

/// Whether a line has every simple command of another one, which has some.
pub(crate) fn has_all(line: &str, other: &str) -> bool {
    let (these, others) = (all(line), all(other));
    !others.is_empty() && others.iter().all(|other| these.contains(other))
}

/// A line of more than `most` bytes without the texts of its here-documents: what stands behind one is a part of the line.
pub(crate) fn without_documents(line: &str, most: usize) -> Cow<'_, str> {
    if line.len() <= most || !line.contains("<<") {
        return Cow::Borrowed(line);
    }
    let (mut short, mut rest) = (String::new(), line);
    while let Some(at) = rest.find("<<") {
        let end = document_end(rest, at);
        let begin =
            rest[at..].find('\n').map(|it| at + it).filter(|it| *it < end && end < rest.len());
        // Without its end it is no document, or the last thing in the line.
        let Some(begin) = begin else { break };
        let last = rest[..end].rfind('\n').unwrap_or(begin);
        short.push_str(&rest[..begin]);
        short.push_str(&rest[last..end]);
        rest = &rest[end..];
    }
    Cow::Owned(short + rest)
}

/// Whether any agent would type a command, in any project of its kind.
#[must_use]
pub fn is_everyones(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    let (program, rest) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
    BUILDING.contains(&program) && rest.iter().all(|word| COMMON.contains(word))
}

/// Programs that build and test, and what they are told everywhere.
const BUILDING: &[&str] =
    &["npm", "pnpm", "yarn", "bun", "cargo", "go", "make", "pytest", "mix", "mvn", "gradle", "pip"];
const COMMON: &[&str] = &[
    "test", "build", "install", "ci", "i", "run", "check", "fmt", "vet", "compile", "./...", "mod",
    "tidy",
];

/// What programs call their commands that only show something.
const LOOKING: &[&str] = &[
    "status", "show", "list", "ls", "view", "info", "version", "log", "logs", "diff", "help",
    "describe",
];

/// Programs that agents call in every project.
const EVERYONES: &[&str] = &[
    "git", "gh", "which", "command", "type", "whoami", "date", "env", "uname", "man", "file",
    "stat", "touch", "cp", "mv", "rm", "chmod", "ln", "diff", "less", "more", "tree", "du", "df",
    "ps", "kill", "pkill", "jq", "tee", "open", "curl", "wget", "tar", "unzip", "zip", "perl",
];

/// The program that we are.
const OURS: &str = "vade";

/// The program and its subcommand: `cargo test`, `git commit`, `./run.sh`.
#[must_use]
pub fn head(command: &str) -> &str {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    match words.next() {
        Some(word) if is_subcommand(word) => &command[..program.len() + 1 + word.len()],
        Some(_) | None => program,
    }
}

fn is_subcommand(word: &str) -> bool {
    (2..=25).contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-'))
}

fn is_program(word: &str) -> bool {
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(is_part)
        && !PLUMBING.contains(&word)
        && word != OURS
}

/// The pieces between `&&`, `||`, `;`, `|` and line ends that stand outside of quotes and of `$(…)`.
pub(crate) fn parts(line: &str) -> Vec<&str> {
    let bytes = line.as_bytes();
    let (mut found, mut start, mut at, mut quote, mut deep) = (Vec::new(), 0, 0, None, 0_usize);
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(b'"') if bytes[at..].starts_with(b"<<") => {
                found.push(&line[start..at]);
                start = document_end(line, at);
                // The document ends within the quote, which closes behind it.
                at = start;
                continue;
            }
            Some(_) if byte == b'\\' => at += 1,
            Some(mark) if byte == mark => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None if byte == b'\\' => at += 1,
            None if byte == b'<' && bytes[at..].starts_with(b"<<") => {
                found.push(&line[start..at]);
                start = document_end(line, at);
                at = start;
                continue;
            }
            None if byte == b'(' && (0 < deep || line[..at].ends_with('$')) => deep += 1,
            None if byte == b')' => deep = deep.saturating_sub(1),
            None if 0 < deep => {}
            None if matches!(byte, b';' | b'|' | b'\n') || bytes[at..].starts_with(b"&&") => {
                found.push(&line[start..at]);
                start = at + 1;
            }
            Some(_) | None => {}
        }
        at += 1;
    }
    found.push(line.get(start..).unwrap_or_default());
    found
}

/// Where the here-document that starts at `at` ends.
fn document_end(line: &str, at: usize) -> usize {
    let rest = &line[at..];
    let word = rest.trim_start_matches(['<', '-', ' ']).trim_start_matches(['\'', '"']);
    let len = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let word = &word[..len];
    let mut from = rest.find('\n').map_or(rest.len(), |idx| idx + 1);
    while !word.is_empty() && from < rest.len() {
        let end = rest[from..].find('\n').map_or(rest.len(), |idx| from + idx);
        if rest[from..end].trim() == word {
            return at + end;
        }
        from = (end + 1).min(rest.len());
    }
    line.len()
}

/// Whether a byte means nothing to a shell: most parts hold no other.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_' | b'.' | b'/' | b':')
}

/// Writes `part` into `command` with single blanks, without redirections and leading variables.
///
/// What stands behind a quote that is not closed was cut off, such as a here-document within it: it
/// goes, with the options before it that would have taken it.
fn normalise(part: &str, command: &mut String) {
    command.clear();
    let part = alone(part);
    let (mut skips_target, mut quote, mut opened_at) = (false, None, 0);
    for word in part.split_whitespace() {
        let was_quoted = quote.is_some();
        let opener = quote_behind(word, &mut quote);
        if std::mem::take(&mut skips_target) || (command.is_empty() && is_variable(word)) {
            continue;
        }
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
        if !was_quoted && let Some(target) = bare.strip_prefix(['>', '<']) {
            skips_target = target.trim_start_matches('>').is_empty();
            // The bracket behind it closes what the command was made from.
            let closes = target.matches(')').count().saturating_sub(target.matches('(').count());
            command.extend(std::iter::repeat_n(')', closes));
            continue;
        }
        if !command.is_empty() {
            command.push(' ');
        }
        if let Some(at) = opener {
            opened_at = command.len() + at;
        }
        command.push_str(word);
        if 2 * LONGEST < command.len() {
            return;
        }
    }
    if quote.is_some() {
        command.truncate(opened_at);
        let whole = command.trim_end_matches(' ').len();
        command.truncate(whole);
        while let Some(at) = command.rfind(' ').filter(|&at| command[at..].starts_with(" -")) {
            command.truncate(at);
        }
    }
}

/// A part without what joins it to others: blanks, `&`, and brackets that it does not close or open itself.
pub(crate) fn alone(part: &str) -> &str {
    let is_joint = |c: char| c.is_whitespace() || c == '&';
    let mut part = part.trim_start_matches(|c: char| is_joint(c) || matches!(c, '(' | '{'));
    loop {
        part = part.trim_end_matches(is_joint);
        let is_open = |open: char, close: char| {
            part.ends_with(close) && part.matches(open).count() < part.matches(close).count()
        };
        if !is_open('(', ')') && !is_open('{', '}') {
            return part;
        }
        part = &part[..part.len() - 1];
    }
}

/// Follows the quotes of a word; where the one that is open behind it was opened in it.
fn quote_behind(word: &str, quote: &mut Option<u8>) -> Option<usize> {
    let (mut at, mut opener) = (0, None);
    let bytes = word.as_bytes();
    while at < bytes.len() {
        match (*quote, bytes[at]) {
            (None | Some(b'"'), b'\\') => at += 1,
            (Some(mark), byte) if byte == mark => *quote = None,
            (None, byte @ (b'"' | b'\'')) => {
                *quote = Some(byte);
                opener = Some(at);
            }
            (None | Some(_), _) => {}
        }
        at += 1;
    }
    opener.filter(|_| quote.is_some())
}

fn is_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, value)| {
        !name.is_empty()
            && !value.contains("$(")
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, commands: &[&str]) {
        let mut found = Vec::new();
        simple(line, |command| found.push(command.to_owned()));
        assert_eq!(found, commands);
    }

    #[test]
    fn a_line_that_failed_did_not_come_to_its_last_step() {
        let failed = "git add -A && git commit -qm 'wip' && bash t.sh";
        for (line, is_same) in [
            ("git commit -qm docs --allow-empty", false),
            ("bash t.sh", true),
            ("git commit -qm wip; bash t.sh | tail -3", true),
        ] {
            assert_eq!(has_same_step(line, failed), is_same, "{line}");
        }
        assert!(has_same_step("git commit -qm two", "git commit -qm one && git status"));
    }

    #[test]
    fn leaves_plumbing_out() {
        check(
            "cd x && RUST_LOG=debug  cargo test -p pay 2>&1 | tail -5; git diff > /dev/null --stat",
            &["cargo test -p pay", "git diff --stat"],
        );
    }

    #[test]
    fn keeps_quotes_together() {
        check(r#"git commit -m "a; b && c" && ls -la"#, &[r#"git commit -m "a; b && c""#]);
    }

    #[test]
    fn a_quote_is_no_redirection_and_what_it_lost_is_not_told() {
        let log = r#"git log --format="%h %an <%ae>" entire/sessions"#;
        check(&format!("{log} > out.txt"), &[log]);
        check(
            "git commit -m \"$(cat <<'EOF'\nfix: it\nEOF\n)\" && git push -u origin",
            &["git commit", "git push -u origin"],
        );
        check("git commit -a src -m \"$(cat <<'EOF'\nfix: it\nEOF\n)\"", &["git commit -a src"]);
        check(r"echo it\'s; git add it\'s > /dev/null", &[r"git add it\'s"]);
    }

    #[test]
    fn our_own_commands_are_none() {
        check("vade note scratch note_1763700000000 && make test", &["make test"]);
        assert!(is_ours("vade note list | vade note add"));
        assert!(!is_ours("vade note list; make") && !is_ours(""));
    }

    #[test]
    fn what_a_command_is_made_from_stays_in_it() {
        check(
            "bd update $(bd list --json | jq -r '.[0]') --done; (cd x && make test)",
            &["bd update $(bd list --json | jq -r '.[0]') --done", "make test"],
        );
        check("file $(which lint 2>/dev/null)", &["file $(which lint)"]);
        check("HEAD=$(git rev-parse HEAD)", &[]);
    }

    #[test]
    fn skips_a_document() {
        check(
            "python3 - <<'EOF'\nimport os; os.x()\nEOF\ngo test ./...",
            &["python3 -", "go test ./..."],
        );
    }

    #[test]
    fn a_long_document_goes_and_what_stands_behind_it_stays() {
        let long =
            format!("python3 - <<'X'\n{}X\ntimeout 9 make test", "print(1 << 2)\n".repeat(60));
        assert_eq!(without_documents(&long, 600), "python3 - <<'X'\nX\ntimeout 9 make test");
        assert_eq!(without_documents(&long, 6_000), long);
        let shift = format!("awk '{{ print 1 << 2 }}' {}", "file ".repeat(200));
        assert_eq!(without_documents(&shift, 600), shift);
    }

    #[test]
    fn tells_the_head() {
        assert_eq!(head("cargo test -p pay"), "cargo test");
        assert_eq!(head("./run.sh --all"), "./run.sh");
        assert_eq!(head("npx vitest run"), "npx vitest");
    }
}
