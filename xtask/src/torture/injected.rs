//! The n-th call of a kind fails: no panic, nothing acknowledged is lost, and no answer is wrong without a word.

use std::collections::BTreeSet;
use std::process::Output;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::chance::Chance;
use super::home::fed;
use super::ledger;
use super::strace;
use super::template::{Log, PAGE, SESSION, Template};
use super::{Extent, Given};

/// The calls that are made to fail, and how.
const CALLS: &[(&str, &[&str])] = &[
    ("openat", &["EIO", "ENOSPC", "EMFILE"]),
    ("pwrite64", &["EIO", "ENOSPC"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("ftruncate", &["EIO", "ENOSPC"]),
    ("unlink", &["EIO"]),
    ("rename", &["EIO", "ENOSPC"]),
];

/// One in so many points of a command is tried by CI, others with each seed; of the first command all.
const STRIDE: u64 = 16;

/// What a command is for, by which its answer is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// It adds a word that must be there if it says so.
    Add,
    /// It answers the same as without a fault, or says that it cannot.
    Read,
    /// It removes the first note.
    Forget,
    /// It mends what needs no mending.
    Repair,
    /// It answers a harness, with exit code 0 and the page or a fault.
    Hook,
}

struct Run {
    name: &'static str,
    words: &'static [&'static str],
    aim: Aim,
}

const fn run_of(name: &'static str, aim: Aim, words: &'static [&'static str]) -> Run {
    Run { name, words, aim }
}

/// What an add adds.
const WORD: &str = "under a fault";

const RUNS: &[Run] = &[
    run_of("list", Aim::Read, &["--json", "note", "list", "--limit", "100"]),
    run_of("show", Aim::Read, &["--json", "notepad", "show"]),
    run_of("search", Aim::Read, &["--json", "note", "search", "before"]),
    run_of("add", Aim::Add, &["--json", "note", "add", WORD, "--tag", "finding"]),
    run_of("page", Aim::Add, &["--json", "notepad", "write", WORD]),
    run_of("learning", Aim::Add, &["--json", "learning", "add", WORD, "--plan", "a"]),
    run_of("forget", Aim::Forget, &["--json", "forget", "note", "FIRST", "--yes"]),
    run_of("repair", Aim::Repair, &["--json", "doctor", "--repair"]),
    run_of("hook", Aim::Hook, &["hook", "claude-code", "SessionStart"]),
];

/// A call that is made to fail: the n-th of its thread.
type Point = (String, usize);

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let template = Template::new(&given.vade, Log::Full)?;
    let mut chance = Chance::of(given.seed);
    let (mut n_faults, mut broken) = (0, Vec::new());
    for run in RUNS {
        template.restore()?;
        let whole = template.run(run, None)?;
        for (call, n) in template.points(run)? {
            let errors = CALLS.iter().find(|(name, _)| *name == call).map_or(&[][..], |it| it.1);
            for error in errors {
                // A wrong answer is seen by nobody else: one command that reads is tried whole.
                let is_tried = run.name == "list" || chance.below(STRIDE) == 0;
                if given.extent == Extent::Quick && !is_tried {
                    continue;
                }
                n_faults += 1;
                template.restore()?;
                let output = template.run(run, Some((&call, error, n)))?;
                let name = format!("{} {error} at {call} {n}", run.name);
                let lines = template.judge(run, &output, &whole);
                let lines = lines.unwrap_or_else(|error| vec![format!("{error:#}")]);
                broken.extend(lines.into_iter().map(|line| format!("{name}: {line}")));
            }
        }
    }
    ensure!(broken.is_empty(), "{} of {n_faults} faults: {}", broken.len(), broken.join("\n    "));
    Ok(format!(
        "{n_faults} faults: 0 panics, 0 acknowledged lost, 0 wrong answers, 0 keys replaced"
    ))
}

impl Template {
    fn run(&self, run: &Run, fault: Option<(&str, &str, usize)>) -> Result<Output> {
        let command = self.command(run)?;
        let mut command = match fault {
            Some((call, error, n)) => strace::fault(&command, call, error, n)?,
            None => command,
        };
        fed(&mut command, &self.event())
    }

