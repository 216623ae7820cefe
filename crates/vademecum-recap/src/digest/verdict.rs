//! What a build or a run of tests says of itself at its end, where its exit code is lost: behind a
//! pipe (`cargo test | tail`), before a further command (`make; echo done`).

use std::collections::VecDeque;

use crate::command;

/// So many bytes at the end of an output hold its verdict.
const END: usize = 4_000;

/// How lines begin with which tools say that they failed.
const FAILED: &[&str] = &[
    // cargo, rustc
    "test result: FAILED",
    "error: test failed",
    "error: could not compile",
    // unittest, go, prove
    "FAILED (",
    "--- FAIL:",
    "FAIL\t",
    "Result: FAIL",
    // npm, pnpm, make, ninja
    "npm ERR!",
    "npm error",
    "ELIFECYCLE",
    // bun, yarn
    "error: script \"",
    "error Command failed with exit code",
    "make: ***",
    "ninja: build stopped",
    // Gradle, Maven, Xcode
    "BUILD FAILED",
    "FAILURE: Build failed",
    "[ERROR] BUILD FAILURE",
    "** BUILD FAILED **",
    "** TEST FAILED **",
];

/// How lines begin with which tools say that all went well.
const PASSED: &[&str] = &[
    // cargo
    "test result: ok",
    // unittest, go, prove
    "OK (",
    "ok  \t",
    "Result: PASS",
    // Gradle, Maven, Xcode
    "BUILD SUCCESSFUL",
    "[INFO] BUILD SUCCESS",
    "** BUILD SUCCEEDED **",
    "** TEST SUCCEEDED **",
    // eslint, tsc, ruff, mypy
    "Found 0 errors",
    "All checks passed!",
    "Success: no issues found",
];

/// How the line of cargo begins that ends a build, and stands before the tests of a run.
const BUILT: &str = "Finished `";

/// Checks that say nothing where nothing is wrong.
const SILENT: &[&str] = &["tsc", "eslint", "shellcheck", "flake8", "go vet", "go build"];

/// What stands before the counts of a run: pytest, Jest, Vitest, tsc.
const COUNTING: &[&str] = &["Tests:", "Tests ", "Test Suites:", "Test Files ", "Found "];

/// What is counted.
const COUNTED: &[&str] = &["failed", "failing", "error", "errors"];

/// Whether `command` hides the exit code of one of its parts from who reads the last one's.
pub(crate) fn hides_its_code(command: &str) -> bool {
    command.contains(['|', ';', '\n'])
}

/// Whether a line at the end of `output` says that the run failed.
pub(crate) fn is_failure(output: &str) -> bool {
    let start = output.ceil_char_boundary(output.len().saturating_sub(END));
    output[start..].lines().any(says_failed)
}

/// Whether a line at the end of `output` says that a run of `checks` went well, and none that it failed.
pub(super) fn is_success(checks: &str, output: &str) -> bool {
    let start = output.ceil_char_boundary(output.len().saturating_sub(END));
    let is_build = !checks.is_empty() && !checks.split(" && ").any(|it| kind(it) == Some("test"));
    let says = |line: &str| says_passed(line) || is_build && line.trim().starts_with(BUILT);
    output[start..].lines().any(says) && !is_failure(output) || is_silent(checks, output)
}

/// Whether nothing was said to a check that speaks of faults alone.
fn is_silent(checks: &str, output: &str) -> bool {
    let check = ["npx ", "pnpm exec ", "yarn "].iter().find_map(|it| checks.strip_prefix(it));
    let check = check.unwrap_or(checks);
    output.trim().is_empty()
        && !checks.contains(" && ")
        && SILENT
            .iter()
            .any(|it| check.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with(' ')))
}

/// How many runs that went well are kept, and how many links of pull requests.
const KEPT: usize = 4;

/// A run of tests, a linter or a build that went well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) command: String,
    /// The line that says so, if one does.
    pub(crate) line: String,
    /// The call, counted from 1.
    pub(crate) step: u32,
}

/// What ran well and was opened so far, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Passing {
    pub(crate) runs: VecDeque<Passed>,
    pub(crate) pulls: VecDeque<String>,
    /// Commands that took effect beyond the work tree.
    pub(crate) effects: VecDeque<String>,
    /// The turn at which tests ran well last; 0 if they never did.
    pub(crate) tested_at: u32,
}

