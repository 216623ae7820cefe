//! The lines of an answer that tell what went wrong.

use super::ends;
use super::work::clip_to;
use crate::command::prints_secrets;

/// The lines of an answer to `command` that tell what went wrong, at most three and those last that tell only
/// that something did; else its last, unless that may be a secret.
pub(super) fn errors(command: &str, text: &str) -> Vec<String> {
    let (head, tail) = ends(text, 20_000);
    // What shows how far it is writes over its own line.
    let each = |text| str::lines(text).flat_map(|line| line.split('\r')).map(str::trim);
    let lines = || each(head).chain(each(tail)).filter(|it| !is_frame(it));
    let mut found: Vec<&str> = Vec::new();
    // bun names each test that failed so, behind whatever the tests print.
    if text.contains("(fail) ") {
        found.extend(lines().filter(|line| line.starts_with("(fail) ")).take(3));
    }
    for line in lines().filter(|line| tells_an_error(line)) {
        if found.len() < ERRORS && !found.contains(&line) {
            found.push(line);
        }
    }
    found.sort_by_key(|line| (is_bare(line), is_test(line)));
    if found.is_empty() && !prints_secrets(command) {
        found.extend(lines().rev().find(|line| 3 <= line.matches(char::is_alphabetic).count()));
    }
    let short =
        |line: &str| clip_to(if is_test(line) { before_class(line) } else { line }, 300).to_owned();
    found.into_iter().take(3).map(short).collect()
}

/// Whether a line only names a test that failed, as unittest, go and cargo do: what went wrong says another.
fn is_test(line: &str) -> bool {
    let name = ["FAIL: ", "ERROR: ", "--- FAIL: "].iter().find_map(|it| line.strip_prefix(it));
    let name = name.or_else(|| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    name.is_some_and(|name| !before_class(name).contains(' '))
}

/// The name of a test without the class or the time in parentheses behind it.
fn before_class(name: &str) -> &str {
    name.strip_suffix(')').and_then(|it| it.rsplit_once(" (")).map_or(name, |(name, _)| name)
}

/// How many of the lines that tell an error are looked at.
const ERRORS: usize = 12;

/// Whether a line was put around an output by a harness, or says again what is run.
fn is_frame(line: &str) -> bool {
    line.is_empty() || FRAMES.iter().any(|start| line.starts_with(start))
}

/// How lines begin that harnesses put around outputs, and those that say again what is run.
const FRAMES: &[&str] = &[
    "$ ",
    "Output:",
    "Chunk ID",
    "Wall time",
    "Exit code",
    "Process exited",
    "Original token count",
    "Script completed",
];

/// Whether a line tells no more than that something failed.
fn is_bare(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.all(|word| BARE.contains(&&*word.to_ascii_lowercase()))
}

/// Words that every failure has.
const BARE: &[&str] = &[
    "error", "errors", "fail", "failed", "failing", "failure", "failures", "fatal", "found",
    "task", "test", "tests", "lint", "build", "check", "checks", "result", "command", "script",
    "exited", "exit", "status", "code", "with", "passed", "ignored",
];

/// Whether a line begins with a place in a file: `src/key.rs:12:5: …`.
fn is_of_place(line: &str) -> bool {
    let Some((path, rest)) = line.split_once(':') else { return false };
    path.contains('.') && !path.contains(' ') && rest.starts_with(|c: char| c.is_ascii_digit())
}

/// How lines of a test run begin that tell of no failure, whatever the test is called.
const PASSING: &[&str] = &["--- PASS", "=== RUN", "=== PAUSE", "=== CONT", "ok "];

/// Whether a line tells an error, or the place of one.
pub(super) fn tells_an_error(line: &str) -> bool {
    if PASSING.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let low = clip_to(line, 400).to_ascii_lowercase();
    let is_marked = line.trim_start().starts_with(['❌', '✗', '✖', '✘']);
    is_marked
        || line.starts_with("CONFLICT (")
        || is_of_place(line)
        || ["error", "fail", "panic"].iter().any(|word| low.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_written_over_is_not_told() {
        let text = "Rebasing (1/2)\rRebasing (2/2)\rerror: could not apply 1a2b3c4... key\nhint: go on\n\
                    Auto-merging a.rs\nCONFLICT (content): Merge conflict in a.rs";
        let told =
            ["error: could not apply 1a2b3c4... key", "CONFLICT (content): Merge conflict in a.rs"];
        assert_eq!(errors("git rebase main", text), told);
    }

    #[test]
    fn the_tests_that_failed_stand_before_what_tests_print() {
        let noise = "[limiter] Task 2 failed: 84 |\n".repeat(30);
        let output =
            format!("{noise}error: expected 3\n(fail) retry > stops at three [0.42ms]\n 1 fail");
        let told = errors("bun test", &output);
        assert_eq!(told[0], "(fail) retry > stops at three [0.42ms]");
    }
}
