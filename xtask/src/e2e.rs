//! End-to-end runs: the real Claude Code and Codex, wired by `vade install`, against a mock model.
//!
//! Scenarios assert from what the model received and from what `vade` says, never from its insides.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};

use crate::step;
use crate::tools::{CLAUDE_CODE, CODEX};
use world::{Programs, World};

mod ask;
mod by_hand;
mod captured;
mod codex;
mod compaction;
mod deferred;
mod doctor;
mod expect;
mod faults;
mod http;
mod idle_tax;
mod instances;
mod interactive;
mod model;
mod process;
mod recap;
mod reply;
mod request;
mod resume_and_fork;
mod samples;
mod script;
mod siblings;
mod sub_agents;
mod terminal;
mod unasked;
mod wide_page;
mod words;
mod world;

/// One story with its own world.
struct Scenario {
    /// The name to run it by.
    name: &'static str,
    /// Plays it and says what is worth a line.
    play: fn(&World<'_>) -> Result<String>,
}

/// Scenarios that are played in the same way.
struct Group {
    /// The name to run all of them by.
    name: &'static str,
    /// How many are played at once.
    n_at_once: usize,
    scenarios: &'static [Scenario],
}

const GROUPS: [Group; 2] = [
    // Hooks of a development build come near their deadline when other programs run beside them.
    Group { name: "headless", n_at_once: 1, scenarios: &HEADLESS },
    Group { name: "interactive", n_at_once: 2, scenarios: &INTERACTIVE },
];

/// One prompt a run, as scripts and other programs use the harnesses.
const HEADLESS: [Scenario; 22] = [
    Scenario { name: "compaction", play: compaction::play },
    Scenario { name: "wide-page", play: wide_page::play },
    Scenario { name: "resume-and-fork", play: resume_and_fork::play },
    Scenario { name: "sub-agents", play: sub_agents::play },
    Scenario { name: "captured", play: captured::play },
    Scenario { name: "unasked", play: unasked::play },
    Scenario { name: "siblings", play: siblings::told },
    Scenario { name: "running", play: siblings::running },
    Scenario { name: "by-hand", play: by_hand::play },
    Scenario { name: "idle-tax", play: idle_tax::play },
    Scenario { name: "deferred", play: deferred::play },
    Scenario { name: "doctor", play: doctor::play },
    Scenario { name: "faults", play: faults::play },
    Scenario { name: "recap", play: recap::play },
    Scenario { name: "killed", play: instances::killed },
    Scenario { name: "two-at-once", play: instances::two_at_once },
    Scenario { name: "finished", play: instances::finished },
    Scenario { name: "codex", play: codex::compaction::play },
    Scenario { name: "codex-wiring", play: codex::wiring::play },
    Scenario { name: "codex-skills", play: codex::skills::play },
    Scenario { name: "codex-sub-agents", play: codex::sub_agents::play },
    Scenario { name: "codex-siblings", play: codex::siblings::play },
];

/// A person in front of a terminal.
const INTERACTIVE: [Scenario; 21] = [
    Scenario { name: "tty-compactions", play: interactive::compactions::play },
    Scenario { name: "tty-continued", play: interactive::resumes::continued },
    Scenario { name: "tty-four-resumes", play: interactive::resumes::four_times },
    Scenario { name: "tty-cleared", play: interactive::breaks::cleared },
    Scenario { name: "tty-interrupted", play: interactive::breaks::interrupted },
    Scenario { name: "tty-killed", play: interactive::breaks::killed },
    Scenario { name: "tty-agent-compacts", play: interactive::agents::compacting },
    Scenario { name: "tty-two-waves", play: interactive::agents::two_waves },
    Scenario { name: "tty-background", play: interactive::agents::background },
    Scenario { name: "tty-two-sessions", play: interactive::neighbours::two_sessions },
    Scenario { name: "tty-one-shot", play: interactive::neighbours::one_shot },
    Scenario { name: "tty-person", play: interactive::neighbours::person },
    Scenario { name: "tty-shell", play: interactive::typed::shell },
    Scenario { name: "tty-slash-commands", play: interactive::typed::slash_commands },
    Scenario { name: "tty-queued", play: interactive::typed::queued },
    Scenario { name: "tty-codex-compacted", play: interactive::codex::compacted },
    Scenario { name: "tty-codex-resumed", play: interactive::codex::resumed },
    Scenario { name: "tty-codex-agents", play: interactive::codex::agents },
    Scenario { name: "tty-codex-two", play: interactive::codex::two_sessions },
    Scenario { name: "tty-codex-interrupted", play: interactive::codex::interrupted },
    Scenario { name: "tty-codex-killed", play: interactive::codex::killed },
];

/// Runs the scenarios or groups named in `arguments`, or all.
///
/// `--vade PATH` tries another build of `vade` than the one of this repository.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (vade, names) = match arguments {
        [flag, path, names @ ..] if flag == "--vade" => (Some(PathBuf::from(path)), names),
        names => (None, names),
    };
    check_names(names)?;
    let target = target_folder()?;
    let programs = Programs {
        claude: CLAUDE_CODE.program(&target)?,
        codex: CODEX.program(&target)?,
        vade: vade.map_or_else(|| build_vade(&target), Ok)?,
    };

    let begin = Instant::now();
    let outcomes: Vec<bool> =
        GROUPS.iter().flat_map(|group| group.play(names, &programs, &target)).collect();
    let n_failed = outcomes.iter().filter(|passed| !**passed).count();
    println!(
        "e2e: {} scenarios, {n_failed} failed, {:.1} s",
        outcomes.len(),
        begin.elapsed().as_secs_f32()
    );
    ensure!(n_failed == 0, "{n_failed} end-to-end scenarios failed");
    Ok(())
}