impl Passing {
    /// Takes in what a command printed that ran well, and which of its parts check the work.
    pub(super) fn ran(
        &mut self,
        command: &str,
        checks: &str,
        (step, turn): (u32, u32),
        output: &str,
    ) {
        if command.contains("gh pr create") {
            let links = output.split_whitespace().filter(|it| it.starts_with("https://"));
            links
                .filter(|it| it.contains("/pull/"))
                .for_each(|it| keep(&mut self.pulls, it.to_owned()));
        }
        if checks.is_empty() {
            return;
        }
        let line = last_passed(output).unwrap_or_default();
        // Behind a pipe the exit code is another's.
        if !line.is_empty() || !hides_its_code(command) || is_success(checks, output) {
            self.ran_again(checks);
            if checks.split(" && ").any(|it| kind(it) == Some("test")) {
                self.tested_at = turn;
            }
            // One package of many tells no more than that.
            let line = if line.starts_with("ok") { "" } else { line }.to_owned();
            keep(&mut self.runs, Passed { command: checks.to_owned(), line, step });
        }
    }

    /// Takes in what a line that ran well did beyond the work tree; one of nothing but checks did nothing.
    pub(super) fn took_effect(&mut self, line: &str, checks: &str) {
        if line == checks || !EFFECTS.iter().any(|words| line.contains(words)) {
            return;
        }
        command::simple(line, |command| {
            // What it says within quotes it does not do.
            let own = command.split(['"', '\'']).next().unwrap_or_default();
            let is_meant = EFFECTS.iter().any(|words| names(own, words));
            if is_meant && !is_check(command) && !command.contains("--dry-run") {
                self.effects.retain(|it| it != command);
                keep(&mut self.effects, command.to_owned());
            }
        });
    }

    /// Lets go of checks that went well before and ran again.
    pub(super) fn ran_again(&mut self, checks: &str) {
        let all: Vec<&str> = checks.split(" && ").collect();
        self.runs.retain(|it| !it.command.split(" && ").all(|check| all.contains(&check)));
    }
}

fn keep<T>(list: &mut VecDeque<T>, one: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(one);
}

/// Words of commands that take effect where others see it.
const EFFECTS: &[&str] = &[
    "git push",
    "gh pr create",
    "gh pr merge",
    "gh issue create",
    "gh release create",
    "npm publish",
    "pnpm publish",
    "cargo publish",
    "twine upload",
    "terraform apply",
    "kubectl apply",
    "helm upgrade",
    "docker push",
    "migrate",
    "alembic upgrade",
    "deploy",
];

/// Words of commands that check the work.
const CHECKS: &[&str] = &[
    "test",
    "tests",
    "lint",
    "check",
    "build",
    "typecheck",
    "clippy",
    "tsc",
    "eslint",
    "ruff",
    "mypy",
    "vet",
    "flake8",
    "shellcheck",
    "pytest",
    "vitest",
    "unittest",
    "nextest",
    "jest",
    "mocha",
    "rspec",
    "phpunit",
    "tox",
];

/// Those of them that run tests and do not say so.
const TESTS: &[&str] = &["jest", "mocha", "rspec", "phpunit", "tox"];

/// Whether a command checks the work.
pub(super) fn is_check(command: &str) -> bool {
    kind(command).is_some() && command::is_own(command)
}

/// A command without the program that runs it: `timeout 60 make test` is `make test`.
pub(super) fn unwrapped(command: &str) -> &str {
    let is_of_wrapper = |word: &str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let Some((program, mut rest)) = command.split_once(' ') else { return command };
    if !WRAPPERS.contains(&program) {
        return command;
    }
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| is_of_wrapper(word)) {
        rest = behind;
    }
    rest
}

/// Programs that run the command behind them.
const WRAPPERS: &[&str] = &["timeout", "time", "nice", "stdbuf"];

/// By which word a command is known to check the work; what tests is one kind whatever its name.
fn kind(command: &str) -> Option<&str> {
    let parts = command.split(' ').take(3).flat_map(|word| word.split([':', '-']));
    let word = parts.into_iter().find(|part| CHECKS.contains(part))?;
    Some(if word.contains("test") || TESTS.contains(&word) { "test" } else { word })
}