    fn event(&self) -> Vec<u8> {
        let work = self.home.path("project");
        let event = json!({
            "session_id": SESSION, "cwd": work, "hook_event_name": "SessionStart", "source": "resume",
        });
        event.to_string().into_bytes()
    }

    fn command(&self, run: &Run) -> Result<std::process::Command> {
        let first = self.lines.first().context("no note")?;
        let first = first.split(' ').nth(1).context("no id")?;
        // Traced, everything takes longer than a hook has.
        let mut command = self.home.with("VADE_DEADLINE_MS", "20000").command(SESSION);
        command.args(run.words.iter().map(|word| if *word == "FIRST" { first } else { word }));
        Ok(command)
    }

    /// Each call of a run that is about a file of ours.
    fn points(&self, run: &Run) -> Result<BTreeSet<Point>> {
        self.restore()?;
        let log = self.home.path("trace");
        let calls: Vec<&str> = CALLS.iter().map(|(name, _)| *name).collect();
        fed(&mut strace::log(&self.command(run)?, &calls.join(","), &log)?, &self.event())?;
        let (ours, mut counts) = (self.home.path(""), std::collections::BTreeMap::new());
        let mut points = BTreeSet::new();
        for line in strace::lines(&log)? {
            let n = counts.entry((line.thread().to_owned(), line.call().to_owned())).or_insert(0);
            *n += 1;
            if line.is_in(&ours) {
                points.insert((line.call().to_owned(), *n));
            }
        }
        Ok(points)
    }

    /// What is not as it must be after a run.
    fn judge(&self, run: &Run, output: &Output, whole: &Output) -> Result<Vec<String>> {
        let mut broken = Vec::new();
        let said = String::from_utf8_lossy(&output.stderr);
        let answer = String::from_utf8_lossy(&output.stdout);
        let is_done = output.status.success();
        if said.contains("panicked") || !matches!(output.status.code(), Some(0..=100)) {
            broken.push(format!("ended with {}: {said}", output.status));
        }
        let is_silent = is_done && said.is_empty();
        if run.aim == Aim::Read && is_silent && output.stdout != whole.stdout {
            broken.push(format!("a wrong answer without a word: {}", answer.trim()));
        }
        if run.aim == Aim::Hook {
            // Line by line: a sign stands before each.
            let mut has_page = true;
            for line in PAGE.lines() {
                has_page &= answer.contains(serde_json::to_string(line)?.trim_matches('"'));
            }
            if !is_done || (!has_page && !answer.contains("fault: ") && said.is_empty()) {
                broken.push(format!("no page and no fault: {answer}"));
            }
        }
        if std::fs::read(self.home.data().join("vade.key"))? != self.kept("vade.key")? {
            broken.push("the key was replaced".to_owned());
        }
        if run.aim == Aim::Forget {
            broken.extend(self.judge_forget(is_done)?);
        } else {
            broken.extend(self.lost()?);
        }
        if run.aim == Aim::Add && is_done && !self.has_word(run)? {
            broken.push("acknowledged and not there".to_owned());
        }
        Ok(broken)
    }

    /// The first note may be there or not, and must not be if it was said so.
    fn judge_forget(&self, is_done: bool) -> Result<Vec<String>> {
        // What a fault left of an erasure is finished by the next write.
        let words = ["note", "add", "finish", "--tag", "finding"];
        ensure!(self.home.cli(SESSION, &words)?.1 == Some(0), "the write after it is refused");
        let first = self.lines.first().map(|line| format!("lost: {line}"));
        let mut lost = self.lost()?;
        let n_before = lost.len();
        lost.retain(|line| Some(line) != first.as_ref());
        if is_done && lost.len() == n_before {
            lost.push("a forgotten note is there".to_owned());
        }
        Ok(lost)
    }

    fn has_word(&self, run: &Run) -> Result<bool> {
        let found = ledger::find(&self.home, SESSION)?;
        Ok(match run.name {
            "add" => found.notes.iter().any(|(_, content)| content == WORD),
            "page" => found.page == WORD,
            _ => {
                let (shown, _) = self.home.cli(SESSION, &["plan", "show", "a", "--limit", "0"])?;
                shown.to_string().contains(WORD)
            }
        })
    }
}