impl Group {
    /// Plays its scenarios that are named, or all; which of them passed.
    fn play(&self, names: &[String], programs: &Programs, target: &Path) -> Vec<bool> {
        let is_named = |name| names.is_empty() || names.iter().any(|named| named == name);
        let chosen = self.scenarios.iter();
        let chosen = Mutex::new(chosen.filter(|it| is_named(self.name) || is_named(it.name)));
        let next = || chosen.lock().unwrap_or_else(PoisonError::into_inner).next();
        let play = || std::iter::from_fn(next).map(|it| it.passes(programs, target)).collect();
        thread::scope(|scope| {
            let players: Vec<_> = (0..self.n_at_once).map(|_| scope.spawn(play)).collect();
            let outcomes = players.into_iter().map(thread::ScopedJoinHandle::join);
            outcomes
                .flat_map(|passed: thread::Result<Vec<bool>>| passed.unwrap_or(vec![false]))
                .collect()
        })
    }
}

impl Scenario {
    /// Plays in a fresh world and prints one line; the world of a failure is kept.
    fn passes(&self, programs: &Programs, target: &Path) -> bool {
        let begin = Instant::now();
        let folder = target.join("e2e").join(self.name);
        let result = World::new(programs).and_then(|world| {
            clear(&folder)?;
            let played = (self.play)(&world);
            if let Err(error) = &played {
                world.save(&folder, &format!("{error:#}"))?;
            }
            played
        });

        let seconds = begin.elapsed().as_secs_f32();
        match &result {
            Ok(figures) => println!("  ok     {:<22} {seconds:5.1} s  {figures}", self.name),
            Err(error) => println!(
                "  FAILED {:<22} {seconds:5.1} s  {}; all of it: {}",
                self.name,
                short(&format!("{error:#}")),
                folder.display()
            ),
        }
        result.is_ok()
    }
}

/// Removes what an earlier failure left.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// The beginning of an error on one line.
fn short(error: &str) -> String {
    let line = error.replace('\n', " ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn check_names(names: &[String]) -> Result<()> {
    let known: Vec<&str> = GROUPS
        .iter()
        .flat_map(|group| [group.name].into_iter().chain(group.scenarios.iter().map(|it| it.name)))
        .collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no scenario {name:?}: use {}", known.join(", "));
    }
    Ok(())
}

/// The folder that cargo builds into: this program lies in a profile's folder below it.
fn target_folder() -> Result<PathBuf> {
    let program = env::current_exe()?;
    Ok(program.ancestors().nth(2).context("xtask does not lie in a target folder")?.to_owned())
}

fn build_vade(target: &Path) -> Result<PathBuf> {
    step::run(step::cargo().args(["build", "--quiet", "--locked", "--bin", "vade"]))?;
    Ok(target.join("debug").join("vade"))
}