/// Whether a line does what has to be done in the end, however often it fails.
pub(super) fn is_step(line: &str) -> bool {
    let mut is_step = false;
    command::simple(line, |command| {
        let is_effect = EFFECTS.iter().any(|words| names(command, words));
        is_step |= is_effect || STEPS.iter().any(|words| command.starts_with(words));
    });
    is_step
}

/// How commands begin that bring commits along.
const STEPS: &[&str] = &["git commit", "git rebase", "git merge", "git cherry-pick", "git pull"];

/// Whether `words` stand whole in a command, one of its options' values aside.
fn names(command: &str, words: &str) -> bool {
    command.match_indices(words).any(|(at, _)| {
        let (before, behind) = (&command[..at], &command[at + words.len()..]);
        let is_value = before.trim_end().rsplit(' ').next().is_some_and(|it| it.starts_with('-'));
        let is_start = before.is_empty() || before.ends_with([' ', ':']);
        is_start && !is_value && (behind.is_empty() || behind.starts_with([' ', ':']))
    })
}

/// Of the checks `narrow` of a line that failed those that a line with the checks `wide` does not cover.
pub(super) fn uncovered((line, wide): (&str, &str), (failed, narrow): (&str, &str)) -> String {
    let is_set = |word: &str| word.contains('=') && !word.starts_with('-') && !line.contains(word);
    let is_other = failed.split(' ').any(is_set);
    let is_left = |one: &&str| is_other || !wide.split(" && ").any(|other| covers(other, one));
    narrow.split(" && ").filter(is_left).collect::<Vec<_>>().join(" && ")
}

/// Whether a check is at least as wide as another: the same, with none of its words but some left out, or one of the
/// whole project of its kind.
fn covers(wide: &str, narrow: &str) -> bool {
    let built = built_by(wide, narrow);
    let narrow = built.as_deref().unwrap_or(narrow);
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (all, some) = (words(wide), words(narrow));
    // Who puts right what a check finds runs the check.
    let is_same = |it: &str, word: &str| it.strip_suffix(":fix").unwrap_or(it) == word;
    let has = |word: &String| word == "./..." || some.iter().any(|it| is_same(it, word));
    let is_whole = all.len() <= WHOLE && all.iter().all(|word| word.bytes().all(is_of_name));
    names(narrow, command::head(wide)) && all.iter().all(has)
        || is_whole && all.len() < some.len() && kind(wide) == kind(narrow)
}

/// `narrow` as `wide` does it, where both are cargo's and the second builds what the first only builds.
fn built_by(wide: &str, narrow: &str) -> Option<String> {
    let (verb, _) = split_verb(wide.strip_prefix("cargo ")?);
    let (built, rest) = split_verb(narrow.strip_prefix("cargo ")?);
    let is_more = match built {
        "check" => matches!(verb, "test" | "clippy" | "build" | "run"),
        "build" => matches!(verb, "test" | "run"),
        _ => false,
    };
    is_more.then(|| format!("cargo {verb}{rest}"))
}

fn split_verb(words: &str) -> (&str, &str) {
    words.split_at(words.find(' ').unwrap_or(words.len()))
}

/// How many words a check of the whole project has at most: `npm run test`.
const WHOLE: usize = 3;

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_lowercase() || matches!(byte, b':' | b'-' | b'_')
}

/// The last line at the end of `output` that says that the run went well, with a count.
fn last_passed(output: &str) -> Option<&str> {
    let start = output.ceil_char_boundary(output.len().saturating_sub(END));
    let counts = |line: &&str| line.bytes().any(|byte| byte.is_ascii_digit());
    let says = |line: &&str| says_passed(line) && *line != NO_FAIL;
    let (output, mut end) = (&output[start..], output.len() - start);
    let before = memchr::memrchr_iter(b'\n', output.as_bytes()).map(|at| at + 1).chain([0]);
    let lines = before.map(|start| &output[start..std::mem::replace(&mut end, start)]);
    lines.filter(counts).map(str::trim).find(says)
}

/// How bun ends, behind the line that counts what went well.
const NO_FAIL: &str = "0 fail";

fn says_passed(line: &str) -> bool {
    let line = without_task(line.trim());
    PASSED.iter().any(|words| line.starts_with(words))
        || matches!(line, "PASS" | "OK")
        || line == "0 issues." // golangci-lint
        || line == NO_FAIL
        || is_number(line.strip_suffix(" pass"))
        || counts(line, &["passed"])
}

/// A line without the name of the task that printed it: `[lint:go] 0 issues.`
fn without_task(line: &str) -> &str {
    let task = line.strip_prefix('[').and_then(|it| it.split_once("] "));
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(is_of_name);
    task.filter(|(name, _)| is_name(name)).map_or(line, |(_, said)| said)
}

fn says_failed(line: &str) -> bool {
    let line = without_task(line.trim());
    FAILED.iter().any(|words| line.starts_with(words))
        || line == "FAIL"
        || line.ends_with("ERROR task failed") // mise
        || line != NO_FAIL && is_number(line.strip_suffix(" fail")) // bun
        || counts(line, COUNTED)
        || is_of_compiler(line)
}

fn is_number(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.parse::<u32>().is_ok())
}

/// Whether a compiler says on a line where it found an error.
///
/// gcc, clang and javac write `pay.c:3:9: error: …`, tsc `pay.ts(3,9): error TS2304: …`, go `./pay.go:3:9: …` without that word.
fn is_of_compiler(line: &str) -> bool {
    let Some((place, said)) = line.split_once(": ") else { return false };
    if place.contains([' ', '\t']) || said.starts_with(' ') {
        return false;
    }
    let mut parts = place.split(':');
    let (file, numbers) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
    let is_numbered = numbers.iter().all(|part| part.parse::<u32>().is_ok());
    match numbers.len() {
        0 => place.ends_with(')') && said.starts_with("error TS"),
        2 if is_numbered && file.rsplit_once('.').is_some_and(|(_, kind)| kind == "go") => true,
        1 | 2 => is_numbered && ["error: ", "fatal error: "].iter().any(|it| said.starts_with(it)),
        _ => false,
    }
}

/// Whether a line like `=== 2 failed, 9 passed in 0.1s ===` counts more than none of `counted`.
fn counts(line: &str, counted: &[&str]) -> bool {
    let bare = line.trim_matches('=');
    let is_whole = bare.len() < line.len() || bare.ends_with(" failing");
    let counts = COUNTING.iter().find_map(|words| line.strip_prefix(words));
    let Some(counts) = counts.or((is_whole || is_timed(bare)).then_some(bare)) else {
        return false;
    };
    let mut n = 0;
    counts.split([' ', ',', '|', '.']).filter(|word| !word.is_empty()).any(|word| {
        let is_counted = 0 < n && counted.contains(&word);
        n = word.parse().unwrap_or(0);
        is_counted
    })
}

/// Whether a line ends with how long it took, as that of `pytest -q` does: `2 failed, 9 passed in 0.12s`.
fn is_timed(line: &str) -> bool {
    let time = line.rsplit_once(" in ").map(|(_, time)| time);
    let time = time.and_then(|time| time.split(' ').next()?.strip_suffix('s'));
    time.is_some_and(|time| time.parse::<f32>().is_ok())
        && line.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_cover_those_that_say_more() {
        for (line, failed, expected) in [
            ("cargo test 2>&1 | tail", "cargo test -p pay key", true),
            ("go vet . && go test ./...", "go test ./pay -run Key", true),
            ("cargo test -p ledger", "cargo test -p pay", false),
            ("make lint", "make lint && make test", false),
            ("npm run lint", "npm run lint:fix", true),
            ("mise run test", "go test ./pay -run Key", true),
            ("mise run lint", "go test ./pay -run Key", false),
            ("make test", "KEY=1 make test", false),
            ("cargo test", "cargo check", true),
            ("cargo clippy --all-targets", "cargo check --all-targets", true),
            ("cargo check", "cargo test", false),
            ("cargo test -p ledger", "cargo check -p pay", false),
            ("python3 -m unittest 2>&1 | tail -4", "python3 -m unittest tests.test_pay", true),
        ] {
            let checks = |line| {
                let mut checks = Vec::new();
                command::simple(line, |it| checks.extend(is_check(it).then(|| it.to_owned())));
                checks.join(" && ")
            };
            let (wide, narrow) = (checks(line), checks(failed));
            let left = uncovered((line, &wide), (failed, &narrow));
            assert_eq!(left.is_empty(), expected, "{line} for {failed}: {left}");
        }
    }

    #[test]
    fn failures_are_told_from_what_only_speaks_of_them() {
        for line in [
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "error: could not compile `shop` (lib) due to 2 previous errors",
            "FAILED (failures=1)",
            "========= 2 failed, 9 passed in 0.12s =========",
            "=== 1 error in 0.50s ===",
            "Tests:       1 failed, 4 passed, 5 total",
            " Test Files  1 failed | 3 passed (4)",
            "      Tests  2 failed | 10 passed (12)",
            "  2 failing",
            "Found 3 errors in 2 files.",
            "FAIL",
            "FAIL\tshop/pay\t0.01s",
            "2 failed, 9 passed in 0.12s",
            "make: *** [Makefile:3: test] Error 1",
            "npm error code ELIFECYCLE",
            "[test] ERROR task failed",
            " 3 fail",
            "error: script \"test\" exited with code 1",
            "./pay/key.go:12:3: undefined: paths.Key",
            "src/pay.c:12:3: error: 'key' undeclared",
            "src/Pay.java:12: error: cannot find symbol",
            "src/pay.ts(12,3): error TS2304: Cannot find name 'key'.",
        ] {
            assert!(is_failure(&format!("running\n{line}\ndone")), "{line}");
        }
        for line in [
            "test result: ok. 5 passed; 0 failed; 0 ignored",
            "========= 9 passed, 1 xfailed in 0.12s =========",
            "Tests:       4 passed, 4 total",
            "Tests  10 passed (10)",
            "Found 0 errors.",
            "Found 2 files with no errors",
            "mend the test that failed",
            "- 2 failed builds of last week",
            "ok  \tshop/pay\t0.01s",
            "FAILURES are listed below",
            "12 failed",
            "error in the log",
            "pay/key.go:12:\treturn key",
            "pay/key.go:12:3:\treturn key",
            "pay.c:12:3: warning: unused variable 'key'",
            "2026-11-26 12:03:09 pay.go:12:3: it went well",
            "note: error: is a word",
        ] {
            assert!(!is_failure(&format!("running\n{line}\ndone")), "{line}");
        }
        let (tests, clippy) = ("cargo test", "cargo clippy");
        for (checks, output, is_told) in [
            (tests, "test result: ok. 5 passed; 0 failed", true),
            (tests, "=== 9 passed in 0.1s ===", true),
            ("pytest -q", "4 passed in 0.10s", true),
            ("pytest -q", "1 failed, 4 passed in 0.10s", false),
            ("python3 -m unittest", "Ran 5 tests in 0.002s\n\nOK", true),
            (tests, "OK (3 tests)", true),
            (tests, "ok  \tshop/pay\t0.01s", true),
            (tests, "test result: ok. 5 passed\ntest result: FAILED. 1 passed; 1 failed", false),
            (tests, "    Finished `test` profile [unoptimized] target(s) in 2.0s", false),
            (clippy, "    Finished `dev` profile [unoptimized] target(s) in 2.0s", true),
            (clippy, "error: could not compile `shop`\n", false),
            ("npx tsc --noEmit", "", true),
            ("npx tsc --noEmit && npm test", "", false),
            ("mise run lint", "[lint] $ golangci-lint run ./...\n0 issues.", true),
            ("mise run lint", "[lint] $ golangci-lint run ./...\n3 issues:", false),
            ("bun run test", " 1244 pass\n 0 fail\nRan 1244 tests across 56 files.", true),
            ("bun run test", " 1348 pass\n 3 fail\nRan 1351 tests across 61 files.", false),
            (tests, "nothing of it", false),
            (tests, "", false),
        ] {
            assert_eq!(is_success(checks, output), is_told, "{checks}: {output}");
        }
        let bun = " 1244 pass\n 0 fail\n 2695 expect() calls\nRan 1244 tests. [861.00ms]";
        assert_eq!(last_passed(bun), Some("1244 pass"));
        let far = format!("test result: FAILED\n{}", "ok \u{e9}\n".repeat(END));
        assert!(!is_failure(&far));
    }
}
